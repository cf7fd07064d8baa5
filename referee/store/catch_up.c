#include "store/catch_up.h"

#include "base/text.h"
#include "store/adopt.h"
#include "store/day.h"
#include "store/records.h"
#include "store/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PER_COMMIT = 256 };

struct work {
    const char *data;
    struct index *index;
    const struct signing_key *key;
    const struct archive_news *news;
    struct buf text; /* of a record */
};

/* The part of a day's file that the index does not have. */
struct file {
    const char *path; /* from the data folder */
    const char *ladder;
    struct records records;
    int64_t known; /* bytes that the index has */
    int64_t end;   /* of the last record that is closed */
    int added;     /* in this transaction */
};

static void say_wrong(struct work *w, const struct file *f,
                      const struct err *why)
{
    if (w->news->on_damaged)
        w->news->on_damaged(w->news->arg, f->path, why->text);
}

/* One of a day has an id of its own; a stem would be that of the file. */
static bool read_summary(struct work *w, const struct file *f,
                         struct game_summary *b, struct err *why)
{
    const struct records *r = &f->records;

    if (!archive_summary(b, r->path, r->lines_before, "", f->ladder, &w->text,
                         why))
        return false;
    return b->status != SUMMARY_UNCLOSED ||
           fail(why, "%s:%d: the closing hash is missing", r->path,
                r->lines_before + 1);
}

/* Did we seal it, for this ladder? */
static bool is_ours(const struct work *w, const struct file *f, struct err *why)
{
    const struct records *r = &f->records;
    struct seal seal;

    if (!seal_find(&seal, w->text.text, w->text.len))
        return fail(why,
                    "%s:%d: it is unsigned; \"referee reindex --unsigned\" "
                    "counts unsigned records",
                    r->path, r->lines_before + 1);
    return (memcmp(seal.key, w->key->open, sizeof seal.key) == 0 &&
            strcmp(seal.chain, f->ladder) == 0 && seal_holds(&seal)) ||
           fail(why, "%s:%d: it is not signed by this referee for %s", r->path,
                r->lines_before + 1, f->ladder);
}

/* The index already has this game, so this is a copy. */
static bool look_at_twin(struct work *w, const struct file *f,
                         const struct game_summary *b, const char *location,
                         struct err *err)
{
    const struct records *r = &f->records;
    char known[DISK_PATH_MAX];
    struct err why;

    if (!index_path(w->index, b->id, known, sizeof known, err))
        return false;
    if (strcmp(known, location) == 0)
        return true;
    fail(&why, "%s:%d: it is a duplicate: there is already a game %s, in %s",
         r->path, r->lines_before + 1, b->id, known);
    say_wrong(w, f, &why);
    return true;
}

static bool add_record(struct work *w, const struct file *f, struct err *err)
{
    const struct records *r = &f->records;
    char location[LOCATION_MAX + 1];
    bool is_new = false;
    struct game_summary b;
    struct err why;

    if (!is_ours(w, f, &why) || !read_summary(w, f, &b, &why)) {
        say_wrong(w, f, &why);
        return true;
    }
    location_write(f->path, r->offset, r->span.len, location, sizeof location);
    if (!adopt_record(w->index, w->data, &b, location, &is_new, err))
        return false;
    if (is_new && w->news->on_game)
        w->news->on_game(w->news->arg, &b);
    return is_new || look_at_twin(w, f, &b, location, err);
}

static bool count_one(struct work *w, struct file *f, struct err *err)
{
    f->end = f->records.offset + (int64_t)f->records.span.len;
    return ++f->added % PER_COMMIT != 0 ||
           (index_set_upto(w->index, f->path, f->end, err) &&
            index_commit(w->index, err) && index_begin(w->index, err));
}

/*
 * Its file in running/ stayed until its end was announced, so its deal may be
 * known. It cannot continue.
 */
static bool is_of_group(const char *id)
{
    char unit[PART_ID_MAX + 1];

    return part_in(id, unit) > 0;
}

/*
 * A torn record. Either it was stored elsewhere too; or its game continues from
 * the file in running/, or from this file if its end was never announced.
 */
static bool put_back(struct work *w, const struct file *f, const char *id,
                     struct err *err)
{
    char known[DISK_PATH_MAX], running[DISK_PATH_MAX], aside[DISK_PATH_MAX];
    struct err why;

    if (!index_path(w->index, id, known, sizeof known, err))
        return false;
    text_join(running, sizeof running, w->data, "/running/", id, ".rec", NULL);
    if (known[0] || disk_has(running))
        return true;
    if (!is_of_group(id))
        return disk_write(running, w->text.text, w->text.len, err);
    text_join(aside, sizeof aside, w->data, "/damaged/", id, ".rec", NULL);
    fail(&why, "%s:%d: the last record is incomplete, and was moved to %s",
         f->records.path, f->records.lines_before + 1, aside);
    say_wrong(w, f, &why);
    return disk_write(aside, w->text.text, w->text.len, err);
}

static bool begins_as_record(const struct buf *text)
{
    static const char head[] = "record 1\n";
    size_t len = text->len < strlen(head) ? text->len : strlen(head);

    return memcmp(text->text, head, len) == 0;
}

/* A record that its writer did not finish, or did not even name. */
static bool tear_off(struct work *w, const struct file *f, struct err *err)
{
    const struct records *r = &f->records;
    char id[RECORD_NAME_MAX + 1];
    struct err why;

    if (!begins_as_record(&w->text)) {
        fail(&why,
             "%s:%d: what begins here is not a record: it stays there, and "
             "the day continues in another file",
             r->path, r->lines_before + 1);
        say_wrong(w, f, &why);
        return true;
    }
    record_name(w->text.text, id);
    while (w->text.len > 0 && w->text.text[w->text.len - 1] != '\n')
        buf_cut(&w->text, w->text.len - 1);
    return (!id[0] || strchr(id, '/') || put_back(w, f, id, err)) &&
           (truncate(r->path, (off_t)f->end) == 0 ||
            fail(err, "%s cannot be truncated: %s", r->path, strerror(errno)));
}

/* The records after the last one that is known. */
static bool read_file(struct work *w, struct file *f, struct err *err)
{
    struct records *r = &f->records;
    bool failed, ok = true;
    struct err why;

    while (ok && records_next(r, &w->text, &failed, &why)) {
        if (r->offset < f->known || r->span.len == 0)
            continue;
        if (!r->span.ends || r->span.may_grow)
            ok = tear_off(w, f, err);
        else
            ok = add_record(w, f, err) && count_one(w, f, err);
    }
    if (ok && failed)
        say_wrong(w, f, &why);
    return ok && index_set_upto(w->index, f->path, f->end, err);
}

static bool add_file(struct work *w, struct file *f, struct err *err)
{
    char path[DISK_PATH_MAX];
    bool ok;

    text_join(path, sizeof path, w->data, "/", f->path, NULL);
    if (!records_open(&f->records, path, err))
        return false;
    ok = index_begin(w->index, err) && read_file(w, f, err) &&
         index_commit(w->index, err);
    if (!ok)
        index_undo(w->index);
    records_close(&f->records);
    return ok;
}

static bool look_at_file(struct work *w, const char *ladder, const char *path,
                         struct err *err)
{
    struct file f = {.path = path, .ladder = ladder};
    char full[DISK_PATH_MAX];
    long long size;
    struct err why;

    text_join(full, sizeof full, w->data, "/", path, NULL);
    size = disk_size(full);
    if (!index_upto(w->index, path, &f.known, err))
        return false;
    f.end = f.known;
    if (size > f.known)
        return add_file(w, &f, err);
    if (size == 0 && f.known == 0)
        unlink(full); /* no process came to write to it */
    if (size < f.known) {
        fail(&why,
             "%s has %lld bytes, but the index knows of %lld: its last "
             "games are lost; \"referee reindex\" removes them from the "
             "index",
             full, size, (long long)f.known);
        say_wrong(w, &f, &why);
    }
    return true;
}

static bool look_at_ladder(struct work *w, const char *ladder, struct err *err)
{
    char folder[DISK_PATH_MAX], path[DISK_PATH_MAX];
    struct disk_names names;
    bool ok = true;

    snprintf(folder, sizeof folder, "%s/records/%s", w->data, ladder);
    if (!disk_is_folder(folder))
        return true;
    if (!disk_list(folder, ".rec", &names, err))
        return false;
    for (size_t i = names.count; ok && i-- > 0;) { /* later ones first */
        snprintf(path, sizeof path, "records/%s/%s.rec", ladder, names.name[i]);
        if (is_day_file(path))
            ok = look_at_file(w, ladder, path, err);
    }
    disk_names_free(&names);
    return ok;
}

bool catch_up(const char *data, struct index *index,
              const struct signing_key *key, const struct archive_news *news,
              struct err *err)
{
    struct work work = {.data = data, .index = index, .key = key, .news = news};
    char folder[DISK_PATH_MAX];
    struct disk_names ladders;
    bool ok = true;

    snprintf(folder, sizeof folder, "%s/records", data);
    if (!disk_list(folder, "", &ladders, err))
        return false;
    buf_init(&work.text, RECORD_FILE_MAX);
    for (size_t i = 0; ok && i < ladders.count; i++)
        ok = look_at_ladder(&work, ladders.name[i], err);
    buf_release(&work.text);
    disk_names_free(&ladders);
    return ok;
}
