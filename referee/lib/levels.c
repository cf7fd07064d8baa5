/*
 * Levels of strength, by playouts, so that they are the same on any machine.
 *
 * What one more playout is worth depends on the game, so each game has its own
 * ratings: one for each doubling of the search's playouts, from matches of 20
 * to 48 games between neighbours. They are scaled so that neighbouring levels,
 * which met in 40 games, are STEP points apart on average. The highest figures,
 * beyond 64 playouts in axiom and 512 in Go and rondo's last two, are
 * extrapolated. A level between two whole numbers of playouts picks one of them
 * at random. To rate them again: tests/bench/levels.py.
 */

#include "lib/referee.h"

#include <math.h>
#include <string.h>

enum { DOUBLINGS = 12, STEP = 110 };

/* At 1 playout, which is a random move, then at 2, 4, ... */
static const struct {
    const char *game;
    int rating[DOUBLINGS + 1];
} ladders[] = {
    {"axiom",
     {0, 103, 175, 238, 333, 508, 649, 787, 924, 1062, 1199, 1337, 1474}},
    {"axio-rota",
     {0, 233, 607, 840, 1015, 1270, 1549, 1617, 1687, 1727, 1840, 1970, 1986}},
    {"rondo",
     {0, 438, 1074, 1554, 1911, 2268, 2466, 2694, 2950, 3246, 3470, 3670,
      3830}},
    {"second-chance",
     {0, 61, 164, 257, 397, 478, 582, 643, 699, 764, 803, 835, 861}},
    {"go",
     {0, 112, 223, 359, 494, 676, 817, 959, 1180, 1435, 1651, 1867, 2083}},
};

/* The guess for a game that was never rated. */
static const int guess[DOUBLINGS + 1] = {0,   100, 200, 300,  400,  500, 600,
                                         700, 800, 900, 1000, 1100, 1200};

static const int *ratings(const char *game)
{
    for (size_t i = 0; i < sizeof ladders / sizeof *ladders; i++)
        if (strcmp(ladders[i].game, game) == 0)
            return ladders[i].rating;
    return guess;
}

/* The last level uses all playouts, so it may be closer to the one before. */
int referee_levels(const char *game)
{
    int span = ratings(game)[DOUBLINGS];
    int levels = 1 + (span + STEP / 2) / STEP;

    return levels < REFEREE_LEVELS ? levels : REFEREE_LEVELS;
}

double referee_level_playouts(const char *game, int level)
{
    const int *rating = ratings(game);
    int wanted = (level - 1) * STEP, at = 0;

    if (level >= referee_levels(game))
        return 1 << DOUBLINGS;
    if (level <= 1)
        return 0;
    while (rating[at + 1] <= wanted)
        at++;
    return exp2(at +
                (double)(wanted - rating[at]) / (rating[at + 1] - rating[at]));
}
