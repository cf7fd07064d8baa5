#ifndef REFEREE_NET_HANDSHAKE_H
#define REFEREE_NET_HANDSHAKE_H

/*
 * handshake.h - TLS connections in their handshake, a few at a time.
 *
 * The answer to a hello is a signature, which takes up to some milliseconds,
 * and anybody may send hellos. So connections whose bytes have arrived wait in
 * a row. At the end of a turn of the loop the first of them makes one step, and
 * more of them follow while that is cheap. So bots need not wait for the rest.
 */

#include "run/loop.h"

#include <event2/bufferevent.h>
#include <openssl/ssl.h>

struct handshake;

struct handshakes {
    struct loop *loop;
    TAILQ_HEAD(, handshake) row; /* whose bytes have arrived */
    struct deferred next;
};

void handshakes_init(struct handshakes *all, struct loop *loop);
void handshakes_release(struct handshakes *all); /* when none is left */

/* Called with NULL if it has failed. The handshake may then be freed. */
typedef void handshake_done(void *owner, struct bufferevent *tls);

/* It owns the connection and the descriptor under it. */
struct handshake *handshake_new(struct handshakes *all, SSL *ssl, int fd,
                                handshake_done *on_done, void *owner);
void handshake_free(struct handshake *handshake); /* or NULL */

/* Has a hello been read? Answering it is the expensive part. */
bool handshake_has_begun(const struct handshake *handshake);

#endif
