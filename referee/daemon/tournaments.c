#include "daemon/tournaments.h"

#include "base/alloc.h"
#include "base/text.h"
#include "daemon/config.h"
#include "match/record.h"
#include "store/disk.h"
#include "store/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STANDINGS_BYTES = 4 << 20,
    PIECE = 1 << 20,
    PIECES = 8, /* searched per request: some milliseconds */
    FILES_MAX = 1024,
    MATCH_TEXT = 32,
};

/* Where a game begins in its file. */
struct tournament_game {
    char match[MATCH_TEXT];
    int64_t at;
};

/* A file of records, as far as it was searched. */
struct tournament_file {
    char path[DISK_PATH_MAX + 64];
    int64_t upto;
    int64_t head; /* of the record that is being read, or -1 */
    bool has_all; /* up to the end that it had */
    struct tournament_game *game;
    int games, cap;
};

/* Folders. */

/* The next one of "a, b", or false. */
static bool next_folder(const char **at, char folder[DISK_PATH_MAX])
{
    size_t len;

    *at += strspn(*at, ", ");
    len = strcspn(*at, ",");
    while (len > 0 && (*at)[len - 1] == ' ')
        len--;
    snprintf(folder, DISK_PATH_MAX, "%.*s", (int)len, *at);
    *at += strcspn(*at, ",");
    return len > 0;
}

static const char *name_of(const char *folder)
{
    const char *slash = strrchr(folder, '/');

    return slash ? slash + 1 : folder;
}

static bool folder_named(const char *folders, const char *name,
                         char folder[DISK_PATH_MAX])
{
    while (folders && next_folder(&folders, folder))
        if (strcmp(name_of(folder), name) == 0)
            return true;
    return false;
}

/* NULL: there are no standings yet, or the file is something else. */
static json_t *read_standings(const char *folder)
{
    char path[DISK_PATH_MAX + 32];
    struct buf text;
    struct err err;
    json_t *json = NULL;

    snprintf(path, sizeof path, "%s/%s", folder, TOURNAMENT_FILE);
    buf_init(&text, STANDINGS_BYTES);
    if (disk_read(path, &text, &err))
        json = json_loadb(text.text, text.len, 0, NULL);
    buf_release(&text);
    if (json_is_object(json))
        json_object_set_new(json, "folder", report_text(name_of(folder)));
    return json;
}

json_t *tournaments_list(const char *folders)
{
    char folder[DISK_PATH_MAX];
    json_t *list = json_array();

    while (folders && next_folder(&folders, folder)) {
        json_t *one = read_standings(folder);

        if (json_is_object(one))
            json_array_append(list, one);
        json_decref(one);
    }
    return list;
}

/* Files of records. */

static void forget(struct tournament_file *f)
{
    free(f->game);
    f->game = NULL;
    f->games = f->cap = 0;
    f->upto = 0;
    f->head = -1;
    f->has_all = false;
}

static void add_game(struct tournament_file *f, const char *about)
{
    size_t len = 0;
    const char *match = about_find(about, "match", &len);
    struct tournament_game *g;

    if (!match || len >= MATCH_TEXT || f->head < 0)
        return;
    if (f->games == f->cap) {
        f->cap = f->cap ? 2 * f->cap : 64;
        f->game = must_resize(f->game, (size_t)f->cap, sizeof *f->game);
    }
    g = &f->game[f->games++];
    snprintf(g->match, sizeof g->match, "%.*s", (int)len, match);
    g->at = f->head;
    f->head = -1;
}

/* Whole lines only; an incomplete one is read again. */
static void search_piece(struct tournament_file *f, char *text, size_t len)
{
    char *at = text, *end = text + len, *feed;

    while ((feed = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        const char *line = at;

        *feed = '\0';
        if (strcmp(line, "record 1") == 0)
            f->head = f->upto;
        else if (take_word(&line, "about"))
            add_game(f, line);
        f->upto += feed + 1 - at;
        at = feed + 1;
    }
}

static void search_on(struct tournament_file *f, int *pieces)
{
    struct buf piece;
    struct err err;

    if (disk_size(f->path) < f->upto) /* another tournament */
        forget(f);
    buf_init(&piece, PIECE + 1);
    do {
        buf_reset(&piece);
        f->has_all = !disk_read_part(f->path, f->upto, PIECE, &piece, &err) ||
                     piece.len < PIECE;
        search_piece(f, piece.text, piece.len);
    } while (!f->has_all && --*pieces > 0);
    buf_release(&piece);
}

static struct tournament_file *file_at(struct tournaments *t, const char *path)
{
    struct tournament_file *f;

    for (int i = 0; i < t->count; i++)
        if (strcmp(t->file[i].path, path) == 0)
            return &t->file[i];
    if (t->count == FILES_MAX)
        return NULL;
    t->file = must_resize(t->file, (size_t)t->count + 1, sizeof *t->file);
    f = &t->file[t->count++];
    *f = (struct tournament_file){.head = -1};
    snprintf(f->path, sizeof f->path, "%s", path);
    return f;
}

/* Search each file of records in the folder, as time allows. */
static bool search(struct tournaments *t, const char *folder,
                   void (*each)(void *arg, const struct tournament_file *file),
                   void *arg)
{
    struct disk_names names;
    struct err err;
    int pieces = PIECES;
    bool has_all = true;

    if (!disk_list(folder, ".rec", &names, &err))
        return true;
    for (size_t i = 0; i < names.count; i++) {
        char path[DISK_PATH_MAX + 64];
        struct tournament_file *f;

        snprintf(path, sizeof path, "%s/%s.rec", folder, names.name[i]);
        f = file_at(t, path);
        if (!f)
            continue;
        if (pieces > 0)
            search_on(f, &pieces);
        has_all = has_all && f->has_all;
        each(arg, f);
    }
    disk_names_free(&names);
    return has_all;
}

void tournaments_release(struct tournaments *t)
{
    for (int i = 0; i < t->count; i++)
        free(t->file[i].game);
    free(t->file);
    *t = (struct tournaments){0};
}

/* Matches of pairings. */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of matches, borrowed. */
struct matches {
    const char **name;
    size_t count, cap;
};

static void add_matches(void *arg, const struct tournament_file *f)
{
    struct matches *m = arg;

    for (int i = 0; i < f->games; i++) {
        if (m->count == m->cap) {
            m->cap = m->cap ? 2 * m->cap : 64;
            m->name = must_resize(m->name, m->cap, sizeof *m->name);
        }
        m->name[m->count++] = f->game[i].match;
    }
}

/* Those that begin with "r01-t02-". */
static json_t *matches_of(const struct matches *m, const json_t *pairing)
{
    char stem[MATCH_TEXT];
    json_t *list = json_array();

    snprintf(stem, sizeof stem, "r%02d-t%02d-",
             (int)json_integer_value(json_object_get(pairing, "round")),
             (int)json_integer_value(json_object_get(pairing, "table")));
    for (size_t i = 0; i < m->count; i++)
        if (strncmp(m->name[i], stem, strlen(stem)) == 0)
            json_array_append_new(list, report_text(m->name[i]));
    return list;
}

json_t *tournament_named(struct tournaments *t, const char *folders,
                         const char *name)
{
    char folder[DISK_PATH_MAX];
    struct matches matches = {0};
    json_t *one, *pairing;
    size_t i;

    if (!folder_named(folders, name, folder))
        return NULL;
    one = read_standings(folder);
    if (!json_is_object(one)) {
        json_decref(one);
        return NULL;
    }
    search(t, folder, add_matches, &matches);
    if (matches.count > 0)
        qsort(matches.name, matches.count, sizeof *matches.name, by_text);
    json_array_foreach(json_object_get(one, "pairings"), i, pairing)
    {
        json_object_set_new(pairing, "matches", matches_of(&matches, pairing));
    }
    free(matches.name);
    return one;
}

/* One record. */

struct wanted {
    const char *match;
    char path[DISK_PATH_MAX + 64];
    int64_t from, to; /* INT64_MAX: the end of the file */
};

static void look_for(void *arg, const struct tournament_file *f)
{
    struct wanted *w = arg;

    for (int i = 0; i < f->games; i++)
        if (strcmp(f->game[i].match, w->match) == 0) {
            snprintf(w->path, sizeof w->path, "%s", f->path);
            w->from = f->game[i].at;
            w->to = i + 1 < f->games ? f->game[i + 1].at : INT64_MAX;
        }
}

bool tournament_record(struct tournaments *t, const char *folders,
                       const char *name, const char *match, struct buf *out,
                       struct err *err)
{
    char folder[DISK_PATH_MAX];
    struct wanted w = {.match = match};
    int64_t len;
    bool has_all;

    if (!folder_named(folders, name, folder))
        return fail(err, "there is no tournament \"%.60s\"", name);
    has_all = search(t, folder, look_for, &w);
    if (!w.path[0]) {
        fail(err,
             has_all ? "there is no game \"%.40s\" in this tournament yet"
                     : "busy: looking for game %.40s; ask again",
             match);
        err->passes = !has_all;
        return false;
    }
    len = (w.to == INT64_MAX ? disk_size(w.path) : w.to) - w.from;
    if (len < 0 || len > RECORD_FILE_MAX)
        return fail(err, "the record of %.40s cannot be read", match);
    return disk_read_part(w.path, w.from, (size_t)len, out, err);
}
