/* referee match - play games between bot programs. */

#include "base/readable.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/bot_cores.h"
#include "cmd/lib/bots.h"
#include "cmd/lib/config.h"
#include "cmd/lib/contest_cmd.h"
#include "cmd/lib/game_keys.h"
#include "cmd/lib/scoreboard.h"
#include "cmd/lib/setup.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    CONCURRENCY_MAX = 4000,
    SPRT_GAMES = 20000,   /* a test that is still undecided then ends */
    FORFEITS_IN_ROW = 10, /* of one bot; after that, something is broken */
    STDERR_KEPT = 4096,
};

static struct setup_args args;
static struct texts bots;
static int games, concurrency;
static const char *time_text = "move:10s", *folder, *config_path, *key_path;
static const char *illegal = "forfeit", *sprt_text, *games_csv, *talk_path;
static const char *walls = "none";
static int cores;
static int64_t lenience_us, start_us = 10000000, none_us = 60000000;
static struct workers_args workers;
static bool duplicate, resume, as_json, as_csv, quiet, keep_going;

static const struct opt opts[] = {
    {"game", "G", "the game; \"referee games\" lists them", OPT_TEXT,
     &args.game, 0, 0},
    {"games", "N", "number of games (default: one per seat rotation)", OPT_INT,
     &games, 1, CONTEST_GAMES_MAX},
    {"time", "CONTROL", "time control (default move:10s); see above", OPT_TEXT,
     &time_text, 0, 0},
    {"concurrency", "N", "games played at the same time (default 1)", OPT_INT,
     &concurrency, 1, CONCURRENCY_MAX},
    {"set", "K=V", "set a game option; K=@FILE reads a data file", OPT_LIST,
     &args.set, 0, 0},
    {"seed", "TEXT", "seed for all deals: any text (default: random)", OPT_TEXT,
     &args.seed, 0, 0},
    {"duplicate", NULL, "play each deal once per seat rotation", OPT_FLAG,
     &duplicate, 0, 0},
    {"records", "DIR",
     "write records (games-001.rec, ...) and stderr logs there", OPT_TEXT,
     &folder, 0, 0},
    {"key", "FILE",
     "sign the records with this key; created if it does not "
     "exist",
     OPT_TEXT, &key_path, 0, 0},
    {"resume", NULL, "continue the match in that folder, or start it", OPT_FLAG,
     &resume, 0, 0},
    {"config", "FILE", "read bots and options from an ini file", OPT_TEXT,
     &config_path, 0, 0},
    {"illegal", "POLICY", "after an illegal move: forfeit, or retry:N",
     OPT_TEXT, &illegal, 0, 0},
    {"lenience", "TIME", "grace period after the clock runs out (default 0)",
     OPT_TIME, &lenience_us, LENIENCE_MIN, LENIENCE_MAX},
    {"start-limit", "TIME", "time for a bot to get ready (default 10s)",
     OPT_TIME, &start_us, START_LIMIT_MIN, START_LIMIT_MAX},
    {"move-cap", "TIME", "limit per move with --time none (default 60s)",
     OPT_TIME, &none_us, MOVE_CAP_MIN, MOVE_CAP_MAX},
    {"sprt", "TEST",
     "play until decided: elo0=0 elo1=20 alpha=0.05 "
     "beta=0.05",
     OPT_TEXT, &sprt_text, 0, 0},
    {"json", NULL, "print the table as JSON", OPT_FLAG, &as_json, 0, 0},
    {"csv", NULL, "print the table as CSV", OPT_FLAG, &as_csv, 0, 0},
    {"games-csv", "FILE", "write one CSV row per game", OPT_TEXT, &games_csv, 0,
     0},
    {"log-talk", "FILE", "write every line to and from the bots", OPT_TEXT,
     &talk_path, 0, 0},
    {"walls", "WALL",
     "walls around the bots: none (default), limits, landlock, bwrap, auto",
     OPT_TEXT, &walls, 0, 0},
    {"cores", "N",
     "processor cores reserved for each bot (default: shared by all)", OPT_INT,
     &cores, 1, BOT_CORES_MAX},
    WORKERS_OPTS(workers),
    {"keep-going", NULL, "do not stop when a bot forfeits game after game",
     OPT_FLAG, &keep_going, 0, 0},
    {"quiet", NULL, "no progress line", OPT_FLAG, &quiet, 0, 0},
    {0},
};

/* The run, as the callbacks see it. */
struct run {
    struct contest_run contest;
    struct scoreboard board;
    int next; /* the game at which the next unit begins */
    FILE *csv;
    int forfeits[SEATS_MAX]; /* of each player, in a row */
    int hopeless;            /* the player that forfeits every game, or -1 */
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

/* A bot that only forfeits shows nothing of its strength. */
static void count_forfeits(struct run *run, const struct game_report *r)
{
    for (int seat = 0; seat < run->board.players; seat++) {
        int p = r->player[seat];
        bool forfeits = r->left[seat] && r->why[seat] != WHY_RESIGN;

        run->forfeits[p] = forfeits ? run->forfeits[p] + 1 : 0;
        if (run->forfeits[p] == FORFEITS_IN_ROW && run->hopeless < 0)
            run->hopeless = p;
    }
    if (run->hopeless >= 0 && !keep_going)
        contest_stop(run->contest.contest, true);
}

static void write_csv_head(FILE *csv, int seats)
{
    fputs("game,moves,reason", csv);
    for (int i = 1; i <= seats; i++)
        fprintf(csv, ",bot_%d,rank_%d,score_%d,forfeit_%d", i, i, i, i);
    fputc('\n', csv);
}

static void write_csv_row(const struct run *run, const struct game_report *r)
{
    fprintf(run->csv, "%d,%d,%s", r->number + 1, r->moves, r->reason);
    for (int i = 0; i < run->board.players; i++)
        fprintf(run->csv, ",%s,%d,%d,%s",
                run->board.config->player[r->player[i]].bot.name, r->rank[i],
                r->score[i], r->left[i] ? why_word(r->why[i]) : "");
    fputc('\n', run->csv);
}

static void on_game(void *owner, const struct game_report *report)
{
    struct run *run = owner;

    scoreboard_game(&run->board, report);
    if (run->csv)
        write_csv_row(run, report);
    count_forfeits(run, report);
    if (!quiet)
        scoreboard_show(&run->board, false);
    if (scoreboard_is_decided(&run->board))
        contest_stop(run->contest.contest, true);
}

static const struct contest_owner calls = {next_unit, on_move, on_game};

/* From the command line to a contest. */

/* The words of "elo0=0 elo1=20" may be separate, mixed with the bots. */
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

static struct stderr_tally tally[SEATS_MAX]; /* indexed by player */
static FILE *talk_log;

static bool read_bots(struct contest_config *c, struct bot_book *book,
                      const struct time_control *time, struct err *err)
{
    static struct player players[SEATS_MAX];

    if (bots.count == 0)
        return fail(err, "no bots: give one command per bot, such as ./mybot "
                         "\"python3 other.py\", or [bot NAME] sections in a "
                         "file that --config names");
    if (bots.count > SEATS_MAX)
        return fail(err, "%d bots: a game has at most %d seats", bots.count,
                    SEATS_MAX);
    c->player = players;
    c->players = bots.count;
    if (!players_make(book, bots.text, bots.count, time, players, err))
        return false;
    for (int i = 0; i < bots.count; i++) {
        stderr_tally_init(&tally[i], STDERR_KEPT);
        players[i].bot.tally = &tally[i];
        players[i].bot.talk_log = talk_log;
    }
    return true;
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
    if (json != csv) { /* overrides the file */
        as_json = json;
        as_csv = csv;
    }
    if (as_json && as_csv)
        return fail(err, "--json and --csv cannot be combined: choose one");
    book.walls = walls;
    book.cores = cores;
    book.travels = workers.given != NULL;
    if (bots.count == 0)
        bots = named;
    if (bots.count == 0) /* every [bot NAME] of the file */
        for (int i = 0; i < book.count && i < SEATS_MAX; i++)
            bots.text[bots.count++] = book.entry[i].name;
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
    if (games == 0)
        games = sprt_text ? SPRT_GAMES : c->setup.seats;
    if (!concurrency)
        concurrency = workers.given ? WORKERS_AT_ONCE : 1;
    c->concurrency = concurrency < games ? concurrency : games;
    c->folder = folder;
    c->key = key_path;
    if (workers.given && talk_path)
        return fail(err, "--log-talk shows games of this machine: leave it "
                         "out, or --workers");
    if (key_path && !folder)
        return fail(err, "--key signs records: choose a folder for them "
                         "with --records DIR");
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

/* A bot that complains on stderr may not behave as its author expects. */
static void tell_stderr(const struct contest_config *c)
{
    for (int i = 0; i < c->players; i++) {
        const struct stderr_tally *t = &tally[i];
        const char *at = t->head.text + strspn(t->head.text, "\r\n");
        struct buf first;

        if (t->lines == 0)
            continue;
        buf_init(&first, 4 * STDERR_KEPT);
        buf_readable(&first, at, strcspn(at, "\r\n"));
        fprintf(stderr, "%s wrote %lld line%s to stderr (first: %.100s)%s\n",
                c->player[i].bot.name, (long long)t->lines,
                t->lines == 1 ? "" : "s", first.text,
                folder ? "" : "; --records DIR keeps them");
        buf_release(&first);
    }
}

static int tell_hopeless(const struct run *r)
{
    const struct player *player = &r->board.config->player[r->hopeless];

    fprintf(stderr,
            "referee: stopped: %s forfeited %d games in a row. Run "
            "\"referee check\" on it to see why; --keep-going continues "
            "regardless\n",
            player->bot.name, FORFEITS_IN_ROW);
    return 1;
}

static void wipe(void *owner)
{
    struct run *r = owner;

    scoreboard_show(&r->board, true);
}

static bool open_file(const char *path, FILE **file, struct err *err)
{
    if (!path)
        return true;
    *file = fopen(path, "we");
    return *file || fail(err, "%s: %s", path, strerror(errno));
}

static int run(int argc, char **argv)
{
    struct run r = {.hopeless = -1};
    struct contest_config config = {0};
    struct time_control time;
    struct sprt sprt;
    struct buf control;
    struct err err;
    int code = 0;
    bool ok;

    for (int i = 0; i < argc && i < TEXTS_MAX; i++)
        bots.text[bots.count++] = argv[i];
    if (!open_file(talk_path, &talk_log, &err) ||
        !read_contest(&config, &sprt, &time, &err) ||
        !open_folder(&config, &err) || !open_file(games_csv, &r.csv, &err))
        return complain_of(&err);
    if (r.csv)
        write_csv_head(r.csv, config.setup.seats);
    buf_init(&control, 80);
    time_control_write(&time, &control);
    scoreboard_init(&r.board, &config, games, duplicate, control.text,
                    sprt_text ? &sprt : NULL, &r.contest);
    r.contest.workers = workers;
    r.contest.wipe = wipe;
    ok = contest_play(&r.contest, &config, &calls, &r, &err);
    scoreboard_show(&r.board, true);
    folder_sync(folder);
    if (ok)
        print_result(&r.board);
    else
        code = complain_of(&err);
    tell_stderr(&config);
    if (ok && sprt_text && !scoreboard_is_accepted(&r.board))
        code = 1;
    if (ok && r.hopeless >= 0 && !keep_going)
        code = tell_hopeless(&r);
    if (ok && r.contest.signal) {
        code = 128 + r.contest.signal;
        fprintf(stderr, "referee: stopped after %d of %d games%s\n",
                r.board.done, games,
                folder ? "; --resume continues the match" : "");
    }
    if (r.csv)
        fclose(r.csv);
    if (talk_log)
        fclose(talk_log);
    scoreboard_release(&r.board);
    buf_release(&control);
    return code;
}

const struct subcommand cmd_match = {
    .name = "match",
    .args = "--game G [OPTION...] BOT [BOT ...]",
    .about = "play games between bot programs",
    .more =
        "Each BOT is a command line, NAME=COMMAND, or the name of a [bot\n"
        "NAME] section of --config FILE. There are as many seats as bots;\n"
        "the seats rotate from game to game.\n"
        "\n"
        "Time controls: none  500ms  bank:5m  fischer:60s+1s  delay:60s+2s\n"
        "  bronstein:60s+2s  byoyomi:5m+3x30s  canadian:5m+60s/10  "
        "hourglass:60s\n"
        "  Add \",cpu\" to count the bot's CPU time instead of wall time.\n"
        "\n"
        "--sprt exits with 0 if the first bot is better by elo1, and with 1\n"
        "if not. A bot that forfeits 10 games in a row ends the match with\n"
        "code 1.\n"
        "\n"
        "Without walls, bots run as you do, and could read the record of a\n"
        "running game with its deal. --walls auto uses the strongest walls\n"
        "that work on this machine; see security.md. A bot then sees its own\n"
        "folder, the system's programs, and nothing else.\n"
        "\n"
        "Examples:\n"
        "  referee match --game rondo --games 200 --duplicate ./mybot "
        "\"python3 other.py\"\n"
        "  referee match --config course.ini --concurrency 2 --records "
        "round1",
    .opts = opts,
    .run = run,
};
