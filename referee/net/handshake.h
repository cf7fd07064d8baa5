#ifndef REFEREE_NET_HANDSHAKE_H
#define REFEREE_NET_HANDSHAKE_H

/*
 * handshake.h - TLS connections that are being greeted, a few at a time.
 *
 * The answer to a hello is a signature, which takes up to some milliseconds,
 * and anybody may send hellos. So whatever comes for a handshake waits in a
 * row, and at the end of a turn of the loop the first of them goes one step on,
 * and then more of them while that is cheap: bots need not wait for the rest.
 */

#include "run/loop.h"

#include <event2/bufferevent.h>
#include <openssl/ssl.h>

struct handshake;

struct handshakes {
    struct loop *loop;
    TAILQ_HEAD(, handshake) row; /* for whom something has come */
    struct deferred next;
};

void handshakes_init(struct handshakes *all, struct loop *loop);
void handshakes_release(struct handshakes *all); /* when none is left */

/* With NULL if it has failed. The handshake may be freed then. */
typedef void handshake_done(void *owner, struct bufferevent *tls);

/* Both the connection and the descriptor under it are its own. */
struct handshake *handshake_new(struct handshakes *all, SSL *ssl, int fd,
                                handshake_done *on_done, void *owner);
void handshake_free(struct handshake *handshake); /* or NULL */

/* Has a hello been read? Its answer is the dear part. */
bool handshake_has_begun(const struct handshake *handshake);

#endif
