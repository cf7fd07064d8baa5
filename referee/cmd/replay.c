/* referee replay - verify records, and show what is in them. */

#include "match/replay.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/pages.h"
#include "cmd/lib/sgf.h"
#include "cmd/lib/step.h"
#include "cmd/lib/term.h"
#include "cmd/lib/trust.h"
#include "run/loop.h"
#include "store/disk.h"
#include "store/records.h"
#include "web/steps.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool final, draw, step, as_json, as_steps, as_sgf, quiet, strict;
static const char *whose, *wanted, *html, *of;
static bool lost;
static struct texts trusted;
static struct trust trust;

static const struct opt opts[] = {
    {"final", NULL, "print the last position and the result", OPT_FLAG, &final,
     0, 0},
    {"seat", "K|public|all", "only what this seat, or a spectator, saw",
     OPT_TEXT, &whose, 0, 0},
    {"id", "ID", "only the record of this game", OPT_TEXT, &wanted, 0, 0},
    {"of", "NAME", "only games of this bot", OPT_TEXT, &of, 0, 0},
    {"lost", NULL, "with --of: only games that the bot did not win", OPT_FLAG,
     &lost, 0, 0},
    {"show", NULL, "draw the last position", OPT_FLAG, &draw, 0, 0},
    {"step", NULL, "step through the positions with the keyboard", OPT_FLAG,
     &step, 0, 0},
    {"json", NULL, "write one JSON object per record", OPT_FLAG, &as_json, 0,
     0},
    {"steps", NULL, "write one JSON object per record, with every step",
     OPT_FLAG, &as_steps, 0, 0},
    {"html", "OUT", "write the games as one HTML file", OPT_TEXT, &html, 0, 0},
    {"sgf", NULL, "write each game of go as SGF", OPT_FLAG, &as_sgf, 0, 0},
    {"strict", NULL, "refuse a record without its hash, seed or clocks",
     OPT_FLAG, &strict, 0, 0},
    {"trust", "KEY",
     "accept only records signed with this key, and check "
     "the chain",
     OPT_LIST, &trusted, 0, 0},
    {"head", "HEAD", "check that what \"referee head\" printed is still true",
     OPT_TEXT, &trust.head, 0, 0},
    {"receipt", "FILE", "check that the record of this receipt is there",
     OPT_TEXT, &trust.receipt, 0, 0},
    {"quiet", NULL, "print only problems and the summary", OPT_FLAG, &quiet, 0,
     0},
    {0},
};

/* One run over all files; its memory is reused for each record. */
struct job {
    struct replay replay;
    struct records file;
    struct lines asides; /* clocks, notes and the like of the record */
    struct page page;    /* for --html */
    struct buf bytes, out;
    char name[RECORD_NAME_MAX + 1]; /* the game's, if its record has one */
    struct buf called; /* the record's label: its file, or its position in it */
    int viewer;
    int place;   /* number of the record, counted over all files */
    size_t done; /* bytes of files */
    struct progress progress;
    size_t looked_at; /* records, and files that cannot be read */
    size_t valid, unfinished, wrong;
    size_t lacking; /* valid records that leave something out */
    bool quit;      /* the user has seen enough */
    size_t skipped; /* files that cannot be read, or have no such seat */
    long long moves;
};

static bool read_viewer(int *viewer, struct err *err)
{
    const char *at = whose;
    int seat;

    *viewer = AUDIENCE_REFEREE;
    if (whose && strcmp(whose, "all") == 0)
        whose = NULL;
    if (!whose)
        return true;
    *viewer = AUDIENCE_PUBLIC;
    if (strcmp(whose, "public") == 0)
        return true;
    if (!take_int(&at, 1, INT_MAX, &seat) || !at_end(at))
        return fail(err,
                    "--seat must be a seat number, \"public\" or \"all\", not "
                    "\"%.40s\"",
                    whose);
    *viewer = seat - 1;
    return true;
}

static bool seat_exists(struct job *job, struct err *err)
{
    const char *path = job->called.text;

    int seats = job->replay.record.setup.seats;

    if (job->viewer < seats)
        return true;
    job->skipped++;
    if (seats == 1)
        return fail(err, "--seat: %s has seat 1 only, no seat %d", path,
                    job->viewer + 1);
    return fail(err, "--seat: %s has seats 1 to %d, no seat %d", path, seats,
                job->viewer + 1);
}

/* What the viewer was told in the last step. */
static void print_stream(struct job *job)
{
    const struct lines *events = &job->replay.events;
    seat_set reader =
        job->viewer == AUDIENCE_PUBLIC ? WATCHERS : SEAT(job->viewer);

    for (size_t i = 0; i < events->count; i++)
        if (events->line[i].to & reader)
            puts(lines_text(events, i));
}

/* Verify; with --seat, print the events while replaying. */
static bool verify(struct job *job, struct err *err)
{
    bool stream = whose && !final && !draw && !as_json && !quiet;

    lines_reset(&job->asides);
    if (as_json)
        replay_collect(&job->replay, &job->asides);
    if (!replay_open_after(&job->replay, job->file.path, job->file.lines_before,
                           job->bytes.text, job->bytes.len, err))
        return false;
    if (!seat_exists(job, err))
        return false;
    if (stream)
        print_stream(job);
    while (job->replay.status == REPLAY_HALFWAY) {
        int before = job->replay.steps;

        if (!replay_next(&job->replay, err))
            return false;
        if (stream && job->replay.steps > before)
            print_stream(job);
    }
    return true;
}

/* Open a copy first, because reading cuts the text into lines. */
static bool step_record(struct job *job, struct err *err)
{
    struct stepping record = {
        job->called.text, job->file.path, job->file.lines_before,
        &job->bytes,      job->viewer,    false};
    struct buf copy;
    bool ok;

    buf_init(&copy, job->bytes.max);
    buf_put(&copy, job->bytes.text, job->bytes.len);
    ok = replay_open_after(&job->replay, job->file.path, job->file.lines_before,
                           copy.text, copy.len, err) &&
         seat_exists(job, err) && step_through(&record, err);
    job->quit = record.quit;
    buf_release(&copy);
    return ok;
}

static void write_result(struct job *job)
{
    const struct replay *r = &job->replay;
    const char *goal;

    buf_reset(&job->out);
    if (!replay_over(r)) {
        buf_str(&job->out, replay_status_word(r));
        return;
    }
    result_write(&r->result, r->record.setup.seats, r->why, &job->out);
    goal = game_goal(r->record.game, &r->record.setup, &r->result);
    if (goal)
        buf_add(&job->out, " goal=%s", goal);
}

static void print_final(struct job *job)
{
    buf_reset(&job->out);
    job->replay.record.game->view(job->replay.state, job->viewer, &job->out);
    puts(job->out.text);
    write_result(job);
    puts(job->out.text);
}

static void print_drawing(struct job *job)
{
    buf_reset(&job->out);
    game_show(job->replay.record.game, job->replay.state, job->viewer,
              term_colours(stdout), &job->out);
    fputs(job->out.text, stdout);
    write_result(job);
    puts(job->out.text);
}

/*
 * Everything is there but the end: the referee was stopped, or the end was cut
 * off.
 */
static bool lacks_hash(const struct replay *replay)
{
    return replay->status == REPLAY_FINISHED && replay->record.told &&
           !replay->record.has_hash;
}

/* Who signed a closed record? */
static const char *signer(const struct replay *r, char text[64])
{
    char hex[SEAL_KEY_HEX + 1];

    if (!r->record.has_hash || r->record.cut)
        return "";
    if (!r->record.has_seal)
        return ", unsigned";
    text_hex(hex, r->seal.key, sizeof r->seal.key);
    snprintf(text, 64, ", signed by %.16s", hex);
    return text;
}

/* What a closed record leaves out; a typed one may leave out everything. */
static const char *lacks(const struct replay *r)
{
    return r->record.has_hash && r->record.told &&
                   r->status != REPLAY_UNFINISHED
               ? replay_lacks(r)
               : NULL;
}

static void print_verdict(struct job *job)
{
    const struct replay *r = &job->replay;
    char by[64];

    write_result(job);
    printf("%s: %s%s%s%s, %s, %d seat%s, %d moves%s%s%s%s\n", job->called.text,
           replay_status_word(r), lacks_hash(r) ? ", not closed" : "",
           r->record.cut ? " (its last line is cut off)" : "", signer(r, by),
           r->record.game->name, r->record.setup.seats,
           r->record.setup.seats == 1 ? "" : "s", r->moves,
           replay_over(r) ? ", " : "", replay_over(r) ? job->out.text : "",
           lacks(r) ? "; but " : "", lacks(r) ? lacks(r) : "");
}

/* Where the record is, and who played it. */
static json_t *place_json(const struct job *job)
{
    json_t *name = job->name[0] ? json_string(job->name) : NULL;

    return json_pack("{s:o, s:i, s:o}", "file", text_json(job->file.path),
                     "line", job->file.lines_before + 1, "id",
                     name ? name : json_null());
}

/* Who has signed it, or null. */
static json_t *key_json(const struct replay *r)
{
    char hex[SEAL_KEY_HEX + 1];

    if (!r->record.has_seal || !r->record.has_hash)
        return json_null();
    text_hex(hex, r->seal.key, sizeof r->seal.key);
    return json_string(hex);
}

static void print_json(struct job *job, const char *error)
{
    const struct replay *r = &job->replay;
    json_t *object = place_json(job), *more;

    if (error) {
        more = json_pack("{s:b, s:o}", "valid", 0, "error", text_json(error));
    } else {
        asides_json(&job->asides, job->viewer, object);
        buf_reset(&job->out);
        r->record.game->view(r->state, job->viewer, &job->out);
        more = json_pack("{s:b, s:s, s:s, s:i, s:i, s:b, s:o, s:s}", "valid", 1,
                         "status", replay_status_word(r), "game",
                         r->record.game->name, "seats", r->record.setup.seats,
                         "moves", r->moves, "closed", r->record.has_hash,
                         "result", result_json(r), "view", job->out.text);
        json_object_set_new(more, "players", players_json(&r->record));
        json_object_set_new(more, "key", key_json(r));
        json_object_set_new(more, "lacks",
                            lacks(r) ? json_string(lacks(r)) : json_null());
    }
    json_object_update_new(object, more);
    json_dumpf(object, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(object);
}

static void print_one(struct job *job)
{
    if (as_json)
        print_json(job, NULL);
    else if (final)
        print_final(job);
    else if (draw)
        print_drawing(job);
    else if (whose) {
        write_result(job);
        puts(job->out.text);
    } else if (!quiet)
        print_verdict(job);
}

static void count(struct job *job)
{
    job->valid++;
    job->lacking += lacks(&job->replay) != NULL;
    job->unfinished += job->replay.status == REPLAY_UNFINISHED;
    job->moves += job->replay.moves;
}

static void blame(struct job *job, const struct err *err)
{
    if (as_json)
        print_json(job, err->text);
    else
        complain("%s", err->text);
}

/* Print every step of it. */
static bool read_steps(struct job *job, json_t **document, struct err *err)
{
    struct steps steps;
    bool ok;

    steps_init(&steps, job->viewer);
    ok = steps_read(&steps, job->file.path, job->file.lines_before,
                    job->bytes.text, job->bytes.len, document, err);
    /* A missing seat is no fault of the record. */
    if (!ok && steps.replay.state &&
        job->viewer >= steps.replay.record.setup.seats)
        job->skipped++;
    steps_release(&steps);
    return ok;
}

static bool print_steps(struct job *job, struct err *err)
{
    json_t *document;

    if (!read_steps(job, &document, err))
        return false;
    json_dumpf(document, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(document);
    return true;
}

/* Keep a copy of the text, because reading cuts it into lines. */
static bool add_to_page(struct job *job, struct err *err)
{
    json_t *document;

    buf_reset(&job->out);
    buf_put(&job->out, job->bytes.text, job->bytes.len);
    if (!read_steps(job, &document, err))
        return false;
    page_add(&job->page, document, job->file.path, job->out.text);
    return true;
}

/* Write a game of Go for programs that read SGF. */
static bool print_sgf(struct job *job, struct err *err)
{
    struct replay *r = &job->replay;
    struct sgf sgf;
    bool ok;

    sgf_init(&sgf);
    sgf_open(&sgf, r);
    ok = replay_open_after(r, job->file.path, job->file.lines_before,
                           job->bytes.text, job->bytes.len, err) &&
         sgf_begin(&sgf, r, err);
    while (ok && r->status == REPLAY_HALFWAY) {
        int before = r->steps;

        ok = replay_next(r, err);
        if (ok && r->steps > before)
            sgf_step(&sgf, r);
    }
    buf_reset(&job->out);
    if (ok) {
        sgf_end(&sgf, r, &job->out);
        fputs(job->out.text, stdout);
    }
    replay_collect(r, NULL);
    sgf_release(&sgf);
    return ok;
}

static bool read_record(struct job *job, struct err *err)
{
    if (as_sgf)
        return print_sgf(job, err);
    if (html)
        return add_to_page(job, err);
    if (as_steps)
        return print_steps(job, err);
    return step ? step_record(job, err) : verify(job, err);
}

/* The record has no errors; is it complete? */
static bool is_complete(const struct job *job, struct err *err)
{
    const char *what = replay_lacks(&job->replay);

    return !what || fail(err, "%s: %s", job->called.text, what);
}

static void one_record(struct job *job)
{
    size_t skipped = job->skipped;
    struct err err;
    bool ok = read_record(job, &err) && (!strict || is_complete(job, &err)) &&
              trust_record(&trust, &job->replay, job->called.text, &err);

    job->looked_at++;
    if (ok && !step && !as_steps && !as_sgf && !html) {
        count(job);
        print_one(job);
    } else if (!ok) {
        job->wrong += job->skipped == skipped;
        blame(job, &err);
    }
}

/* "cup/games-001.rec:158: game-000002", if the file has others too. */
static bool call_it(struct job *job, struct err *err)
{
    bool is_only;

    if (!records_is_only(&job->file, &is_only, err))
        return false;
    buf_reset(&job->called);
    buf_str(&job->called, job->file.path);
    if (is_only)
        return true;
    buf_add(&job->called, ":%d", job->file.lines_before + 1);
    if (job->name[0])
        buf_add(&job->called, ": %s", job->name);
    return true;
}

/* "7" also selects game-000007, and the seventh game if it has no name. */
/* The line after one that begins with these words, or NULL. */
static const char *find_line(const char *text, const char *words)
{
    size_t n = strlen(words);

    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, words, n) == 0)
            return at + n;
    }
    return NULL;
}

/* The rank of a seat in "ranks=1,2 ..."; 0 if there is none. */
static int rank_in(const char *at, int seat)
{
    int rank = 0;

    for (int i = 0; i <= seat; i++)
        if ((i > 0 && !take_char(&at, ',')) ||
            !take_int(&at, 1, SEATS_MAX, &rank))
            return 0;
    return rank;
}

/* --of and --lost, from the lines of the record as read. */
static bool is_of(const struct job *job)
{
    const char *text = job->bytes.text;
    const char *ranks = find_line(text, "result ranks=");

    for (int seat = 0; seat < SEATS_MAX; seat++) {
        char words[24];
        const char *name;
        size_t n = strlen(of);

        snprintf(words, sizeof words, "seat %d name=", seat + 1);
        name = find_line(text, words);
        if (name && strncmp(name, of, n) == 0 && strchr(" \n", name[n]) &&
            (!lost || (ranks && rank_in(ranks, seat) > 1)))
            return true;
    }
    return false;
}

static bool is_wanted(struct job *job)
{
    const char *number = wanted, *end = job->name + strlen(job->name);
    char place[NUMBER_TEXT + 1], short_name[RECORD_NAME_MAX + 1];

    job->place++;
    if (!wanted || strcmp(wanted, job->name) == 0)
        return true;
    record_match_name(job->bytes.text, short_name);
    if (strcmp(wanted, short_name) == 0)
        return true;
    if (strspn(wanted, "0123456789") != strlen(wanted))
        return false;
    number += strspn(number, "0");
    if (!job->name[0]) {
        snprintf(place, sizeof place, "%d", job->place);
        return strcmp(number, place) == 0;
    }
    while (end > job->name && is_digit(end[-1]))
        end--;
    end += strspn(end, "0");
    return *number && strcmp(number, end) == 0;
}

/* It cannot be read, or not to its end. */
static void skip_file(struct job *job, const struct err *err)
{
    job->name[0] = '\0';
    job->looked_at++;
    job->skipped++;
    blame(job, err);
}

static void one_file(struct job *job, const char *path)
{
    struct err err;
    bool failed = false;

    job->name[0] = '\0';
    if (!records_open(&job->file, path, &err)) {
        skip_file(job, &err);
        return;
    }
    while (!job->quit && records_next(&job->file, &job->bytes, &failed, &err)) {
        record_name(job->bytes.text, job->name);
        if (!is_wanted(job) || (of && !is_of(job)))
            continue;
        failed = !call_it(job, &err);
        if (failed)
            break;
        one_record(job);
        if (quiet)
            progress_show(&job->progress,
                          (job->done + (size_t)job->file.offset) >> 10);
    }
    if (failed)
        skip_file(job, &err);
    job->done += (size_t)job->file.offset;
    records_close(&job->file);
}

static bool check_options(struct err *err)
{
    if (lost && !of)
        return fail(err, "--lost needs --of NAME: whose losses?");
    if (as_sgf && (html || as_steps || as_json || step || draw || final))
        return fail(err, "--sgf cannot be combined with --html, --steps, "
                         "--json, --step, --show and --final");
    if (html && (as_steps || as_json || step || draw || final))
        return fail(err, "--html cannot be combined with --steps, --json, "
                         "--step, --show and --final");
    if (as_steps && (as_json || step || draw || final))
        return fail(err, "--steps cannot be combined with --json, --step, "
                         "--show and --final");
    if ((strict || trusted.count > 0 || trust.head || trust.receipt) &&
        (step || as_steps || as_sgf || html))
        return fail(err, "--strict, --trust, --head and --receipt are for "
                         "verifying: use them without --step, --steps, "
                         "--sgf and --html");
    if (as_json && step)
        return fail(err, "--step and --json cannot be combined: choose one");
    if (as_json && draw)
        return fail(err, "--show and --json cannot be combined: choose one");
    if (final && draw)
        return fail(err, "--final and --show cannot be combined: choose one");
    return true;
}

static void print_summary(const struct job *job, double seconds)
{
    size_t read = job->valid + job->wrong;

    printf("%zu record%s: %zu valid", read, read == 1 ? "" : "s", job->valid);
    if (job->unfinished)
        printf(" (%zu unfinished)", job->unfinished);
    if (job->lacking)
        printf(" (%zu leave%s something out)", job->lacking,
               job->lacking == 1 ? "s" : "");
    printf(", %zu not valid", job->wrong);
    if (job->skipped)
        printf("; %zu file%s skipped", job->skipped,
               job->skipped == 1 ? "" : "s");
    printf("; %lld moves in %.2f s, %.0f moves/s\n", job->moves, seconds,
           (double)job->moves / seconds);
}

static bool add_folder(struct disk_names *files, const char *folder,
                       struct err *err)
{
    size_t len = strlen(folder);
    struct disk_names names = {0};
    char path[2 * DISK_PATH_MAX];
    bool ok = disk_walk(folder, "", ".rec", &names, err);

    while (len > 1 && folder[len - 1] == '/')
        len--;
    for (size_t i = 0; ok && i < names.count; i++) {
        snprintf(path, sizeof path, "%.*s%s", (int)len, folder, names.name[i]);
        disk_names_add(files, path);
    }
    if (ok && names.count == 0)
        ok = fail(err,
                  "%s contains no records: no file in it or below ends in "
                  ".rec",
                  folder);
    disk_names_free(&names);
    return ok;
}

/* A folder stands for all records in it and in its subfolders. */
static bool list_files(struct disk_names *files, int argc, char **argv,
                       struct err *err)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "-") == 0 || !disk_is_folder(argv[i]))
            disk_names_add(files, argv[i]);
        else if (!add_folder(files, argv[i], err))
            return false;
    return true;
}

static size_t kib_of(const struct disk_names *files)
{
    long long bytes = 0, size;

    for (size_t i = 0; i < files->count; i++) {
        size = disk_size(files->name[i]);
        bytes += size > 0 ? size : 0;
    }
    return (size_t)bytes >> 10;
}

/* With the faults, or whatever was not found. */
static int code_of(const struct job *job)
{
    if (wanted && job->looked_at == 0)
        return complain("--id: there is no record of a game %.80s", wanted);
    if (of && job->looked_at == 0)
        return complain("--of: there is no game%s %.40s",
                        lost ? " lost by" : " of", of);
    return job->skipped ? 2 : job->wrong ? 1 : 0;
}

static int replay_files(const struct disk_names *files, int viewer)
{
    struct job job = {.viewer = viewer};
    int64_t start = now_us();
    struct err err;
    int code;

    replay_init(&job.replay);
    buf_init(&job.bytes, RECORD_FILE_MAX);
    buf_init(&job.out, RECORD_FILE_MAX);
    page_init(&job.page);
    lines_init(&job.asides, RECORD_FILE_MAX);
    buf_init(&job.called, 2 * DISK_PATH_MAX);
    progress_begin(&job.progress, "replay, KiB", quiet ? kib_of(files) : 0);
    for (size_t i = 0; i < files->count && !job.quit; i++)
        one_file(&job, files->name[i]);
    progress_done(&job.progress);
    if (job.looked_at > 1 && !as_json && !as_steps && !as_sgf && !html && !step)
        print_summary(&job, (double)(now_us() - start) / 1e6);
    job.wrong += (size_t)trust_end(&trust, quiet || as_json);
    code = code_of(&job);
    if (html && page_count(&job.page) > 0 && !pages_save(&job.page, html, &err))
        code = complain("--html: %s", err.text);
    page_release(&job.page);
    replay_release(&job.replay);
    buf_release(&job.bytes);
    buf_release(&job.out);
    lines_release(&job.asides);
    buf_release(&job.called);
    return code;
}

static int run(int argc, char **argv)
{
    struct disk_names files = {0};
    struct err err;
    int viewer, code;

    if (argc < 1)
        return complain("replay needs a record file");
    if (check_options(&err) && read_viewer(&viewer, &err) &&
        trust_open(&trust, &trusted, &err) &&
        list_files(&files, argc, argv, &err))
        code = replay_files(&files, viewer);
    else
        code = complain("%s", err.text);
    trust_close(&trust);
    disk_names_free(&files);
    return code;
}

const struct subcommand cmd_replay = {
    .name = "replay",
    .args = "FILE... [--id ID] [--final] [--seat K|public|all] [--show] "
            "[--step] [--json] [--steps] [--html OUT] "
            "[--sgf] [--strict] [--trust KEY] [--head HEAD] [--receipt FILE] "
            "[--quiet]",
    .about = "verify records, and show their contents",
    .more =
        "Plays each record again, compares every line, and names the first\n"
        "that is wrong. A record without an end is read up to its last\n"
        "complete line and is called unfinished. A file may hold several\n"
        "records. FILE may be a folder, for all *.rec files in it and below,\n"
        "or - for standard input. Exit code 1 if a record is not valid, 2 if\n"
        "a file cannot be read.",
    .opts = opts,
    .run = run,
};
