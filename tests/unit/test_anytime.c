/*
 * The test that may be looked at at any time: how often it is wrong, and how
 * soon it is right, for known strengths.
 */

#include "league/anytime.h"
#include "league/elo.h"

#include "base/rng.h"

#include <criterion/criterion.h>

enum { TRIALS = 2000, UNITS = 400 };

static struct rng rng;

/* One duplicate deal: two games, each won with that chance. */
static double play_unit(double chance)
{
    int wins = 0;

    for (int game = 0; game < 2; game++)
        wins += rng_uniform(&rng, 1000000) < chance * 1000000;
    return wins / 2.0;
}

struct tally {
    int better, not_better;
    int units;
};

static struct tally try_many(double elo)
{
    const uint8_t seed[SEED_BYTES] = {7};
    struct tally tally = {0};

    rng_seed(&rng, seed);
    for (int i = 0; i < TRIALS; i++) {
        struct anytime test;

        anytime_init(&test, 0.05);
        while (test.units < UNITS && test.verdict == ANYTIME_OPEN)
            anytime_add(&test, play_unit(score_from_elo(elo)));
        tally.better += test.verdict == ANYTIME_BETTER;
        tally.not_better += test.verdict == ANYTIME_NOT_BETTER;
        tally.units += test.units;
    }
    return tally;
}

/* Looking after every unit, which spoils a usual test. */
Test(anytime, an_equal_rarely_passes_and_rarely_fails)
{
    struct tally equal = try_many(0);

    cr_assert_leq(equal.better, TRIALS / 20, "%d", equal.better);
    cr_assert_leq(equal.not_better, TRIALS / 20, "%d", equal.not_better);
    cr_assert_gt(equal.better, 0);
}

Test(anytime, who_is_weaker_hardly_ever_passes)
{
    cr_assert_leq(try_many(-50).better, TRIALS / 100);
    cr_assert_leq(try_many(50).not_better, TRIALS / 100);
}

Test(anytime, who_is_much_better_passes_soon)
{
    struct tally strong = try_many(200);

    cr_assert_geq(strong.better, TRIALS * 99 / 100, "%d", strong.better);
    cr_assert_leq(strong.units, TRIALS * 30, "%d", strong.units);
    cr_assert_geq(try_many(100).better, TRIALS * 9 / 10);
    cr_assert_geq(try_many(-200).not_better, TRIALS * 99 / 100);
}

Test(anytime, a_verdict_stands)
{
    struct anytime test;

    anytime_init(&test, 0.05);
    for (int i = 0; i < 6; i++)
        anytime_add(&test, 1);
    cr_assert_eq(test.verdict, ANYTIME_OPEN);
    for (int i = 0; i < 20; i++)
        anytime_add(&test, i < 2 ? 1 : 0);
    cr_assert_eq(test.verdict, ANYTIME_BETTER);
    cr_assert_lt(test.units, 10);
}
