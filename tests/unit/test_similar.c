/* Bots that move alike, in simulation: copies are found, independent bots of
 * any strength are not. */

#include "league/similar.h"

#include "base/rng.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { BOTS = 12, POSITIONS = 300, MOVES = 8 };

static double uniform(struct rng *rng)
{
    return rng_uniform(rng, 1000000) / 1e6;
}

/* The best move with this chance, else any. */
static uint64_t choose(struct rng *rng, double skill)
{
    return uniform(rng) < skill ? 0 : rng_uniform(rng, MOVES);
}

/*
 * Half of the field is good. `copy` moves as bot 0 with this chance, and else
 * by itself. Returns how many pairs are odd; *found: is it that one?
 */
static size_t play(unsigned char seed, double copied, bool *found)
{
    static struct choice choices[BOTS * POSITIONS];
    uint8_t bytes[SEED_BYTES] = {seed};
    struct similar_pair *pairs;
    size_t count = 0, total, odd = 0;
    struct rng rng;

    rng_seed(&rng, bytes);
    for (int p = 0; p < POSITIONS; p++)
        for (int i = 0; i < BOTS; i++) {
            uint64_t move = choose(&rng, i % 2 ? 0.75 : 0.3);

            if (i == BOTS - 1 && uniform(&rng) < copied)
                move = choices[count - BOTS + 1].move;
            choices[count++] =
                (struct choice){.position = (uint64_t)p, move, i};
        }
    pairs = similar_pairs(choices, count, BOTS, &total);
    cr_assert_eq(total, BOTS * (BOTS - 1) / 2);
    for (size_t i = 0; i < total; i++)
        odd += pairs[i].is_odd;
    *found = odd > 0 && pairs[0].a == 0 && pairs[0].b == BOTS - 1;
    free(pairs);
    return odd;
}

Test(similar, a_renamed_copy_is_found_and_nobody_else)
{
    for (int seed = 0; seed < 100; seed++) {
        bool found;
        size_t odd = play((unsigned char)seed, 1, &found);

        cr_expect(found, "seed %d", seed);
        cr_expect_eq(odd, 1, "seed %d: %zu pairs", seed, odd);
    }
}

/* It changes every fifth move. */
Test(similar, a_copy_with_changes_is_found)
{
    int missed = 0;

    for (int seed = 0; seed < 100; seed++) {
        bool found;

        play((unsigned char)seed, 0.8, &found);
        missed += !found;
    }
    cr_expect_leq(missed, 5);
}

/* 200 fields of 66 pairs each, half of them good. */
Test(similar, independent_bots_are_not)
{
    size_t odd = 0;
    bool found;

    for (int seed = 0; seed < 200; seed++)
        odd += play((unsigned char)seed, 0, &found);
    cr_expect_eq(odd, 0);
}

/* What two of them share and nobody else has seen says nothing. */
Test(similar, positions_of_two_alone_say_nothing)
{
    struct choice choices[200];
    struct similar_pair *pairs;
    size_t total;

    for (int i = 0; i < 200; i++)
        choices[i] = (struct choice){(uint64_t)i / 2, 7, i % 2};
    pairs = similar_pairs(choices, 200, 2, &total);
    cr_expect_eq(total, 0);
    free(pairs);
}
