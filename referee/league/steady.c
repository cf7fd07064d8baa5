#include "league/steady.h"

#include <math.h>

/* log(2), as a sum: the first part has room for a factor of 21 bits. */
static const double log2_high = 0x1.62e42feep-1;
static const double log2_low = 0x1.a39ef35793c76p-33;

/* x = k log(2) + rest, and the series of exp for a rest of at most 0.35. */
double steady_exp(double x)
{
    double k = floor(x / (log2_high + log2_low) + 0.5);
    double rest = x - k * log2_high - k * log2_low;
    double sum = 1;

    if (x < -700)
        return 0;
    for (int i = 14; i > 0; i--)
        sum = 1 + sum * rest / i;
    return ldexp(sum, (int)k);
}

/* x = 2^k m with m about 1: log(m) = 2 atanh((m - 1) / (m + 1)), a series. */
double steady_log(double x)
{
    int k;
    double m = frexp(x, &k), t, square, sum = 0;

    if (m < 0.7) {
        m *= 2;
        k--;
    }
    t = (m - 1) / (m + 1);
    square = t * t;
    for (int i = 25; i > 0; i -= 2)
        sum = sum * square + 1.0 / i;
    return k * log2_high + (k * log2_low + 2 * t * sum);
}
