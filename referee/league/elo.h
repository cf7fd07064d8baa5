#ifndef REFEREE_LEAGUE_ELO_H
#define REFEREE_LEAGUE_ELO_H

/*
 * elo.h - how much stronger is bot A than bot B?
 *
 * The unit of the statistics is whatever is independent of everything else: a
 * game or, with duplicate deals, the group of games on one deal. A unit's score
 * is A's mean result in it: 1 for a win, 0.5 for a tie, 0 for a loss. Only
 * their number, sum and sum of squares are kept, so results can come one by
 * one.
 *
 * The interval is Wilson's, stretched or shrunk to the spread that the units
 * really have. Wilson asks which true scores p are within 1.96 standard errors
 * of the mean, where the error is the one that would hold at p:
 *
 *     (mean - p)^2 <= 1.96^2 d p (1 - p) / n
 *
 * With d = 1 units are coins: won or lost. Ties and duplicate deals make
 * d < 1. It is estimated as variance / (m (1 - m)) of the units and, beside
 * them, two virtual wins and two virtual losses (as Agresti and Coull add).
 * So d is 1 if all units were won, as it must be, and is never 0: n ties and
 * nothing else give a score of 0.5 +- 2 / n, where 1.8 / n is the exact bound.
 * For many units all this is mean +- 1.96 standard errors.
 *
 * If all units were won, the results exclude no higher strength. A finite bound
 * is still more useful, and Jeffreys' prior gives one: the score lies below 1 -
 * 0.00049 / n with 97.5 %. With no units, only that prior counts. The estimate
 * itself stays half a unit away from all won and all lost.
 */

#include <stdint.h>

struct units {
    int64_t n;
    double sum;
    double squares;
};

/* Start with {0}. Scores are 0 .. 1. */
void units_add(struct units *units, double score);

/* 0.5 if there are none. */
double units_mean(const struct units *units);

/* Of one unit, with the four virtual units; it is never 0. */
double units_variance(const struct units *units);

struct elo {
    int64_t n;
    double score;     /* mean of the units */
    double elo;       /* A's lead */
    double low, high; /* 95 % interval of it */
    double los;       /* likelihood of superiority: A is the stronger one */
};

struct elo elo_of_units(const struct units *units);

/* Expected score and lead; infinite for the scores 0 and 1. */
double elo_from_score(double score);
double score_from_elo(double elo);

/* A's result in one game between two: 1, 0.5 or 0. */
double score_of_ranks(int own, int other);

/* The normal distribution's share below z, and the z of 95 % around 0. */
#define NORMAL_95 1.9599639845400542
double normal_below(double z);

#endif
