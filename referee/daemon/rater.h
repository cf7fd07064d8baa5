#ifndef REFEREE_DAEMON_RATER_H
#define REFEREE_DAEMON_RATER_H

/*
 * rater.h - let another process fit the ratings that are published.
 *
 * The fit to all games takes long and is not for the event loop: it is the work
 * of `referee ladder DATA --rate`, which this starts when there are new games,
 * not too often, and one at a time. It is a new program, not a mere fork: the
 * daemon has the index open, perhaps in a thread, and SQLite's locks do not
 * survive a fork.
 */

#include "base/log.h"
#include "run/loop.h"

struct rater;

/* There are new ratings, of all games that had ended when the fit began. */
typedef void rater_fitted(void *owner, int64_t began_us);

struct rater *rater_new(struct loop *loop, struct log *log, const char *data,
                        rater_fitted *on_fitted, void *owner);

/* What runs is ended. */
void rater_free(struct rater *rater);

/*
 * How often (0: never), and with which anchors: lines as --anchors takes them.
 * The file of the configuration may say something else by now.
 */
void rater_set(struct rater *rater, int64_t every_us, const char *anchors);

/* There is another rated game. */
void rater_news(struct rater *rater);

#endif
