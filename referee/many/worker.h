#ifndef REFEREE_MANY_WORKER_H
#define REFEREE_MANY_WORKER_H

/*
 * worker.h - plays units for others: referee worker.
 *
 *                claim                  all its games            taken, late
 *     a lease ----------> bots, games ------------> kept/ID ------------> gone
 *                             |                        ^
 *                             |                        +-- the database is
 * away:
 *                             +-- it cannot be played      it waits here
 *                                 here: given back, with a reason
 *
 * A worker asks for work when it has a free slot: at once when a unit ends,
 * otherwise about every second, with jitter. Its heartbeat renews all its
 * leases. If the database is away, the worker continues to play, keeps finished
 * units in its folder, and delivers them when the database is back. This works
 * even after a kill, because the folder has the worker's name and everything
 * not delivered.
 *
 *     FOLDER/key          signs its records
 *     FOLDER/name         what it is called
 *     FOLDER/bots/PACK/   unpacked, by the SHA-256 of the pack
 *     FOLDER/logs/        standard error of the games that run
 *     FOLDER/kept/ID      a line of JSON, and the records behind it
 *
 * Both seats of a game are on this machine. Its speed is measured at the start
 * and when no game runs, and is written in every record.
 */

#include "base/log.h"
#include "many/order.h"
#include "match/seal.h"

struct worker_calls {
    /* The player of an order's member; `root` contains its pack, or is NULL. */
    bool (*make_player)(void *owner, struct player *player, const json_t *bot,
                        const char *root, struct pool *pool, struct err *err);
    /* Unpack into a new folder; an existing one is replaced. */
    bool (*unpack)(void *owner, const char *file, const char *to,
                   struct err *err);
};

struct worker_config {
    const char *url;
    const char *folder;
    const char *name;    /* NULL: the name stored in its folder */
    const char *program; /* version of this program */
    int slots;           /* games at once */
    int lease_s;     /* given up for dead after this long without a heartbeat */
    int64_t poll_us; /* pause between requests when there is no work */
    int64_t stop_us; /* time for games to end after SIGTERM */
    int64_t idle_us; /* end after this long without work; 0: never */
    enum log_level level;
};

/* Run until SIGTERM; 0, or 1 if it could not begin. */
int worker_run(const struct worker_config *config,
               const struct worker_calls *calls, void *owner);

#endif
