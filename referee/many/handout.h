#ifndef REFEREE_MANY_HANDOUT_H
#define REFEREE_MANY_HANDOUT_H

/*
 * handout.h - the games of a contest, played by workers: match, tournament and
 * grade with --workers.
 *
 *            hand_out          a worker         verified       counted
 *     slot -----------> queue ----------> records ------> slot -------> gone
 *                         ^                  |
 *                         +------------------+ refused: another one plays it
 *
 * A unit is called by what is ordered, so a contest that was killed and goes on
 * gets what was delivered meanwhile. If the database is away, it waits.
 */

#include "many/verify.h"
#include "run/contest.h"

struct handout_config {
    const char *url;
    const char *session; /* of the contest, when it was begun */
    const char *event;   /* or NULL */
    const struct player *player;
    int players;
    int slots;
    /* One line for people. */
    void (*say)(void *owner, const char *text);
    void *owner;
};

struct handout;

/* The keys are taken over. The contest borrows the calls. */
struct handout *handout_new(struct loop *loop,
                            const struct handout_config *config,
                            struct worker_keys *keys);
const struct contest_away *handout_calls(struct handout *handout);
void handout_begin(struct handout *handout, struct contest *contest);

/* Take back what no worker has begun. */
void handout_stop(struct handout *handout);

/* The contest is over: what is still out is taken back. */
void handout_free(struct handout *handout);

/* "3 workers, 12 games wait" */
void handout_state(const struct handout *handout, struct buf *out);

#endif
