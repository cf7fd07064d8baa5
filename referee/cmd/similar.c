/*
 * referee similar - find bots that move alike more often than chance explains.
 */

#include "league/similar.h"
#include "base/alloc.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/lib/csv.h"
#include "cmd/similar/folders.h"
#include "match/game_summary.h"
#include "match/replay.h"
#include "store/disk.h"
#include "store/records.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOTS_MAX = 4000, PAIRS_SHOWN = 10, VIEW_BYTES = 1 << 20 };

static const char *folders, *shelf;
static bool as_json, as_csv;

static const struct opt opts[] = {
    {"json", NULL, "write all pairs as JSON", OPT_FLAG, &as_json, 0, 0},
    {"csv", NULL, "write all pairs as CSV", OPT_FLAG, &as_csv, 0, 0},
    {"folders", "OUT",
     "copy each bot's version that plays to OUT/NAME, for a source comparison "
     "tool",
     OPT_TEXT, &folders, 0, 0},
    {"handins", "FOLDER",
     "with --folders: where the bots are (default "
     "handins)",
     OPT_TEXT, &shelf, 0, 0},
    {0},
};

/* All choices, and who made them. */
struct study {
    struct disk_names names; /* names of bots; the index is the bot's number */
    struct choice *choice;
    size_t count, cap;
    struct moves moves; /* of the position; reused */
    struct buf view;
    int games;
};

static uint64_t hash_of(const char *a, const char *b, size_t len)
{
    unsigned char digest[SHA256_BYTES];
    struct sha256 hash;
    uint64_t value;

    sha256_begin(&hash);
    sha256_add(&hash, a, strlen(a) + 1);
    sha256_add(&hash, b, len);
    sha256_end(&hash, digest);
    memcpy(&value, digest, sizeof value);
    return value;
}

/* -1: there are too many bots. */
static int bot_of(struct study *s, const struct record *record, int seat)
{
    size_t len = 0;
    const char *name = record->seat[seat]
                           ? about_find(record->seat[seat], "name", &len)
                           : NULL;
    char text[SUMMARY_NAME_MAX + 1];

    if (!name || len > SUMMARY_NAME_MAX)
        return -1;
    snprintf(text, sizeof text, "%.*s", (int)len, name);
    for (size_t i = 0; i < s->names.count; i++)
        if (strcmp(s->names.name[i], text) == 0)
            return (int)i;
    if (s->names.count == BOTS_MAX)
        return -1;
    disk_names_add(&s->names, text);
    return (int)s->names.count - 1;
}

/* The seat's view is the position. If there is only one move, there is no
 * choice. */
static bool see(struct study *s, const struct replay *replay, int seat,
                struct choice *choice)
{
    const struct game *game = replay->record.game;

    choice->bot = bot_of(s, &replay->record, seat);
    if (choice->bot < 0)
        return false;
    s->moves.count = 0;
    game->list(replay->state, seat, &s->moves);
    if (s->moves.count < 2)
        return false;
    buf_reset(&s->view);
    game->view(replay->state, seat, &s->view);
    choice->position = hash_of(game->name, s->view.text, s->view.len);
    return buf_ok(&s->view);
}

static void add_choice(struct study *s, const struct choice *choice)
{
    if (s->count == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 1024;
        s->choice = must_resize(s->choice, s->cap, sizeof *s->choice);
    }
    s->choice[s->count++] = *choice;
}

/* The next line "play SEAT MOVE" of the original record. */
static const char *next_play(const char *text, int *seat, size_t *len)
{
    for (; text && *text; text = strchr(text, '\n'), text += text != NULL)
        if (strncmp(text, "play ", 5) == 0 && text[5] >= '1' &&
            text[5] <= '9' && text[6] == ' ') {
            *seat = text[5] - '1';
            *len = strcspn(text + 7, "\n");
            return text + 7;
        }
    return NULL;
}

/* Replay it, and note each choice before its move. */
static bool study_game(struct study *s, struct replay *replay, const char *was,
                       struct err *err)
{
    size_t len = 0;
    int seat = 0;
    const char *move = next_play(was, &seat, &len);

    while (replay->status == REPLAY_HALFWAY) {
        int moves = replay->moves;
        struct choice choice;
        bool seen =
            move && seat < replay->record.setup.seats &&
            (replay->record.game->to_move(replay->state) & SEAT(seat)) &&
            see(s, replay, seat, &choice);

        if (!replay_next(replay, err))
            return false;
        if (replay->moves == moves)
            continue;
        if (seen) {
            choice.move = hash_of("", move, len);
            add_choice(s, &choice);
        }
        move = next_play(move, &seat, &len);
    }
    s->games++;
    return true;
}

static bool study_file(struct study *s, const char *path, struct err *err)
{
    struct records file;
    struct replay replay;
    struct buf text, was;
    bool failed = false, ok = records_open(&file, path, err);

    if (!ok)
        return false;
    buf_init(&text, RECORD_FILE_MAX);
    buf_init(&was, RECORD_FILE_MAX);
    replay_init(&replay);
    while (ok && records_next(&file, &text, &failed, err)) {
        if (text.len == 0)
            continue;
        buf_reset(&was);
        buf_put(&was, text.text, text.len);
        ok = replay_open_after(&replay, path, file.lines_before, text.text,
                               text.len, err) &&
             study_game(s, &replay, was.text, err);
    }
    replay_release(&replay);
    buf_release(&was);
    buf_release(&text);
    records_close(&file);
    return ok && !failed;
}

static bool study_path(struct study *s, const char *path, struct err *err)
{
    struct disk_names files = {0};
    bool ok = true;

    if (!disk_is_folder(path))
        return study_file(s, path, err);
    ok = disk_walk(path, ".", ".rec", &files, err);
    if (ok && files.count == 0)
        ok = fail(err, "there are no records (*.rec) in %.200s", path);
    for (size_t i = 0; ok && i < files.count; i++) {
        char full[2 * DISK_PATH_MAX];

        snprintf(full, sizeof full, "%s/%s", path, files.name[i]);
        ok = study_file(s, full, err);
    }
    disk_names_free(&files);
    return ok;
}

/* Output. */

static json_t *pair_json(const struct study *s, const struct similar_pair *p)
{
    return json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:f, s:b}", "a",
                     s->names.name[p->a], "b", s->names.name[p->b], "positions",
                     p->met, "agreed", p->agreed, "expected", p->expected,
                     "chance", p->chance, "nearest", p->nearest, "odd",
                     p->is_odd);
}

static void print_json(const struct study *s, const struct similar_pair *pairs,
                       size_t count)
{
    json_t *list = json_array(), *all;

    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, pair_json(s, &pairs[i]));
    all = json_pack("{s:i, s:i, s:f, s:o}", "games", s->games, "bots",
                    (int)s->names.count, "level", SIMILAR_LEVEL, "pairs", list);
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
}

static void print_csv(const struct study *s, const struct similar_pair *pairs,
                      size_t count)
{
    puts("a,b,positions,agreed,expected,chance,nearest,odd");
    for (size_t i = 0; i < count; i++)
        printf("%s,%s,%d,%d,%.1f,%.3g,%.3f,%d\n", s->names.name[pairs[i].a],
               s->names.name[pairs[i].b], pairs[i].met, pairs[i].agreed,
               pairs[i].expected, pairs[i].chance, pairs[i].nearest,
               pairs[i].is_odd);
}

static void print_text(const struct study *s, const struct similar_pair *pairs,
                       size_t count, size_t odd)
{
    printf("%d games of %zu bots: ", s->games, s->names.count);
    if (odd == 0)
        puts("no two of them move alike beyond chance");
    else
        printf("%zu pair%s move%s alike beyond chance\n", odd,
               odd == 1 ? "" : "s", odd == 1 ? "s" : "");
    if (count > 0)
        printf("\n    %-32s %9s %7s %8s %8s %8s\n", "bots", "positions",
               "agreed", "expected", "chance", "nearest");
    for (size_t i = 0; i < count && (i < odd || i < PAIRS_SHOWN); i++) {
        const struct similar_pair *p = &pairs[i];
        char names[2 * SUMMARY_NAME_MAX + 4];

        snprintf(names, sizeof names, "%s, %s", s->names.name[p->a],
                 s->names.name[p->b]);
        printf("%s %-32s %9d %6.1f%% %7.1f%% %8.1g %7.1f%%\n",
               p->is_odd ? "odd" : "   ", names, p->met,
               100.0 * p->agreed / p->met, 100 * p->expected / p->met,
               p->chance, 100 * p->nearest);
    }
}

static int show(struct study *s)
{
    size_t count, odd = 0;
    struct similar_pair *pairs =
        similar_pairs(s->choice, s->count, (int)s->names.count, &count);

    while (odd < count && pairs[odd].is_odd)
        odd++;
    if (as_json)
        print_json(s, pairs, count);
    else if (as_csv)
        print_csv(s, pairs, count);
    else
        print_text(s, pairs, count, odd);
    free(pairs);
    return odd > 0;
}

static int lay_out(void)
{
    struct err err;
    int count;

    if (!similar_folders(shelf ? shelf : "handins", folders, &count, &err))
        return complain_of(&err);
    fprintf(stderr, "%d bots in %s\n", count, folders);
    return 0;
}

static int study_all(int argc, char **argv)
{
    struct study s = {0};
    struct err err;
    bool ok = true;
    int code;

    buf_init(&s.view, VIEW_BYTES);
    for (int i = 0; ok && i < argc; i++)
        ok = study_path(&s, argv[i], &err);
    code = ok ? show(&s) : complain("%s", err.text);
    buf_release(&s.view);
    moves_release(&s.moves);
    free(s.choice);
    disk_names_free(&s.names);
    return code;
}

static int run(int argc, char **argv)
{
    int code;

    if (argc == 0 && !folders)
        return complain("similar takes records: referee similar FOLDER");
    if (as_json && as_csv)
        return complain("--json and --csv cannot be combined: choose one");
    if (shelf && !folders)
        return complain("--handins belongs to --folders");
    code = folders ? lay_out() : 0;
    return code || argc == 0 ? code : study_all(argc, argv);
}

const struct subcommand cmd_similar = {
    .name = "similar",
    .args = "RECORDS... [--json | --csv] | --folders OUT",
    .about = "list bots that move alike beyond chance",
    .more = "Replays records (files or folders) and compares the moves of two\n"
            "bots in the same positions, if at least two other bots\n"
            "moved there too. \"expected\" is how often independent bots\n"
            "that choose as the others do would agree; \"chance\" is an\n"
            "upper bound for the probability of so much agreement, over\n"
            "all pairs together; \"nearest\" is the best agreement of\n"
            "either bot with a third one. A pair is odd if both its\n"
            "chance and the distance to the nearest are beyond 1 in\n"
            "1000. The exit code is 1 if a pair is odd. An odd pair is\n"
            "not proof of copying; compare the sources.\n"
            "\n"
            "The field should have bots of every strength, such as the\n"
            "levels of a course.\n"
            "\n"
            "Examples:\n"
            "  referee similar grading\n"
            "  referee similar data/records/rondo --csv\n"
            "  referee similar --folders sources",
    .opts = opts,
    .run = run,
};
