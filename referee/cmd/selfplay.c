/* referee selfplay - play random games inside the program. */

#include "cmd/cmd.h"
#include "cmd/lib/files.h"
#include "cmd/lib/setup.h"
#include "cmd/lib/term.h"
#include "games/random_game.h"
#include "match/record.h"
#include "store/disk.h"

#include <stdio.h>
#include <string.h>

static struct setup_args args;
static int games = 1;
static const char *folder;
static bool draw, quiet;

static const struct opt opts[] = {
    SETUP_OPTS(args),
    {"games", "N", "number of games of each kind (default 1)", OPT_INT, &games,
     1, 1000000},
    {"records", "DIR", "write each game to DIR/GAME-NUMBER.rec", OPT_TEXT,
     &folder, 0, 0},
    {"show", NULL, "draw the final positions", OPT_FLAG, &draw, 0, 0},
    {"quiet", NULL, "do not print the results", OPT_FLAG, &quiet, 0, 0},
    {0},
};

/* The first game has the seed itself, later ones SHA-256(seed, number). */
static void seed_of_game(const uint8_t seed[SEED_BYTES], int number,
                         uint8_t out[SEED_BYTES])
{
    uint8_t both[SEED_BYTES + 4];

    memcpy(out, seed, SEED_BYTES);
    if (number == 0)
        return;
    memcpy(both, seed, SEED_BYTES);
    for (int i = 0; i < 4; i++)
        both[SEED_BYTES + i] = (uint8_t)(number >> 8 * i);
    crypto_hash_sha256(out, both, sizeof both);
}

/* A chosen seed proves nothing, so it has no commitment. */
static void begin_record(struct record_writer *record,
                         const struct random_game *random,
                         const uint8_t seed[SEED_BYTES])
{
    char commit[HASH_HEX + 1] = "none";

    if (!args.seed)
        seed_commit(seed, 1, commit);
    record_head(record, random->game, &random->setup);
    record_deal(record, random->game->deal ? commit : NULL, NULL,
                random->game->deal ? random->deal.text : NULL);
    record_lines(record, &random->events, 0);
}

static void end_record(struct record_writer *record,
                       const struct random_game *random, const char *result,
                       const uint8_t seed[SEED_BYTES])
{
    record_line(record, EVERYONE, result);
    if (random->game->deal)
        record_seed(record, seed);
    record_close(record);
}

static bool write_record(const struct record_writer *record,
                         const struct game *game, int number, struct err *err)
{
    char path[4096];

    if (!folder)
        return true;
    snprintf(path, sizeof path, "%s/%s-%d.rec", folder, game->name, number + 1);
    return file_write(path, &record->text, err);
}

static void print_result(const struct random_game *random, int number,
                         const char *result)
{
    struct buf drawing;

    if (quiet)
        return;
    if (draw) {
        buf_init(&drawing, 1 << 20);
        game_show(random->game, random->state, AUDIENCE_REFEREE,
                  term_colours(stdout), &drawing);
        printf("%s, %d seats, %d moves\n\n%s\n", random->game->title,
               random->setup.seats, random->moves, drawing.text);
        buf_release(&drawing);
    }
    printf("%s %d: %s\n%s", random->game->name, number + 1, result,
           draw ? "\n" : "");
}

static bool play_one(const struct game *game, const struct setup *setup,
                     int number, const uint8_t seed[SEED_BYTES],
                     struct err *err)
{
    static const char *const nobody_left[SEATS_MAX];
    struct record_writer record;
    struct random_game random;
    struct move move;
    struct result result;
    struct buf text;
    int seat;
    bool ok;

    random_game_begin(&random, game, setup, seed);
    record_init(&record);
    begin_record(&record, &random, seed);
    while (random_game_pick(&random, &seat, &move)) {
        random_game_play(&random, seat, &move);
        record_lines(&record, &random.events, 0);
    }
    game_result(game, random.state, &result);
    buf_init(&text, 256);
    result_write(&result, setup->seats, nobody_left, &text);
    end_record(&record, &random, text.text, seed);
    print_result(&random, number, text.text);
    ok = write_record(&record, game, number, err);
    buf_release(&text);
    record_release(&record);
    random_game_end(&random);
    return ok;
}

static bool play_many(const struct game *game, const struct setup *setup,
                      const uint8_t seed[SEED_BYTES], struct err *err)
{
    struct progress progress;
    bool ok = true;

    progress_begin(&progress, game->name, (size_t)games);
    for (int i = 0; ok && i < games; i++) {
        uint8_t own[SEED_BYTES];

        seed_of_game(seed, i, own);
        ok = play_one(game, setup, i, own, err);
        if (quiet)
            progress_show(&progress, (size_t)i + 1);
    }
    progress_done(&progress);
    return ok;
}

/* Without --game, play every game in the build. */
static bool play_all(const uint8_t seed[SEED_BYTES], struct err *err)
{
    const struct game *game;
    struct setup setup;

    if (args.game)
        return setup_read(&args, &game, &setup, err) &&
               play_many(game, &setup, seed, err);
    for (size_t i = 0; i < game_count(); i++) {
        struct setup_args own = args;

        own.game = game_at(i)->name;
        if (!setup_read(&own, &game, &setup, err) ||
            !play_many(game, &setup, seed, err))
            return false;
    }
    return true;
}

static int run(int argc, char **argv)
{
    uint8_t seed[SEED_BYTES];
    struct err err;

    if (argc > 0)
        return complain("selfplay takes options only, not \"%.40s\"", argv[0]);
    if (!seed_read(&args, seed, &err) ||
        (folder && !disk_folder(folder, &err)) || !play_all(seed, &err))
        return complain("%s", err.text);
    return 0;
}

const struct subcommand cmd_selfplay = {
    .name = "selfplay",
    .args = "[--game G] [--games N] [--records DIR] [--show]",
    .about = "play random games without bots, and record them",
    .more = "Plays complete games with random legal moves; without --game, one "
            "of\n"
            "every kind.",
    .opts = opts,
    .run = run,
};
