/* referee ladder - standings, ratings, and a bot's games. */

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/ladder/view.h"
#include "cmd/lib/data.h"
#include "cmd/lib/term.h"
#include "store/archive.h"
#include "store/rate.h"
#include "store/report.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    LOOK_MS = 200,    /* pause between two looks at the lock ... */
    REDRAW_LOOKS = 5, /* ... and redraw after this many looks */
    START_LOOKS = 15, /* how long to wait for a daemon that is starting */
    OUT_BYTES = 256 << 20,
};

static const char *ladder, *bot, *anchors;
static bool as_json, as_csv, as_html, games, versions, rate, watch;
static const char *replays;
static int limit;

static const struct opt opts[] = {
    {"ladder", "NAME", "only this ladder", OPT_TEXT, &ladder, 0, 0},
    {"bot", "NAME", "this bot: versions, opponents, last games", OPT_TEXT, &bot,
     0, 0},
    {"limit", "N", "how many games to list (default 20)", OPT_INT, &limit, 1,
     REPORT_GAMES_MAX},
    {"versions", NULL, "show old versions of the bots too", OPT_FLAG, &versions,
     0, 0},
    {"json", NULL, "write JSON", OPT_FLAG, &as_json, 0, 0},
    {"csv", NULL, "write CSV, one row per version", OPT_FLAG, &as_csv, 0, 0},
    {"games", NULL, "with --csv: one row per game and seat", OPT_FLAG, &games,
     0, 0},
    {"html", NULL, "write a page that needs no other file", OPT_FLAG, &as_html,
     0, 0},
    {"replays", "FILE",
     "with --html: write the last games as a page too, and link to it",
     OPT_TEXT, &replays, 0, 0},
    {"watch", NULL, "redraw until the server ends", OPT_FLAG, &watch, 0, 0},
    {"anchors", "FILE",
     "anchors of ladders: lines of LADDER NAME ELO; - is standard input",
     OPT_TEXT, &anchors, 0, 0},
    {"rate", NULL, "only compute the ratings that are out of date", OPT_FLAG,
     &rate, 0, 0},
    {0},
};

/* Ratings. */

static struct rate_anchor anchor_of(void *data, const char *name)
{
    return data_anchor(data, name);
}

/* Bring the stored ratings up to date. */
static bool refresh(struct data_folder *data, struct err *err)
{
    return rate_stale(data->index, ladder, anchor_of, data, err);
}

/* The requested data, as JSON. */

/* The given bot does not exist: name those that do. */
static bool unknown(const char *what, const char *word, const char *key,
                    const json_t *list, struct err *err)
{
    struct guess guess;

    guess_begin(&guess, word);
    for (size_t i = 0; i < json_array_size(list); i++)
        guess_add(&guess, "", view_text(json_array_get(list, i), key));
    if (json_array_size(list) == 0)
        fail(err, "there is no %s \"%.40s\": there are no games yet", what,
             word);
    else if (guess.nearest)
        fail(err, "there is no %s \"%.40s\"; did you mean \"%s\"?", what, word,
             guess.nearest);
    else
        fail(err, "there is no %s \"%.40s\"; there are %.200s", what, word,
             guess.all.text);
    guess_end(&guess);
    return false;
}

static bool is_listed(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(view_text(json_array_get(list, i), "bot"), name) == 0)
            return true;
    return false;
}

static bool unknown_bot(const json_t *ladders, const char *name,
                        struct err *err)
{
    json_t *all = json_array();

    for (size_t i = 0; i < json_array_size(ladders); i++) {
        const json_t *rows =
            json_object_get(json_array_get(ladders, i), "standings");

        for (size_t j = 0; j < json_array_size(rows); j++) {
            json_t *row = json_array_get(rows, j);

            if (view_is(row, "current") &&
                !is_listed(all, view_text(row, "bot")))
                json_array_append(all, row);
        }
    }
    unknown("bot", name, "bot", all, err);
    json_decref(all);
    return false;
}

/* A list with only this ladder. */
static json_t *ask_ladder(struct index *index, const char *name,
                          struct err *err)
{
    json_t *all, *one = report_ladder(index, name, NULL, err);

    if (!json_is_null(one))
        return one ? json_pack("[o]", one) : NULL;
    all = report_ladders(index, false, err);
    if (all)
        unknown("ladder", name, "ladder", all, err);
    json_decref(all);
    return NULL;
}

/* The selected ladders. */
static json_t *ask_ladders(struct index *index, struct err *err)
{
    return ladder ? ask_ladder(index, ladder, err)
                  : report_ladders(index, true, err);
}

/* The bot's results on each of them. */
static json_t *ask_bot(struct index *index, const json_t *ladders,
                       struct err *err)
{
    json_t *bots = json_array();

    for (size_t i = 0; i < json_array_size(ladders); i++) {
        json_t *one =
            report_bot(index, view_text(json_array_get(ladders, i), "ladder"),
                       bot, limit ? limit : 20, err);

        if (!one) {
            json_decref(bots);
            return NULL;
        }
        if (json_is_null(one))
            json_decref(one);
        else
            json_array_append_new(bots, one);
    }
    if (json_array_size(bots) > 0)
        return bots;
    json_decref(bots);
    unknown_bot(ladders, bot, err);
    return NULL;
}

static json_t *ask(struct index *index, struct err *err)
{
    json_t *ladders = ask_ladders(index, err), *bots;

    if (!ladders || !bot)
        return ladders;
    bots = ask_bot(index, ladders, err);
    json_decref(ladders);
    return bots;
}

/* Output. */

static bool show_games(struct index *index, const json_t *list, struct err *err)
{
    bool ok = true;

    games_csv_begin(stdout);
    for (size_t i = 0; ok && i < json_array_size(list); i++)
        ok =
            index_all_games(index, view_text(json_array_get(list, i), "ladder"),
                            bot, games_csv_add, stdout, err);
    return ok;
}

static void write_view(const json_t *list, struct buf *out)
{
    bool colour = term_colours(stdout);

    if (as_csv)
        standings_as_csv(list, out);
    else if (as_html && bot)
        bots_as_html(list, replays, out);
    else if (as_html)
        ladders_as_html(list, replays, out);
    else if (bot)
        bots_as_text(list, colour, out);
    else
        ladders_as_text(list, versions, colour, out);
}

static int count_lines(const char *text)
{
    int lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Print as many lines as the screen has; the last one says what is missing. */
static void print_screen(const char *text)
{
    int rows = term_rows(stdout), lines = count_lines(text);
    const char *end = text;

    if (rows < 3 || lines < rows) {
        fputs(text, stdout);
        return;
    }
    for (int i = 0; i < rows - 2; i++)
        end = strchr(end, '\n') + 1;
    printf("%.*s... and %d more\n", (int)(end - text), text, lines - rows + 2);
}

static void print_view(const json_t *list, const char *before)
{
    struct buf out;

    if (as_json) {
        json_dumpf(list, stdout, JSON_INDENT(2));
        fputc('\n', stdout);
        return;
    }
    buf_init(&out, OUT_BYTES);
    write_view(list, &out);
    fputs(before, stdout);
    if (before[0])
        print_screen(out.text);
    else
        fwrite(out.text, 1, out.len, stdout);
    buf_release(&out);
}

static bool show(const struct data_folder *data, const char *before,
                 struct err *err)
{
    struct index *index = index_open(data->index, INDEX_READ, err);
    json_t *list = index ? ask(index, err) : NULL;
    bool ok = list != NULL;

    if (ok && replays)
        ok = ladder_replays(index, data->path, list, limit, replays, err);
    if (ok && games)
        ok = show_games(index, list, err);
    else if (ok)
        print_view(list, before);
    json_decref(list);
    index_close(index);
    if (ok && (fflush(stdout) != 0 || ferror(stdout)))
        return fail(err, "standard output cannot be written");
    return ok;
}

/* Rate now, or use the stored ratings if the index cannot be written. */
static int show_fresh(struct data_folder *data)
{
    struct err err, stale;
    bool fresh = refresh(data, &stale);

    if (!show(data, "", &err))
        return complain("%s", err.text);
    if (!fresh && !as_json && !as_csv && !as_html)
        fprintf(stderr, "referee: ratings are unchanged: %s\n", stale.text);
    return 0;
}

/* Anchors given on the command line. */

static bool has_played(const json_t *list, const char *name)
{
    const json_t *rows = json_object_get(json_array_get(list, 0), "standings");

    for (size_t i = 0; i < json_array_size(rows); i++)
        if (strcmp(view_text(json_array_get(rows, i), "bot"), name) == 0)
            return true;
    return false;
}

static bool check_anchor(struct index *index, const struct data_ladder *given,
                         struct err *err)
{
    json_t *list = ask_ladder(index, given->name, err);
    bool ok = list != NULL;

    if (!ok)
        return fail_at(err, "--anchors");
    if (given->anchor.name[0] && !has_played(list, given->anchor.name)) {
        unknown_bot(list, given->anchor.name, err);
        ok = fail_at(err, "--anchors: %s", given->name);
    }
    json_decref(list);
    return ok;
}

/*
 * An anchor that has not played would change nothing, so it is a spelling
 * mistake. But a script that only updates the ratings may name bots that have
 * not played yet.
 */
static bool read_anchors(struct data_folder *data, struct err *err)
{
    const struct data_ladder *known = data->ladders;
    struct index *index;
    bool ok = true;

    if (!data_read_anchors(data, anchors, err))
        return false;
    if (rate)
        return true;
    index = index_open(data->index, INDEX_READ, err);
    if (!index)
        return false;
    for (const struct data_ladder *l = data->ladders; ok && l != known;
         l = l->next)
        ok = check_anchor(index, l, err);
    index_close(index);
    return ok;
}

/* Watching. */

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    stopped = 1;
}

static void wait_a_moment(void)
{
    usleep(LOOK_MS * 1000);
}

static int keep_watching(struct data_folder *data)
{
    bool live = isatty(STDOUT_FILENO) && !as_json && !as_csv && !as_html;
    struct sigaction action = {.sa_handler = on_signal};
    struct err err;

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    for (int i = 0; i < START_LOOKS && !archive_is_locked(data->path); i++)
        wait_a_moment();
    for (int i = 0; !stopped && archive_is_locked(data->path); i++) {
        if (live && i % REDRAW_LOOKS == 0 && !show(data, "\033[H\033[2J", &err))
            printf("\033[H\033[2J%s\n", err.text);
        fflush(stdout);
        wait_a_moment();
    }
    if (live)
        fputs("\033[H\033[2J", stdout);
    return show_fresh(data);
}

static int check_options(void)
{
    if (replays && !as_html)
        return complain("--replays needs --html, whose page links to it");
    if (as_json + as_csv + as_html > 1)
        return complain("--json, --csv and --html: choose one");
    if (games && !as_csv)
        return complain("--games goes with --csv");
    if (limit && !bot)
        return complain("--limit goes with --bot");
    if (rate && watch)
        return complain("--rate computes and exits, --watch does not: "
                        "choose one");
    return 0;
}

static int act(struct data_folder *data)
{
    struct err err;

    if (watch)
        return keep_watching(data);
    if (!rate)
        return show_fresh(data);
    return refresh(data, &err) ? 0 : complain("%s", err.text);
}

static int run(int argc, char **argv)
{
    struct data_folder data;
    struct err err;
    int code;

    if (argc != 1)
        return complain("ladder takes one file or folder: referee ladder "
                        "CONFIG, or the data folder");
    if (check_options() != 0)
        return 2;
    if (!data_find(&data, argv[0], &err))
        return complain("%s", err.text);
    if (anchors && !read_anchors(&data, &err))
        code = complain("%s", err.text);
    else
        code = act(&data);
    data_release(&data);
    return code;
}

const struct subcommand cmd_ladder = {
    .name = "ladder",
    .args = "CONFIG|DATA [OPTION...]",
    .about = "show standings and ratings, and what a bot has played",
    .more = "Shows the ladders of a server, whether it is running or not: "
            "CONFIG\n"
            "is its file, DATA its data folder. Ratings are the most likely "
            "ones\n"
            "for all games together (Plackett-Luce, Elo scale), and +- is half "
            "of\n"
            "the 95 % interval. Ratings that are older than the games are\n"
            "computed first.\n"
            "\n"
            "Examples:\n"
            "  referee ladder referee.ini\n"
            "  referee ladder referee.ini --ladder main --bot anna\n"
            "  referee ladder referee.ini --csv --games > grades.csv",
    .opts = opts,
    .run = run,
};
