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
 * The work goes by tiles of sums: that changes when a sum is made and not how.
 */

#include <stddef.h>

enum { MATRIX_TILE = 4 };

/*
 * Put L into the lower triangle, where A = L times its transpose; what was
 * above the diagonal is lost. A matrix so near to singular that only rounding
 * keeps it so is taken as one that is a little less so.
 */
void matrix_factor(double *a, size_t n);

/* Solve A x = b in place; l is what matrix_factor() left. */
void matrix_solve(const double *l, size_t n, double *x);

/* Write all of the inverse of A. l is used up. */
void matrix_invert(double *l, size_t n, double *inverse);

#endif
