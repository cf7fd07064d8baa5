/*
 * How long does a table of strengths take? bench_fit BOTS GAMES SEATS [STEP]:
 * games of so many seats (0: two to six by turns) between bots whose natural
 * logs of strength are up to 6 apart; those in the same STEP tie.
 */

#include "league/plackett.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double chance(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

static void add_game(struct plackett *games, const double *strength, int seats,
                     double step, uint64_t *seed)
{
    double form[PLACKETT_SEATS];
    int bot[PLACKETT_SEATS], rank[PLACKETT_SEATS];

    for (int i = 0; i < seats; i++) {
        bot[i] = (int)(chance(seed) * games->bots);
        form[i] = strength[bot[i]] - log(-log(chance(seed)));
        if (step > 0)
            form[i] = floor(form[i] / step);
    }
    for (int i = 0; i < seats; i++) {
        rank[i] = 1;
        for (int j = 0; j < seats; j++)
            rank[i] += form[j] > form[i];
    }
    plackett_add(games, bot, rank, seats);
}

static double cpu_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
    int bots = argc > 1 ? atoi(argv[1]) : 1000;
    int number = argc > 2 ? atoi(argv[2]) : 1000000;
    int seats = argc > 3 ? atoi(argv[3]) : 0;
    double step = argc > 4 ? atof(argv[4]) : 0;
    double *strength = calloc((size_t)bots, sizeof *strength), start_s;
    struct plackett games;
    struct ratings ratings;
    uint64_t seed = 1;

    plackett_init(&games, bots);
    for (int i = 0; i < bots; i++)
        strength[i] = 6 * (chance(&seed) - 0.5);
    for (int i = 0; i < number; i++)
        add_game(&games, strength, seats ? seats : 2 + i % 5, step, &seed);
    start_s = cpu_s();
    plackett_fit(&games, PLACKETT_NO_ANCHOR, &ratings);
    printf("%d bots, %d games: %.2f s of CPU, %d steps, log likelihood %a\n",
           bots, number, cpu_s() - start_s, ratings.steps,
           ratings.log_likelihood);
    ratings_release(&ratings);
    plackett_release(&games);
    free(strength);
}
