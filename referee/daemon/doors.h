#ifndef REFEREE_DAEMON_DOORS_H
#define REFEREE_DAEMON_DOORS_H

/*
 * doors.h - how network bots come in: listeners, logins, and who is there.
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
 * Whoever fails to log in too often, or comes too often, is refused for a
 * while. All connections are the doors'; connection.h says what may be done
 * with one.
 */

#include "base/log.h"
#include "daemon/config.h"
#include "daemon/metrics.h"
#include "net/connection.h"

struct doors;

/* What the doors ask, and tell. */
struct doors_owner {
    /* Is nobody new to be let in? Those who come back to a game still are. */
    bool (*is_stopping)(void *owner);
    /* Does a game run to which somebody may come back? */
    bool (*has_games)(void *owner);
    /* The id of the game of connection_seat(). */
    const char *(*game_id)(void *owner, const void *game);
    /* It is logged in and may play, from now on until it is gone. */
    void (*on_ready)(void *owner, struct connection *connection);
    void (*on_gone)(void *owner, struct connection *connection);
};

/* All pointers are borrowed for as long as the doors live. */
struct doors *doors_new(struct loop *loop, struct log *log,
                        struct metrics *metrics,
                        const struct doors_owner *calls, void *owner);

/* The limits and keys of this configuration count from now on. */
void doors_configure(struct doors *doors, const struct serve_config *config);

/* The same after a reload: certificates are read again, and connections whose
 * keys are gone are closed, but for those that play. */
void doors_reconfigure(struct doors *doors, const struct serve_config *config);

/* There are so many descriptors, and connections are to leave some of them. */
void doors_limit(struct doors *doors, int descriptors);

/* Make the listeners of the configuration. They rest until doors_wake(). */
bool doors_open(struct doors *doors, struct err *err) MUST_CHECK;

/* Listen, at first and again if no descriptor was left for a newcomer. */
void doors_wake(struct doors *doors);

/* No more newcomers; then, no more connections. NULL is none. */
void doors_close(struct doors *doors);
void doors_free(struct doors *doors);

/* All connections, in a list; and how many of them are open. */
struct connection *doors_connections(const struct doors *doors);
int doors_open_connections(const struct doors *doors);

/* Those that are refused after failed logins: as a name, or "" for an address
 * as a whole, and for how long. */
typedef void doors_lockout(void *arg, const char *name, const char *origin,
                           int seconds);
void doors_each_lockout(const struct doors *doors, doors_lockout *each,
                        void *arg);

/* For a bot that may come back: its connection was that of another run. */
struct connection *doors_expect(struct doors *doors, const char *name,
                                const char *version, void *game);

/* Its key is not in the file any more: it plays no more. */
bool doors_has_revoked(const struct doors *doors, const char *name);

/* Close those of this name; how many there were. */
int doors_kick(struct doors *doors, const char *name);

#endif
