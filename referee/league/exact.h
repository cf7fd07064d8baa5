#ifndef REFEREE_LEAGUE_EXACT_H
#define REFEREE_LEAGUE_EXACT_H

/*
 * exact.h - exp() and log() with the same bits on every machine.
 *
 * Those of the C library may be wrong in the last bit, and differ from machine
 * to machine and from version to version. These use nothing but additions,
 * subtractions, multiplications and divisions of doubles in one fixed order,
 * which IEEE 754 rounds in one way only. (This holds where doubles are computed
 * as doubles, FLT_EVAL_METHOD 0, and where a product and a sum are not
 * contracted into one step: the core is compiled with -ffp-contract=off.)
 *
 * Both are right within one unit in the last place. exp(x) is 2^k exp(r) with
 * |r| <= log(2) / 2, where r is exact to 2^-55, and the error of Taylor's sum
 * up to r^13 is below 2^-57. log(x) is k log(2) + log(m) with m between the
 * square roots of 1/2 and 2; with s = (m - 1) / (m + 1), log(m) = 2 atanh(s),
 * whose series up to s^23 leaves out less than 2^-60. In both the last step
 * adds a small number to a large one that is exact.
 */

/* m 2^k, with m near 1: for strengths too far apart for a double. */
struct strength {
    double m;
    int k;
};

/* exp(log); a log beyond a million counts as a million. */
struct strength exact_strength(double log);

/* m times 2^(k - unit), with k no greater than unit; at least 2^-450 m. */
double strength_in(const struct strength *strength, int unit);

/* 0 below -708, infinite above 709. */
double exact_exp(double x);

/* For positive numbers that are not denormal. */
double exact_log(double x);

#endif
