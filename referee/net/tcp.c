#include "net/tcp.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

bool ip_read(const char *text, struct in6_addr *out)
{
    struct in_addr v4;

    if (inet_pton(AF_INET6, text, out) == 1)
        return true;
    if (inet_pton(AF_INET, text, &v4) != 1)
        return false;
    *out = (struct in6_addr){.s6_addr = {[10] = 0xff, [11] = 0xff}};
    memcpy(&out->s6_addr[12], &v4, sizeof v4);
    return true;
}

void tcp_set_options(int fd)
{
    static const struct {
        int level, name, value;
    } table[] = {
        {IPPROTO_TCP, TCP_NODELAY, 1},
        {SOL_SOCKET, SO_KEEPALIVE, 1},
        {IPPROTO_TCP, TCP_KEEPIDLE, 30},
        {IPPROTO_TCP, TCP_KEEPINTVL, 10},
        {IPPROTO_TCP, TCP_KEEPCNT, 3},
        {IPPROTO_TCP, TCP_USER_TIMEOUT, 60000}, /* ms, for unread bytes */
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        setsockopt(fd, table[i].level, table[i].name, &table[i].value,
                   sizeof table[i].value);
}

/* Without the interface that stands behind a '%'. */
static bool read_v6(const char *address, struct in6_addr *a)
{
    char text[INET6_ADDRSTRLEN];

    snprintf(text, sizeof text, "%.*s", (int)strcspn(address, "%"), address);
    return inet_pton(AF_INET6, text, a) == 1;
}

void tcp_origin(const char *address, char origin[ORIGIN_MAX])
{
    char text[INET6_ADDRSTRLEN];
    struct in6_addr a;

    if (!read_v6(address, &a)) {
        snprintf(origin, ORIGIN_MAX, "%s", address);
    } else if (IN6_IS_ADDR_V4MAPPED(&a)) {
        inet_ntop(AF_INET, &a.s6_addr[12], text, sizeof text);
        snprintf(origin, ORIGIN_MAX, "%s", text);
    } else {
        memset(&a.s6_addr[8], 0, 8);
        inet_ntop(AF_INET6, &a, text, sizeof text);
        snprintf(origin, ORIGIN_MAX, "%s/64", text);
    }
}
