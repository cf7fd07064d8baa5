#include "net/tcp.h"

#include <criterion/criterion.h>

static void expect(const char *address, const char *origin)
{
    char got[ORIGIN_MAX];

    tcp_origin(address, got);
    cr_expect_str_eq(got, origin, "%s comes from %s, not from %s", address,
                     origin, got);
}

Test(tcp, an_ipv4_address_is_a_place)
{
    expect("127.0.0.1", "127.0.0.1");
    expect("10.1.2.3", "10.1.2.3");
    expect("::ffff:10.1.2.3", "10.1.2.3");
}

Test(tcp, an_ipv6_network_of_64_bits_is_a_place)
{
    expect("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64");
    expect("2001:db8:1:2::", "2001:db8:1:2::/64");
    expect("2001:db8:1:3::1", "2001:db8:1:3::/64");
    expect("::1", "::/64");
    expect("fe80::1%eth0", "fe80::/64");
    expect("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
           "ffff:ffff:ffff:ffff::/64");
}

Test(tcp, what_is_no_address_is_a_place_of_its_own)
{
    expect("unix", "unix");
    expect("", "");
    expect("-", "-");
}
