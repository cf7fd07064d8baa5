#ifndef REFEREE_DAEMON_RECEPTION_H
#define REFEREE_DAEMON_RECEPTION_H

/*
 * reception.h - takes in bots that are handed in.
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
 * The daemon itself only writes what comes to a file. Whoever hands in is told
 * each stage as it is done, and may come back and be told again: a hand-in is
 * known by the digest of its archive. What waits lies on the shelf (shelf.h),
 * so a daemon that is killed goes on with it.
 */

#include "base/log.h"
#include "daemon/config.h"

#include <jansson.h>

struct reception;

struct reception_owner {
    /* Another version plays: read the configuration again, soon. */
    void (*on_accepted)(void *owner);
};

struct reception *reception_new(struct loop *loop, struct log *log,
                                const struct reception_owner *calls,
                                void *owner);

/* What is worked on is broken off; it waits for the next start. */
void reception_free(struct reception *reception);

/* This configuration counts from now on; who plays by it is told so. NULL: it
 * could not be read, and they are told that. */
void reception_configure(struct reception *reception,
                         const struct serve_config *config);

/* Queue what lies on the shelf without a verdict. */
void reception_look(struct reception *reception);

/* Begin nothing more. */
void reception_stop(struct reception *reception);

/* Once a second. */
void reception_tick(struct reception *reception);

/* One who hands in: comes, says something, reads again, is gone. */
void reception_join(struct reception *reception, struct connection *connection);
void reception_line(struct reception *reception, struct connection *connection,
                    const char *line);
void reception_room(struct reception *reception, struct connection *connection);
void reception_leave(struct reception *reception,
                     struct connection *connection);

/* {"waiting": 3, "running": 2, "accepted": 14, "refused": 6, "failed": 0} since
 * the start, or null: there is no [handins]. */
json_t *reception_json(const struct reception *reception);

#endif
