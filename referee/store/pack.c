#include "store/pack.h"

#include "base/alloc.h"
#include "base/text.h"
#include "store/chain_head.h"
#include "store/disk.h"
#include "store/records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 1000000 };

struct file {
    int number;
    int fd;        /* -1: not open */
    int64_t start; /* of the game that is under way in it, or was last */
};

struct pack {
    const char *folder;
    char path[DISK_PATH_MAX];
    struct file *file;
    int files, room_for_files;
    int open, at_once;   /* files; no more are kept open if they are free */
    struct chain *chain; /* to be told of seals, by this key; or NULL */
    const uint8_t *key;
    int *free; /* those with no game under way, as many as there is room for */
    int free_count;
    struct packed *record; /* sorted by name */
    size_t records, room_for_records;
};

const char *pack_path(struct pack *p, int file)
{
    snprintf(p->path, sizeof p->path, "%s/games-%03d.rec", p->folder,
             p->file[file].number);
    return p->path;
}

int pack_fd(const struct pack *p, int file)
{
    return p->file[file].fd;
}

static int add_file(struct pack *p, int number)
{
    if (p->files == p->room_for_files) {
        size_t room = p->files ? 2 * (size_t)p->files : 4;

        p->file = must_alloc(realloc(p->file, room * sizeof *p->file));
        p->free = must_alloc(realloc(p->free, room * sizeof *p->free));
        p->room_for_files = (int)room;
    }
    p->file[p->files] = (struct file){.number = number, .fd = -1};
    return p->files++;
}

static void close_file(struct pack *p, int file)
{
    if (p->file[file].fd == -1)
        return;
    close(p->file[file].fd);
    p->file[file].fd = -1;
    p->open--;
}

void pack_give_back(struct pack *p, int file)
{
    if (p->open > p->at_once)
        close_file(p, file);
    p->free[p->free_count++] = file;
}

/* What is there. */

static void add_record(struct pack *p, int file, const struct records *r,
                       const char *name)
{
    if (p->records == p->room_for_records) {
        size_t room = p->records ? 2 * p->records : 64;

        p->record = must_alloc(realloc(p->record, room * sizeof *p->record));
        p->room_for_records = room;
    }
    p->record[p->records++] = (struct packed){.name = must_alloc(strdup(name)),
                                              .file = file,
                                              .offset = r->offset,
                                              .len = r->span.len,
                                              .lines_before = r->lines_before,
                                              .is_closed = r->span.is_closed};
}

/* Was its writer killed before it had written the name of the game? */
static bool is_torn(const struct records *r, const char *text)
{
    static const char head[] = "record 1\ngame ";
    const char *seats = strstr(text, "\nseats ");
    const char *line = seats ? strchr(seats + 1, '\n') : NULL;

    if (r->span.ends || (line && strchr(line + 1, '\n')))
        return false;
    return strncmp(text, head,
                   strlen(text) < strlen(head) ? strlen(text) : strlen(head)) ==
           0;
}

/* The record of a game that has an end, or is the last one. */
static bool look_at(struct pack *p, int file, const struct records *r,
                    const struct buf *text, struct err *err)
{
    char name[RECORD_NAME_MAX + 1];

    record_match_name(text->text, name);
    if (!r->span.is_closed && r->span.ends)
        return fail(err,
                    "%s:%d: the record that begins here has no hash, but "
                    "another follows it: remove it from the file, and its "
                    "game is played again",
                    r->path, r->lines_before + 1);
    if (!name[0])
        return fail(
            err,
            "%s:%d: what begins here is not a record of a match: remove it "
            "from the file",
            r->path, r->lines_before + 1);
    p->file[file].start = r->offset;
    add_record(p, file, r, name);
    if (p->chain)
        chain_look(p->chain, text->text, text->len, p->key);
    return true;
}

/* What was begun at the end of it counts for nothing. */
static bool tear_off(struct pack *p, int file, int64_t end, struct err *err)
{
    const char *path = pack_path(p, file);

    return truncate(path, (off_t)end) == 0 ||
           fail(err, "%s cannot be truncated: %s", path, strerror(errno));
}

/*
 * It is free, unless somebody may go on with its last game, or has written a
 * comment behind it.
 */
static bool scan_file(struct pack *p, int file, struct buf *text,
                      struct err *err)
{
    struct records r;
    bool failed, is_free = true, torn = false;
    int64_t end = 0;

    if (!records_open(&r, pack_path(p, file), err))
        return false;
    while (records_next(&r, text, &failed, err) && text->len > 0) {
        torn = is_torn(&r, text->text);
        if (torn) {
            end = r.offset;
            continue; /* it is the last */
        }
        failed = !look_at(p, file, &r, text, err);
        if (failed)
            break;
        is_free = r.span.is_closed;
        end = r.offset + (int64_t)r.span.len;
    }
    if (!failed && torn)
        failed = !tear_off(p, file, end, err);
    if (is_free && (torn || r.offset == end))
        pack_give_back(p, file);
    records_close(&r);
    return !failed;
}

/* Of a game that has not come to its first line. */
static bool remove_empty(struct pack *p, int file)
{
    const char *path = pack_path(p, file);

    return disk_size(path) == 0 && unlink(path) == 0;
}

static int by_name(const void *a, const void *b)
{
    const struct packed *p = a, *q = b;
    int order = strcmp(p->name, q->name);

    if (order == 0)
        order = p->file - q->file;
    return order ? order : (p->offset > q->offset) - (p->offset < q->offset);
}

static bool sort_records(struct pack *p, struct err *err)
{
    if (p->records > 0)
        qsort(p->record, p->records, sizeof *p->record, by_name);
    for (size_t i = 1; i < p->records; i++) {
        const struct packed *a = &p->record[i - 1], *b = &p->record[i];

        if (strcmp(a->name, b->name) == 0)
            return fail(err,
                        "%s:%d: this is the second record of %s: remove one "
                        "of them from its file",
                        pack_path(p, b->file), b->lines_before + 1, b->name);
    }
    return true;
}

/* "games-012" */
static bool is_ours(const char *name, int *number)
{
    char same[32];

    *number = 0;
    if (take_text(&name, "games-"))
        *number = atoi(name);
    snprintf(same, sizeof same, "%03d", *number);
    return *number > 0 && *number < FILES_MAX && strcmp(name, same) == 0;
}

static bool scan(struct pack *p, struct err *err)
{
    struct disk_names names = {0};
    struct buf text;
    bool ok = disk_list(p->folder, ".rec", &names, err);

    buf_init(&text, RECORD_FILE_MAX);
    for (size_t i = 0; ok && i < names.count; i++) {
        int number, file;

        if (!is_ours(names.name[i], &number))
            continue;
        file = add_file(p, number);
        ok = scan_file(p, file, &text, err);
        if (ok && remove_empty(p, file)) {
            p->files--;
            p->free_count--; /* it was free, of course */
        }
    }
    buf_release(&text);
    disk_names_free(&names);
    return ok && sort_records(p, err);
}

bool pack_is_new(const char *folder, struct err *err)
{
    struct disk_names names = {0};
    bool ok = disk_list(folder, ".rec", &names, err);
    int number;

    for (size_t i = 0; ok && i < names.count; i++)
        if (is_ours(names.name[i], &number))
            ok = fail(err,
                      "%s/%s.rec already exists, from another match: "
                      "--records can name another folder",
                      folder, names.name[i]);
    disk_names_free(&names);
    return ok;
}

struct pack *pack_open(const char *folder, bool resumes, int at_once,
                       struct chain *chain, const uint8_t key[SEAL_KEY_BYTES],
                       struct err *err)
{
    struct pack *p = must_alloc(calloc(1, sizeof *p));

    p->folder = folder;
    p->at_once = at_once;
    p->chain = chain;
    p->key = key;
    if (!resumes || scan(p, err))
        return p;
    pack_close(p);
    return NULL;
}

void pack_close(struct pack *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->files; i++)
        if (p->file[i].fd != -1) {
            remove_empty(p, i);
            close_file(p, i);
        }
    for (size_t i = 0; i < p->records; i++)
        free(p->record[i].name);
    free(p->record);
    free(p->file);
    free(p->free);
    free(p);
}

const struct packed *pack_find(const struct pack *p, const char *name)
{
    size_t from = 0, to = p->records;

    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = strcmp(name, p->record[middle].name);

        if (order == 0)
            return &p->record[middle];
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return NULL;
}

bool pack_read(struct pack *p, const struct packed *record, struct buf *out,
               struct err *err)
{
    buf_reset(out);
    return disk_read_part(pack_path(p, record->file), record->offset,
                          record->len, out, err);
}

/* Writing. */

static bool open_file(struct pack *p, int file, int mode, struct err *err)
{
    const char *path = pack_path(p, file);

    p->file[file].fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | mode, 0600);
    if (p->file[file].fd == -1)
        return fail(err, "%s cannot be written: %s", path, strerror(errno));
    p->open++;
    return true;
}

static int new_file(struct pack *p, struct err *err)
{
    int number = 1, file;

    for (int i = 0; i < p->files; i++)
        if (p->file[i].number >= number)
            number = p->file[i].number + 1;
    file = add_file(p, number);
    if (open_file(p, file, O_CREAT | O_EXCL, err))
        return file;
    p->files--;
    return -1;
}

/* Only if necessary: truncating a new file makes ext4 write it out at once. */
bool pack_cut(struct pack *p, int file, size_t len, struct err *err)
{
    const struct file *f = &p->file[file];
    off_t size = (off_t)f->start + (off_t)len;
    struct stat st;

    if (fstat(f->fd, &st) == 0 &&
        (st.st_size <= size || ftruncate(f->fd, size) == 0))
        return true;
    return fail(err, "%s cannot be truncated: %s", pack_path(p, file),
                strerror(errno));
}

/* Behind what is there. */
static bool begin(struct pack *p, int file, struct err *err)
{
    struct file *f = &p->file[file];

    f->start = lseek(f->fd, 0, SEEK_END);
    return f->start != -1 || fail(err, "%s cannot be written: %s",
                                  pack_path(p, file), strerror(errno));
}

int pack_take(struct pack *p, const char *name, size_t keep, struct err *err)
{
    const struct packed *old = pack_find(p, name);
    bool ok;
    int file;

    if (!old && p->free_count == 0)
        return new_file(p, err);
    file = old ? old->file : p->free[--p->free_count];
    ok = p->file[file].fd != -1 || open_file(p, file, 0, err);
    if (ok)
        ok = old ? pack_cut(p, file, keep, err) : begin(p, file, err);
    return ok ? file : -1;
}
