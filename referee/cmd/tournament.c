/* referee tournament - play round robins, gauntlets, Swiss, knockouts. */

#include "cmd/tournament/tournament.h"

#include "base/alloc.h"
#include "base/text.h"
#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONCURRENCY_MAX = 4000,
    KEEP_US = 5000000, /* between two standings written for the site */
};

static struct tournament_args args;
static const char *html;
static bool resume, as_json, as_csv, quiet, only_check, help_config;

static const struct opt opts[] = {
    {"records", "DIR", "write records (games-001.rec, ...) and logs there",
     OPT_TEXT, &args.records, 0, 0},
    {"key", "FILE",
     "sign the records with this key; created if it does not "
     "exist",
     OPT_TEXT, &args.key, 0, 0},
    {"resume", NULL, "continue the tournament in that folder, or start it",
     OPT_FLAG, &resume, 0, 0},
    {"concurrency", "N", "games played at the same time", OPT_INT,
     &args.concurrency, 1, CONCURRENCY_MAX},
    {"json", NULL, "write all results as JSON", OPT_FLAG, &as_json, 0, 0},
    {"csv", NULL, "write the standings as CSV", OPT_FLAG, &as_csv, 0, 0},
    {"html", "OUT",
     "write standings as a page, and the games beside it as OUT-games.html",
     OPT_TEXT, &html, 0, 0},
    WORKERS_OPTS(args.workers),
    {"quiet", NULL, "no live display", OPT_FLAG, &quiet, 0, 0},
    {"check", NULL, "only check the file, and report all mistakes", OPT_FLAG,
     &only_check, 0, 0},
    {"help-config", NULL, "list the sections and keys of the file", OPT_FLAG,
     &help_config, 0, 0},
    {0},
};

/* Playing. */

static void write_stem(const struct pairing *p, char *stem, size_t size)
{
    snprintf(stem, size, "r%02d-t%02d-", p->round + 1, p->table + 1);
}

static enum unit_answer next_unit(void *owner, struct contest_unit *unit)
{
    struct tournament *t = owner;
    const struct pairing *p;
    struct turn turn;

    switch (schedule_next(&t->schedule, &turn)) {
    case SCHEDULE_WAITS:
        return UNIT_MAY_FOLLOW;
    case SCHEDULE_ENDS:
        return UNIT_WAS_LAST;
    case SCHEDULE_TURN:
        break;
    }
    p = &t->schedule.pairing[turn.pairing];
    *unit = (struct contest_unit){.first = turn.first,
                                  .games = turn.games,
                                  .digits = 1,
                                  .tag = turn.pairing};
    memcpy(unit->player, p->entrant, sizeof unit->player);
    write_stem(p, unit->stem, sizeof unit->stem);
    snprintf(unit->deal, sizeof unit->deal, "deal %s%d", unit->stem,
             turn.first + 1);
    return UNIT_IS_READY;
}

static void on_move(void *owner, int player, int64_t used_us)
{
    struct tournament *t = owner;

    time_add(&t->stats[player].time, used_us);
    live_move(t);
}

static void tell_faults(struct tournament *t, const struct game_report *r)
{
    for (int seat = 0; seat < t->schedule.config.seats; seat++)
        if (faults_has(&t->faults, r, seat)) {
            live_wipe(t);
            faults_tell(&t->faults, r, seat, r->id,
                        name_of(t, r->player[seat]));
        }
}

static void add_stats(struct tournament *t, const struct game_report *r)
{
    struct outcome o = {.seats = t->schedule.config.seats};

    for (int seat = 0; seat < o.seats; seat++) {
        o.bot[seat] = r->player[seat];
        o.rank[seat] = r->rank[seat];
        o.score[seat] = r->score[seat];
        o.forfeit[seat] = r->left[seat] ? (int)r->why[seat] : STATS_NO_FORFEIT;
    }
    stats_game(t->stats, &o);
    plackett_add(&t->games, o.bot, o.rank, o.seats);
}

/* The schedule needs ranks in the order of its pairing. */
static void add_to_schedule(struct tournament *t, const struct game_report *r)
{
    int seats = t->schedule.config.seats, rank[SEATS_MAX];

    for (int i = 0; i < seats; i++)
        rank[group_rotate(seats, r->number, i)] = r->rank[i];
    schedule_game(&t->schedule, r->unit->tag, r->is_void ? NULL : rank);
}

static void on_game(void *owner, const struct game_report *report)
{
    struct tournament *t = owner;

    t->done++;
    tell_faults(t, report);
    if (report->is_void)
        t->voids++;
    else
        add_stats(t, report);
    add_to_schedule(t, report);
    live_game(t);
    if (now_us() - t->kept_us > KEEP_US) {
        tournament_keep(t);
        t->kept_us = now_us();
    }
}

static const struct contest_owner calls = {next_unit, on_move, on_game};

/* The folder: what must not change when the tournament is resumed. */
static void describe(const void *what, struct buf *out)
{
    const struct tournament_config *config = what;
    const struct schedule_config *c = &config->schedule;
    const char *format;
    int n = (int)words_at(format_words, (int)c->format, &format);

    buf_add(out, "format %.*s\n", n, format);
    describe_game(&config->contest, out);
    buf_add(out, "seats %d\n", c->seats);
    for (int i = 0; i < config->contest.players; i++)
        describe_player(&config->contest.player[i], out);
    buf_add(out,
            "games %d\ncycles %d\nchallengers %d\nrounds %d\nreplays %d\n"
            "third-place %s\nduplicate %s\n",
            c->games, c->cycles, c->challengers, c->rounds, c->replays,
            c->third_place ? "yes" : "no", config->duplicate ? "yes" : "no");
}

static bool open_folder(struct tournament_config *c, struct err *err)
{
    struct folder_args about = {"tournament", c->contest.folder,
                                resume,       c->contest.seed_is_chosen,
                                describe,     c};

    return folder_open(&about, &c->contest, err);
}

/* The command. */

static int show_help(void)
{
    struct buf help;

    buf_init(&help, 1 << 16);
    tournament_config_help(&help);
    fputs(help.text, stdout);
    buf_release(&help);
    return 0;
}

/* Prints its own errors; NULL if the file has a mistake. */
static struct tournament_config *read_config(const char *path)
{
    struct tournament_config *config = NULL;
    struct lines remarks;
    bool right;

    lines_init(&remarks, TOURNAMENT_REMARKS_BYTES);
    right = tournament_config_read(path, &args, &config, &remarks);
    for (size_t i = 0; i < remarks.count; i++)
        complain("%s", lines_text(&remarks, i));
    lines_release(&remarks);
    return right ? config : NULL;
}

static void tournament_init(struct tournament *t,
                            const struct tournament_config *config)
{
    *t = (struct tournament){.config = config};
    schedule_init(&t->schedule, &config->schedule);
    plackett_init(&t->games, config->schedule.entrants);
    t->stats =
        must_alloc(calloc((size_t)config->schedule.entrants, sizeof *t->stats));
}

static void tournament_release(struct tournament *t)
{
    schedule_release(&t->schedule);
    plackett_release(&t->games);
    free(t->stats);
}

static void print_result(const struct tournament *t)
{
    if (as_json)
        tournament_json(t);
    else if (as_csv)
        tournament_csv(t);
    else
        tournament_print(t);
}

static void say_stopped(const struct tournament *t)
{
    int done, games = schedule_games(&t->schedule, &done);
    bool more = t->schedule.round + 1 < t->schedule.rounds;

    fprintf(stderr, "referee: stopped after %d of %d games%s%s\n", done, games,
            more ? " of the rounds so far" : "",
            t->config->contest.folder ? "; --resume continues" : "");
}

/* No later round has more games than the first. */
static int games_at_once(const struct tournament *t)
{
    int done, games = schedule_games(&t->schedule, &done);
    int most = t->config->contest.concurrency;

    return most < games ? most : games;
}

static void wipe(void *owner)
{
    live_wipe(owner);
}

static int play(const struct tournament_config *config)
{
    struct contest_config contest = config->contest;
    struct tournament t;
    struct err err;
    int code = 0;
    bool ok;

    tournament_init(&t, config);
    contest.concurrency = games_at_once(&t);
    live_begin(&t, quiet);
    t.run.workers = args.workers;
    t.run.wipe = wipe;
    ok = contest_play(&t.run, &contest, &calls, &t, &err);
    live_wipe(&t);
    tournament_keep(&t);
    folder_sync(config->contest.folder);
    if (ok)
        print_result(&t);
    if (!ok || (html && !tournament_html(&t, html, &err)))
        code = complain_of(&err);
    if (ok && t.run.signal) {
        code = 128 + t.run.signal;
        say_stopped(&t);
    }
    tournament_release(&t);
    return code;
}

static void praise(const char *path, const struct tournament_config *c)
{
    const char *format;
    int n = (int)words_at(format_words, (int)c->schedule.format, &format);
    struct schedule schedule;
    int done;

    schedule_init(&schedule, &c->schedule);
    printf("%s is correct: %.*s, %d entrants, %d round%s, %d games%s\n", path,
           n, format, c->schedule.entrants, schedule.rounds,
           schedule.rounds == 1 ? "" : "s", schedule_games(&schedule, &done),
           schedule.rounds > schedule.round + 1 ? " in the first" : "");
    schedule_release(&schedule);
}

static int run(int argc, char **argv)
{
    struct tournament_config *config;
    struct err err;
    int code = 0;

    if (help_config)
        return show_help();
    if (argc != 1)
        return complain("tournament takes one file: referee tournament CONFIG");
    if (html && !args.records)
        return complain("--html needs --records DIR: the page links to games");
    if (as_json && as_csv)
        return complain("--json and --csv cannot be combined: choose one");
    config = read_config(argv[0]);
    if (!config)
        return 2;
    if (only_check)
        praise(argv[0], config);
    else if (open_folder(config, &err))
        code = play(config);
    else
        code = complain_of(&err);
    tournament_config_free(config);
    return code;
}

const struct subcommand cmd_tournament = {
    .name = "tournament",
    .args = "CONFIG [OPTION...]",
    .about = "play a round robin, gauntlet, Swiss or knockout",
    .more =
        "Plays a tournament between bot programs, as the file says: see\n"
        "referee.ini(5), or --help-config. After an interruption, --resume\n"
        "continues; this needs records.\n"
        "\n"
        "Examples:\n"
        "  referee tournament --check cup.ini\n"
        "  referee tournament cup.ini --records cup\n"
        "  referee tournament cup.ini --records cup --resume",
    .opts = opts,
    .run = run,
};
