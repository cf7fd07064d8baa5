/* exp() and log() without the library. */

#include "league/exact.h"
#include "near.h"

#include <string.h>

/* How many doubles apart; both of one sign. */
static int64_t steps_between(double a, double b)
{
    int64_t x, y;

    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x > y ? x - y : y - x;
}

Test(exact, exp_and_log_are_near_those_of_the_library)
{
    uint64_t seed = 61;

    for (int i = 0; i < 300000; i++) {
        double wide = i % 3 == 0 ? 1400 : i % 3 == 1 ? 40 : 1;
        double x = wide * (chance(&seed) - 0.5), y = exp(x);

        cr_assert(steps_between(exact_exp(x), y) <= 2, "exp(%a)", x);
        cr_assert(steps_between(exact_log(y), log(y)) <= 2, "log(%a)", y);
        y = 1 + 0.9 * (chance(&seed) - 0.5);
        cr_assert(steps_between(exact_log(y), log(y)) <= 2, "log(%a)", y);
    }
}

Test(exact, exp_and_log_at_the_edges)
{
    cr_assert(exact_exp(0) == 1 && exact_log(1) == 0);
    cr_assert(exact_exp(-708.5) == 0 && exact_exp(-1e300) == 0);
    cr_assert(exact_exp(-708) > 0 && isinf(exact_exp(710)));
    cr_assert(isfinite(exact_exp(709)));
    cr_assert(steps_between(exact_log(0x1p-1022), -1022 * log(2)) <= 2);
    cr_assert(steps_between(exact_log(0x1p1023), 1023 * log(2)) <= 2);
    for (int k = -1000; k <= 1000; k += 8)
        cr_assert(exact_log(ldexp(1, k)) == -exact_log(ldexp(1, -k)));
}

Test(exact, strengths_have_no_bounds)
{
    struct strength weak = exact_strength(-3000), even = exact_strength(0);
    struct strength strong = exact_strength(3000);

    cr_assert(even.m == 1 && even.k == 0);
    ASSERT_NEAR(log(weak.m) + weak.k * log(2), -3000, 1e-11);
    ASSERT_NEAR(log(strong.m) + strong.k * log(2), 3000, 1e-11);
    cr_assert(strength_in(&strong, strong.k) == strong.m);
    cr_assert(strength_in(&even, 3) == 0.125);
    cr_assert(strength_in(&weak, strong.k) == 0x1p-450 * weak.m);
}
