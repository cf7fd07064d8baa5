/* referee match - games between bot programs. */

#include "base/text.h"
#include "cmd/bots.h"
#include "cmd/cmd.h"
#include "cmd/config.h"
#include "cmd/files.h"
#include "cmd/scoreboard.h"
#include "cmd/setup.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { CONCURRENCY_MAX = 4000 };

static struct setup_args args;
static struct texts bots;
static int games, concurrency = 1;
static const char *time_text = "move:10s", *folder, *config_path;
static const char *illegal = "forfeit", *lenience = "0", *start_limit = "10s",
                  *move_cap = "60s", *sprt_text;
static bool duplicate, resume, as_json, as_csv, quiet;

static const struct opt opts[] = {
    {"game",                                                  "G", "which game; \"referee games\" lists them", OPT_TEXT,
     &args.game, 0, 0},
    {"games",             "N", "how many games (default: one for each rotation)", OPT_INT,
     &games, 1, CONTEST_GAMES_MAX},
    {"time",                                              "CONTROL", "time control (default move:10s); see above", OPT_TEXT,
     &time_text, 0, 0},
    {"concurrency",                                                      "N", "games at once (default 1)", OPT_INT, &concurrency, 1,
     CONCURRENCY_MAX},
    {"set",                                                 "K=V", "set an option of the game; K=@FILE reads a data file",
     OPT_LIST, &args.set, 0, 0},
    {"seed",      "HEX", "64 hex digits for all deals (default: random)", OPT_TEXT,
     &args.seed, 0, 0},
    {"duplicate",                                                  NULL, "play every deal once for each rotation of the seats",
     OPT_FLAG, &duplicate, 0, 0},
    {"records",                                      "DIR", "write records and logs to this folder", OPT_TEXT,
     &folder, 0, 0},
    {"resume",                                                  NULL, "go on with the match in the folder of --records",
     OPT_FLAG, &resume, 0, 0},
    {"config",           "FILE", "read bots and options from an ini file", OPT_TEXT,
     &config_path, 0, 0},
    {"illegal",                                              "POLICY", "after an illegal move: forfeit, or retry:N",
     OPT_TEXT, &illegal, 0, 0},
    {"lenience",                                                      "TIME", "beyond the clock (default 0)", OPT_TEXT, &lenience, 0,
     0},
    {"start-limit",                                           "TIME", "for a bot to be ready (default 10s)", OPT_TEXT,
     &start_limit, 0, 0},
    {"move-cap",                            "TIME", "for a move under --time none (default 60s)", OPT_TEXT,
     &move_cap, 0, 0},
    {"sprt",                                           "TEST", "stop early: elo0=0 elo1=20 alpha=0.05 beta=0.05",
     OPT_TEXT, &sprt_text, 0, 0},
    {"json",                                         NULL, "write the table as JSON", OPT_FLAG, &as_json, 0, 0},
    {"csv",                                                   NULL, "write the table as CSV", OPT_FLAG, &as_csv, 0, 0},
    {"quiet", NULL, "no live line", OPT_FLAG, &quiet, 0, 0},
    {0                                             },
};

/* The run, as the callbacks see it. */
struct run {
    struct loop loop;
    struct contest *contest;
    struct scoreboard board;
    int signal; /* that stopped it, or 0 */
};

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
        contest_stop(run->contest, true);
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct run *run = arg;

    run->signal = (int)number;
    contest_stop(run->contest, true);
}

static const struct contest_owner calls = {on_move, on_game};

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

static bool read_illegal(int *retries, struct err *err)
{
    const char *at = illegal;

    *retries = 0;
    if (strcmp(illegal, "forfeit") == 0)
        return true;
    if (take_text(&at, "retry:") && take_int(&at, 0, 1000, retries) &&
        at_end(at))
        return true;
    return fail(err, "--illegal must be forfeit or retry:N, not \"%.40s\"",
                illegal);
}

static bool read_limits(struct contest_config *c, struct err *err)
{
    return read_illegal(&c->retries, err) &&
           duration_read(lenience, &c->lenience_us, err) &&
           duration_read(start_limit, &c->start_us, err) &&
           duration_read(move_cap, &c->none_us, err);
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
    return players_make(book, bots.text, bots.count, time, players, err);
}

static bool read_contest(struct contest_config *c, struct sprt *sprt,
                         struct time_control *time, struct err *err)
{
    static struct bot_book book;
    struct texts named = {0};

    if (config_path && !config_read(config_path, "match", opts, opts_given(),
                                    &book, &named, err))
        return false;
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
    c->games = games ? games : c->setup.seats;
    c->concurrency = concurrency < c->games ? concurrency : c->games;
    c->duplicate = duplicate;
    c->folder = folder;
    if (duplicate && c->games % c->setup.seats != 0)
        return fail(err,
                    "--duplicate with %d bots needs a multiple of %d "
                    "games, not %d",
                    c->setup.seats, c->setup.seats, c->games);
    return true;
}

/* The folder. What a match is must not change when it is resumed. */

static void write_manifest(const struct contest_config *c, struct buf *out)
{
    char seed[2 * SEED_BYTES + 1];

    text_hex(seed, c->seed, SEED_BYTES);
    buf_add(out, "match 1\ngame %s\n", c->game->name);
    for (int i = 0; c->game->options && c->game->options[i].name; i++)
        if (c->setup.option[i])
            buf_add(out, "set %s=%s\n", c->game->options[i].name,
                    c->setup.option[i]);
    for (int p = 0; p < c->setup.seats; p++) {
        buf_add(out, "bot %s ", c->player[p].bot.name);
        time_control_write(&c->player[p].time, out);
        buf_char(out, '\n');
    }
    buf_add(out, "duplicate %s\nseed %s %s\n", c->duplicate ? "yes" : "no",
            seed, c->seed_is_chosen ? "chosen" : "random");
}

/* Take the seed of the match that is resumed. */
static bool adopt_seed(struct contest_config *c, const char *manifest,
                       const char *path, struct err *err)
{
    const char *at = strstr(manifest, "\nseed ");
    char hex[2 * SEED_BYTES + 1];

    if (!at || strlen(at) < 6 + 2 * SEED_BYTES + 1)
        return fail(err, "%s is damaged: it has no seed", path);
    snprintf(hex, sizeof hex, "%s", at + 6);
    if (!text_unhex(c->seed, SEED_BYTES, hex))
        return fail(err, "%s is damaged: its seed is not hex", path);
    c->seed_is_chosen = strstr(at, " chosen\n") != NULL;
    return true;
}

/* The first line in which two manifests differ. */
static bool same_manifest(const char *path, const char *was, const char *is,
                          struct err *err)
{
    while (*was && *is) {
        int n = (int)strcspn(was, "\n"), m = (int)strcspn(is, "\n");

        if (n != m || memcmp(was, is, (size_t)n) != 0)
            return fail(err,
                        "%s holds another match: it says \"%.*s\", this "
                        "command says \"%.*s\"",
                        path, n > 80 ? 80 : n, was, m > 80 ? 80 : m, is);
        was += n + (was[n] == '\n');
        is += m + (is[m] == '\n');
    }
    return true;
}

static bool continue_match(struct contest_config *c, const char *path,
                           const struct buf *was, struct err *err)
{
    struct buf is;
    bool ok;

    if (!resume)
        return fail(err,
                    "%s already holds a match: --resume goes on with it, "
                    "--records can name another folder",
                    folder);
    if (!args.seed && !adopt_seed(c, was->text, path, err))
        return false;
    buf_init(&is, 1 << 16);
    write_manifest(c, &is);
    ok = same_manifest(path, was->text, is.text, err);
    buf_release(&is);
    return ok;
}

static bool open_folder(struct contest_config *c, struct err *err)
{
    char path[4096];
    struct buf manifest;
    bool ok;

    if (!folder)
        return !resume || fail(err, "--resume needs the folder: --records DIR");
    if (strlen(folder) > 400)
        return fail(err, "the name of the folder is too long");
    if (!folder_make(folder, err))
        return false;
    snprintf(path, sizeof path, "%s/match.txt", folder);
    buf_init(&manifest, 1 << 20);
    if (file_exists(path)) {
        ok = file_read(path, &manifest, err) &&
             continue_match(c, path, &manifest, err);
    } else {
        write_manifest(c, &manifest);
        ok = file_write(path, &manifest, err);
    }
    buf_release(&manifest);
    return ok;
}

/* Every bot takes four descriptors. */
static void raise_limit(const struct contest_config *c)
{
    struct rlimit limit;
    rlim_t need = (rlim_t)(c->concurrency * (4 * c->setup.seats + 2) + 64);

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < need) {
        limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static bool play(struct run *run, const struct contest_config *config,
                 struct err *err)
{
    struct event *term, *interrupt;
    bool ok;

    raise_limit(config);
    signal(SIGPIPE, SIG_IGN);
    loop_init(&run->loop);
    run->contest = contest_new(&run->loop, config, &calls, run);
    term = evsignal_new(run->loop.base, SIGTERM, on_signal, run);
    interrupt = evsignal_new(run->loop.base, SIGINT, on_signal, run);
    event_add(term, NULL);
    event_add(interrupt, NULL);
    ok = contest_run(run->contest, err);
    event_free(term);
    event_free(interrupt);
    contest_free(run->contest);
    loop_release(&run->loop);
    return ok;
}

/* What is printed must be on the disk. */
static void sync_folder(void)
{
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (fd == -1)
        return;
    syncfs(fd);
    close(fd);
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
    bool ok;

    for (int i = 0; i < argc && i < TEXTS_MAX; i++)
        bots.text[bots.count++] = argv[i];
    if (!read_contest(&config, &sprt, &time, &err) ||
        !open_folder(&config, &err))
        return complain("%s", err.text);
    buf_init(&control, 80);
    time_control_write(&time, &control);
    scoreboard_init(&r.board, &config, control.text, sprt_text ? &sprt : NULL);
    ok = play(&r, &config, &err);
    scoreboard_show(&r.board, true);
    sync_folder();
    if (ok)
        print_result(&r.board);
    else
        complain("%s", err.text);
    if (ok && r.signal)
        fprintf(stderr, "referee: stopped after %d of %d games%s\n",
                r.board.done, config.games, folder ? "; --resume goes on" : "");
    scoreboard_release(&r.board);
    buf_release(&control);
    return !ok ? 2 : r.signal ? 128 + r.signal : 0;
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
