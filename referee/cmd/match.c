/* referee match - games between bot programs. */

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/bots.h"
#include "cmd/lib/config.h"
#include "cmd/lib/contest_cmd.h"
#include "cmd/lib/game_keys.h"
#include "cmd/lib/scoreboard.h"
#include "cmd/lib/setup.h"

#include <stdio.h>
#include <string.h>

enum { CONCURRENCY_MAX = 4000 };

static struct setup_args args;
static struct texts bots;
static int games, concurrency = 1;
static const char *time_text = "move:10s", *folder, *config_path;
static const char *illegal = "forfeit", *sprt_text;
static int64_t lenience_us, start_us = 10000000, none_us = 60000000;
static bool duplicate, resume, as_json, as_csv, quiet;

static const struct opt opts[] = {
    {"game", "G", "which game; \"referee games\" lists them", OPT_TEXT,
     &args.game, 0, 0},
    {"games", "N", "how many games (default: one for each rotation)", OPT_INT,
     &games, 1, CONTEST_GAMES_MAX},
    {"time", "CONTROL", "time control (default move:10s); see above", OPT_TEXT,
     &time_text, 0, 0},
    {"concurrency", "N", "games at once (default 1)", OPT_INT, &concurrency, 1,
     CONCURRENCY_MAX},
    {"set", "K=V", "set an option of the game; K=@FILE reads a data file",
     OPT_LIST, &args.set, 0, 0},
    {"seed", "HEX", "64 hex digits for all deals (default: random)", OPT_TEXT,
     &args.seed, 0, 0},
    {"duplicate", NULL, "play every deal once for each rotation of the seats",
     OPT_FLAG, &duplicate, 0, 0},
    {"records", "DIR", "write records (games-001.rec, ...) and logs there",
     OPT_TEXT, &folder, 0, 0},
    {"resume", NULL, "go on with the match in that folder, or begin it",
     OPT_FLAG, &resume, 0, 0},
    {"config", "FILE", "read bots and options from an ini file", OPT_TEXT,
     &config_path, 0, 0},
    {"illegal", "POLICY", "after an illegal move: forfeit, or retry:N",
     OPT_TEXT, &illegal, 0, 0},
    {"lenience", "TIME", "beyond the clock (default 0)", OPT_TIME, &lenience_us,
     LENIENCE_MIN, LENIENCE_MAX},
    {"start-limit", "TIME", "for a bot to be ready (default 10s)", OPT_TIME,
     &start_us, START_LIMIT_MIN, START_LIMIT_MAX},
    {"move-cap", "TIME", "for a move under --time none (default 60s)", OPT_TIME,
     &none_us, MOVE_CAP_MIN, MOVE_CAP_MAX},
    {"sprt", "TEST", "stop early: elo0=0 elo1=20 alpha=0.05 beta=0.05",
     OPT_TEXT, &sprt_text, 0, 0},
    {"json", NULL, "write the table as JSON", OPT_FLAG, &as_json, 0, 0},
    {"csv", NULL, "write the table as CSV", OPT_FLAG, &as_csv, 0, 0},
    {"quiet", NULL, "no live line", OPT_FLAG, &quiet, 0, 0},
    {0},
};

/* The run, as the callbacks see it. */
struct run {
    struct contest_run contest;
    struct scoreboard board;
    int next; /* game at which the next unit begins */
};

/* A game, or with duplicate deals all rotations of one. */
static enum unit_answer next_unit(void *owner, struct contest_unit *unit)
{
    struct run *run = owner;
    int size = duplicate ? run->board.players : 1;

    if (run->next >= games)
        return UNIT_WAS_LAST;
    *unit = (struct contest_unit){
        .first = run->next, .games = size, .stem = "game-", .digits = 6};
    for (int i = 0; i < run->board.players; i++)
        unit->player[i] = i;
    snprintf(unit->deal, sizeof unit->deal, "deal %d", run->next / size + 1);
    run->next += size;
    return UNIT_IS_READY;
}

static void on_move(void *owner, int player, int64_t used_us)
{
    struct run *run = owner;

    scoreboard_move(&run->board, player, used_us);
}

static void on_game(void *owner, const struct game_report *report)
{
    struct run *run = owner;

    scoreboard_game(&run->board, report);
    if (!quiet)
        scoreboard_show(&run->board, false);
    if (scoreboard_is_decided(&run->board))
        contest_stop(run->contest.contest, true);
}

static const struct contest_owner calls = {next_unit, on_move, on_game};

/* From words to a contest. */

/* "elo0=0 elo1=20" may come as several words, among the bots. */
static bool read_sprt(struct sprt *sprt, struct err *err)
{
    int kept = 0;

    sprt_init(sprt);
    if (!sprt_text)
        return true;
    if (!sprt_read(sprt, sprt_text, err))
        return false;
    for (int i = 0; i < bots.count; i++) {
        const char *word = bots.text[i];
        bool part =
            strncmp(word, "elo0=", 5) == 0 || strncmp(word, "elo1=", 5) == 0 ||
            strncmp(word, "alpha=", 6) == 0 || strncmp(word, "beta=", 5) == 0;

        if (!part)
            bots.text[kept++] = word;
        else if (!sprt_read(sprt, word, err))
            return false;
    }
    bots.count = kept;
    if (bots.count != 2)
        return fail(err, "--sprt compares two bots, not %d", bots.count);
    return sprt_check(sprt, err);
}

static bool read_limits(struct contest_config *c, struct err *err)
{
    struct err why;

    c->lenience_us = lenience_us;
    c->start_us = start_us;
    c->none_us = none_us;
    return illegal_read(illegal, &c->retries, &why) ||
           fail(err, "--illegal %s", why.text);
}

static bool read_bots(struct contest_config *c, struct bot_book *book,
                      const struct time_control *time, struct err *err)
{
    static struct player players[SEATS_MAX];

    if (bots.count == 0)
        return fail(err, "no bots: name programs, or bots of --config FILE%s",
                    config_path ? ", or write bots = a, b under [match]" : "");
    if (bots.count > SEATS_MAX)
        return fail(err, "%d bots: a game has %d seats at most", bots.count,
                    SEATS_MAX);
    c->player = players;
    c->players = bots.count;
    return players_make(book, bots.text, bots.count, time, players, err);
}

static bool read_contest(struct contest_config *c, struct sprt *sprt,
                         struct time_control *time, struct err *err)
{
    static struct bot_book book;
    const bool json = as_json, csv = as_csv;
    struct texts named = {0};

    if (config_path && !config_read(config_path, "match", opts, opts_given(),
                                    &book, &named, err))
        return false;
    if (json != csv) { /* which counts more than the file */
        as_json = json;
        as_csv = csv;
    }
    if (as_json && as_csv)
        return fail(err, "--json and --csv exclude each other: choose one");
    if (bots.count == 0)
        bots = named;
    if (!read_sprt(sprt, err))
        return false;
    if (!time_control_parse(time_text, time, err))
        return fail_at(err, "--time");
    args.seats = bots.count > 0 ? bots.count : 2;
    if (!setup_read(&args, &c->game, &c->setup, err) ||
        !read_bots(c, &book, time, err) || !read_limits(c, err) ||
        !seed_read(&args, c->seed, err))
        return false;
    c->seed_is_chosen = args.seed != NULL;
    games = games ? games : c->setup.seats;
    c->concurrency = concurrency < games ? concurrency : games;
    c->folder = folder;
    if (duplicate && games % c->setup.seats != 0)
        return fail(err,
                    "--duplicate with %d bots needs a multiple of %d "
                    "games, not %d",
                    c->setup.seats, c->setup.seats, games);
    return true;
}

/* What must not change when the match is resumed. */
static void describe(const void *what, struct buf *out)
{
    const struct contest_config *c = what;

    describe_game(c, out);
    for (int p = 0; p < c->players; p++)
        describe_player(&c->player[p], out);
    buf_add(out, "duplicate %s\n", duplicate ? "yes" : "no");
}

static bool open_folder(struct contest_config *c, struct err *err)
{
    struct folder_args about = {"match",           folder,   resume,
                                args.seed != NULL, describe, c};

    return folder_open(&about, c, err);
}

static void print_result(const struct scoreboard *board)
{
    if (as_json)
        scoreboard_json(board);
    else if (as_csv)
        scoreboard_csv(board);
    else
        scoreboard_print(board);
}

static int run(int argc, char **argv)
{
    struct run r = {0};
    struct contest_config config = {0};
    struct time_control time;
    struct sprt sprt;
    struct buf control;
    struct err err;
    int code = 0;
    bool ok;

    for (int i = 0; i < argc && i < TEXTS_MAX; i++)
        bots.text[bots.count++] = argv[i];
    if (!read_contest(&config, &sprt, &time, &err) ||
        !open_folder(&config, &err))
        return complain_of(&err);
    buf_init(&control, 80);
    time_control_write(&time, &control);
    scoreboard_init(&r.board, &config, games, duplicate, control.text,
                    sprt_text ? &sprt : NULL);
    ok = contest_play(&r.contest, &config, &calls, &r, &err);
    scoreboard_show(&r.board, true);
    folder_sync(folder);
    if (ok)
        print_result(&r.board);
    else
        code = complain_of(&err);
    if (ok && r.contest.signal) {
        code = 128 + r.contest.signal;
        fprintf(stderr, "referee: stopped after %d of %d games%s\n",
                r.board.done, games, folder ? "; --resume goes on" : "");
    }
    scoreboard_release(&r.board);
    buf_release(&control);
    return code;
}

const struct subcommand cmd_match = {
    .name = "match",
    .args = "--game G [OPTION...] BOT [BOT ...]",
    .about = "play games between bot programs",
    .more =
        "Each BOT is a command line, or the name of a [bot NAME] section of "
        "--config FILE.\nThere are as many seats as bots; the seats rotate "
        "from game to game.\n\n"
        "Time controls: none  move:500ms  bank:5m  fischer:60s+1s  "
        "delay:60s+2s\n  bronstein:60s+2s  byoyomi:5m+3x30s  "
        "canadian:5m+60s/10  hourglass:60s\n  with \",cpu\" behind it the CPU "
        "time of the bot counts instead of the wall.\n\n"
        "The record of a game that runs holds its deal. Bots run as you do and "
        "could read it:\nwhere that matters, let their commands change the "
        "user.\n\n"
        "Examples:\n"
        "  referee match --game rondo --games 200 --duplicate ./mybot "
        "\"python3 other.py\"\n"
        "  referee match --config course.ini --concurrency 2 --records round1",
    .opts = opts,
    .run = run,
};
