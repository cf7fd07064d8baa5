/*
 * bench_playouts GAME SECONDS - random games through libreferee, on one core.
 *
 * Prints "GAMES MOVES" per second of processor time: games for two, each dealt
 * anew, and their moves (list, choose, apply).
 */

#include "lib/referee.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double spent(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    referee_rules *rules;
    referee_rng *rng;
    double begin, seconds = argc == 3 ? atof(argv[2]) : 0;
    long games = 0, moves = 0;

    if (seconds <= 0 || !(rules = referee_rules_new(argv[1], 2, NULL, NULL))) {
        fputs("usage: bench_playouts GAME SECONDS\n", stderr);
        return 2;
    }
    rng = referee_rng_new("playouts");
    begin = spent();
    while (spent() - begin < seconds) {
        char seed[24];
        referee_state *s;

        snprintf(seed, sizeof seed, "%ld", games);
        s = referee_new(rules, seed);
        referee_mute(s, 1);
        moves += referee_playout(s, rng);
        referee_free(s);
        games++;
    }
    seconds = spent() - begin;
    printf("%.0f %.0f\n", (double)games / seconds, (double)moves / seconds);
    referee_rng_free(rng);
    referee_rules_free(rules);
    return 0;
}
