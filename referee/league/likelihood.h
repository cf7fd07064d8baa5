#ifndef REFEREE_LEAGUE_LIKELIHOOD_H
#define REFEREE_LEAGUE_LIKELIHOOD_H

/*
 * likelihood.h - what one game says about the strengths of its players.
 *
 * The share of a game in the log likelihood of the Plackett-Luce model, and
 * its derivatives by the logs of the strengths. plackett.h says what the model
 * is and how ties count; plackett.c and weng_lin.c build on this.
 *
 * Only differences of logs matter. So the second derivatives of a place sum to
 * 0, and those between two different places say all: minus them are bonds,
 * which are positive, and minus the second derivative of one place is the sum
 * of its bonds. Nothing is lost there to rounding.
 *
 * More than 450 log(2) between two in one game count as so much.
 */

#include "league/exact.h"

enum { LIKELIHOOD_SEATS = 8 };

struct likelihood {
    int seats;
    double log_likelihood;
    double slope[LIKELIHOOD_SEATS];
    double bond[LIKELIHOOD_SEATS]
               [LIKELIHOOD_SEATS]; /* of places i < j: bond[i][j] */
    double w[LIKELIHOOD_SEATS];    /* the strengths, the best one's near 1 */
};

/*
 * The places come best first. Bit i of `tied`: place i shares the rank of
 * place i - 1.
 */
void likelihood_measure(struct likelihood *share,
                        const struct strength *const *place, int seats,
                        unsigned tied);

/* Minus the second derivative by this place's own log. */
double likelihood_curvature(const struct likelihood *share, int place);

/*
 * The seats in the order of their ranks; among equal ranks the lower `key`
 * comes first, or without keys the lower seat. Returns the bits of the ties.
 */
unsigned likelihood_order(const int *rank, const int *key, int seats,
                          int *order);

#endif
