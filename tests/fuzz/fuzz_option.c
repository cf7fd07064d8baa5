/*
 * Any bytes as an option: "GAME NAME=VALUE". What is accepted must deal, start
 * and list moves; what is refused must say why.
 */

#include "fuzz/fuzz.h"
#include "games/random_game.h"

static void play_a_little(const struct game *game, const struct setup *setup)
{
    const uint8_t seed[SEED_BYTES] = {1};
    struct random_game random;
    struct move move;
    int seat;

    random_game_begin(&random, game, setup, seed);
    for (int i = 0; i < 20 && random_game_pick(&random, &seat, &move); i++)
        random_game_play(&random, seat, &move);
    random_game_end(&random);
}

static void try_option(const struct game *game, const char *text)
{
    struct setup setup = {.seats = game->max_seats};
    struct err err = {0};

    if (setup_set(game, &setup, text, &err) &&
        game_accepts(game, &setup, &err)) {
        play_a_little(game, &setup);
        return;
    }
    insist(err.text[0] && is_plain(err.text) && !strchr(err.text, '#'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);

    for (size_t i = 0; i < game_count(); i++) {
        const char *at = text;

        if (take_word(&at, game_at(i)->name))
            try_option(game_at(i), at);
    }
    free(text);
    return 0;
}
