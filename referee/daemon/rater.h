#ifndef REFEREE_DAEMON_RATER_H
#define REFEREE_DAEMON_RATER_H

/*
 * rater.h - compute the published ratings in another process.
 *
 * Fitting ratings to all games takes seconds, too long for the event loop. So
 * a child does it when there are new games, not too often, and one fit at a
 * time:
 *
 *     daemon --fork, at the start--> helper --fork, for each fit--> worker
 *            --one byte: begin---->         --waits for it
 *            <-one byte: it failed-         <-ends
 *
 * Why a helper: the daemon has threads and an open index, and neither SQLite's
 * locks nor a mutex that another thread holds survive a fork. The helper is
 * forked before all that and never opens the index, so its workers can.
 */

#include "base/log.h"
#include "daemon/config.h"
#include "run/loop.h"

struct rater;

/* There are new ratings, of all games that had ended when the fit began. */
typedef void rater_fitted(void *owner, int64_t began_us);

/* Call it before the process has threads and opens the index in `data`. */
struct rater *rater_new(struct loop *loop, struct log *log, const char *data,
                        rater_fitted *on_fitted, void *owner);

/* Ends a running fit. */
void rater_free(struct rater *rater);

/* How often (0: never), and with the anchors of these ladders. */
void rater_set(struct rater *rater, int64_t every_us,
               const struct ladder_config *ladders, int count);

/* Another rated game has ended. */
void rater_news(struct rater *rater);

#endif
