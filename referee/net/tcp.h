#ifndef REFEREE_NET_TCP_H
#define REFEREE_NET_TCP_H

/*
 * tcp.h - connections over TCP: how they are kept, and where they come from.
 */

enum { ORIGIN_MAX = 64 };

/* No delay, and a peer that has vanished without a word is noticed within a
 * minute. */
void tcp_set_options(int fd);

/*
 * What counts as one place: an IPv4 address, or the 64 bits of an IPv6 network,
 * of which anybody has all addresses. "unix" and the like stay as they are.
 */
void tcp_origin(const char *address, char origin[ORIGIN_MAX]);

#endif
