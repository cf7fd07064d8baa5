#include "store/reindex.h"

#include "store/adopt.h"
#include "store/archive.h"
#include "store/chain_head.h"
#include "store/day.h"
#include "store/disk.h"
#include "store/index_strike.h"
#include "store/records.h"
#include "store/signing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PER_COMMIT = 1000 };

struct work {
    const struct reindex *config;
    struct reindex_sums *sums;
    struct index *index;
    struct disk_names paths; /* from the data folder */
    struct buf text;
    struct chain_check check;
    struct signing_key key; /* of the folder, if it has one */
    bool has_key;
    char ladder[SUMMARY_WORD_MAX + 1]; /* that was looked at last: ... */
    bool is_chained;                   /* ... has our key signed for it? */
    int64_t count;                     /* of records */
    int64_t bytes;                     /* in all files */
};

static void say_wrong(struct work *w, const char *sentence)
{
    w->sums->wrong++;
    if (w->config->on_wrong)
        w->config->on_wrong(w->config->arg, sentence);
}

/* The ladder of records/LADDER/..., or "other". */
static void folder_of(const char *path, char *ladder, size_t size)
{
    const char *name = strchr(path, '/') + 1;
    const char *end = strchr(name, '/');

    snprintf(ladder, size, "%.*s", end ? (int)(end - name) : 5,
             end ? name : "other");
}

static bool is_running(const char *path)
{
    return strncmp(path, "running/", 8) == 0;
}

/*
 * The id of a record that has none: its path below the first folder; with the
 * name that it has in its match in the location of the file's, or its number.
 */
static void stem_of(const char *path, const struct records *file,
                    const char *text, char *stem, size_t size)
{
    const char *name = strchr(path, '/') + 1;
    char own[RECORD_NAME_MAX + 1];

    record_name(text, own);
    if (own[0])
        snprintf(stem, size, "%.*s%s", (int)(strrchr(path, '/') + 1 - name),
                 name, own);
    else
        snprintf(stem, size, "%.*s", (int)(strlen(name) - strlen(".rec")),
                 name);
    if (!own[0] && file->count > 1)
        snprintf(stem + strlen(stem), size - strlen(stem), "-%d", file->count);
    for (char *at = stem; *at; at++)
        if (*at == '/')
            *at = '-';
}

/* Whose records count. */

static bool look_at_ladder(struct work *w, const char *ladder, struct err *err)
{
    struct chain chain = {0};
    char folder[DISK_PATH_MAX];

    if (strcmp(w->ladder, ladder) == 0)
        return true;
    snprintf(w->ladder, sizeof w->ladder, "%s", ladder);
    snprintf(chain.name, sizeof chain.name, "%s", ladder);
    snprintf(folder, sizeof folder, "%s/records/%s", w->config->data, ladder);
    if (w->has_key && !chain_head(&chain, folder, w->key.open, err))
        return false;
    w->is_chained = chain.number > 0;
    return true;
}

static bool may_be_unsigned(const struct work *w)
{
    return w->config->takes_unsigned || !w->is_chained;
}

static bool counts(struct work *w, const struct seal *seal,
                   const struct records *file, const char *ladder,
                   struct err *why)
{
    char place[2 * DISK_PATH_MAX];

    snprintf(place, sizeof place, "%s:%d", file->path, file->lines_before + 1);
    if (!look_at_ladder(w, ladder, why))
        return false;
    if (!seal && may_be_unsigned(w)) {
        w->sums->unsealed++;
        return true;
    }
    if (!seal)
        return fail(why,
                    "%s: it is unsigned; --unsigned counts unsigned records",
                    place);
    if (w->check.keys == 0)
        return true;
    if (w->has_key && strcmp(seal->chain, ladder) != 0 &&
        memcmp(seal->key, w->key.open, sizeof seal->key) == 0)
        return fail(why, "%s: it was signed for %s, not for %s", place,
                    seal->chain, ladder);
    return chain_check_add(&w->check, seal, place, why);
}

static bool need_keys(struct work *w, struct err *err)
{
    char path[DISK_PATH_MAX];

    for (int i = 0; i < w->config->trusts; i++)
        memcpy(w->check.key[w->check.keys++], w->config->trusted[i],
               SEAL_KEY_BYTES);
    snprintf(path, sizeof path, "%s/key", w->config->data);
    w->has_key = disk_has(path);
    if (!w->has_key)
        return true;
    if (!signing_load(&w->key, path, err))
        return false;
    memcpy(w->check.key[w->check.keys++], w->key.open, SEAL_KEY_BYTES);
    return true;
}

static void say_gap(void *arg, const char *sentence)
{
    say_wrong(arg, sentence);
}

/* False: it is not to be added, and that was said if there is need to. */
static bool read_record(struct work *w, const char *path,
                        const struct records *file, struct game_summary *b)
{
    char stem[DISK_PATH_MAX], ladder[DISK_PATH_MAX];
    struct seal seal;
    bool is_sealed = seal_find(&seal, w->text.text, w->text.len);
    struct err err;

    stem_of(path, file, w->text.text, stem, sizeof stem);
    folder_of(path, ladder, sizeof ladder);
    w->sums->bytes += (int64_t)w->text.len;
    if (!archive_summary(b, file->path, file->lines_before, stem, ladder,
                         &w->text, &err)) {
        say_wrong(w, err.text);
        return false;
    }
    if (b->status != SUMMARY_UNCLOSED) {
        if (counts(w, is_sealed ? &seal : NULL, file, b->event, &err))
            return true;
        say_wrong(w, err.text);
        return false;
    }
    fail(&err, "%s:%d: the closing hash is missing: the game is not over",
         file->path, file->lines_before + 1);
    say_wrong(w, err.text);
    return false;
}

static bool add_record(struct work *w, const char *path,
                       const struct records *file, struct game_summary *b,
                       struct err *err)
{
    char location[DISK_PATH_MAX];
    struct err twice;
    bool is_new;

    if (file->span.len == (size_t)disk_size(file->path) && !is_day_file(path))
        snprintf(location, sizeof location, "%s", path);
    else
        location_write(path, file->offset, file->span.len, location,
                       sizeof location);
    if (!adopt_record(w->index, w->config->data, b, location, &is_new, err))
        return false;
    if (!is_new) {
        if (!index_path(w->index, b->id, location, sizeof location, err))
            return false;
        fail(&twice, "%s:%d: a copy of game %s, which is already in %s",
             file->path, file->lines_before + 1, b->id, location);
        say_wrong(w, twice.text);
        return true;
    }
    w->sums->games += b->status == SUMMARY_FINISHED;
    w->sums->voids += b->status == SUMMARY_VOID;
    return true;
}

/* So many at once, whichever files they are in. */
static bool count_one(struct work *w, struct err *err)
{
    if (w->config->on_progress)
        w->config->on_progress(w->config->arg, w->sums->bytes, w->bytes);
    return ++w->count % PER_COMMIT != 0 ||
           (index_commit(w->index, err) && index_begin(w->index, err));
}

/* A daemon goes on in a file of its own if that ends there. */
static bool note_end(struct work *w, const char *path, int64_t end,
                     struct err *err)
{
    return !is_day_file(path) || index_set_upto(w->index, path, end, err);
}

static bool add_file(struct work *w, const char *path, struct err *err)
{
    char full[DISK_PATH_MAX];
    struct records file;
    struct game_summary summary;
    struct err why;
    bool failed, ok = true;
    int64_t end = 0;

    if (is_running(path)) { /* the next daemon goes on with it */
        w->sums->running++;
        return true;
    }
    snprintf(full, sizeof full, "%s/%s", w->config->data, path);
    if (!records_open(&file, full, &why)) {
        say_wrong(w, why.text);
        return true;
    }
    while (ok && records_next(&file, &w->text, &failed, &why)) {
        if (w->text.len == 0 && is_day_file(path))
            continue; /* nobody came to write into it */
        if (file.span.ends)
            end = file.offset + (int64_t)file.span.len;
        ok = (!read_record(w, path, &file, &summary) ||
              add_record(w, path, &file, &summary, err)) &&
             count_one(w, err);
    }
    if (ok && failed)
        say_wrong(w, why.text);
    records_close(&file);
    return ok && note_end(w, path, end, err);
}

static bool add_records(struct work *w, struct err *err)
{
    if (!index_begin(w->index, err))
        return false;
    for (size_t i = 0; i < w->paths.count; i++)
        if (!add_file(w, w->paths.name[i], err))
            return false;
    return index_commit(w->index, err);
}

/* What the organiser struck. */
static bool strike(struct work *w, struct err *err)
{
    struct orders orders = {0};
    bool ok = orders_load(w->config->data, &orders, err) &&
              index_strike(w->index, &orders, err);

    orders_release(&orders);
    return ok;
}

/* Ratings. */

static bool keep_name(void *arg, const struct index_ladder *ladder)
{
    disk_names_add(arg, ladder->name);
    return true;
}

static bool rate_all(struct work *w, struct err *err)
{
    struct disk_names ladders = {0};
    bool ok = index_ladders(w->index, keep_name, &ladders, err);

    for (size_t i = 0; ok && i < ladders.count; i++) {
        struct rate_anchor anchor = {0};

        if (rate_leaves_out(ladders.name[i]))
            continue;
        if (w->config->anchor)
            anchor = w->config->anchor(w->config->arg, ladders.name[i]);
        ok = rate_ladder(w->index, ladders.name[i], &anchor, RATE_VERSIONS_MAX,
                         err);
    }
    w->sums->ladders = (int)ladders.count;
    disk_names_free(&ladders);
    return ok;
}

/* Files. */

static void index_file(const struct work *w, const char *ending, char *path)
{
    snprintf(path, DISK_PATH_MAX, "%s/index.db%s", w->config->data, ending);
}

static void remove_files(const struct work *w, const char *const *endings)
{
    char path[DISK_PATH_MAX];

    for (; *endings; endings++) {
        index_file(w, *endings, path);
        unlink(path);
    }
}

/* The log of the old database would be taken for that of the new one. */
static bool replace_index(const struct work *w, struct err *err)
{
    static const char *const old[] = {"", "-wal", "-shm", NULL};
    char from[DISK_PATH_MAX], to[DISK_PATH_MAX];

    index_file(w, ".new", from);
    index_file(w, "", to);
    if (!disk_sync(from, err))
        return false;
    remove_files(w, old);
    return disk_move(from, to, err);
}

static bool find_records(struct work *w, struct err *err)
{
    static const char *const folders[] = {"records", "running"};

    for (size_t i = 0; i < 2; i++)
        if (!disk_walk(w->config->data, folders[i], ".rec", &w->paths, err))
            return false;
    for (size_t i = 0; i < w->paths.count; i++) {
        char path[2 * DISK_PATH_MAX];

        snprintf(path, sizeof path, "%s/%s", w->config->data, w->paths.name[i]);
        if (!is_running(w->paths.name[i]))
            w->bytes += disk_size(path);
    }
    return true;
}

static bool build(struct work *w, struct err *err)
{
    static const char *const left[] = {".new", ".new-wal", ".new-shm",
                                       ".new-journal", NULL};
    char path[DISK_PATH_MAX];
    bool ok;

    remove_files(w, left);
    index_file(w, ".new", path);
    w->index = index_open(path, INDEX_BUILD, err);
    ok = w->index && add_records(w, err) && strike(w, err) && rate_all(w, err);
    index_close(w->index);
    if (ok && replace_index(w, err))
        return true;
    remove_files(w, left);
    return false;
}

bool reindex_run(const struct reindex *reindex, struct reindex_sums *sums,
                 struct err *err)
{
    struct work work = {.config = reindex, .sums = sums};
    int lock = archive_lock(reindex->data, err);
    bool ok;

    *sums = (struct reindex_sums){0};
    if (lock == -1)
        return false;
    buf_init(&work.text, RECORD_FILE_MAX);
    ok = need_keys(&work, err) && find_records(&work, err) && build(&work, err);
    chain_check_end(&work.check, true, say_gap, &work);
    chain_check_release(&work.check);
    signing_forget(&work.key);
    buf_release(&work.text);
    disk_names_free(&work.paths);
    close(lock);
    return ok;
}
