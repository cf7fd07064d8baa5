/* Strengths of many bots. All chance here has fixed seeds. */

#include "league/elo.h"
#include "league/matrix.h"
#include "league/plackett.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

/* Matrices. */

/* A root times its transpose; the root is well off from singular. */
static void make_matrix(double *a, size_t n, uint64_t *seed)
{
    double *root = malloc(n * n * sizeof *root);

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            root[i * n + j] = chance(seed) - 0.5 + (i == j ? sqrt(n) : 0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] = 0;
            for (size_t k = 0; k < n; k++)
                a[i * n + j] += root[i * n + k] * root[j * n + k];
        }
    free(root);
}

static void assert_is_inverse(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;

            for (size_t k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            ASSERT_NEAR(sum, i == j, 1e-9);
        }
}

static void solve_and_invert(size_t n)
{
    size_t size = n * n * sizeof(double);
    double *a = malloc(size), *l = malloc(size), *inverse = malloc(size);
    double *x = calloc(n, sizeof *x);
    uint64_t seed = 10;

    make_matrix(a, n, &seed);
    memcpy(l, a, size);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            x[i] += a[i * n + k] * ((double)k - 5);
            if (k > i)
                l[i * n + k] = NAN; /* not to be read */
        }
    matrix_factor(l, n);
    matrix_solve(l, n, x);
    for (size_t i = 0; i < n; i++)
        ASSERT_NEAR(x[i], (double)i - 5, 1e-9);
    matrix_invert(l, n, inverse);
    assert_is_inverse(a, inverse, n);
    free(a);
    free(l);
    free(inverse);
    free(x);
}

Test(league, matrices_are_solved_and_inverted)
{
    solve_and_invert(0);
    solve_and_invert(4);
    solve_and_invert(36);
    solve_and_invert(300); /* more than one part deep */
}

/* Plackett-Luce. */

static void add_game(struct plackett *games, int seats, const int *bot,
                     const int *rank, int times)
{
    for (int i = 0; i < times; i++)
        plackett_add(games, bot, rank, seats);
}

#define SEATS(...) ((const int[]){__VA_ARGS__})

static void assert_rating(const struct ratings *r, int bot, double elo,
                          double margin)
{
    ASSERT_NEAR(r->bot[bot].elo, elo, 2e-3);
    ASSERT_NEAR(r->bot[bot].high - elo, margin, 3e-3);
    ASSERT_NEAR(elo - r->bot[bot].low, margin, 3e-3);
}

/*
 * Worked out in Python: the log likelihood by listing all orders of all ties,
 * plus log(x) / 4 - log(1 + x) / 2 per bot for the prior; Newton with
 * numerical derivatives; the spread as plackett.h defines it.
 */
Test(league, known_fit_of_two)
{
    struct plackett games;
    struct ratings r;

    plackett_init(&games, 2);
    add_game(&games, 2, SEATS(0, 1), SEATS(1, 2), 15);
    add_game(&games, 2, SEATS(0, 1), SEATS(2, 1), 5);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    assert_rating(&r, 0, 93.9029, 88.2948);
    assert_rating(&r, 1, -93.9029, 88.2948);
    ASSERT_NEAR(r.log_likelihood, -11.97651486, 1e-6);
    ASSERT_NEAR(r.spread, 1.0334440, 1e-6);
    cr_assert(r.converged && r.groups == 1 && r.bot[1].seats == 20);
    ratings_release(&r);
    plackett_release(&games);
}

static void add_mixed_games(struct plackett *games)
{
    add_game(games, 4, SEATS(0, 1, 2, 3), SEATS(1, 2, 2, 4), 1);
    add_game(games, 4, SEATS(2, 0, 3, 1), SEATS(1, 1, 1, 4), 1);
    add_game(games, 3, SEATS(1, 3, 2), SEATS(1, 2, 3), 1);
    add_game(games, 4, SEATS(0, 1, 2, 3), SEATS(1, 1, 1, 1), 1);
    add_game(games, 2, SEATS(3, 0), SEATS(1, 2), 1);
    add_game(games, 4, SEATS(0, 2, 1, 3), SEATS(1, 2, 3, 4), 1);
    add_game(games, 3, SEATS(0, 0, 1), SEATS(1, 2, 3), 1);
    add_game(games, 3, SEATS(1, 1, 3), SEATS(1, 2, 2), 1);
}

Test(league, known_fit_with_ties_and_bots_on_two_seats)
{
    struct plackett games;
    struct ratings r;

    plackett_init(&games, 4);
    add_mixed_games(&games);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    assert_rating(&r, 0, 130.7915, 167.3416);
    assert_rating(&r, 1, -42.3389, 136.9795);
    assert_rating(&r, 2, -12.2560, 159.0826);
    assert_rating(&r, 3, -76.1966, 142.0867);
    ASSERT_NEAR(r.log_likelihood, -18.92949537, 1e-6);
    ASSERT_NEAR(r.spread, 0.8888574, 1e-6);
    ratings_release(&r);

    plackett_fit(&games, 3, &r);
    assert_rating(&r, 0, 206.9881, 261.8046);
    assert_rating(&r, 1, 33.8576, 215.4592);
    assert_rating(&r, 2, 63.9406, 242.7993);
    assert_rating(&r, 3, 0, 0);
    ratings_release(&r);
    plackett_release(&games);
}

/* For two bots and many games it is the logistic of the score, ties or not. */
Test(league, fit_of_two_agrees_with_elo)
{
    struct plackett games;
    struct ratings r;
    struct units units = {100000, 65000, 57500}; /* sum and squares */
    struct elo elo = elo_of_units(&units);

    plackett_init(&games, 2);
    add_game(&games, 2, SEATS(0, 1), SEATS(1, 2), 50000);
    add_game(&games, 2, SEATS(0, 1), SEATS(1, 1), 30000);
    add_game(&games, 2, SEATS(1, 0), SEATS(1, 2), 20000);
    plackett_fit(&games, 1, &r);
    ASSERT_NEAR(r.bot[0].elo, elo.elo, 0.01);
    ASSERT_NEAR(r.bot[0].low, elo.low, 0.01);
    ASSERT_NEAR(r.bot[0].high, elo.high, 0.01);
    /* The variance of a game, 0.1525, in that of a coin. */
    ASSERT_NEAR(r.spread, 0.1525 / (0.65 * 0.35), 1e-4);
    ratings_release(&r);
    plackett_release(&games);
}

Test(league, bots_that_won_all_stay_finite)
{
    struct plackett games;
    struct ratings r;

    plackett_init(&games, 2);
    add_game(&games, 2, SEATS(0, 1), SEATS(1, 2), 10);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    assert_rating(&r, 0, 343.0255, 344.1255);
    ratings_release(&r);
    add_game(&games, 2, SEATS(0, 1), SEATS(1, 2), 99990);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    cr_assert(r.converged && r.bot[0].elo > 500 && r.bot[0].elo < 3000);
    ratings_release(&r);
    plackett_release(&games);
}

/* Each beats only the next: strengths far outside all that is sensible. */
Test(league, endless_ladders_converge)
{
    enum { BOTS = 60 };
    struct plackett games;
    struct ratings r;

    plackett_init(&games, BOTS);
    for (int i = 0; i + 1 < BOTS; i++)
        add_game(&games, 2, SEATS(i, i + 1), SEATS(1, 2), 10000);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    cr_assert(r.converged, "%d steps", r.steps);
    for (int i = 0; i < BOTS; i++) {
        cr_assert(isfinite(r.bot[i].low) && isfinite(r.bot[i].high));
        cr_assert(i == 0 || r.bot[i].elo < r.bot[i - 1].elo);
        ASSERT_NEAR(r.bot[i].elo, -r.bot[BOTS - 1 - i].elo, 1e-3);
    }
    ratings_release(&r);
    plackett_release(&games);
}

/* Nobody ever upsets the order: the usual result of very unequal bots. */
Test(league, round_robins_without_upsets_converge)
{
    enum { BOTS = 18 };
    struct plackett games;
    struct ratings r;

    plackett_init(&games, BOTS);
    for (int i = 0; i < BOTS; i++)
        for (int j = i + 1; j < BOTS; j++)
            add_game(&games, 2, SEATS(j, i), SEATS(2, 1), 1000);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    cr_assert(r.converged && r.steps < 20, "%d steps", r.steps);
    for (int i = 1; i < BOTS; i++)
        cr_assert(r.bot[i - 1].elo > r.bot[i].elo);
    ratings_release(&r);
    plackett_release(&games);
}

Test(league, no_games_and_one_game)
{
    struct plackett games;
    struct ratings r;
    double lone = NORMAL_95 * sqrt(8) * 400 / log(10); /* information 1/8 */

    plackett_init(&games, 0);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    cr_assert(r.converged && r.groups == 0);
    ratings_release(&r);

    plackett_init(&games, 3);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    cr_assert_eq(r.groups, 3);
    for (int i = 0; i < 3; i++)
        assert_rating(&r, i, 0, lone * sqrt(2. / 3));
    ratings_release(&r);

    add_game(&games, 1, SEATS(0), SEATS(1), 5);
    add_game(&games, 2, SEATS(0, 1), SEATS(1, 2), 1);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    cr_assert_eq(r.groups, 2);
    cr_assert_eq(r.bot[0].seats, 1);
    cr_assert(r.bot[0].elo > 0 && r.bot[0].low < 0);
    ASSERT_NEAR(r.bot[0].elo, -r.bot[1].elo, 1e-6);
    ASSERT_NEAR(r.bot[2].elo, 0, 1e-6);
    cr_assert(r.bot[2].high > lone && r.bot[2].high < 1.3 * lone);
    ratings_release(&r);
    plackett_release(&games);
}

Test(league, ties_alone_make_equals)
{
    struct plackett games;
    struct ratings few, many;

    plackett_init(&games, 6);
    add_game(&games, 6, SEATS(0, 1, 2, 3, 4, 5), SEATS(1, 1, 1, 1, 1, 1), 10);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &few);
    add_game(&games, 6, SEATS(5, 1, 2, 3, 4, 0), SEATS(1, 1, 1, 1, 1, 1), 30);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &many);
    for (int i = 0; i < 6; i++) {
        ASSERT_NEAR(few.bot[i].elo, 0, 1e-7);
        ASSERT_NEAR(many.bot[i].elo, 0, 1e-7);
        /* Four times the games: half as wide, and ever more in line. */
        cr_assert(many.bot[i].high < 0.5 * few.bot[i].high);
        cr_assert(many.bot[i].high > 0.2 * few.bot[i].high);
    }
    ratings_release(&few);
    ratings_release(&many);
    plackett_release(&games);
}

Test(league, a_tie_counts_as_all_its_orders)
{
    static const int three[6][3] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3},
                                    {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};
    struct plackett tied, orders;
    struct ratings a, b;

    plackett_init(&tied, 4);
    plackett_init(&orders, 4);
    add_game(&tied, 4, SEATS(0, 1, 2, 3), SEATS(1, 2, 2, 4), 6);
    add_game(&orders, 4, SEATS(0, 1, 2, 3), SEATS(1, 2, 3, 4), 3);
    add_game(&orders, 4, SEATS(0, 1, 2, 3), SEATS(1, 3, 2, 4), 3);
    add_game(&tied, 3, SEATS(1, 2, 3), SEATS(1, 1, 1), 6);
    for (int i = 0; i < 6; i++)
        add_game(&orders, 3, three[i], SEATS(1, 2, 3), 1);
    plackett_fit(&tied, PLACKETT_NO_ANCHOR, &a);
    plackett_fit(&orders, PLACKETT_NO_ANCHOR, &b);
    for (int i = 0; i < 4; i++) {
        ASSERT_NEAR(a.bot[i].elo, b.bot[i].elo, 1e-6);
        /* But orders that differ from game to game are less certain. */
        cr_assert(a.bot[i].low > b.bot[i].low);
    }
    cr_assert(a.spread < b.spread);
    ASSERT_NEAR(a.log_likelihood, b.log_likelihood, 1e-9);
    ratings_release(&a);
    ratings_release(&b);
    plackett_release(&tied);
    plackett_release(&orders);
}

Test(league, bots_that_never_met_are_told_apart)
{
    struct plackett games;
    struct ratings r;
    static const int group[] = {0, 1, 0, 2, 1, 0, 2};

    plackett_init(&games, 7);
    add_game(&games, 2, SEATS(5, 2), SEATS(1, 2), 3);
    add_game(&games, 2, SEATS(0, 5), SEATS(2, 1), 3);
    add_game(&games, 2, SEATS(4, 1), SEATS(1, 1), 3);
    add_game(&games, 2, SEATS(6, 3), SEATS(1, 2), 200);
    plackett_fit(&games, 1, &r);
    cr_assert(r.converged && r.groups == 3);
    for (int i = 0; i < 7; i++) {
        cr_assert_eq(r.bot[i].group, group[i]);
        cr_assert(isfinite(r.bot[i].elo));
    }
    /* Between groups only the prior speaks, and it does not say much. */
    cr_assert(r.bot[3].high - r.bot[3].low > 900);
    ratings_release(&r);
    plackett_release(&games);
}

/* A game of the model: each seat's log strength plus Gumbel noise. */
static void play_game(struct plackett *games, const double *strength,
                      const int *bot, int seats, uint64_t *seed)
{
    double form[PLACKETT_SEATS];
    int rank[PLACKETT_SEATS];

    for (int i = 0; i < seats; i++)
        form[i] = strength[bot[i]] - log(-log(chance(seed)));
    for (int i = 0; i < seats; i++) {
        rank[i] = 1;
        for (int j = 0; j < seats; j++)
            rank[i] += form[j] > form[i];
    }
    plackett_add(games, bot, rank, seats);
}

static void play_games(struct plackett *games, const double *strength,
                       int number, uint64_t *seed)
{
    for (int i = 0; i < number; i++) {
        int bot[PLACKETT_SEATS], seats = 2 + i % 5;

        for (int j = 0; j < seats; j++)
            bot[j] = (int)(chance(seed) * games->bots);
        play_game(games, strength, bot, seats, seed);
    }
}

static double draw_strengths(double *strength, int bots, double wide,
                             uint64_t *seed)
{
    double mean = 0;

    for (int i = 0; i < bots; i++) {
        strength[i] = wide * (chance(seed) - 0.5);
        mean += strength[i] / bots;
    }
    return mean;
}

Test(league, fitted_intervals_hold_the_truth)
{
    enum { BOTS = 5, CASES = 600 };
    int held = 0;
    uint64_t seed = 11;

    for (int i = 0; i < CASES; i++) {
        double strength[BOTS], to_elo = 400 / log(10);
        double mean = draw_strengths(strength, BOTS, 3, &seed);
        struct plackett games;
        struct ratings r;

        plackett_init(&games, BOTS);
        play_games(&games, strength, i % 2 ? 40 : 200, &seed);
        plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
        for (int j = 0; j < BOTS; j++) {
            double truth = (strength[j] - mean) * to_elo;

            held += r.bot[j].low <= truth && truth <= r.bot[j].high;
        }
        ratings_release(&r);
        plackett_release(&games);
    }
    cr_assert(held > 0.93 * BOTS * CASES && held < 0.97 * BOTS * CASES,
              "%d of %d", held, BOTS * CASES);
}

Test(league, the_order_of_games_and_seats_changes_no_bit)
{
    enum { GAMES = 3000, BOTS = 20 };
    static int bot[GAMES][4], rank[GAMES][4];
    struct plackett there, back;
    struct ratings a, b, again;
    uint64_t seed = 12;

    plackett_init(&there, BOTS);
    plackett_init(&back, BOTS);
    for (int i = 0; i < GAMES; i++)
        for (int j = 0; j < 4; j++) {
            bot[i][j] = (int)(chance(&seed) * BOTS);
            rank[i][j] = 1 + (int)(chance(&seed) * 3);
        }
    for (int i = 0; i < GAMES; i++)
        plackett_add(&there, bot[i], rank[i], 4);
    for (int i = GAMES; i-- > 0;) {
        const int *s = bot[i], *t = rank[i];

        plackett_add(&back, SEATS(s[3], s[0], s[2], s[1]),
                     SEATS(t[3], t[0], t[2], t[1]), 4);
    }
    plackett_fit(&there, PLACKETT_NO_ANCHOR, &a);
    plackett_fit(&back, PLACKETT_NO_ANCHOR, &b);
    plackett_fit(&back, PLACKETT_NO_ANCHOR, &again);
    for (int i = 0; i < BOTS; i++) {
        cr_assert(a.bot[i].elo == b.bot[i].elo);
        cr_assert(a.bot[i].low == b.bot[i].low);
        cr_assert(b.bot[i].high == again.bot[i].high);
        cr_assert_eq(a.bot[i].seats, b.bot[i].seats);
    }
    ratings_release(&a);
    ratings_release(&b);
    ratings_release(&again);
    plackett_release(&there);
    plackett_release(&back);
}

Test(league, names_of_bots_do_not_matter)
{
    enum { BOTS = 9 };
    struct plackett one, two;
    struct ratings a, b;
    uint64_t seed = 13;

    plackett_init(&one, BOTS);
    plackett_init(&two, BOTS);
    for (int i = 0; i < 400; i++) {
        int bot[5], other[5], rank[5];

        for (int j = 0; j < 5; j++) {
            bot[j] = (int)(chance(&seed) * BOTS);
            other[j] = (bot[j] * 5 + 2) % BOTS;
            rank[j] = 1 + (int)(chance(&seed) * 4);
        }
        plackett_add(&one, bot, rank, 5);
        plackett_add(&two, other, rank, 5);
    }
    plackett_fit(&one, PLACKETT_NO_ANCHOR, &a);
    plackett_fit(&two, PLACKETT_NO_ANCHOR, &b);
    for (int i = 0; i < BOTS; i++) {
        ASSERT_NEAR(a.bot[i].elo, b.bot[(i * 5 + 2) % BOTS].elo, 1e-7);
        ASSERT_NEAR(a.bot[i].low, b.bot[(i * 5 + 2) % BOTS].low, 1e-7);
    }
    ratings_release(&a);
    ratings_release(&b);
    plackett_release(&one);
    plackett_release(&two);
}

Test(league, many_bots_are_recovered)
{
    enum { BOTS = 150, CASES = 8 };
    double strength[BOTS];
    uint64_t seed = 14;
    int held = 0;

    for (int i = 0; i < CASES; i++) {
        double mean = draw_strengths(strength, BOTS, 5, &seed);
        struct plackett games;
        struct ratings r;

        plackett_init(&games, BOTS);
        play_games(&games, strength, 10000, &seed);
        plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
        cr_assert(r.converged && r.groups == 1 && r.steps < 10);
        for (int j = 0; j < BOTS; j++) {
            double truth = (strength[j] - mean) * 400 / log(10);

            held += r.bot[j].low <= truth && truth <= r.bot[j].high;
            ASSERT_NEAR(r.bot[j].elo, truth, 150);
        }
        ratings_release(&r);
        plackett_release(&games);
    }
    cr_assert(held > 0.93 * BOTS * CASES && held < 0.97 * BOTS * CASES, "%d",
              held);
}
