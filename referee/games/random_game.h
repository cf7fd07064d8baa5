#ifndef REFEREE_GAMES_RANDOM_GAME_H
#define REFEREE_GAMES_RANDOM_GAME_H

/*
 * random_game.h - a random game: a deal from a seed, then random legal moves.
 *
 * For demonstrations, benchmarks and tests. The lowest seat that owes a move
 * plays next. The same seed gives the same game for ever.
 */

#include "games/game.h"

struct random_game {
    const struct game *game;
    struct setup setup;
    struct state *state;
    struct buf deal; /* empty if the game has none */
    struct lines
        events; /* told by the last step; random_game_play() clears it */
    struct moves legal; /* of the seat that random_game_pick() chose */
    struct rng choice;
    int moves;
};

/* The texts in `setup`, which must have been accepted, must outlive it. */
void random_game_begin(struct random_game *random, const struct game *game,
                       const struct setup *setup,
                       const uint8_t seed[SEED_BYTES]);
void random_game_end(struct random_game *random);

/* Choose the next seat and one of its moves. False if the game is over. */
bool random_game_pick(struct random_game *random, int *seat, struct move *move);
void random_game_play(struct random_game *random, int seat,
                      const struct move *move);

#endif
