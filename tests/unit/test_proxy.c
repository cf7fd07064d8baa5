/* Whose request it is behind a proxy, and answers that are given once more. */

#include "daemon/kept.h"
#include "net/proxy.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct proxies trusted(const char *text)
{
    struct proxies proxies;
    struct err err;

    cr_assert(proxies_read(text, &proxies, &err), "%s", err.text);
    return proxies;
}

static const char *client(const char *list, const char *peer,
                          const char *forwarded)
{
    static char address[PROXY_ADDRESS_MAX];
    struct proxies proxies = trusted(list);

    proxies_client(&proxies, peer, forwarded, address);
    return address;
}

Test(proxy, only_a_trusted_one_speaks_for_others)
{
    cr_expect_str_eq(client("", "10.0.0.1", "6.6.6.6"), "10.0.0.1");
    cr_expect_str_eq(client("127.0.0.1", "10.0.0.1", "6.6.6.6"), "10.0.0.1");
    cr_expect_str_eq(client("127.0.0.1", "127.0.0.1", "6.6.6.6"), "6.6.6.6");
    cr_expect_str_eq(client("127.0.0.1", "127.0.0.1", NULL), "127.0.0.1");
    cr_expect_str_eq(client("127.0.0.1", "127.0.0.1", ""), "127.0.0.1");
}

Test(proxy, what_the_client_made_up_does_not_count)
{
    cr_expect_str_eq(client("127.0.0.1", "127.0.0.1", "1.1.1.1, 6.6.6.6"),
                     "6.6.6.6");
    cr_expect_str_eq(client("127.0.0.1", "127.0.0.1", "127.0.0.1,6.6.6.6"),
                     "6.6.6.6");
    cr_expect_str_eq(client("127.0.0.1,10.0.0.0/8", "127.0.0.1",
                            "1.1.1.1, 6.6.6.6 , 10.9.8.7"),
                     "6.6.6.6");
    cr_expect_str_eq(client("127.0.0.1", "127.0.0.1", "6.6.6.6, <script>"),
                     "127.0.0.1", "the proxy answers for what it passes on");
    cr_expect_str_eq(client("127.0.0.1", "127.0.0.1", ",,,"), "127.0.0.1");
}

Test(proxy, networks)
{
    struct proxies p = trusted("10.0.0.0/8, 192.168.7.128/25,fd00::/8 , ::1");

    cr_expect(proxies_have(&p, "10.255.1.2"));
    cr_expect_not(proxies_have(&p, "11.0.0.1"));
    cr_expect(proxies_have(&p, "192.168.7.200"));
    cr_expect_not(proxies_have(&p, "192.168.7.100"));
    cr_expect(proxies_have(&p, "fd12::9"));
    cr_expect(proxies_have(&p, "::1"));
    cr_expect_not(proxies_have(&p, "::2"));
    cr_expect_not(proxies_have(&p, "unix"));
    p = trusted("0.0.0.0/0");
    cr_expect(proxies_have(&p, "8.8.8.8"));
    cr_expect_not(proxies_have(&p, "2001:db8::1"));
}

Test(proxy, mistakes)
{
    static const char *const wrong[] = {"nginx",       "10.0.0.0/33", "1.2.3",
                                        "::1/129",     "1.2.3.4/x",   "/8",
                                        "1.1.1.1,,::1"};
    struct proxies p;
    struct err err;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_not(proxies_read(wrong[i], &p, &err), "%s", wrong[i]);
}

/* Kept answers. */

static struct kept kept;

static void keep(const char *target, const char *text, int64_t cost_us,
                 int64_t now_us)
{
    struct buf buf;

    buf_init(&buf, 1 << 20);
    buf_str(&buf, text);
    kept_add(&kept, target, 200, "text/html", &buf, cost_us, now_us);
    buf_release(&buf);
}

static const char *get(const char *target, bool old, int64_t now_us)
{
    const struct kept_answer *a = kept_find(&kept, target, old, now_us);

    return a ? a->text.text : "none";
}

Test(kept, what_was_dear_is_given_again)
{
    keep("/dear", "dear", 10000, 0);
    keep("/cheap", "cheap", 1000, 0);
    cr_expect_str_eq(get("/dear", false, 999999), "dear");
    cr_expect_str_eq(get("/dear", false, 1000000), "none");
    cr_expect_str_eq(get("/cheap", false, 1), "none");
    cr_expect_str_eq(get("/cheap", true, 1), "cheap", "better than nothing");
    cr_expect_str_eq(get("/cheap", true, KEPT_OLD_US), "none");
    cr_expect_str_eq(get("/other", true, 1), "none");
    keep("/dear", "new", 10000, 2000000);
    cr_expect_str_eq(get("/dear", false, 2000001), "new");
    kept_release(&kept);
}

Test(kept, the_least_used_makes_room)
{
    char target[40];

    for (int i = 0; i <= KEPT_MAX; i++) {
        snprintf(target, sizeof target, "/%d", i);
        keep(target, "x", 10000, i);
        get("/0", false, i);
    }
    cr_expect_str_eq(get("/0", false, 100), "x");
    cr_expect_str_eq(get("/1", false, 100), "none");
    cr_expect_str_eq(get(target, false, 100), "x");
    kept_release(&kept);
}
