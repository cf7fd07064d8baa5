/*
 * signature - one number per game that no refactoring may change.
 *
 *     signature               print "NAME HEX" for every game
 *     signature --check FILE  compare with such lines; exit 1 if they differ
 *
 * The number is the SHA-256 of a thousand seeded random games: of each setup,
 * deal, event with its audience, final position and result. When it changes,
 * either a rule, a text or the order of list() has changed, and the game's
 * version may have to; or it is a mistake.
 */

#include "base/text.h"
#include "games/random_game.h"
#include "setups.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { GAMES = 1000, HEX_LEN = 2 * crypto_hash_sha256_BYTES };

static void mix(crypto_hash_sha256_state *hash, const char *text)
{
    crypto_hash_sha256_update(hash, (const unsigned char *)text,
                              strlen(text) + 1);
}

static void mix_number(crypto_hash_sha256_state *hash, long long number)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", number);
    mix(hash, text);
}

static void mix_events(crypto_hash_sha256_state *hash,
                       const struct random_game *random)
{
    seat_set readers = SEATS(random->setup.seats) | WATCHERS | RECORD;

    mix_number(hash, (long long)random->events.count);
    for (size_t i = 0; i < random->events.count; i++) {
        mix_number(hash, random->events.line[i].to & readers);
        mix(hash, lines_text(&random->events, i));
    }
}

static void mix_end(crypto_hash_sha256_state *hash,
                    const struct random_game *random)
{
    struct result result;
    struct buf view;

    buf_init(&view, REFEREE_VIEW_MAX);
    random->game->view(random->state, AUDIENCE_REFEREE, &view);
    mix(hash, view.text);
    buf_release(&view);
    game_result(random->game, random->state, &result);
    for (int seat = 0; seat < random->setup.seats; seat++) {
        mix_number(hash, result.rank[seat]);
        mix_number(hash, result.score[seat]);
    }
    mix(hash, result.reason);
}

static void mix_game(crypto_hash_sha256_state *hash, const struct game *game,
                     const struct named_setup *named, int number)
{
    uint8_t seed[SEED_BYTES] = {(uint8_t)number, (uint8_t)(number >> 8)};
    struct random_game random;
    struct move move;
    int seat;

    mix(hash, named->name);
    random_game_begin(&random, game, &named->setup, seed);
    mix(hash, random.deal.text);
    mix_events(hash, &random);
    while (random_game_pick(&random, &seat, &move)) {
        random_game_play(&random, seat, &move);
        mix_events(hash, &random);
    }
    mix_end(hash, &random);
    random_game_end(&random);
}

static void sign(const struct game *game, char hex[HEX_LEN + 1])
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state hash;
    struct named_setup named;

    crypto_hash_sha256_init(&hash);
    for (int i = 0; i < GAMES; i++)
        if (setups_at(game, i % setups_mixed(game), &named))
            mix_game(&hash, game, &named, i);
    crypto_hash_sha256_final(&hash, digest);
    text_hex(hex, digest, sizeof digest);
}

/* Find "NAME HEX" in the file; an empty string if there is none. */
static void look_up(FILE *file, const char *name, char hex[HEX_LEN + 1])
{
    size_t n = strlen(name);
    char line[200];

    rewind(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, name, n) == 0 && line[n] == ' ') {
            snprintf(hex, HEX_LEN + 1, "%s", line + n + 1);
            return;
        }
    }
    *hex = '\0';
}

static int print_all(void)
{
    char hex[HEX_LEN + 1];

    for (size_t i = 0; i < game_count(); i++) {
        sign(game_at(i), hex);
        printf("%s %s\n", game_at(i)->name, hex);
    }
    return 0;
}

static int check_all(const char *path)
{
    FILE *file = fopen(path, "r");
    char is[HEX_LEN + 1], was[HEX_LEN + 1];
    int status = 0;

    if (!file) {
        perror(path);
        return 2;
    }
    for (size_t i = 0; i < game_count(); i++) {
        sign(game_at(i), is);
        look_up(file, game_at(i)->name, was);
        if (strcmp(is, was) == 0)
            continue;
        printf("%s is %s\n  but %s says %s\n", game_at(i)->name, is, path,
               *was ? was : "nothing about it");
        status = 1;
    }
    fclose(file);
    return status;
}

int main(int argc, char **argv)
{
    if (argc == 1)
        return print_all();
    if (argc == 3 && strcmp(argv[1], "--check") == 0)
        return check_all(argv[2]);
    fputs("usage: signature [--check FILE]\n", stderr);
    return 2;
}
