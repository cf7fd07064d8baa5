#include "league/exact.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "ratings must have the same bits everywhere: compile without -ffast-math"
#endif

_Static_assert(FLT_RADIX == 2 && DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024,
               "doubles must be those of IEEE 754");

enum { EXPONENT_BITS = 0x7ff, EXPONENT_OF_ONE = 0x3ff, FRACTION_BITS = 52 };

/* Its square is still a double, with room to spare. */
enum { LEAST_POWER = -450 };

/* log(2) in two parts; the first has 32 bits, so that k times it is exact. */
static const double log2_high = 0x1.62e42feep-1;
static const double log2_low = 0x1.a39ef35793c76p-33;
static const double one_by_log2 = 0x1.71547652b82fep+0;

static double power_of_two(int k)
{
    uint64_t bits = (uint64_t)(EXPONENT_OF_ONE + k) << FRACTION_BITS;
    double power;

    memcpy(&power, &bits, sizeof power);
    return power;
}

/* (exp(r) - 1 - r) / r^2 */
static double exp_tail(double r)
{
    static const double one_by_factorial[] = {
        1 / 6227020800., 1 / 479001600., 1 / 39916800., 1 / 3628800.,
        1 / 362880.,     1 / 40320.,     1 / 5040.,     1 / 720.,
        1 / 120.,        1 / 24.,        1 / 6.,        1 / 2.,
    };
    enum { TERMS = sizeof one_by_factorial / sizeof *one_by_factorial };
    double sum = one_by_factorial[0];

    for (int i = 1; i < TERMS; i++)
        sum = sum * r + one_by_factorial[i];
    return sum;
}

struct strength exact_strength(double log)
{
    double x = fmin(fmax(log, -1e6), 1e6);
    int k = (int)(x * one_by_log2 + (x < 0 ? -0.5 : 0.5));
    double high = x - k * log2_high, low = k * log2_low, r = high - low;

    return (struct strength){
        .m = 1 + (high + (r * r * exp_tail(r) - low)),
        .k = k,
    };
}

double strength_in(const struct strength *strength, int unit)
{
    int k = strength->k - unit;

    return strength->m * power_of_two(k < LEAST_POWER ? LEAST_POWER : k);
}

double exact_exp(double x)
{
    struct strength e;

    if (x < -708)
        return 0;
    if (x > 709)
        return HUGE_VAL;
    e = exact_strength(x);
    return e.m * power_of_two(e.k);
}

/* x = m 2^k, m between the square roots of 1/2 and 2. */
static double split(double x, int *k)
{
    uint64_t bits;
    double m;

    memcpy(&bits, &x, sizeof bits);
    *k = (int)(bits >> FRACTION_BITS & EXPONENT_BITS) - EXPONENT_OF_ONE;
    bits &= ((uint64_t)1 << FRACTION_BITS) - 1;
    bits |= (uint64_t)EXPONENT_OF_ONE << FRACTION_BITS;
    memcpy(&m, &bits, sizeof m);
    if (m < 0x1.6a09e667f3bcdp+0)
        return m;
    ++*k;
    return m / 2;
}

/* 2 atanh(s) / s - 2, z = s^2; in two halves that do not wait for another. */
static double log_tail(double z)
{
    double z2 = z * z, even = 2 / 23., odd = 2 / 21.;

    even = even * z2 + 2 / 19.;
    odd = odd * z2 + 2 / 17.;
    even = even * z2 + 2 / 15.;
    odd = odd * z2 + 2 / 13.;
    even = even * z2 + 2 / 11.;
    odd = odd * z2 + 2 / 9.;
    even = even * z2 + 2 / 7.;
    odd = odd * z2 + 2 / 5.;
    even = even * z2 + 2 / 3.;
    return even * z + odd * z2;
}

/* With f = m - 1, 2 s is f - s f; and f is exact. */
double exact_log(double x)
{
    int k;
    double f = split(x, &k) - 1;
    double s = f / (2 + f);
    double rest = s * (f - log_tail(s * s));

    assert(x >= DBL_MIN);
    return k * log2_high - ((rest - k * log2_low) - f);
}
