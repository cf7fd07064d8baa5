#ifndef REFEREE_MANY_HANDOUT_H
#define REFEREE_MANY_HANDOUT_H

/*
 * handout.h - have workers play the games of a contest: match, tournament and
 * grade with --workers.
 *
 *            hand_out          a worker         verified       counted
 *     slot -----------> queue ----------> records ------> slot -------> gone
 *                         ^                  |
 *                         +------------------+ refused: another one plays it
 *
 * The name of a unit follows from its order, so a contest that was killed and
 * is resumed finds what was delivered in the meantime. If the database is away,
 * the contest waits.
 */

#include "many/verify.h"
#include "run/contest.h"

struct handout_config {
    const char *url;
    const char *session; /* when the contest was begun */
    const char *event;   /* or NULL */
    const struct player *player;
    int players;
    int slots;
    /* One line for people. */
    void (*say)(void *owner, const char *text);
    void *owner;
};

struct handout;

/* Takes over the keys; borrows the calls. */
struct handout *handout_new(struct loop *loop,
                            const struct handout_config *config,
                            struct worker_keys *keys);
const struct contest_away *handout_calls(struct handout *handout);
void handout_begin(struct handout *handout, struct contest *contest);

/* Take back the units that no worker has begun. */
void handout_stop(struct handout *handout);

/* The contest is over: take back all units that are still out. */
void handout_free(struct handout *handout);

/* "3 workers, 12 games wait" */
void handout_state(const struct handout *handout, struct buf *out);

#endif
