#ifndef REFEREE_DAEMON_LISTENER_H
#define REFEREE_DAEMON_LISTENER_H

/*
 * listener.h - one [listen NAME]: a socket that accepts newcomers.
 *
 *     RESTING --listener_wake()--> OPEN --a few newcomers--> full for this turn
 *        ^                          | ^                             |
 *        +----- no descriptor ------+ +------ end of the turn ------+
 *
 * A listener accepts only a few newcomers in one turn of the loop, so that
 * games do not wait. With TLS, a hello that lists far more than any honest
 * program does is refused before OpenSSL goes through it.
 */

#include "base/log.h"
#include "daemon/config.h"
#include "net/connection.h"

struct listener;

struct listener_owner {
    /* Why a client from this address is turned away, or NULL. */
    const char *(*refusal)(void *owner, const char *address);
    void (*on_refused)(void *owner, const char *address, const char *why);
    /*
     * A newcomer. The owner takes over the descriptor, and `tls` if it is not
     * NULL.
     */
    void (*on_newcomer)(void *owner, enum listener_kind kind, int fd, SSL *tls,
                        const char *address);
};

/* Copies the configuration, but not its texts. It accepts nothing at first. */
struct listener *listener_open(struct loop *loop, struct log *log,
                               const struct listener_config *config,
                               const struct listener_owner *calls, void *owner,
                               struct err *err);
void listener_close(struct listener *listener);

/* Its port, even if the system chose it; 0: it has none. */
int listener_port(const struct listener *listener);
bool listener_is_tls(const struct listener *listener);

/* Start accepting, if it does not yet. */
void listener_wake(struct listener *listener);

/*
 * The configuration has been read again and may name another certificate, which
 * is used for newcomers from now on. If it cannot be read, the old one stays in
 * use, and the log says so.
 */
void listener_renew(struct listener *listener,
                    const struct serve_config *config);

#endif
