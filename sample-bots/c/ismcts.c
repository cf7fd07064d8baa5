/*
 * A strong bot for every game, with libreferee: Monte Carlo search over
 * information sets.
 *
 *     ismcts [--playouts N] [--seed TEXT]
 *
 * Without --playouts it thinks as long as its clock allows. The library speaks
 * the protocol (referee_player_answer) and searches (referee_search), so this
 * is all there is to do; referee/lib/player.c and search.c show how.
 */
#include <referee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
    static char line[1 << 16];
    char seed[64];
    const char *chosen = NULL;
    int playouts = 0;
    struct timespec now;
    referee_player *player;

    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--playouts") == 0) {
            playouts = atoi(argv[++i]);
        } else if (i + 1 < argc && strcmp(argv[i], "--seed") == 0) {
            chosen = argv[++i];
        } else {
            fputs("usage: ismcts [--playouts N] [--seed TEXT]\n", stderr);
            return 2;
        }
    }
    timespec_get(&now, TIME_UTC); /* nanoseconds: no two bots start alike */
    snprintf(seed, sizeof seed, "%lld.%ld", (long long)now.tv_sec, now.tv_nsec);
    player = referee_player_new("ismcts", playouts, playouts ? 0 : 60000,
                                chosen ? chosen : seed);
    while (!referee_player_quits(player) && fgets(line, sizeof line, stdin)) {
        fputs(referee_player_answer(player, line), stdout);
        fflush(stdout);
    }
    referee_player_free(player);
    return 0;
}
