#include "league/matrix.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The part of a diagonal element that rounding may lose: no less can remain. */
static const double noise = 1e-14;

/*
 * The columns, and the products, in one pass: the working set stays in the
 * caches.
 */
enum { TILE = MATRIX_TILE, WIDTH = 64, DEPTH = 128 };

/* Two numbers of a row, which every current machine processes at once. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

/* Numbers to multiply: those of a row are `step` apart, the rows `row`. */
struct rows {
    const double *at;
    size_t row, step;
};

/*
 * c -= a b, for a tile c: element (r, q) loses a[r][k] b[k][q] in the order of
 * k. The rows of c are `row` apart; those of b are as wide as the tile.
 */
static void subtract(double *c, size_t row, struct rows a, const double *b,
                     size_t depth)
{
    const double *at = a.at;
    pair low[TILE], high[TILE];

    for (size_t r = 0; r < TILE; r++) {
        memcpy(&low[r], c + r * row, sizeof(pair));
        memcpy(&high[r], c + r * row + 2, sizeof(pair));
    }
    for (size_t k = 0; k < depth; k++, at += a.step) {
        pair b_low, b_high;

        memcpy(&b_low, b + TILE * k, sizeof(pair));
        memcpy(&b_high, b + TILE * k + 2, sizeof(pair));
        low[0] -= at[0] * b_low;
        high[0] -= at[0] * b_high;
        low[1] -= at[a.row] * b_low;
        high[1] -= at[a.row] * b_high;
        low[2] -= at[2 * a.row] * b_low;
        high[2] -= at[2 * a.row] * b_high;
        low[3] -= at[3 * a.row] * b_low;
        high[3] -= at[3 * a.row] * b_high;
    }
    for (size_t r = 0; r < TILE; r++) {
        memcpy(c + r * row, &low[r], sizeof(pair));
        memcpy(c + r * row + 2, &high[r], sizeof(pair));
    }
}

/* L. */

/* b[k][q] = a[q][k] */
static void transpose(const double *a, size_t n, size_t depth, double *b)
{
    for (size_t k = 0; k < depth; k++)
        for (size_t q = 0; q < TILE; q++)
            b[TILE * k + q] = a[q * n + k];
}

/* From columns from..to-1 take what the columns first..from-1 explain. */
static void subtract_before(double *a, size_t n, size_t first, size_t from,
                            size_t to)
{
    double part[WIDTH / TILE][TILE * DEPTH];

    for (size_t k = first; k < from; k += DEPTH) {
        size_t depth = from - k < DEPTH ? from - k : DEPTH;

        for (size_t j = from; j < to; j += TILE)
            transpose(a + j * n + k, n, depth, part[(j - from) / TILE]);
        for (size_t i = from; i < n; i += TILE)
            for (size_t j = from; j < to && j <= i; j += TILE)
                subtract(a + i * n + j, n, (struct rows){a + i * n + k, n, 1},
                         part[(j - from) / TILE], depth);
    }
}

static double sum_squares(const double *a, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

/* Row i of the next columns, when the rows above it are done. */
static void factor_row(double *a, size_t n, size_t i, size_t from)
{
    double *row = a + i * n;

    for (size_t j = from; j < from + TILE && j <= i; j++) {
        for (size_t k = from; k < j; k++)
            row[j] -= row[k] * a[j * n + k];
        if (j < i)
            row[j] /= a[j * n + j];
        else
            row[j] = sqrt(fmax(row[j], noise * (row[j] + sum_squares(row, j))));
    }
}

/* A strip of columns at a time: rows, once fetched, serve all of them. */
void matrix_factor(double *a, size_t n)
{
    assert(n % TILE == 0);
    for (size_t strip = 0; strip < n; strip += WIDTH) {
        size_t end = strip + WIDTH < n ? strip + WIDTH : n;

        subtract_before(a, n, 0, strip, end);
        for (size_t from = strip; from < end; from += TILE) {
            subtract_before(a, n, strip, from, from + TILE);
            for (size_t i = from; i < n; i++)
                factor_row(a, n, i, from);
        }
    }
}

void matrix_solve(const double *l, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            x[i] -= l[i * n + j] * x[j];
        x[i] /= l[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        x[i] /= l[i * n + i];
        for (size_t j = 0; j < i; j++)
            x[j] -= l[i * n + j] * x[i];
    }
}

/* The inverse. */

/* Rows i.. of x, which has the width of a tile: solve L x = what is there. */
static void solve_rows(const double *l, size_t n, size_t i, double *x)
{
    for (size_t r = i; r < i + TILE; r++)
        for (size_t q = 0; q < TILE; q++) {
            for (size_t k = i; k < r; k++)
                x[TILE * r + q] -= l[r * n + k] * x[TILE * k + q];
            x[TILE * r + q] /= l[r * n + r];
        }
}

/* Some columns of the inverse of L, from the diagonal on. */
static void invert_columns(const double *l, size_t n, size_t from, double *x)
{
    memset(x, 0, TILE * n * sizeof *x);
    for (size_t q = 0; q < TILE; q++)
        x[TILE * (from + q) + q] = 1;
    for (size_t i = from; i < n; i += TILE) {
        subtract(x + TILE * i, TILE, (struct rows){l + i * n + from, n, 1},
                 x + TILE * from, i - from);
        solve_rows(l, n, i, x);
    }
}

/* With X = the inverse of L, that of A is the transpose of X times X. */
void matrix_invert(double *l, size_t n, double *inverse)
{
    assert(n % TILE == 0);
    for (size_t j = 0; j < n; j += TILE)
        invert_columns(l, n, j, inverse + j * n);
    memset(l, 0, n * n * sizeof *l);
    for (size_t i = 0; i < n; i += TILE)
        for (size_t j = 0; j <= i; j += TILE)
            subtract(l + i * n + j, n,
                     (struct rows){inverse + i * n + TILE * i, 1, TILE},
                     inverse + j * n + TILE * i, n - i);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            inverse[i * n + j] = inverse[j * n + i] = -l[i * n + j];
}
