#include "league/matrix.h"

#include <math.h>

/* What of a diagonal element is lost in rounding: no less can remain. */
static const double noise = 1e-14;

/* Four sums side by side: one alone would wait for each addition. */
static double dot(const double *a, const double *b, size_t n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0;

    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++)
        s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

void matrix_factor(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = a + i * n;

        for (size_t j = 0; j < i; j++)
            row[j] = (row[j] - dot(row, a + j * n, j)) / a[j * n + j];
        row[i] = sqrt(fmax(row[i] - dot(row, row, i), noise * row[i]));
    }
}

void matrix_solve(const double *l, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (x[i] - dot(l + i * n, x, i)) / l[i * n + i];
    for (size_t i = n; i-- > 0;) {
        x[i] /= l[i * n + i];
        for (size_t j = 0; j < i; j++)
            x[j] -= l[i * n + j] * x[i];
    }
}

/* Row j becomes column j of the inverse of L; it starts at the diagonal. */
static void invert_column(const double *l, size_t n, size_t j, double *column)
{
    column[j] = 1 / l[j * n + j];
    for (size_t i = j + 1; i < n; i++)
        column[i] = -dot(l + i * n + j, column + j, i - j) / l[i * n + i];
}

void matrix_invert(double *l, size_t n, double *inverse)
{
    for (size_t j = 0; j < n; j++)
        invert_column(l, n, j, inverse + j * n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            l[i * n + j] = dot(inverse + i * n + i, inverse + j * n + i, n - i);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            inverse[i * n + j] = inverse[j * n + i] = l[i * n + j];
}
