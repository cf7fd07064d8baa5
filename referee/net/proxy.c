#include "net/proxy.h"

#include "base/text.h"
#include "net/tcp.h"

#include <stdio.h>
#include <string.h>

enum { IPV4_BITS = 32, IPV6_BITS = 128 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The bits of an IPv4 network come after the 96 bits of its mapping. */
static bool read_bits(const char *text, const struct in6_addr *network,
                      int *bits, struct err *err)
{
    bool is_v4 = IN6_IS_ADDR_V4MAPPED(network);
    int most = is_v4 ? IPV4_BITS : IPV6_BITS;
    const char *at = text;

    *bits = most;
    if (text && (!take_int(&at, 0, most, bits) || !at_end(at)))
        return fail(err, "\"/%.20s\" must be /0 to /%d", text, most);
    *bits += IPV6_BITS - most;
    return true;
}

static bool add_proxy(struct proxies *p, char *text, struct err *err)
{
    char *slash = strchr(text, '/');
    struct proxy *proxy = &p->proxy[p->count];

    if (p->count == PROXIES_MAX)
        return fail(err, "more than %d proxies", PROXIES_MAX);
    if (slash)
        *slash = '\0';
    if (!ip_read(text, &proxy->network))
        return fail(
            err,
            "\"%.60s\" is not an address; write 127.0.0.1 for a proxy on "
            "this machine, or 10.0.0.0/8 for a network",
            text);
    if (!read_bits(slash ? slash + 1 : NULL, &proxy->network, &proxy->bits,
                   err))
        return false;
    p->count++;
    return true;
}

/* Without the blanks around it. */
static void trim(char *text, const char *from, size_t len)
{
    while (len > 0 && is_blank(*from))
        from++, len--;
    while (len > 0 && is_blank(from[len - 1]))
        len--;
    snprintf(text, PROXY_ADDRESS_MAX, "%.*s", (int)len, from);
}

bool proxies_read(const char *text, struct proxies *p, struct err *err)
{
    char one[PROXY_ADDRESS_MAX];

    *p = (struct proxies){0};
    while (*text) {
        size_t len = strcspn(text, ",");

        trim(one, text, len);
        if (!add_proxy(p, one, err))
            return false;
        text += len;
        text += *text == ',';
    }
    return true;
}

static bool is_in(const struct in6_addr *address, const struct proxy *proxy)
{
    int whole = proxy->bits / 8, rest = proxy->bits % 8;
    int mask = 0xff << (8 - rest) & 0xff;

    if (memcmp(address, &proxy->network, (size_t)whole) != 0)
        return false;
    return rest == 0 ||
           ((address->s6_addr[whole] ^ proxy->network.s6_addr[whole]) & mask) ==
               0;
}

bool proxies_have(const struct proxies *p, const char *text)
{
    struct in6_addr address;

    if (!ip_read(text, &address))
        return false;
    for (int i = 0; i < p->count; i++)
        if (is_in(&address, &p->proxy[i]))
            return true;
    return false;
}

/* The last word of "a, b, c" before `end`, and where it begins. */
static size_t last_word(const char *text, size_t end,
                        char word[PROXY_ADDRESS_MAX])
{
    size_t begin;

    while (end > 0 && (is_blank(text[end - 1]) || text[end - 1] == ','))
        end--;
    begin = end;
    while (begin > 0 && text[begin - 1] != ',' && !is_blank(text[begin - 1]))
        begin--;
    snprintf(word, PROXY_ADDRESS_MAX, "%.*s", (int)(end - begin), text + begin);
    return begin;
}

void proxies_client(const struct proxies *p, const char *peer,
                    const char *forwarded, char client[PROXY_ADDRESS_MAX])
{
    size_t end = forwarded ? strlen(forwarded) : 0;
    char word[PROXY_ADDRESS_MAX];
    struct in6_addr address;

    snprintf(client, PROXY_ADDRESS_MAX, "%s", peer);
    while (end > 0 && proxies_have(p, client)) {
        end = last_word(forwarded, end, word);
        if (!ip_read(word, &address))
            return;
        snprintf(client, PROXY_ADDRESS_MAX, "%s", word);
    }
}
