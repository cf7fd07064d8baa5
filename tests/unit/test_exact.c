/*
 * The same bits on every machine. What is pinned here must not change with the
 * compiler, its options or the C library; if it changes with the code, every
 * table that was published before changes in its last digits.
 */

#include "league/exact.h"
#include "league/pairing.h"
#include "league/plackett.h"
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
    cr_assert_eq(exact_strength(INFINITY).k, exact_strength(1e6).k);
    cr_assert_eq(exact_strength(-1e300).k, exact_strength(-1e6).k);
}

/* Pinned. */

/* FNV-1a over the bits. */
static void mix(uint64_t *hash, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 64; i += 8) {
        *hash ^= bits >> i & 255;
        *hash *= 0x100000001b3;
    }
}

static const uint64_t fnv_start = 0xcbf29ce484222325;

/* Whole numbers only: no library must have a say in who played. */
static int draw(uint64_t *seed, int n)
{
    return (int)(chance(seed) * n);
}

/* Games of two to eight in which the lower number tends to win, with ties. */
static void add_pinned_games(struct plackett *games)
{
    uint64_t seed = 62;

    for (int i = 0; i < 3000; i++) {
        int bot[PLACKETT_SEATS], form[PLACKETT_SEATS], rank[PLACKETT_SEATS];
        int seats = 2 + i % 7;

        for (int j = 0; j < seats; j++) {
            bot[j] = draw(&seed, games->bots);
            form[j] = draw(&seed, 40) + bot[j] / 2;
        }
        for (int j = 0; j < seats; j++) {
            rank[j] = 1;
            for (int k = 0; k < seats; k++)
                rank[j] += form[k] < form[j];
        }
        plackett_add(games, bot, rank, seats);
    }
}

static void assert_bits(double value, double wanted)
{
    cr_expect(value == wanted, "%a is not %a", value, wanted);
}

Test(exact, a_fit_has_the_same_bits_everywhere)
{
    enum { BOTS = 43 };
    struct plackett games;
    struct ratings r;
    uint64_t hash = fnv_start;

    plackett_init(&games, BOTS);
    add_pinned_games(&games);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    cr_assert(r.converged);
    assert_bits(r.log_likelihood, -0x1.c2b9c78789f22p+13);
    assert_bits(r.bot[0].elo, 0x1.4483e8b24598fp+7);
    assert_bits(r.bot[0].low, 0x1.12c398e47a2eap+7);
    assert_bits(r.bot[20].elo, 0x1.22e1ac16c6c15p+4);
    assert_bits(r.bot[20].high, 0x1.58123a99bd0cp+5);
    assert_bits(r.bot[42].elo, -0x1.55a940a025efp+7);
    for (int i = 0; i < BOTS; i++) {
        mix(&hash, r.bot[i].elo);
        mix(&hash, r.bot[i].low);
        mix(&hash, r.bot[i].high);
    }
    cr_expect_eq(hash, 0xca9eb136ae946127, "%llx", (unsigned long long)hash);
    ratings_release(&r);
    plackett_release(&games);
}

static int no_meetings(void *arg, int a, int b)
{
    return 0;
}

/* A ladder: who is chosen depends on the skills, and these on who played. */
Test(exact, a_ladder_has_the_same_bits_everywhere)
{
    enum { BOTS = 30 };
    struct pairing_rules rules = {.policy = PAIR_CLOSE, .seats = 4};
    struct pairing_bot bots[BOTS] = {0};
    uint8_t bytes[SEED_BYTES] = {63};
    uint64_t seed = 64, hash = fnv_start;
    struct rng rng;

    rng_seed(&rng, bytes);
    for (int i = 0; i < BOTS; i++)
        bots[i].skill = skill_unknown;
    for (int game = 0; game < 2000; game++) {
        struct skill *seat[4];
        int chosen[4], rank[4];

        for (int i = 0; i < BOTS; i++)
            bots[i].idle_us += 1 + i;
        cr_assert(pairing_choose(&rules, bots, BOTS, no_meetings, NULL, &rng,
                                 chosen));
        for (int i = 0; i < 4; i++) {
            bots[chosen[i]].idle_us = 0;
            seat[i] = &bots[chosen[i]].skill;
            rank[i] = chosen[i] / 5 + draw(&seed, 5);
            mix(&hash, chosen[i]);
        }
        weng_lin_update(seat, rank, 4);
    }
    for (int i = 0; i < BOTS; i++) {
        mix(&hash, bots[i].skill.mean);
        mix(&hash, bots[i].skill.sigma);
    }
    assert_bits(bots[0].skill.mean, 0x1.048bdeeddaa1bp+9);
    assert_bits(bots[29].skill.mean, -0x1.288e2944375adp+8);
    cr_expect_eq(hash, 0xfcb5fcfafaef1785, "%llx", (unsigned long long)hash);
}
