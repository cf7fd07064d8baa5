#ifndef REFEREE_SHARE_H
#define REFEREE_SHARE_H

/*
 * share.h - what one game says about the strengths of those who played it.
 *
 * The share of a game in the log likelihood of the Plackett-Luce model, and
 * its first two derivatives, at given strengths. plackett.h says what the
 * model is and how ties count; plackett.c and weng_lin.c build on this.
 *
 * Strengths are natural logs and come by place, the best place first. Only
 * their differences matter.
 */

enum { SHARE_SEATS = 8 };

struct share {
    int seats;
    double log_likelihood;
    double slope[SHARE_SEATS];
    double bend[SHARE_SEATS][SHARE_SEATS]; /* minus the second; j <= i */
    double w[SHARE_SEATS]; /* the strengths, the best of all being 1 */
};

/* Bit i of `tied`: place i shares the rank of place i - 1. */
void share_measure(struct share *share, const double *strength, int seats,
                   unsigned tied);

/*
 * The seats in the order of their ranks; among equal ranks the lower `key`
 * comes first, or without keys the lower seat. Returns the bits of the ties.
 */
unsigned share_order(const int *rank, const int *key, int seats, int *order);

#endif
