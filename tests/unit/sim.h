#ifndef TESTS_SIM_H
#define TESTS_SIM_H

/* Games between bots of known strengths. */

#include "near.h"

enum { SIM_SEATS = 8 };

/* Points in one natural log of odds. */
static const double sim_points = 173.71779276130073;

/* From the normal distribution: Box and Muller. */
static inline double bell(uint64_t *seed)
{
    double far = sqrt(-2 * log(chance(seed)));

    return far * cos(6.283185307179586 * chance(seed));
}

/* Strengths in points, of mean 0. */
static inline void draw_bells(double *truth, int bots, double wide,
                              uint64_t *seed)
{
    double mean = 0;

    for (int i = 0; i < bots; i++)
        mean += truth[i] = wide * bell(seed);
    mean /= bots;
    for (int i = 0; i < bots; i++)
        truth[i] -= mean;
}

/*
 * A game of the Plackett-Luce model: each seat's strength plus Gumbel noise
 * decides. With `coarse` > 0 those whose forms fall into the same step of
 * that many points tie.
 */
static inline void sim_game(const double *truth, const int *bot, int seats,
                            double coarse, uint64_t *seed, int *rank)
{
    double form[SIM_SEATS];

    for (int i = 0; i < seats; i++) {
        form[i] = truth[bot[i]] - sim_points * log(-log(chance(seed)));
        if (coarse > 0)
            form[i] = floor(form[i] / coarse);
    }
    for (int i = 0; i < seats; i++) {
        rank[i] = 1;
        for (int j = 0; j < seats; j++)
            rank[i] += form[j] > form[i];
    }
}

/* Different bots for a table. */
static inline void sim_table(int bots, int seats, uint64_t *seed, int *bot)
{
    for (int i = 0; i < seats; i++) {
        bool taken = false;

        bot[i] = (int)(chance(seed) * bots);
        for (int j = 0; j < i; j++)
            taken = taken || bot[j] == bot[i];
        i -= taken;
    }
}

#endif
