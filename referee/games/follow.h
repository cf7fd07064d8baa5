#ifndef REFEREE_FOLLOW_H
#define REFEREE_FOLLOW_H

/*
 * follow.h - builds a possible world from what one seat is told, and nothing
 * else.
 *
 * A follower hears the events of one viewer, a seat or AUDIENCE_PUBLIC, and
 * keeps a whole state that agrees with all of them. It starts from any deal.
 * For each step it lets the game exchange what the viewer has not seen
 * (game->fit), plays the moves that were told, and compares what its own state
 * tells the viewer with what was told. So a world is never silently wrong.
 * game->redeal() then gives other worlds that the viewer cannot tell apart.
 *
 *     follow_told(f, "draw 1 RP");  follow_told(f, "draw 2 ??");
 *     if (!follow_settle(f, &err)) ...
 *     f->world                                    a state
 */

#include "games/game.h"

struct follower {
    const struct game *game;
    struct setup setup;
    int viewer;
    struct rng rng;
    struct state *world; /* NULL before the first follow_settle() */
    bool lost;           /* it was told something impossible */
    seat_set gone;

    struct lines queue;  /* told but not yet played */
    struct lines step;   /* the part of the queue that is being played */
    struct lines events; /* what the world told in this step */
    struct moves legal;
};

/* The texts in `setup`, which must have been accepted, must outlive it. */
void follow_begin(struct follower *f, const struct game *game,
                  const struct setup *setup, int viewer,
                  const uint8_t seed[SEED_BYTES]);
void follow_end(struct follower *f);

/* Forget the game and begin another one with the same setup. */
void follow_again(struct follower *f);

/* One event, such as "play 2 pass" or "leave 3 time". */
void follow_told(struct follower *f, const char *event);

/*
 * Play everything told so far. It must end with a whole step, as it does when a
 * seat is asked for a move. After a refusal the follower is lost.
 */
bool follow_settle(struct follower *f, struct err *err) MUST_CHECK;

#endif
