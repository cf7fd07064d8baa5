#ifndef REFEREE_DAEMON_DOORS_H
#define REFEREE_DAEMON_DOORS_H

/*
 * doors.h - how network bots connect: listeners, logins, and the list of
 * connections.
 *
 *     listener --> refused, and the socket is closed
 *         |
 *         v
 *     connection --login--> known --version--> ready: the owner may seat it
 *         |                   |
 *         |                   +--> back in the game that waits for it
 *         v
 *       gone, for one reason or another
 *
 * An address or a name that fails to log in too often, or connects too often,
 * is refused for a while. The doors own all connections; connection.h describes
 * what a connection can do.
 */

#include "base/log.h"
#include "daemon/config.h"
#include "daemon/metrics.h"
#include "net/connection.h"

struct doors;

/* The outcome of an invitation. */
enum invite { INVITE_WRONG, INVITE_REFUSED, INVITE_TAKEN };

/* What the doors ask and report to their owner. */
struct doors_owner {
    /* Are newcomers refused? Bots that return to a game are still let in. */
    bool (*is_stopping)(void *owner);
    /* Is a game running to which somebody may return? */
    bool (*has_games)(void *owner);
    /* The id of the game of connection_seat(). */
    const char *(*game_id)(void *owner, const void *game);
    /* Why the organiser has banned this name, or NULL. */
    const char *(*why_banned)(void *owner, const char *name);
    /*
     * A client wants this name and has an invitation. If the result is not
     * TAKEN, `refusal` says why. A wrong code counts as a failed login.
     */
    enum invite (*on_invited)(void *owner, struct connection *connection,
                              const char *name, const char *proof);
    /* It is logged in and may play, until it is gone. */
    void (*on_ready)(void *owner, struct connection *connection);
    void (*on_gone)(void *owner, struct connection *connection);
    /* As in connection.h, for one that only hands in a bot. */
    void (*on_submitter)(void *owner, struct connection *connection);
    void (*on_submission)(void *owner, struct connection *connection,
                          char *line, size_t len);
    void (*on_room)(void *owner, struct connection *connection);
};

/* All pointers are borrowed for as long as the doors live. */
struct doors *doors_new(struct loop *loop, struct log *log,
                        struct metrics *metrics,
                        const struct doors_owner *calls, void *owner);

/* Use the limits and keys of this configuration from now on. */
void doors_configure(struct doors *doors, const struct serve_config *config);

/*
 * The same after a reload. Certificates are read again. Connections whose keys
 * are gone are closed, except those that are playing.
 */
void doors_reconfigure(struct doors *doors, const struct serve_config *config);

/* The number of descriptors. Connections must leave some free. */
void doors_limit(struct doors *doors, int descriptors);

/*
 * Make the listeners of the configuration. They accept nothing until
 * doors_wake().
 */
bool doors_open(struct doors *doors, struct err *err) MUST_CHECK;

/* The port of the first listener that has one, and whether it speaks TLS. */
bool doors_port(const struct doors *doors, int *port, bool *is_tls);

/* Start accepting, or resume after running out of descriptors. */
void doors_wake(struct doors *doors);

/* Stop accepting newcomers; close all connections. NULL is allowed. */
void doors_close(struct doors *doors);
void doors_free(struct doors *doors);

/* All connections, as a list; and how many of them are open. */
struct connection *doors_connections(const struct doors *doors);
int doors_open_connections(const struct doors *doors);

/*
 * The name or, as "", the whole address that is refused after failed logins,
 * and for how long.
 */
typedef void doors_lockout(void *arg, const char *name, const char *origin,
                           int seconds);
void doors_each_lockout(const struct doors *doors, doors_lockout *each,
                        void *arg);

/* A bot may come back: its connection was lost when the last run ended. */
struct connection *doors_expect(struct doors *doors, const char *name,
                                const char *version, void *game);

/*
 * The configuration was read. Tell those who have registered since then that
 * the name is valid, or that it will be once the file is fixed.
 */
void doors_tell_registered(struct doors *doors, bool counts);

/* Its key is no longer in the file, so it may not play any more. */
bool doors_has_revoked(const struct doors *doors, const char *name);

/*
 * Does this token match this name? An owner at that address asks over HTTP. A
 * wrong token counts as a failed login. A client that is locked out is refused
 * even with the right token; `why` says so.
 */
bool doors_know_token(struct doors *doors, const char *address,
                      const char *name, const char *token,
                      struct err *why) MUST_CHECK;

/*
 * Close the connections of this name, and tell them why. Returns their number.
 * The text must live as long as the doors.
 */
int doors_kick(struct doors *doors, const char *name, const char *why);

#endif
