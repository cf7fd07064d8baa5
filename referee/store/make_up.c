#include "store/make_up.h"

#include "store/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DAY_S = 86400, PER_COMMIT = 256 };

struct work {
    const char *data;
    struct index *index;
    const struct archive_news *news;
    char since[16];          /* a day, as the folders are called */
    struct disk_names paths; /* of what is missing, from the data folder */
    struct buf text;
};

/* Where to begin. */

static bool keep_last(void *arg, const struct index_ladder *ladder)
{
    char *last = arg;

    if (strcmp(ladder->last, last) > 0)
        snprintf(last, BRIEF_WORD_MAX + 1, "%s", ladder->last);
    return true;
}

/* The day before that of "2026-11-16T..."; "", before all, if there is none. */
static void day_before(const char *start, char day[16])
{
    struct tm tm = {0};
    time_t at;

    day[0] = '\0';
    if (!strptime(start, "%Y-%m-%d", &tm))
        return;
    at = timegm(&tm) - DAY_S;
    gmtime_r(&at, &tm);
    strftime(day, 16, "%Y%m%d", &tm);
}

/* The clock may have been ahead when the last one began. */
static bool find_day(struct work *w, struct err *err)
{
    char last[BRIEF_WORD_MAX + 1] = "", today[16];
    time_t now = time(NULL);
    struct tm tm;

    if (!index_ladders(w->index, keep_last, last, err))
        return false;
    gmtime_r(&now, &tm);
    strftime(today, sizeof today, "%Y-%m-%d", &tm);
    day_before(strcmp(last, today) < 0 ? last : today, w->since);
    return true;
}

/* What is missing. */

typedef bool each_name(struct work *w, const char *path, const char *name,
                       struct err *err);

/* For each name in a folder that ends in `ending`, with the path of both. */
static bool for_each(struct work *w, const char *folder, const char *ending,
                     each_name *each, struct err *err)
{
    char path[DISK_PATH_MAX];
    struct disk_names names;
    bool ok = true;

    snprintf(path, sizeof path, "%s/%s", w->data, folder);
    if (!disk_is_folder(path))
        return true;
    if (!disk_list(path, ending, &names, err))
        return false;
    for (size_t i = 0; ok && i < names.count; i++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, names.name[i], ending);
        ok = each(w, path, names.name[i], err);
    }
    disk_names_free(&names);
    return ok;
}

static bool look_at_record(struct work *w, const char *path, const char *id,
                           struct err *err)
{
    char known[DISK_PATH_MAX];

    if (strncmp(id, "games-", 6) == 0)
        return true; /* of a match: it was put here by hand, too */
    if (!index_path(w->index, id, known, sizeof known, err))
        return false;
    if (!known[0])
        disk_names_add(&w->paths, path);
    return true;
}

/* "undated" comes behind all days. Records that were put here by hand lie
 * elsewhere: they are for reindex. */
static bool is_day(const char *name)
{
    return strcmp(name, "undated") == 0 ||
           (strlen(name) == 8 && strspn(name, "0123456789") == 8);
}

static bool look_at_day(struct work *w, const char *path, const char *day,
                        struct err *err)
{
    return !is_day(day) || strcmp(day, w->since) < 0 ||
           for_each(w, path, ".rec", look_at_record, err);
}

static bool look_at_ladder(struct work *w, const char *path, const char *ladder,
                           struct err *err)
{
    return for_each(w, path, "", look_at_day, err);
}

/* Adding it. */

/* Whoever wrote it did not get to the end. */
static bool is_cut(const struct buf *text)
{
    size_t at = text->len;

    if (at == 0 || text->text[at - 1] != '\n')
        return true;
    for (at--; at > 0 && text->text[at - 1] != '\n'; at--)
        continue;
    return strncmp(text->text + at, "hash ", 5) != 0;
}

/* A part of a group, SESSION-000012-3, was not written here but moved, when it
 * was over and the next had begun: it cannot go on. */
static bool is_part(const char *id)
{
    return strlen(strrchr(id, '-') ? strrchr(id, '-') : "") == 2;
}

/* Its game goes on, or has never begun. */
static bool put_back(struct work *w, const char *from, struct err *err)
{
    char to[DISK_PATH_MAX];

    snprintf(to, sizeof to, "%s/running%s", w->data, strrchr(from, '/'));
    return disk_move_new(from, to, err);
}

/* From records/LADDER/DAY/ID.rec; or BRIEF_UNCLOSED, and it is put back. */
static bool read_record(struct work *w, const char *path, struct brief *b,
                        struct err *err)
{
    const char *id = strrchr(path, '/') + 1, *ladder = strchr(path, '/') + 1;
    char full[DISK_PATH_MAX], stem[BRIEF_WORD_MAX + 1];
    char name[BRIEF_WORD_MAX + 1];

    snprintf(full, sizeof full, "%s/%s", w->data, path);
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(id) - strlen(".rec")), id);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(ladder, "/"), ladder);
    buf_reset(&w->text);
    if (!disk_read(full, &w->text, err))
        return false;
    if (is_cut(&w->text) && !is_part(stem)) {
        b->status = BRIEF_UNCLOSED;
        return put_back(w, full, err);
    }
    if (!archive_brief(b, full, 0, stem, name, &w->text, err))
        return false;
    return b->status != BRIEF_UNCLOSED ||
           fail(err, "%s: the closing hash is missing", full);
}

static bool add_record(struct work *w, const char *path, struct err *err)
{
    bool is_new = false;
    struct brief b;
    struct err why;

    if (!read_record(w, path, &b, &why)) {
        if (w->news->on_damaged)
            w->news->on_damaged(w->news->arg, path, why.text);
        return true;
    }
    if (b.status == BRIEF_UNCLOSED)
        return true;
    if (!index_add(w->index, &b, path, &is_new, err))
        return false;
    if (is_new && w->news->on_game)
        w->news->on_game(w->news->arg, &b);
    return true;
}

static bool add_records(struct work *w, struct err *err)
{
    size_t count = w->paths.count;

    for (size_t i = 0; i < count; i++) {
        if (i % PER_COMMIT == 0 && !index_begin(w->index, err))
            return false;
        if (!add_record(w, w->paths.name[i], err))
            return false;
        if (((i + 1) % PER_COMMIT == 0 || i + 1 == count) &&
            !index_commit(w->index, err))
            return false;
    }
    return true;
}

bool make_up(const char *data, struct index *index,
             const struct archive_news *news, struct err *err)
{
    struct work work = {.data = data, .index = index, .news = news};
    bool ok;

    buf_init(&work.text, RECORD_FILE_MAX);
    ok = find_day(&work, err) &&
         for_each(&work, "records", "", look_at_ladder, err) &&
         add_records(&work, err);
    buf_release(&work.text);
    disk_names_free(&work.paths);
    return ok;
}
