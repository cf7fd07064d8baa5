#ifndef REFEREE_GAMES_RANDOM_GAME_H
#define REFEREE_GAMES_RANDOM_GAME_H

/*
 * random_game.h - a random game: deal from a seed, then random legal moves.
 *
 * For demonstrations, benches and tests. The lowest seat that owes a move is
 * the next to play. The same seed gives the same game for ever.
 */

#include "games/game.h"

struct random_game {
    const struct game *game;
    struct setup setup;
    struct state *state;
    struct buf deal; /* empty if the game has none */
    struct lines
        events; /* told by the last step; random_game_play() starts anew */
    struct moves legal; /* of the seat that random_game_pick() chose */
    struct rng choice;
    int moves;
};

/* The texts in setup must outlive the random. It must have been accepted. */
void random_game_begin(struct random_game *random, const struct game *game,
                       const struct setup *setup,
                       const uint8_t seed[SEED_BYTES]);
void random_game_end(struct random_game *random);

/* Choose the next seat and one of its moves; false if the game is over. */
bool random_game_pick(struct random_game *random, int *seat, struct move *move);
void random_game_play(struct random_game *random, int seat,
                      const struct move *move);

#endif
