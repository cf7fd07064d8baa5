/*
 * Levels of strength, by playouts, so that they are the same on any machine.
 *
 * What one more playout is worth depends on the game, so each has its own
 * ratings: those of the search by doublings of its playouts, from matches
 * between neighbours. Levels are STEP points apart, and a level between two
 * whole numbers of playouts makes the one or the other by chance. To rate them
 * again: tests/bench/levels.py.
 */

#include "lib/referee.h"

#include <math.h>
#include <string.h>

enum { DOUBLINGS = 12, STEP = 125 };

/* At 1 playout, which is a random move, then 2, 4, ... */
static const struct {
    const char *game;
    int rating[DOUBLINGS + 1];
} ladders[] = {
    {"axiom",
     {0, 94, 159, 216, 303, 462, 590, 715, 840, 965, 1090, 1215, 1340}},
    {"axio-rota",
     {0, 248, 646, 894, 1080, 1351, 1648, 1720, 1795, 1837, 1957, 2096, 2113}},
    {"rondo",
     {0, 548, 1343, 1943, 2389, 2835, 3083, 3367, 3688, 4058, 4338, 4588,
      4788}},
    {"second-chance",
     {0, 94, 253, 395, 610, 736, 895, 989, 1075, 1175, 1235, 1285, 1325}},
    {"go", {0, 93, 186, 299, 412, 563, 681, 799, 983, 1196, 1376, 1556, 1736}},
};

/* A game that was never rated: a guess. */
static const int guess[DOUBLINGS + 1] = {0,   100, 200, 300,  400,  500, 600,
                                         700, 800, 900, 1000, 1100, 1200};

static const int *ratings(const char *game)
{
    for (size_t i = 0; i < sizeof ladders / sizeof *ladders; i++)
        if (strcmp(ladders[i].game, game) == 0)
            return ladders[i].rating;
    return guess;
}

/* The last one makes all playouts, so it may be closer to the one before. */
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
