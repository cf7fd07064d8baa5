#include "store/archive.h"

#include "base/alloc.h"
#include "base/text.h"
#include "store/catch_up.h"
#include "store/chain_head.h"
#include "store/disk.h"
#include "store/location.h"
#include "store/signing.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SECRET_BYTES = crypto_auth_hmacsha256_KEYBYTES };

struct archive {
    char *data;
    int lock;
    uint8_t secret[SECRET_BYTES];
    struct signing_key key;
    struct index *index;
    struct buf text; /* of the record that is being read */
    struct day *day; /* of each ladder on which a game has ended */
    int days;
};

/* "data/", and the rest. */
static void path_of(const char *data, char *path, size_t size, const char *what)
{
    text_join(path, size, data, "/", what, NULL);
}

/* The lock. */

int archive_lock(const char *data, struct err *err)
{
    char path[DISK_PATH_MAX];

    path_of(data, path, sizeof path, "lock");
    return disk_lock(path, data, err);
}

bool archive_is_locked(const char *data)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char path[DISK_PATH_MAX];
    bool held;
    int fd;

    path_of(data, path, sizeof path, "lock");
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd == -1)
        return false;
    held = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(fd);
    return held;
}

/* Opening. */

/* Anyone who has it can predict every deal. */
static bool check_secret(const char *path, const struct buf *text,
                         struct err *err)
{
    struct stat st;

    if (text->len != SECRET_BYTES)
        return fail(
            err,
            "%s has %zu bytes, not %d: this is not a secret of this program",
            path, text->len, SECRET_BYTES);
    if (stat(path, &st) == 0 && (st.st_mode & 077) != 0)
        return fail(err, "other users can read %s: run chmod 600 %s", path,
                    path);
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

    path_of(a->data, path, sizeof path, "secret");
    if (disk_has(path))
        return load_secret(a, path, err);
    randombytes_buf(a->secret, SECRET_BYTES);
    return disk_write(path, a->secret, SECRET_BYTES, err);
}

static bool need_key(struct archive *a, struct err *err)
{
    char path[DISK_PATH_MAX];

    path_of(a->data, path, sizeof path, "key");
    return signing_need(&a->key, path, err);
}

static bool make_folders(const char *data, struct err *err)
{
    static const char *const names[] = {"running", "records", "damaged",
                                        "logs"};
    char path[DISK_PATH_MAX];
    bool ok = disk_folder(data, err);

    for (size_t i = 0; ok && i < sizeof names / sizeof *names; i++) {
        path_of(data, path, sizeof path, names[i]);
        ok = disk_folder(path, err);
    }
    return ok;
}

/* If the index was lost, do not start with an empty one. */
static bool is_index_lost(struct archive *a, const char *index, bool *lost,
                          struct err *err)
{
    struct disk_names ladders;
    char records[DISK_PATH_MAX];

    *lost = false;
    if (disk_has(index))
        return true;
    path_of(a->data, records, sizeof records, "records");
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

    path_of(a->data, path, sizeof path, "index.db");
    if (!is_index_lost(a, path, &lost, err))
        return false;
    if (lost)
        return fail(err,
                    "%s does not exist, but records do; \"referee reindex "
                    "%s\" rebuilds it from them",
                    path, a->data);
    a->index = index_open(path, INDEX_WRITE, err);
    if (a->index)
        index_keep_log(a->index);
    return a->index != NULL;
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
        need_secret(a, err) && need_key(a, err) && open_index(a, err))
        return a;
    archive_close(a);
    return NULL;
}

void archive_close(struct archive *a)
{
    if (!a)
        return;
    for (int i = 0; i < a->days; i++)
        day_close(&a->day[i]);
    free(a->day);
    index_close(a->index);
    buf_release(&a->text);
    if (a->lock != -1)
        close(a->lock);
    sodium_memzero(a->secret, sizeof a->secret);
    signing_forget(&a->key);
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

/* Change nothing of the archive here: the loop is using it meanwhile. */
int archive_copy_log(void *archive)
{
    const struct archive *a = archive;
    char path[DISK_PATH_MAX];

    path_of(a->data, path, sizeof path, "index.db");
    return index_copy_log(path);
}

void archive_seed(const struct archive *a, const char *text,
                  uint8_t seed[SEED_BYTES])
{
    crypto_auth_hmacsha256(seed, (const unsigned char *)text, strlen(text),
                           a->secret);
}

/* Seeds are made from names of units, which have no blank. */
void archive_tag(const struct archive *a, const char *id,
                 char tag[ARCHIVE_TAG_TEXT + 1])
{
    uint8_t bytes[SEED_BYTES];
    char text[DISK_PATH_MAX];

    text_join(text, sizeof text, "game ", id, NULL);
    archive_seed(a, text, bytes);
    text_hex(tag, bytes, ARCHIVE_TAG_TEXT / 2);
}

bool archive_is_ours(const struct archive *a, const char *id,
                     const char *record)
{
    char tag[ARCHIVE_TAG_TEXT + 1], begin[ARCHIVE_TAG_TEXT + 8];
    const char *about = strstr(record, "\nabout "), *found;

    archive_tag(a, id, tag);
    text_join(begin, sizeof begin, " tag=", tag, NULL);
    found = about ? strstr(about, begin) : NULL;
    return found && found < about + 1 + strcspn(about + 1, "\n");
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

bool archive_log_path(struct archive *a, const char *ladder, const char *start,
                      const char *id, const char *name, char *path, size_t size,
                      struct err *err)
{
    char day[16], folder[DISK_PATH_MAX];

    day_of(start, day);
    snprintf(folder, sizeof folder, "%s/logs/%s", a->data, ladder);
    if (!disk_folder(folder, err))
        return false;
    snprintf(folder, sizeof folder, "%s/logs/%s/%s", a->data, ladder, day);
    if (!disk_folder(folder, err))
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

    path_of(a->data, path, sizeof path, "running");
    if (!disk_list(path, ".rec", &ids, err))
        return false;
    for (size_t i = 0; i < ids.count; i++)
        if (!each(arg, ids.name[i]))
            break;
    disk_names_free(&ids);
    return true;
}

/* Briefs. */

/* Fit to be the name of a file. */
static bool is_file_name(const char *text)
{
    return text[0] && text[0] != '.' &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789-+_.") == strlen(text);
}

static bool fill_in(char to[SUMMARY_WORD_MAX + 1], const char *from)
{
    if (!to[0])
        snprintf(to, SUMMARY_WORD_MAX + 1, "%s", from);
    return is_file_name(to);
}

bool archive_summary(struct game_summary *b, const char *name, int lines_before,
                     const char *stem, const char *ladder, struct buf *text,
                     struct err *err)
{
    if (!game_summary_read(b, name, lines_before, text->text, text->len, err))
        return false;
    if (!fill_in(b->id, stem) || !fill_in(b->event, ladder))
        return fail(err,
                    "%s:%d: its id and its event must be usable as "
                    "file names",
                    name, lines_before + 1);
    for (int i = 0; b->status != SUMMARY_UNCLOSED && i < b->seats; i++)
        if (!b->seat[i].name[0])
            return fail(err, "%s:%d: seat %d has no name, so it does not count",
                        name, lines_before + 1, i + 1);
    return true;
}

bool archive_summary_of(struct game_summary *b, const char *name,
                        const char *id, struct buf *text, struct err *err)
{
    if (!archive_summary(b, name, 0, id, "other", text, err))
        return false;
    return strcmp(b->id, id) == 0 ||
           fail(err, "%s: its id is %s, not %s", name, b->id, id);
}

void archive_file(const struct archive *a, const char *where, char *path,
                  size_t size)
{
    location_file(a->data, where, path, size);
}

bool archive_read_at(const struct archive *a, const char *where,
                     struct buf *out, struct err *err)
{
    return location_read(a->data, where, out, err);
}

/* A record that was played elsewhere has only the end of its id as its name. */
static bool is_called(const struct buf *text, const char *id)
{
    char name[RECORD_NAME_MAX + 1];
    size_t len, id_len = strlen(id);

    record_name(text->text, name);
    len = strlen(name);
    return len <= id_len && strcmp(id + id_len - len, name) == 0;
}

/* Keeping. */

static struct day *day_on(struct archive *a, const char *ladder)
{
    struct day *d;

    for (d = a->day; d < a->day + a->days; d++)
        if (strcmp(d->ladder, ladder) == 0)
            return d;
    a->day = must_resize(a->day, (size_t)a->days + 1, sizeof *a->day);
    d = &a->day[a->days++];
    *d = (struct day){0};
    snprintf(d->ladder, sizeof d->ladder, "%s", ladder);
    return d;
}

/* Nobody else seals for it while we have the lock. */
static bool need_chain(const struct archive *a, struct day *d, struct err *err)
{
    struct chain chain = {0};
    char folder[DISK_PATH_MAX];

    if (d->chain.name[0])
        return true;
    text_join(chain.name, sizeof chain.name, d->ladder, NULL);
    text_join(folder, sizeof folder, a->data, "/records/", d->ladder, NULL);
    if (!chain_head(&chain, folder, a->key.open, err))
        return false;
    d->chain = chain;
    return true;
}

bool archive_chain(struct archive *a, const char *ladder, struct chain *chain,
                   struct err *err)
{
    struct day *d = day_on(a, ladder);

    if (!need_chain(a, d, err))
        return false;
    *chain = d->chain;
    return true;
}

const struct signing_key *archive_key(const struct archive *a)
{
    return &a->key;
}

/* After the hash; a record that is written again already has its seal. */
static bool put_seal(const struct archive *a, const struct day *d,
                     struct buf *record, struct seal *seal, struct err *err)
{
    uint8_t hash[SHA256_BYTES];

    if (seal_find(seal, record->text, record->len))
        return true;
    if (!hash_find(hash, record->text, record->len))
        return fail(err, "a record of %s has no hash at its end", d->ladder);
    seal_make(seal, &d->chain, hash, &a->key);
    seal_append(seal, record);
    return true;
}

/* The chain continues with the records that are written, so that it has no
 * gap. */
static bool append(struct archive *a, const char *ladder,
                   const struct record_bytes *bytes,
                   char where[LOCATION_MAX + 1], struct err *err)
{
    struct day *d = day_on(a, ladder);
    size_t len = bytes->rest->len;
    struct seal seal;
    int64_t offset;

    if (!need_chain(a, d, err) ||
        !day_need(d, a->data, a->index, time(NULL), err) ||
        !put_seal(a, d, bytes->rest, &seal, err))
        return false;
    offset = d->end;
    if (!day_append(d, bytes, err)) {
        buf_cut(bytes->rest, len);
        return false;
    }
    if (seal.number > d->chain.number)
        chain_add(&d->chain, &seal);
    location_write(day_file(d), offset, record_bytes_len(bytes), where,
                   LOCATION_MAX + 1);
    return true;
}

static bool write_again(const struct location *p,
                        const struct record_bytes *bytes, struct err *err)
{
    int fd = open(p->path, O_WRONLY | O_CLOEXEC);
    bool ok = fd != -1 && record_bytes_put(bytes, fd, p->offset);

    if (!ok)
        fail(err, "%s cannot be written: %s", p->path, strerror(errno));
    if (fd != -1)
        close(fd);
    return ok;
}

bool archive_keep(struct archive *a, const char *ladder,
                  const struct record_bytes *bytes,
                  char where[LOCATION_MAX + 1], struct err *err)
{
    struct location p;

    if (location_find(a->data, where, &p) &&
        disk_size(p.path) >= p.offset + (long long)p.len)
        return write_again(&p, bytes, err);
    return append(a, ladder, bytes, where, err);
}

/* Taking in. */

struct taken {
    const struct ended *ended;
    const struct game_summary *summary;
    struct game_summary *read; /* that is it, if it was not known */
    bool is_new;
};

struct taking {
    struct archive *archive;
    const struct archive_news *news;
    struct taken *game;
    int count;
};

bool archive_quarantine(const struct archive *a, const char *id,
                        struct err *err)
{
    char from[DISK_PATH_MAX], to[DISK_PATH_MAX];

    archive_running_path(a, id, from, sizeof from);
    snprintf(to, sizeof to, "%s/damaged/%s.rec", a->data, id);
    return disk_move(from, to, err);
}

/* If its file is open the index has it further now. */
static void note_location(struct archive *a, const char *where)
{
    size_t len = location_file_len(where);

    for (struct day *d = a->day; d < a->day + a->days; d++)
        if (d->is_open && strncmp(day_file(d), where, len) == 0 &&
            !day_file(d)[len])
            day_add(d, strtoll(where + len + 1, NULL, 10));
}

static bool note_files(const struct archive *a, struct err *err)
{
    for (const struct day *d = a->day; d < a->day + a->days; d++)
        if (day_has_added(d) &&
            !index_set_upto(a->index, day_file(d), day_upto(d), err))
            return false;
    return true;
}

static void remember(struct taking *t, const struct ended *game,
                     const struct game_summary *summary,
                     struct game_summary *read)
{
    t->game[t->count++] =
        (struct taken){.ended = game, .summary = summary, .read = read};
    note_location(t->archive, game->location);
}

/* Whatever cannot be read now is read later, unless it is gone. */
static bool read_record(struct taking *t, const struct ended *game,
                        struct err *err)
{
    struct archive *a = t->archive;
    struct game_summary *b = must_alloc(malloc(sizeof *b));
    struct location p = {0};
    struct err why;
    bool has_it;

    buf_reset(&a->text);
    has_it = location_find(a->data, game->location, &p) &&
             disk_read_part(p.path, p.offset, p.len, &a->text, err);
    if (!has_it && disk_has(p.path)) {
        free(b);
        return false;
    }
    if (archive_summary_of(b, p.path, game->id, &a->text, &why)) {
        remember(t, game, b, b);
        return true;
    }
    free(b);
    note_location(a, game->location);
    if (t->news->on_damaged)
        t->news->on_damaged(t->news->arg, game->id, why.text);
    return true;
}

static bool read_one(struct taking *t, const struct ended *game,
                     struct err *err)
{
    if (!game->summary)
        return read_record(t, game, err);
    assert(strcmp(game->summary->id, game->id) == 0);
    remember(t, game, game->summary, NULL);
    return true;
}

static bool add_all(struct taking *t, struct err *err)
{
    struct index *index = t->archive->index;

    if (!index_begin(index, err))
        return false;
    for (int i = 0; i < t->count; i++) {
        struct taken *game = &t->game[i];

        if (!index_add(index, game->summary, game->ended->location,
                       &game->is_new, err))
            return false;
    }
    return note_files(t->archive, err) && index_commit(index, err);
}

static void remove_running(const struct archive *a, const char *id)
{
    char path[DISK_PATH_MAX];

    archive_running_path(a, id, path, sizeof path);
    unlink(path); /* or the next start does it */
}

static void tell_news(struct taking *t)
{
    for (int i = 0; i < t->count; i++) {
        const struct taken *game = &t->game[i];

        if (game->is_new && t->news->on_game)
            t->news->on_game(t->news->arg, game->summary);
        if (game->ended->has_file)
            remove_running(t->archive, game->ended->id);
    }
}

bool archive_index_games(struct archive *a, const struct ended *games,
                         int count, const struct archive_news *news,
                         struct err *err)
{
    struct taking t = {.archive = a, .news = news};
    bool ok = true;

    if (count <= 0)
        return true;
    t.game = must_alloc(malloc((size_t)count * sizeof *t.game));
    for (int i = 0; ok && i < count; i++)
        ok = read_one(&t, &games[i], err);
    ok = ok && (t.count == 0 || add_all(&t, err));
    for (int i = 0; i < a->days; i++)
        day_settle(&a->day[i], ok);
    if (ok)
        tell_news(&t);
    for (int i = 0; i < t.count; i++)
        free(t.game[i].read);
    free(t.game);
    return ok;
}

bool archive_catch_up(struct archive *a, const struct archive_news *news,
                      struct err *err)
{
    return catch_up(a->data, a->index, &a->key, news, err);
}

bool archive_has(struct archive *a, const char *id, bool *has, struct err *err)
{
    char where[LOCATION_MAX + 1];

    if (!index_path(a->index, id, where, sizeof where, err))
        return false;
    *has = where[0] != '\0';
    return true;
}

bool archive_read(struct archive *a, const char *id, struct buf *out,
                  struct err *err)
{
    char path[DISK_PATH_MAX], where[DISK_PATH_MAX / 2];

    if (!is_file_name(id))
        return fail(err, "\"%.80s\" is not the id of a game", id);
    if (!index_path(a->index, id, where, sizeof where, err))
        return false;
    if (where[0])
        return archive_read_at(a, where, out, err) &&
               (is_called(out, id) || location_was_changed(where, err));
    archive_running_path(a, id, path, sizeof path);
    return disk_has(path) ? disk_read(path, out, err)
                          : fail(err, "there is no game %s", id);
}
