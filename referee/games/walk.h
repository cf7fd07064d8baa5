#ifndef REFEREE_WALK_H
#define REFEREE_WALK_H

/*
 * walk.h - a random game: deal from a seed, then random legal moves.
 *
 * For demonstrations, benches and tests. The lowest seat that owes a move is
 * the next to play. The same seed gives the same game for ever.
 */

#include "games/game.h"

struct walk {
    const struct game *game;
    struct setup setup;
    struct state *state;
    struct buf deal;     /* empty if the game has none */
    struct lines events; /* told by the last step; walk_play() starts anew */
    struct moves legal;  /* of the seat that walk_pick() chose */
    struct rng choice;
    int moves;
};

/* The texts in setup must outlive the walk. It must have been accepted. */
void walk_begin(struct walk *walk, const struct game *game,
                const struct setup *setup, const uint8_t seed[SEED_BYTES]);
void walk_end(struct walk *walk);

/* Choose the next seat and one of its moves; false if the game is over. */
bool walk_pick(struct walk *walk, int *seat, struct move *move);
void walk_play(struct walk *walk, int seat, const struct move *move);

#endif
