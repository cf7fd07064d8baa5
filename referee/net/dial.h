#ifndef REFEREE_NET_DIAL_H
#define REFEREE_NET_DIAL_H

/*
 * dial.h - from "HOST:PORT" to a connected socket, without ever blocking.
 *
 * A name may have several addresses, and a server may listen on only one of
 * them. All are tried, in their order. Only getaddrinfo() knows all the ways in
 * which a machine finds names, but it blocks, so a short-lived process calls
 * it.
 */

#include "base/err.h"
#include "run/loop.h"

#include <sys/socket.h>
#include <sys/types.h>

enum { DIAL_HOST_MAX = 255, DIAL_ADDRESSES_MAX = 8 };

struct address {
    char host[DIAL_HOST_MAX + 1]; /* or the path of a Unix socket */
    char port[6];                 /* "" for a Unix socket */
};

/* HOST:PORT, [IPV6]:PORT or unix:PATH */
bool address_read(const char *text, struct address *address,
                  struct err *err) MUST_CHECK;
bool address_is_unix(const struct address *address);

/* Is the host a number such as 127.0.0.1 or ::1? */
bool address_is_number(const struct address *address);

/* The addresses of a host. */
struct addresses {
    int error; /* of getaddrinfo() */
    int count;
    struct {
        struct sockaddr_storage at;
        socklen_t len;
    } to[DIAL_ADDRESSES_MAX];
};

/* A socket, which the owner takes over, or -1 and the reason. */
typedef void dial_done(void *owner, int fd, const char *why);

struct dial {
    const struct address *address;
    struct loop *loop;
    dial_done *done;
    void *owner;
    struct event *start;
    pid_t resolver; /* a process that looks the name up, or -1 */
    int answer;     /* the pipe from that process */
    struct event *answered;
    int fd;
    struct event *ready; /* for fd, while it connects */
    struct addresses found;
    int next;
    struct err err;
};

/* `done` is called once, from the loop; never after dial_stop(). */
void dial_start(struct dial *dial, struct loop *loop,
                const struct address *address, dial_done *done, void *owner);
void dial_stop(struct dial *dial);

#endif
