/* Games with bots of which little is known. All chance here has fixed seeds. */

#include "league/newcomers.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

static const double to_elo = 173.71779276130073; /* 400 / log(10) */

static int layers_with(struct layer layer[PLACKETT_SEATS], const int *known,
                       int own, unsigned tied, int seats)
{
    struct plackett_row row = {
        .times = 1, .seats = (uint8_t)seats, .tied = (uint8_t)tied};

    for (int i = 0; i < seats; i++)
        row.bot[i] = (uint16_t)i;
    return layers_of(&row, known, own, layer);
}

Test(newcomers, a_game_is_taken_apart_by_who_is_known)
{
    struct layer layer[PLACKETT_SEATS];

    cr_assert_eq(layers_with(layer, NULL, LAYERS_FOR_ALL, 4, 3), 1);
    ASSERT_NEAR(layer[0].weight, 1, 0);
    cr_assert_eq(layer[0].seats, 3);
    cr_assert_eq(layer[0].tied, 4);

    cr_assert_eq(layers_with(layer, (int[]){7, 7}, LAYERS_FOR_ALL, 0, 2), 1);
    ASSERT_NEAR(layer[0].weight, 1, 0);

    cr_assert_eq(layers_with(layer, (int[]){20, 5}, LAYERS_FOR_ALL, 0, 2), 1);
    ASSERT_NEAR(layer[0].weight, 0.0625, 0);
    cr_assert_eq(layers_with(layer, (int[]){20, 5}, 1, 0, 2), 1);
    ASSERT_NEAR(layer[0].weight, 1, 0);
    cr_assert_eq(layers_with(layer, (int[]){20, 5}, 0, 0, 2), 1);
    ASSERT_NEAR(layer[0].weight, 0.0625, 0);
}

/* The second, who is new, tied with the third; the first and the last two are
 * better known. */
Test(newcomers, the_others_of_a_game_still_count_in_full)
{
    const int known[] = {20, 5, 20, 10};
    struct layer layer[PLACKETT_SEATS];

    cr_assert_eq(layers_with(layer, known, LAYERS_FOR_ALL, 1U << 2, 4), 3);
    ASSERT_NEAR(layer[0].weight, 0.0625, 0);
    cr_assert_eq(layer[0].seats, 4);
    cr_assert_eq(layer[0].tied, 1U << 2);
    ASSERT_NEAR(layer[1].weight, 0.1875, 0);
    cr_assert_eq(layer[1].seats, 3);
    cr_assert_eq(layer[1].tied, 0, "who it was tied with is not there");
    cr_assert_eq(layer[1].place[1], 2);
    ASSERT_NEAR(layer[2].weight, 0.75, 0);
    cr_assert_eq(layer[2].seats, 2);
    cr_assert_eq(layer[2].place[0] * 10 + layer[2].place[1], 2);

    /* For the new one itself all that counts is how known the others are. */
    cr_assert_eq(layers_with(layer, known, 1, 1U << 2, 4), 2);
    ASSERT_NEAR(layer[0].weight, 0.25, 0);
    cr_assert_eq(layer[1].tied, 1U << 2);
}

/* A tie of two stays one when a third, who tied with both, is left out. */
Test(newcomers, ties_outlive_who_is_left_out)
{
    const int known[] = {20, 1, 20};
    struct layer layer[PLACKETT_SEATS];

    cr_assert_eq(layers_with(layer, known, LAYERS_FOR_ALL, 6, 3), 2);
    cr_assert_eq(layer[0].tied, 6);
    cr_assert_eq(layer[1].tied, 2);
}

static void play(struct plackett *games, int winner, int loser, int times)
{
    for (int i = 0; i < times; i++)
        plackett_add(games, (int[]){winner, loser}, (int[]){1, 2}, 2);
}

static void expect_same_bits(const struct ratings *a, const struct ratings *b)
{
    for (int i = 0; i < a->bots; i++)
        cr_assert(memcmp(&a->bot[i], &b->bot[i], sizeof a->bot[i]) == 0);
}

Test(newcomers, where_all_are_known_alike_nothing_changes)
{
    struct plackett games;
    struct ratings plain, alike;

    plackett_init(&games, 3);
    play(&games, 0, 1, 3);
    play(&games, 1, 2, 2);
    play(&games, 2, 0, 1);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &plain);
    plackett_know(&games, (int[]){4, 4, 4});
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &alike);
    expect_same_bits(&plain, &alike);
    ratings_release(&plain);
    ratings_release(&alike);
    plackett_release(&games);
}

/*
 * A field of bots that are equally strong and well known, a new one that is as
 * strong and has won and lost as often, and friends of it that lose to it on
 * purpose, `times` each under a name of its own. What does it gain over the
 * field?
 */
enum { FIELD = 40, FRIENDS = 100 };

static double gain(int games_of_its_own, int friends, int times, bool weighs)
{
    int known[FIELD + 1 + FRIENDS];
    struct plackett games;
    struct ratings r;
    double gain;

    plackett_init(&games, FIELD + 1 + FRIENDS);
    for (int i = 0; i < FIELD; i++)
        for (int j = 0; j < FIELD; j++)
            play(&games, i, j, i != j);
    for (int i = 0; i < games_of_its_own; i++)
        play(&games, i % 2 ? FIELD : i % FIELD, i % 2 ? i % FIELD : FIELD, 1);
    for (int i = 0; i < friends; i++)
        play(&games, FIELD, FIELD + 1 + i, times);
    for (int i = 0; i < FIELD + 1 + FRIENDS; i++)
        known[i] = i <= FIELD ? 20 : times < 20 ? times : 20;
    plackett_know(&games, weighs ? known : NULL);
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
    cr_assert(r.converged);
    gain = r.bot[FIELD].elo - r.bot[0].elo;
    ratings_release(&r);
    plackett_release(&games);
    return gain;
}

Test(newcomers, friends_with_few_games_give_little)
{
    cr_expect_gt(gain(10, FRIENDS, 1, false), 300, "what it was without");
    cr_expect_lt(gain(10, FRIENDS, 1, true), 20);
    cr_expect_gt(gain(10, 20, 5, false), 200);
    cr_expect_lt(gain(10, 20, 5, true), 100);
    cr_expect_gt(gain(100, FRIENDS, 1, false), 30);
    cr_expect_lt(gain(100, FRIENDS, 1, true), 5);
}

/* Bots that are known, and newcomers with so few games against them. */
enum { KNOWN = 8, NEW = 4, ALL = KNOWN + NEW, CASES = 400 };

static void meet(struct plackett *games, const double *strength, int a, int b,
                 uint64_t *seed)
{
    double odds = 1 / (1 + exp(strength[b] - strength[a]));

    if (chance(seed) < odds)
        play(games, a, b, 1);
    else
        play(games, b, a, 1);
}

static void play_ladder(struct plackett *games, const double *strength, int few,
                        uint64_t *seed)
{
    for (int i = 0; i < KNOWN * 30; i++) {
        int a = (int)(chance(seed) * KNOWN);

        meet(games, strength, a,
             (a + 1 + (int)(chance(seed) * (KNOWN - 1))) % KNOWN, seed);
    }
    for (int i = KNOWN; i < ALL; i++)
        for (int k = 0; k < few; k++)
            meet(games, strength, i, (int)(chance(seed) * KNOWN), seed);
}

/* How many of the intervals of newcomers, and of the others, hold the truth;
 * and how far off newcomers are, on average. */
struct outcome {
    double newcomers, others, off;
};

static struct outcome simulate(int few, bool weighs)
{
    struct outcome out = {0};
    uint64_t seed = 21;

    for (int c = 0; c < CASES; c++) {
        double strength[ALL], mean = 0;
        int known[ALL];
        struct plackett games;
        struct ratings r;

        for (int i = 0; i < ALL; i++) {
            strength[i] = 3 * (chance(&seed) - 0.5);
            mean += strength[i] / ALL;
            known[i] = i < KNOWN ? 20 : few;
        }
        plackett_init(&games, ALL);
        play_ladder(&games, strength, few, &seed);
        plackett_know(&games, weighs ? known : NULL);
        plackett_fit(&games, PLACKETT_NO_ANCHOR, &r);
        for (int i = 0; i < ALL; i++) {
            double truth = (strength[i] - mean) * to_elo;
            bool held = r.bot[i].low <= truth && truth <= r.bot[i].high;

            if (i < KNOWN) {
                out.others += held / (double)(CASES * KNOWN);
                continue;
            }
            out.newcomers += held / (double)(CASES * NEW);
            out.off += fabs(r.bot[i].elo - truth) / (CASES * NEW);
        }
        ratings_release(&r);
        plackett_release(&games);
    }
    return out;
}

Test(newcomers, they_find_their_place_as_fast_as_before)
{
    for (int few = 3; few <= 15; few += 6) {
        struct outcome now = simulate(few, true);
        struct outcome before = simulate(few, false);

        cr_expect(now.newcomers > 0.93, "%d games: %.3f", few, now.newcomers);
        cr_expect(now.others > 0.93, "%d games: %.3f", few, now.others);
        cr_expect(now.off < 1.05 * before.off, "%d games: %.0f, was %.0f", few,
                  now.off, before.off);
    }
}
