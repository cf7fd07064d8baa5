#include "store/archive.h"

#include "base/alloc.h"
#include "base/text.h"
#include "store/disk.h"
#include "store/make_up.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECRET_BYTES = crypto_auth_hmacsha256_KEYBYTES };

struct archive {
    char *data;
    int lock;
    uint8_t secret[SECRET_BYTES];
    struct index *index;
    bool is_complete; /* the index had all of records/ when this began */
    int not_added;    /* of those that were written there since */
    struct buf text;  /* of the record that is being read */
    struct day {      /* of records, whose folder is there */
        char ladder[BRIEF_WORD_MAX + 1];
        char name[16];
    } day;
};

/* "data/", and the rest. */
static void place(const char *data, char *path, size_t size, const char *what)
{
    text_join(path, size, data, "/", what, NULL);
}

/* The lock. */

int archive_lock(const char *data, struct err *err)
{
    char path[DISK_PATH_MAX];

    place(data, path, sizeof path, "lock");
    return disk_lock(path, data, err);
}

bool archive_is_locked(const char *data)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char path[DISK_PATH_MAX];
    bool held;
    int fd;

    place(data, path, sizeof path, "lock");
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1)
        return false;
    held = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(fd);
    return held;
}

/* Opening. */

/* Whoever has it can foretell every deal. */
static bool check_secret(const char *path, const struct buf *text,
                         struct err *err)
{
    struct stat st;

    if (text->len != SECRET_BYTES)
        return fail(err, "%s has %zu bytes, not %d: it is no secret of ours",
                    path, text->len, SECRET_BYTES);
    if (stat(path, &st) == 0 && (st.st_mode & 077) != 0)
        return fail(err, "others can read %s: say chmod 600 %s", path, path);
    return true;
}

static bool load_secret(struct archive *a, const char *path, struct err *err)
{
    struct buf text;
    bool ok;

    buf_init(&text, 1 << 20);
    ok = disk_read(path, &text, err) && check_secret(path, &text, err);
    if (ok)
        memcpy(a->secret, text.text, SECRET_BYTES);
    if (text.len > 0)
        sodium_memzero(text.text, text.len);
    buf_release(&text);
    return ok;
}

static bool need_secret(struct archive *a, struct err *err)
{
    char path[DISK_PATH_MAX];

    place(a->data, path, sizeof path, "secret");
    if (disk_has(path))
        return load_secret(a, path, err);
    randombytes_buf(a->secret, SECRET_BYTES);
    return disk_write(path, a->secret, SECRET_BYTES, err);
}

static bool make_folders(const char *data, struct err *err)
{
    static const char *const names[] = {"running", "records", "damaged",
                                        "logs"};
    char path[DISK_PATH_MAX];
    bool ok = disk_folder(data, err);

    for (size_t i = 0; ok && i < sizeof names / sizeof *names; i++) {
        place(data, path, sizeof path, names[i]);
        ok = disk_folder(path, err);
    }
    return ok;
}

/* An index that was lost is not to begin anew with nothing in it. */
static bool is_index_lost(struct archive *a, const char *index, bool *lost,
                          struct err *err)
{
    struct disk_names ladders;
    char records[DISK_PATH_MAX];

    *lost = false;
    if (disk_has(index))
        return true;
    place(a->data, records, sizeof records, "records");
    if (!disk_list(records, "", &ladders, err))
        return false;
    *lost = ladders.count > 0;
    disk_names_free(&ladders);
    return true;
}

static bool open_index(struct archive *a, struct err *err)
{
    char path[DISK_PATH_MAX];
    bool lost;

    place(a->data, path, sizeof path, "index.db");
    if (!is_index_lost(a, path, &lost, err))
        return false;
    if (lost)
        return fail(err,
                    "%s is not there, but records are; \"referee reindex %s\" "
                    "makes it anew from them",
                    path, a->data);
    a->index = index_open(path, INDEX_WRITE, err);
    if (a->index)
        index_keep_log(a->index);
    return a->index != NULL;
}

/* From here on the power may fail. */
static bool begin_use(struct archive *a, struct err *err)
{
    char path[DISK_PATH_MAX];

    place(a->data, path, sizeof path, "clean");
    a->is_complete = unlink(path) == 0;
    return !a->is_complete || disk_sync(a->data, err);
}

/* If this cannot be written, the next one has more to look at. */
static void end_use(struct archive *a)
{
    char path[DISK_PATH_MAX];
    struct err err;

    place(a->data, path, sizeof path, "clean");
    if (index_sync(a->index))
        (void)!disk_write(path, "", 0, &err);
}

struct archive *archive_open(const char *data, struct err *err)
{
    struct archive *a;

    if (strlen(data) > DISK_PATH_MAX / 2) {
        fail(err, "the data folder's name has more than %d bytes",
             DISK_PATH_MAX / 2);
        return NULL;
    }
    a = must_alloc(calloc(1, sizeof *a));
    a->data = must_alloc(strdup(data));
    a->lock = -1;
    buf_init(&a->text, RECORD_FILE_MAX);
    if (make_folders(data, err) && (a->lock = archive_lock(data, err)) != -1 &&
        need_secret(a, err) && open_index(a, err) && begin_use(a, err))
        return a;
    index_close(a->index);
    a->index = NULL;
    archive_close(a);
    return NULL;
}

void archive_close(struct archive *a)
{
    if (!a)
        return;
    if (a->index && a->is_complete && a->not_added == 0)
        end_use(a);
    index_close(a->index);
    buf_release(&a->text);
    if (a->lock != -1)
        close(a->lock);
    sodium_memzero(a->secret, sizeof a->secret);
    free(a->data);
    free(a);
}

struct index *archive_index(struct archive *a)
{
    return a->index;
}

bool archive_log_is_long(const struct archive *a)
{
    return index_log_pages(a->index) >= INDEX_LOG_PAGES;
}

/* Nothing of the archive changes here: the loop uses it meanwhile. */
int archive_copy_log(void *archive)
{
    const struct archive *a = archive;
    char path[DISK_PATH_MAX];

    place(a->data, path, sizeof path, "index.db");
    return index_copy_log(path);
}

void archive_seed(const struct archive *a, const char *text,
                  uint8_t seed[SEED_BYTES])
{
    crypto_auth_hmacsha256(seed, (const unsigned char *)text, strlen(text),
                           a->secret);
}

/* Places. */

void archive_running_path(const struct archive *a, const char *id, char *path,
                          size_t size)
{
    text_join(path, size, a->data, "/running/", id, ".rec", NULL);
}

/* "2026-11-16T..." is the day 20261116. */
static void day_of(const char *start, char day[16])
{
    static const char form[] = "dddd-dd-dd";
    size_t len = 0;

    for (size_t i = 0; form[i]; i++) {
        bool is_digit = start[i] >= '0' && start[i] <= '9';

        if (form[i] == 'd' ? !is_digit : start[i] != form[i]) {
            strcpy(day, "undated");
            return;
        }
        if (is_digit)
            day[len++] = start[i];
    }
    day[len] = '\0';
}

/* Make data/TOP/LADDER/DAY, if it is not there. */
static bool make_day(const struct archive *a, const char *top,
                     const char *ladder, const char *day, struct err *err)
{
    char path[DISK_PATH_MAX];

    snprintf(path, sizeof path, "%s/%s/%s", a->data, top, ladder);
    if (!disk_folder(path, err))
        return false;
    snprintf(path, sizeof path, "%s/%s/%s/%s", a->data, top, ladder, day);
    return disk_folder(path, err);
}

bool archive_log_path(struct archive *a, const char *ladder, const char *start,
                      const char *id, const char *name, char *path, size_t size,
                      struct err *err)
{
    char day[16];

    day_of(start, day);
    if (!make_day(a, "logs", ladder, day, err))
        return false;
    snprintf(path, size, "%s/logs/%s/%s/%s.%s.log", a->data, ladder, day, id,
             name);
    return true;
}

bool archive_running(struct archive *a, archive_each_id *each, void *arg,
                     struct err *err)
{
    struct disk_names ids;
    char path[DISK_PATH_MAX];

    place(a->data, path, sizeof path, "running");
    if (!disk_list(path, ".rec", &ids, err))
        return false;
    for (size_t i = 0; i < ids.count; i++)
        if (!each(arg, ids.name[i]))
            break;
    disk_names_free(&ids);
    return true;
}

/* Taking in. */

/* Fit to be the name of a file. */
static bool is_file_name(const char *text)
{
    return text[0] && text[0] != '.' &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789-+_.") == strlen(text);
}

static bool fill_in(char to[BRIEF_WORD_MAX + 1], const char *from)
{
    if (!to[0])
        snprintf(to, BRIEF_WORD_MAX + 1, "%s", from);
    return is_file_name(to);
}

bool archive_brief(struct brief *b, const char *name, int behind,
                   const char *stem, const char *ladder, struct buf *text,
                   struct err *err)
{
    if (!brief_read(b, name, behind, text->text, text->len, err))
        return false;
    if (!fill_in(b->id, stem) || !fill_in(b->event, ladder))
        return fail(err, "%s:%d: its id and its event must be names of files",
                    name, behind + 1);
    for (int i = 0; b->status != BRIEF_UNCLOSED && i < b->seats; i++)
        if (!b->seat[i].name[0])
            return fail(err,
                        "%s:%d: seat %d has no name, so it counts for nobody",
                        name, behind + 1, i + 1);
    return true;
}

/* A record on its way to records/, or there. */
struct taken {
    const struct ended *ended;
    const struct brief *brief;
    struct brief *read; /* that is it, if it was not known */
    char place[ARCHIVE_PLACE_MAX + 1];
    bool is_new;
};

struct taking {
    struct archive *archive;
    const struct archive_news *news;
    struct taken *game;
    int count;
};

static bool is_placed(const struct ended *game)
{
    return game->place[0] != '\0';
}

/* Where it lies now. */
static void path_of(const struct archive *a, const struct ended *game,
                    char *path, size_t size)
{
    if (is_placed(game))
        place(a->data, path, size, game->place);
    else
        archive_running_path(a, game->id, path, size);
}

bool archive_put_aside(const struct archive *a, const struct ended *game,
                       struct err *err)
{
    char from[DISK_PATH_MAX], to[DISK_PATH_MAX];

    path_of(a, game, from, sizeof from);
    snprintf(to, sizeof to, "%s/damaged/%s.rec", a->data, game->id);
    return disk_move(from, to, err);
}

static bool put_aside(struct taking *t, const struct ended *game,
                      const char *why, struct err *err)
{
    if (!archive_put_aside(t->archive, game, err))
        return false;
    if (t->news->on_damaged)
        t->news->on_damaged(t->news->arg, game->id, why);
    return true;
}

static void keep(struct taking *t, const struct ended *game,
                 const struct brief *brief, struct brief *read)
{
    struct taken *taken = &t->game[t->count++];

    taken->ended = game;
    taken->brief = brief;
    taken->read = read;
    taken->is_new = false;
}

static bool read_record(struct taking *t, const struct ended *game,
                        const char *path, struct err *err)
{
    struct buf *text = &t->archive->text;
    struct brief b, *read;
    struct err why;

    buf_reset(text);
    if (!disk_read(path, text, err))
        return false;
    if (!archive_brief(&b, path, 0, game->id, "other", text, &why))
        return put_aside(t, game, why.text, err);
    if (strcmp(b.id, game->id) != 0) {
        fail(&why, "%s: its id is %s", path, b.id);
        return put_aside(t, game, why.text, err);
    }
    if (b.status == BRIEF_UNCLOSED)
        return true;
    read = must_alloc(malloc(sizeof *read));
    *read = b;
    keep(t, game, read, read);
    return true;
}

/* Keep it in mind, if it is closed. */
static bool read_one(struct taking *t, const struct ended *game,
                     struct err *err)
{
    const struct brief *known = game->brief;
    char path[DISK_PATH_MAX];
    long long size;

    assert(!known || strcmp(known->id, game->id) == 0);
    if (known && is_placed(game)) {
        keep(t, game, known, NULL);
        return true;
    }
    path_of(t->archive, game, path, sizeof path);
    size = disk_size(path);
    if (size == -1)
        return true;
    if (!known || size != (long long)known->bytes)
        return read_record(t, game, path, err);
    keep(t, game, known, NULL);
    return true;
}

static void place_of(const char *ladder, const char *start, const char *id,
                     char *path, size_t size)
{
    char day[16];

    day_of(start, day);
    text_join(path, size, "records/", ladder, "/", day, "/", id, ".rec", NULL);
}

void archive_place(const struct brief *b, char *path, size_t size)
{
    place_of(b->event, b->start, b->id, path, size);
}

static bool add_all(struct taking *t, struct err *err)
{
    struct index *index = t->archive->index;

    if (!index_begin(index, err))
        return false;
    for (int i = 0; i < t->count; i++) {
        struct taken *game = &t->game[i];

        archive_place(game->brief, game->place, sizeof game->place);
        if (!index_add(index, game->brief, game->place, &game->is_new, err))
            return false;
    }
    return index_commit(index, err);
}

/* The folder for records of the day when a game began. */
static bool need_day(struct archive *a, const char *ladder, const char *start,
                     struct err *err)
{
    char day[16];

    day_of(start, day);
    if (strcmp(a->day.name, day) == 0 && strcmp(a->day.ladder, ladder) == 0)
        return true;
    if (!make_day(a, "records", ladder, day, err))
        return false;
    snprintf(a->day.ladder, sizeof a->day.ladder, "%s", ladder);
    snprintf(a->day.name, sizeof a->day.name, "%s", day);
    return true;
}

int archive_open_place(struct archive *a, const char *ladder, const char *start,
                       const char *id, char where[ARCHIVE_PLACE_MAX + 1])
{
    char path[DISK_PATH_MAX];
    struct err err;
    int fd;

    if (!need_day(a, ladder, start, &err))
        return -1;
    place_of(ladder, start, id, where, ARCHIVE_PLACE_MAX + 1);
    place(a->data, path, sizeof path, where);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd == -1)
        a->day.name[0] = '\0'; /* perhaps its folder is gone */
    else
        a->not_added++;
    return fd;
}

static bool move_one(struct taking *t, const struct taken *game,
                     struct err *err)
{
    const struct brief *b = game->brief;
    struct archive *a = t->archive;
    char from[DISK_PATH_MAX], to[DISK_PATH_MAX];

    if (is_placed(game->ended))
        return true;
    if (!need_day(a, b->event, b->start, err))
        return false;
    archive_running_path(a, b->id, from, sizeof from);
    place(a->data, to, sizeof to, game->place);
    if (disk_move_new(from, to, err))
        return true;
    if (disk_has(to))
        return put_aside(t, game->ended, "there is another record of that id",
                         err);
    a->day.name[0] = '\0';
    return false;
}

/* What could not be read or moved keeps no other from it. */
static bool take_them(struct taking *t, const struct ended *games, int count,
                      struct err *err)
{
    bool ok = true;

    t->count = 0;
    for (int i = 0; i < count; i++)
        ok = read_one(t, &games[i], err) && ok;
    if (t->count > 0 && !add_all(t, err))
        return false;
    for (int i = 0; i < t->count; i++) {
        if (!t->game[i].is_new)
            continue;
        t->archive->not_added -= is_placed(t->game[i].ended);
        if (t->news->on_game)
            t->news->on_game(t->news->arg, t->game[i].brief);
    }
    for (int i = 0; i < t->count; i++)
        ok = move_one(t, &t->game[i], err) && ok;
    return ok;
}

bool archive_take_in(struct archive *a, const struct ended *games, int count,
                     const struct archive_news *news, struct err *err)
{
    struct taking t = {.archive = a, .news = news};
    bool ok;

    if (count == 0)
        return true;
    t.game = must_alloc(malloc((size_t)count * sizeof *t.game));
    ok = take_them(&t, games, count, err);
    for (int i = 0; i < t.count; i++)
        free(t.game[i].read);
    free(t.game);
    return ok;
}

bool archive_make_up(struct archive *a, const struct archive_news *news,
                     struct err *err)
{
    if (a->is_complete)
        return true;
    a->is_complete = make_up(a->data, a->index, news, err);
    return a->is_complete;
}

void archive_part(const char *file, int64_t offset, size_t len, char *place,
                  size_t size)
{
    snprintf(place, size, "%s@%lld+%zu", file, (long long)offset, len);
}

/* What archive_part() wrote ends in "@OFFSET+LENGTH"; a file in ".rec". */
static bool is_part(const char *where, int *path_len, long long *offset,
                    size_t *len)
{
    const char *mark = strrchr(where, '@');
    int end = 0;

    if (!mark || sscanf(mark, "@%lld+%zu%n", offset, len, &end) != 2 ||
        mark[end])
        return false;
    *path_len = (int)(mark - where);
    return true;
}

static bool is_whole(const struct buf *text, size_t len)
{
    struct record_span span = record_span(text->text, text->len);

    return span.is_closed && span.len == len && text->len == len &&
           strncmp(text->text, "record ", 7) == 0;
}

bool archive_read_at(const struct archive *a, const char *where,
                     struct buf *out, struct err *err)
{
    char path[DISK_PATH_MAX];
    long long offset;
    int path_len;
    size_t len;

    if (!is_part(where, &path_len, &offset, &len)) {
        place(a->data, path, sizeof path, where);
        return disk_read(path, out, err);
    }
    snprintf(path, sizeof path, "%s/%.*s", a->data, path_len, where);
    return disk_read_part(path, offset, len, out, err) &&
           (is_whole(out, len) ||
            fail(err,
                 "%s was changed after it was taken into the index; \"referee "
                 "reindex\" makes that anew",
                 path));
}

bool archive_read(struct archive *a, const char *id, struct buf *out,
                  struct err *err)
{
    char path[DISK_PATH_MAX], in_data[DISK_PATH_MAX / 2];

    if (!is_file_name(id))
        return fail(err, "\"%.80s\" is no id of a game", id);
    archive_running_path(a, id, path, sizeof path);
    if (disk_has(path))
        return disk_read(path, out, err);
    if (!index_path(a->index, id, in_data, sizeof in_data, err))
        return false;
    return in_data[0] ? archive_read_at(a, in_data, out, err)
                      : fail(err, "there is no game %s", id);
}
