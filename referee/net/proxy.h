#ifndef REFEREE_NET_PROXY_H
#define REFEREE_NET_PROXY_H

/*
 * proxy.h - whose request is it, if a proxy passes it on?
 *
 * A proxy appends the address of its client to the header X-Forwarded-For. The
 * header comes with the request, so a client can put anything in front: only
 * what a trusted proxy appended counts. Read from the right, the first address
 * that is no trusted proxy is the client.
 *
 *     X-Forwarded-For: made-up, 203.0.113.7      from 127.0.0.1, trusted
 *                               ^^^^^^^^^^^ the client
 */

#include "base/err.h"

#include <netinet/in.h>
#include <stdbool.h>

enum { PROXIES_MAX = 16, PROXY_ADDRESS_MAX = 64 };

/* Starts as zeroes: no proxy is trusted. */
struct proxies {
    struct proxy {
        struct in6_addr network;
        int bits;
    } proxy[PROXIES_MAX];
    int count;
};

/* "127.0.0.1, 10.0.0.0/8, ::1" */
bool proxies_read(const char *text, struct proxies *proxies, struct err *err);

bool proxies_have(const struct proxies *proxies, const char *address);

/*
 * The client of a request from `peer`: an address. `forwarded` is the header,
 * or NULL. What cannot be read as an address ends the search: then the last
 * proxy answers for the request.
 */
void proxies_client(const struct proxies *proxies, const char *peer,
                    const char *forwarded, char client[PROXY_ADDRESS_MAX]);

#endif
