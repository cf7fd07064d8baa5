#ifndef REFEREE_DAEMON_RECEPTION_H
#define REFEREE_DAEMON_RECEPTION_H

/*
 * reception.h - receives bots that are handed in.
 *
 *     submitter --#handin--> a place to send --#part...--> a file on the shelf
 *                                                               |
 *     organiser puts it there --> reception_look() -------------+
 *                                                               v
 *                                                             queue
 *                                                               |
 *          verdict <-- "referee admit", a child, behind walls <-+
 *             |
 *             +--> on_accepted() --> reload --> reception_configure(): it plays
 *
 * The daemon itself only writes the archive to a file. The submitter is told of
 * each stage as it is done, and may come back later and be told again: the
 * digest of its archive identifies a hand-in. Waiting hand-ins lie on the shelf
 * (shelf.h), so a daemon that was killed continues with them after its restart.
 */

#include "base/log.h"
#include "daemon/config.h"

#include <jansson.h>

struct reception;

struct reception_owner {
    /* Another version is to play: read the configuration again soon. */
    void (*on_accepted)(void *owner);
};

struct reception *reception_new(struct loop *loop, struct log *log,
                                const struct reception_owner *calls,
                                void *owner);

/* A running check is broken off; it starts again with the next daemon. */
void reception_free(struct reception *reception);

/*
 * Use this configuration from now on, and tell the owners whose versions now
 * play. NULL: it could not be read, and they are told that.
 */
void reception_configure(struct reception *reception,
                         const struct serve_config *config);

/* Queue what lies on the shelf without a verdict. */
void reception_look(struct reception *reception);

/* Start no more checks. */
void reception_stop(struct reception *reception);

/* Once a second. */
void reception_tick(struct reception *reception);

/*
 * For a connection that hands in: it arrives, sends a line, may read again, is
 * gone.
 */
void reception_join(struct reception *reception, struct connection *connection);
void reception_line(struct reception *reception, struct connection *connection,
                    const char *line);
void reception_room(struct reception *reception, struct connection *connection);
void reception_leave(struct reception *reception,
                     struct connection *connection);

/*
 * Counts since the start: {"waiting": 3, "running": 2, "accepted": 14,
 * "refused": 6, "failed": 0}; or null if there is no [handins].
 */
json_t *reception_json(const struct reception *reception);

#endif
