#ifndef REFEREE_LEAGUE_MATRIX_H
#define REFEREE_LEAGUE_MATRIX_H

/*
 * matrix.h - symmetric, positive definite matrices of n x n doubles.
 *
 * n must be a multiple of MATRIX_TILE; fill up with ones on the diagonal. Rows
 * follow each other, and of a symmetric matrix only the lower triangle, the
 * columns up to the diagonal, is read.
 *
 * Every sum has one fixed order, so that the same numbers give the same bits.
 * The work is done in tiles of sums, which changes when a sum is made, but not
 * how.
 */

#include <stddef.h>

enum { MATRIX_TILE = 4 };

/*
 * Put L into the lower triangle, where A = L times its transpose; what was
 * above the diagonal is lost. A matrix that is singular except for rounding is
 * treated as one slightly farther from singular.
 */
void matrix_factor(double *a, size_t n);

/* Solve A x = b in place; l is what matrix_factor() left. */
void matrix_solve(const double *l, size_t n, double *x);

/* Write the whole inverse of A. This overwrites l. */
void matrix_invert(double *l, size_t n, double *inverse);

#endif
