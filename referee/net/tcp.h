#ifndef REFEREE_NET_TCP_H
#define REFEREE_NET_TCP_H

/*
 * tcp.h - connections over TCP: how they are kept, and where they come from.
 */

#include <netinet/in.h>
#include <stdbool.h>

enum { ORIGIN_MAX = 64 };

/* An IPv4 or IPv6 address; IPv4 as IPv6 has it. */
bool ip_read(const char *text, struct in6_addr *out);

/* Send without delay, and notice within a minute if the peer has vanished. */
void tcp_set_options(int fd);

/*
 * What counts as one place: an IPv4 address, or the 64 bits of an IPv6 network,
 * because one host may use any address in it. "unix" and the like stay as they
 * are.
 */
void tcp_origin(const char *address, char origin[ORIGIN_MAX]);

#endif
