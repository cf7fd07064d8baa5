/* Statistics of results. All chance here has fixed seeds. */

#include "league/elo.h"
#include "league/sprt.h"
#include "league/summary.h"
#include "near.h"

#include <stdlib.h>

static void add_times(struct units *units, double score, int times)
{
    for (int i = 0; i < times; i++)
        units_add(units, score);
}

/* Elo. */

static void assert_elo(struct elo e, double elo, double low, double high,
                       double los)
{
    ASSERT_NEAR(e.elo, elo, 1e-5);
    ASSERT_NEAR(e.low, low, 1e-5);
    ASSERT_NEAR(e.high, high, 1e-5);
    ASSERT_NEAR(e.los, los, 1e-8);
}

Test(league, score_and_elo_are_inverse)
{
    /* 400 log10(0.75 / 0.25); 1 / (1 + 10^(-100/400)) */
    ASSERT_NEAR(elo_from_score(0.75), 190.84850188786498, 1e-9);
    ASSERT_NEAR(score_from_elo(100), 0.6400649998028851, 1e-12);
    ASSERT_NEAR(score_from_elo(0), 0.5, 0);
    for (double elo = -900; elo <= 900; elo += 37)
        ASSERT_NEAR(elo_from_score(score_from_elo(elo)), elo, 1e-9);
    cr_assert(isinf(elo_from_score(1)) && elo_from_score(1) > 0);
    cr_assert(isinf(elo_from_score(0)) && elo_from_score(0) < 0);
    ASSERT_NEAR(score_of_ranks(1, 2), 1, 0);
    ASSERT_NEAR(score_of_ranks(3, 3), 0.5, 0);
    ASSERT_NEAR(score_of_ranks(2, 1), 0, 0);
}

/*
 * Worked out in Python from the definition alone: v, the variance of the units
 * with two 0s and two 1s beside them, and my, their mean; d = v/(my (1 - my));
 * the ends of the interval by bisection of (m - p)^2 <= z^2 d p (1 - p) / n;
 * los = Phi((m - 0.5) / sqrt(0.25 d / n)).
 */
Test(league, known_elo_intervals)
{
    struct units coins = {0}, ties = {0}, pairs = {0};

    add_times(&coins, 1, 60);
    add_times(&coins, 0, 40);
    assert_elo(elo_of_units(&coins), 70.436504, 1.391547, 139.481460,
               0.977249868);
    /* With d = 1 los is Phi((wins - losses) / sqrt(wins + losses)) */
    ASSERT_NEAR(elo_of_units(&coins).los, normal_below(20 / sqrt(100)), 1e-9);

    add_times(&ties, 1, 30);
    add_times(&ties, 0.5, 50);
    add_times(&ties, 0, 20);
    assert_elo(elo_of_units(&ties), 34.860070, -14.080082, 83.800223,
               0.918312820);

    add_times(&pairs, 0.5, 40);
    add_times(&pairs, 0.75, 10);
    add_times(&pairs, 0.25, 5);
    add_times(&pairs, 1, 5);
    assert_elo(elo_of_units(&pairs), 43.657788, 5.309750, 82.005825,
               0.987215150);
}

static struct elo elo_of_times(double score, int times)
{
    struct units units = {0};

    add_times(&units, score, times);
    return elo_of_units(&units);
}

Test(league, elo_is_finite_and_honest_at_the_ends)
{
    struct elo lost = elo_of_times(0, 10);

    assert_elo(elo_of_times(1, 10), 528.887718, 166.201527, 1723.546646,
               0.999217299);
    assert_elo(lost, -528.887718, -1723.546646, -166.201527, 0.000782701);
    ASSERT_NEAR(lost.score, 0, 0);

    assert_elo(elo_of_times(1, 1), 190.848502, -233.798473, 1323.469854,
               0.841344746);
    assert_elo(elo_of_times(0.5, 1), 0, -461.188623, 461.188623, 0.5);
    /* Nothing but Jeffreys' prior: 400 log10(1 / sin(pi 0.025 / 2)^2 - 1) */
    assert_elo(elo_of_times(1, 0), 0, -1124.573431, 1124.573431, 0.5);
}

Test(league, ties_alone_are_news_of_equality)
{
    struct units ties = {0};

    add_times(&ties, 0.5, 10);
    assert_elo(elo_of_units(&ties), 0, -113.095578, 113.095578, 0.5);
    add_times(&ties, 0.5, 990);
    assert_elo(elo_of_units(&ties), 0, -1.359203, 1.359203, 0.5);
}

Test(league, elo_is_symmetric_and_monotone)
{
    uint64_t seed = 1;

    for (int n = 1; n < 200; n += 7) {
        struct units own = {0}, other = {0}, more;
        struct elo a, b;

        for (int i = 0; i < n; i++) {
            double score = floor(5 * chance(&seed)) / 4;

            units_add(&own, score);
            units_add(&other, 1 - score);
        }
        a = elo_of_units(&own);
        b = elo_of_units(&other);
        ASSERT_NEAR(a.elo, -b.elo, 1e-7);
        ASSERT_NEAR(a.low, -b.high, 1e-7);
        ASSERT_NEAR(a.los, 1 - b.los, 1e-9);
        cr_assert(a.low <= a.elo && a.elo <= a.high);
        cr_assert((a.low > 0) == (a.los > 0.975));
        more = own;
        units_add(&more, 1);
        cr_assert(elo_of_units(&more).elo >= a.elo);
    }
}

/* A unit of `games` games, each won, tied or lost. */
static double play_unit(uint64_t *seed, double win, double tie, int games)
{
    double sum = 0;

    for (int i = 0; i < games; i++) {
        double x = chance(seed);

        sum += x < win ? 1 : x < win + tie ? 0.5 : 0;
    }
    return sum / games;
}

Test(league, elo_intervals_hold_the_truth)
{
    uint64_t seed = 2;

    for (int n = 30; n <= 300; n *= 10) {
        int cases = 2000, held = 0;

        for (int i = 0; i < cases; i++) {
            double tie = 0.6 * chance(&seed);
            double win = (1 - tie) * (0.2 + 0.6 * chance(&seed));
            double truth = elo_from_score(win + tie / 2);
            struct units units = {0};
            struct elo e;

            for (int j = 0; j < n; j++)
                units_add(&units, play_unit(&seed, win, tie, 1 + i % 3));
            e = elo_of_units(&units);
            held += e.low <= truth && truth <= e.high;
        }
        cr_assert(held >= 0.93 * cases && held <= 0.98 * cases,
                  "%d of %d with n = %d", held, cases, n);
    }
}

/* SPRT. */

Test(league, known_likelihood_ratios)
{
    struct sprt sprt;
    struct units coins = {0}, ties = {0}, won = {0};
    struct sprt_state state;

    sprt_init(&sprt);
    state = sprt_test(&sprt, &coins);
    ASSERT_NEAR(state.llr, 0, 0);
    cr_assert_eq(state.verdict, SPRT_RUNNING);
    /* log(0.05 / 0.95) and log(0.95 / 0.05) */
    ASSERT_NEAR(state.lower, -2.9444389791664403, 1e-12);
    ASSERT_NEAR(state.upper, 2.9444389791664403, 1e-12);

    /* Python, by the formula in sprt.h from lists of units */
    add_times(&coins, 1, 60);
    add_times(&coins, 0, 40);
    ASSERT_NEAR(sprt_test(&sprt, &coins).llr, 0.9915071229011091, 1e-9);
    add_times(&ties, 0.5, 10);
    ASSERT_NEAR(sprt_test(&sprt, &ties).llr, -0.057529408404402876, 1e-9);
    sprt.elo1 = 100;
    add_times(&won, 1, 10);
    ASSERT_NEAR(sprt_test(&sprt, &won).llr, 1.9533115346161471, 1e-9);
}

/* It must stay below the exact ratio: n log(s1 / s0) for n wins. */
Test(league, sprt_is_modest_with_few_units)
{
    struct sprt sprt;
    struct units won = {0}, ties = {0};

    sprt_init(&sprt);
    for (int n = 1; n <= 100; n++) {
        double exact = n * log(score_from_elo(20) / 0.5);
        struct sprt_state state;

        units_add(&won, 1);
        state = sprt_test(&sprt, &won);
        cr_assert(state.llr > 0 && state.llr < exact);
        cr_assert(n > 50 || state.verdict == SPRT_RUNNING);
        units_add(&ties, 0.5);
        cr_assert(sprt_test(&sprt, &ties).llr < 0);
    }
    cr_assert_eq(sprt_test(&sprt, &won).verdict, SPRT_H1);
    add_times(&ties, 0.5, 300);
    cr_assert_eq(sprt_test(&sprt, &ties).verdict, SPRT_H0);
}

Test(league, sprt_is_symmetric)
{
    struct sprt there = {.elo0 = -5, .elo1 = 15, .alpha = 0.05, .beta = 0.1};
    struct sprt back = {.elo0 = -15, .elo1 = 5, .alpha = 0.1, .beta = 0.05};
    struct units own = {0}, other = {0};
    struct sprt_state a, b;
    uint64_t seed = 3;

    for (int i = 0; i < 500; i++) {
        double score = play_unit(&seed, 0.4, 0.3, 2);

        units_add(&own, score);
        units_add(&other, 1 - score);
        a = sprt_test(&there, &own);
        b = sprt_test(&back, &other);
        ASSERT_NEAR(a.llr, -b.llr, 1e-9);
        ASSERT_NEAR(a.upper, -b.lower, 1e-12);
        cr_assert_eq(a.verdict == SPRT_H1, b.verdict == SPRT_H0);
    }
}

/* How often H1 is accepted if the lead is `elo`, and the mean length. */
static double share_of_h1(const struct sprt *sprt, double elo, int games,
                          uint64_t seed, double *length)
{
    enum { RUNS = 1500 };
    double tie = 0.3, win = score_from_elo(elo) - tie / 2;
    int accepted = 0;

    *length = 0;
    for (int i = 0; i < RUNS; i++) {
        struct units units = {0};
        struct sprt_state state = {0};

        while (state.verdict == SPRT_RUNNING) {
            units_add(&units, play_unit(&seed, win, tie, games));
            state = sprt_test(sprt, &units);
        }
        accepted += state.verdict == SPRT_H1;
        *length += (double)units.n / RUNS;
    }
    return (double)accepted / RUNS;
}

Test(league, sprt_errs_as_rarely_as_it_says)
{
    struct sprt sprt = {.elo0 = 0, .elo1 = 40, .alpha = 0.05, .beta = 0.05};
    double length, wrong;

    for (int games = 1; games <= 2; games++) {
        wrong = share_of_h1(&sprt, 0, games, 4, &length);
        cr_assert(wrong > 0.03 && wrong < 0.06, "alpha %g", wrong);
        wrong = 1 - share_of_h1(&sprt, 40, games, 5, &length);
        cr_assert(wrong > 0.03 && wrong < 0.06, "beta %g", wrong);
        cr_assert(length < 400, "%g units", length);
    }
    sprt.alpha = 0.01;
    sprt.beta = 0.1;
    wrong = share_of_h1(&sprt, 0, 1, 6, &length);
    cr_assert(wrong > 0.003 && wrong < 0.015, "alpha %g", wrong);
    wrong = 1 - share_of_h1(&sprt, 40, 1, 7, &length);
    cr_assert(wrong > 0.07 && wrong < 0.115, "beta %g", wrong);
}

/* A wide gap decides after few units; the errors must stay small there too. */
Test(league, sprt_holds_for_short_tests)
{
    struct sprt sprt = {.elo0 = 0, .elo1 = 200, .alpha = 0.05, .beta = 0.05};
    double length, wrong;

    wrong = share_of_h1(&sprt, 0, 1, 8, &length);
    cr_assert(wrong < 0.06, "alpha %g", wrong);
    cr_assert(length < 40, "%g units", length);
    wrong = 1 - share_of_h1(&sprt, 200, 1, 9, &length);
    cr_assert(wrong < 0.06, "beta %g", wrong);
}

Test(league, sprt_reads_its_parts)
{
    struct sprt sprt;
    struct err err;

    sprt_init(&sprt);
    cr_assert(sprt_read(&sprt, "", &err) && sprt_check(&sprt, &err));
    cr_assert(sprt.elo0 == 0 && sprt.elo1 == 20);
    cr_assert(sprt_read(&sprt, "elo0=-2.5,elo1=7 alpha=0.01, beta=.1", &err));
    cr_assert(sprt.elo0 == -2.5 && sprt.elo1 == 7);
    cr_assert(sprt.alpha == 0.01 && sprt.beta == 0.1);

    /* Fifteen digits are the most that a double is sure to hold. */
    sprt_init(&sprt);
    cr_assert(sprt_read(&sprt, "elo1=3.14159265358979", &err));
    cr_assert(sprt.elo1 == 3.14159265358979);

    sprt_init(&sprt);
    cr_assert(sprt_read(&sprt, "elo1=3", &err));
    cr_assert(sprt_read(&sprt, "elo0=5.", &err));
    cr_assert(sprt.elo1 == 3 && sprt.alpha == 0.05);
    cr_assert_not(sprt_check(&sprt, &err));
    cr_assert_str_eq(err.text,
                     "elo0=5 is not below elo1=3: elo0 must be the lower one");
    cr_assert_not(sprt_read(&sprt, "beta=0.1 elo1=4", &err));
    cr_assert_str_eq(err.text, "elo1 is given twice: give it once");
}

Test(league, sprt_refuses_what_it_cannot_read)
{
    static const char *const bad[] = {
        "elo1",
        "elo1=",
        "elo1=x",
        "elo1=5x",
        "elo2=5",
        "elo1 =5",
        "elo1= 5",
        "elo1=--5",
        "elo1=5;",
        "elo1=.",
        "elo1=1e2",
        "elo1=1001",
        "elo1=-1001",
        "alpha=0",
        "alpha=0.5",
        "beta=-0.1",
        "beta=0.000001",
        "Elo1=5",
        "elo1=1.2.3",
        "=5",
        "elo1=nan",
        "alpha=+0.05",
        "elo1=5=6",
        "x,elo1=5",
        "elo1=3.141592653589793",
        "alpha=0.0500000000000000000000000000000000001"};
    struct sprt sprt;
    struct err err;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sprt_init(&sprt);
        cr_assert_not(sprt_read(&sprt, bad[i], &err), "%s", bad[i]);
    }
    cr_assert_not(sprt_read(&sprt, "elo0=1 alpha=2,beta=1", &err));
    cr_assert_str_eq(err.text, "\"alpha=2\" does not fit: alpha is a number "
                               "from 0.0001 to 0.4");
    cr_assert_not(sprt_read(&sprt, "gamma=2", &err));
    cr_assert_str_eq(err.text,
                     "\"gamma=2\" is not a part of a test: write elo0=0 "
                     "elo1=20 alpha=0.05 beta=0.05");
}

/* Summaries. */

Test(league, games_are_counted)
{
    static struct bot_stats stats[3];
    static const struct outcome games[] = {
        {.seats = 3,
         .bot = {2, 0, 1},
         .rank = {1, 1, 3},
         .score = {9, 9, -4},
         .forfeit = {STATS_NO_FORFEIT, STATS_NO_FORFEIT, 2}},
        {.seats = 3,
         .bot = {0, 1, 2},
         .rank = {1, 1, 1},
         .score = {5, 5, 5},
         .forfeit = {STATS_NO_FORFEIT, STATS_NO_FORFEIT, STATS_NO_FORFEIT}},
        {.seats = 2,
         .bot = {0, 1},
         .rank = {2, 1},
         .score = {0, 1},
         .forfeit = {8, STATS_NO_FORFEIT}},
        {.seats = 1,
         .bot = {2},
         .rank = {1},
         .score = {70},
         .forfeit = {STATS_NO_FORFEIT}},
    };

    for (int i = 0; i < 4; i++)
        stats_game(stats, &games[i]);
    cr_assert_eq(stats[0].games, 3);
    ASSERT_NEAR(stats_wins(&stats[0]), 1. / 2 + 1. / 3, 1e-12);
    ASSERT_NEAR(stats_wins(&stats[1]), 1. / 3 + 1, 1e-12);
    ASSERT_NEAR(stats_wins(&stats[2]), 1. / 2 + 1. / 3 + 1, 1e-12);
    cr_assert_eq(stats[0].wins + stats[1].wins + stats[2].wins, 4 * STATS_WIN);
    ASSERT_NEAR(stats_mean_rank(&stats[1]), 5. / 3, 1e-12);
    ASSERT_NEAR(stats_mean_score(&stats[1]), 2. / 3, 1e-12);
    cr_assert_eq(stats[1].forfeits[2], 1);
    cr_assert_eq(stats[0].forfeits[8], 1);
    cr_assert_eq(stats[0].seat_games[0], 2);
    ASSERT_NEAR(stats_seat_wins(&stats[0], 0), 1. / 3, 1e-12);
    ASSERT_NEAR(stats_seat_wins(&stats[0], 1), 1. / 2, 1e-12);
    ASSERT_NEAR(stats_seat_wins(&stats[2], 0), 3. / 2, 1e-12);
}

Test(league, empty_summaries_are_zero)
{
    static const struct bot_stats none;

    ASSERT_NEAR(stats_mean_rank(&none), 0, 0);
    ASSERT_NEAR(stats_mean_score(&none), 0, 0);
    ASSERT_NEAR(time_mean_us(&none.time), 0, 0);
    cr_assert_eq(time_percentile_us(&none.time, 99), 0);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

Test(league, percentiles_are_near_the_true_ones)
{
    enum { MOVES = 20000 };
    static int64_t us[MOVES];
    static struct time_stats time;
    uint64_t seed = 15;

    for (int i = 0; i < MOVES; i++) {
        us[i] = (int64_t)exp(25 * chance(&seed)); /* to 20 hours */
        time_add(&time, us[i]);
    }
    qsort(us, MOVES, sizeof *us, by_value);
    for (int percent = 1; percent <= 100; percent++) {
        double truth = (double)us[MOVES / 100 * percent - 1];

        ASSERT_NEAR((double)time_percentile_us(&time, percent), truth,
                    truth < 64 ? 0 : truth / 64);
    }
    cr_assert_eq(time.max_us, us[MOVES - 1]);
}

/* Every bin alone: no time is lost, none is further off than it may be. */
Test(league, every_time_has_a_near_bin)
{
    for (int64_t us = 0; us < INT64_MAX / 8; us += 1 + us / 50) {
        static struct time_stats time;
        int64_t found;

        time = (struct time_stats){0};
        time_add(&time, us);
        time.max_us = INT64_MAX; /* or one move would be exact */
        found = time_percentile_us(&time, 99);
        if (us < 63LL << 31)
            ASSERT_NEAR((double)found, (double)us, (double)us / 64);
        else
            cr_assert_eq(found, INT64_MAX);
        cr_assert_eq(time.moves, 1);
    }
}

Test(league, odd_times)
{
    static struct time_stats time;

    time_add(&time, -5);
    cr_assert_eq(time.sum_us, 0);
    cr_assert_eq(time_percentile_us(&time, 99), 0);
    time_add(&time, 1000001);
    cr_assert_eq(time_percentile_us(&time, 99), 1000001);
    cr_assert_eq(time_percentile_us(&time, 50), 0);
    ASSERT_NEAR(time_mean_us(&time), 500000.5, 0);
    time_add(&time, INT64_C(400000000000));
    cr_assert_eq(time_percentile_us(&time, 99), INT64_C(400000000000));
}
