#ifndef REFEREE_LEAGUE_SPRT_H
#define REFEREE_LEAGUE_SPRT_H

/*
 * sprt.h - play only until it is clear who is stronger.
 *
 * A sequential probability ratio test of two claims about A's lead over B:
 * H0, it is elo0, against H1, it is elo1. After each unit (see elo.h) the log
 * likelihood ratio of H1 against H0 is compared with two bounds:
 *
 *     llr <= log(beta / (1 - alpha))     H0 is accepted
 *     llr >= log((1 - beta) / alpha)     H1 is accepted
 *
 * so that H1 is accepted with a chance of about alpha at most if H0 is true,
 * and H0 with about beta at most if H1 is true.
 *
 * The test is the generalized one for a normal mean with unknown variance, in
 * which each claim may choose the variance that suits it best. With s0, s1 the
 * scores expected under elo0, elo1, and m, v mean and variance of n units:
 *
 *     llr = n / 2 log((v + (m - s0)^2) / (v + (m - s1)^2))
 *
 * For small leads this is the usual n (s1 - s0) (2 m - s0 - s1) / (2 v). Few
 * units, or units that are all alike, do no harm: v counts two virtual wins
 * and two virtual losses, which keeps it above 0 and the ratio modest.
 */

#include "base/err.h"
#include "league/elo.h"

#include <stdbool.h>

struct sprt {
    double elo0, elo1;
    double alpha, beta;
    unsigned given; /* for sprt_read: parts that were read, one bit each */
};

enum sprt_verdict { SPRT_RUNNING, SPRT_H0, SPRT_H1 };

struct sprt_state {
    double llr;
    double lower, upper;
    enum sprt_verdict verdict;
};

/* elo0=0 elo1=20 alpha=0.05 beta=0.05 */
void sprt_init(struct sprt *sprt);

/*
 * Read KEY=VALUE, or several of them with blanks or commas between; what is
 * not named stays. Words of a command line can be read one after the other,
 * and then sprt_check() says whether they fit together.
 */
bool sprt_read(struct sprt *sprt, const char *text, struct err *err) MUST_CHECK;
bool sprt_check(const struct sprt *sprt, struct err *err) MUST_CHECK;

struct sprt_state sprt_test(const struct sprt *sprt, const struct units *units);

#endif
