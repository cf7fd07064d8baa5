#ifndef REFEREE_LEAGUE_ANYTIME_H
#define REFEREE_LEAGUE_ANYTIME_H

/*
 * anytime.h - is A better than B? A test that may be read at any time.
 *
 * Somebody who doubts that A is better than B bets against it. Capital starts
 * at 1. Before each unit (see elo.h) a part of it is put on A's score x being
 * above 1/2, and then the capital is multiplied with
 *
 *     1 + bet (x - 1/2),     0 < bet < 2
 *
 * If A is not better, no bet wins on average, and the probability that the
 * capital ever reaches 1/alpha is at most alpha (Ville's inequality). So A is
 * declared better when the capital reaches it, and stopping at any other time
 * does no harm. A second bettor bets on scores below 1/2, and decides that A is
 * not better.
 *
 * Nobody knows the best bet beforehand, so the capital is split between several
 * bettors, each with a fixed bet; the mean of what they own counts.
 */

#include "base/err.h"

#include <stdbool.h>

enum { ANYTIME_BETS = 8 };

enum anytime_verdict { ANYTIME_OPEN, ANYTIME_BETTER, ANYTIME_NOT_BETTER };

struct anytime {
    double alpha;
    int units;
    double sum;
    double up[ANYTIME_BETS]; /* logarithms of the capital of each bettor */
    double down[ANYTIME_BETS];
    enum anytime_verdict verdict; /* does not change once it is made */
};

/* `alpha` is the accepted chance of a wrong verdict, such as 0.05. */
void anytime_init(struct anytime *test, double alpha);

/* The score of one more unit, 0 .. 1. Ignored once there is a verdict. */
void anytime_add(struct anytime *test, double score);

/* The capital of both; the verdict is made when one reaches 1/alpha. */
double anytime_better(const struct anytime *test);
double anytime_not_better(const struct anytime *test);

#endif
