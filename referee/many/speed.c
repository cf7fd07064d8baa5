#include "many/speed.h"

#include "games/random_game.h"
#include "run/loop.h"

#include <assert.h>

enum { TRIES = 3, GAMES = 400, USUAL_US = 20000 };

static int64_t work(const struct game *game)
{
    const struct setup setup = {.seats = 2};
    int64_t began_us = now_us();

    for (int i = 0; i < GAMES; i++) {
        uint8_t seed[SEED_BYTES] = {(uint8_t)i, (uint8_t)(i >> 8)};
        struct random_game random;
        struct move move;
        int seat;

        random_game_begin(&random, game, &setup, seed);
        while (random_game_pick(&random, &seat, &move))
            random_game_play(&random, seat, &move);
        random_game_end(&random);
    }
    return now_us() - began_us;
}

double speed_measure(void)
{
    const struct game *game = game_find("rondo");
    int64_t best_us = INT64_MAX;

    assert(game);
    for (int i = 0; i < TRIES; i++) {
        int64_t us = work(game);

        best_us = us < best_us ? us : best_us;
    }
    return best_us > 0 ? 100.0 * USUAL_US / (double)best_us : 0;
}
