/*
 * How often is a verdict of `referee grade` wrong, and how many games does it
 * take? bench_grades [BUDGET [TRIALS [PERCENT]]]: bots that are better than a
 * level by so many Elo, in duplicate deals, whose games are won independently;
 * beside the usual test after all games of the budget.
 */

#include "base/rng.h"
#include "league/anytime.h"
#include "league/elo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct tally {
    int passed, failed, fixed; /* by the usual test */
    double games;
};

static double play_deal(struct rng *rng, double chance)
{
    int wins = 0;

    for (int game = 0; game < 2; game++)
        wins += rng_uniform(rng, 1000000) < chance * 1000000;
    return wins / 2.0;
}

/* Better, after all deals, with a chance of error of 5 %. */
static bool is_significant(double sum, double squares, int deals)
{
    double mean = sum / deals;
    double spread = sqrt(fmax(squares / deals - mean * mean, 1e-9) / deals);

    return (mean - 0.5) / spread > 1.645;
}

static void grade_one(struct rng *rng, double chance, int deals, double error,
                      struct tally *t)
{
    double sum = 0, squares = 0;
    struct anytime test;

    anytime_init(&test, error);
    for (int i = 0; i < deals; i++) {
        double score = play_deal(rng, chance);

        sum += score;
        squares += score * score;
        if (test.verdict == ANYTIME_OPEN) {
            anytime_add(&test, score);
            t->games += 2;
        }
    }
    t->passed += test.verdict == ANYTIME_BETTER;
    t->failed += test.verdict == ANYTIME_NOT_BETTER;
    t->fixed += is_significant(sum, squares, deals);
}

int main(int argc, char **argv)
{
    static const int elos[] = {-100, -50, 0, 25, 50, 75, 100, 150, 200, 300};
    int budget = argc > 1 ? atoi(argv[1]) : 200;
    int trials = argc > 2 ? atoi(argv[2]) : 10000;
    double error = 1 - (argc > 3 ? atof(argv[3]) : 95) / 100;

    printf("budget %d games, %d trials, %g %% confidence\n\n"
           "better by   passes   fails  undecided  games   %d games always, 5 "
           "%% level: passes\n",
           budget, trials, 100 * (1 - error), budget);
    for (size_t i = 0; i < sizeof elos / sizeof *elos; i++) {
        const uint8_t seed[SEED_BYTES] = {(uint8_t)i, 26};
        struct tally t = {0};
        struct rng rng;

        rng_seed(&rng, seed);
        for (int k = 0; k < trials; k++)
            grade_one(&rng, score_from_elo(elos[i]), budget / 2, error, &t);
        printf("%5d Elo  %6.1f %% %6.1f %% %8.1f %% %6.0f  %6.1f %%\n", elos[i],
               100.0 * t.passed / trials, 100.0 * t.failed / trials,
               100.0 * (trials - t.passed - t.failed) / trials,
               t.games / trials, 100.0 * t.fixed / trials);
    }
    return 0;
}
