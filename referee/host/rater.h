#ifndef REFEREE_RATER_H
#define REFEREE_RATER_H

/*
 * rater.h - let another process fit the ratings that are published.
 *
 * The fit to all games takes long and is not for the event loop: it is the work
 * of `referee ladder CONFIG --rate`, which this starts when there are new
 * games, not too often, and one at a time.
 */

#include "base/log.h"
#include "host/loop.h"

struct rater;

/* `path` is that of the configuration. */
struct rater *rater_new(struct loop *loop, struct log *log, const char *path);

/* What runs is ended. */
void rater_free(struct rater *rater);

/* 0: never. */
void rater_set_every(struct rater *rater, int64_t every_us);

/* There is another rated game. */
void rater_news(struct rater *rater);

#endif
