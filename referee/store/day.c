#include "store/day.h"

#include "base/alloc.h"
#include "base/date.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DAY_S = 86400, FILES_MAX = 1000, PIECE = 64 * 1024 };

static bool cannot_write(const struct day *d, struct err *err)
{
    return fail(err, "%s cannot be written: %s", d->path, strerror(errno));
}

/* Opening. */

static bool make_folder(const struct day *d, const char *data, struct err *err)
{
    char path[DISK_PATH_MAX];

    text_join(path, sizeof path, data, "/records/", d->ladder, NULL);
    return disk_is_folder(path) || disk_folder(path, err);
}

static void name_file(struct day *d, const char *data, time_t now, int number)
{
    char date[DATE_NAME_TEXT + 1], suffix[16] = "";

    date_name(now, date);
    date[DATE_DAY] = '\0';
    if (number > 1)
        snprintf(suffix, sizeof suffix, "-%d", number);
    d->data_len = strlen(data) + 1;
    text_join(d->path, sizeof d->path, data, "/records/", d->ladder, "/", date,
              suffix, ".rec", NULL);
}

/* Is it still as the index describes it? */
static bool look_at_file(const struct day *d, struct index *index,
                         long long *size, bool *is_ours, struct err *err)
{
    int64_t known;

    *size = disk_size(d->path);
    if (!index_upto(index, day_file(d), &known, err))
        return false;
    *is_ours = known == (*size == -1 ? 0 : *size);
    return true;
}

static bool find_file(struct day *d, const char *data, struct index *index,
                      time_t now, long long *size, struct err *err)
{
    bool is_ours = false;

    for (int number = 1; number < FILES_MAX; number++) {
        name_file(d, data, now, number);
        if (!look_at_file(d, index, size, &is_ours, err))
            return false;
        if (is_ours)
            return true;
    }
    return fail(err, "%s and the records before it are not as in the index",
                d->path);
}

/* So that the name of the file outlives a power failure, too. */
static bool sync_folders(const struct day *d, const char *data, struct err *err)
{
    char path[DISK_PATH_MAX];

    text_join(path, sizeof path, data, "/records/", d->ladder, NULL);
    if (!disk_sync(path, err))
        return false;
    text_join(path, sizeof path, data, "/records", NULL);
    return disk_sync(path, err);
}

static bool open_file(struct day *d, const char *data, struct index *index,
                      time_t now, struct err *err)
{
    struct stat st = {0};
    long long size;

    if (!make_folder(d, data, err) ||
        !find_file(d, data, index, now, &size, err))
        return false;
    d->fd = open(d->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (d->fd == -1)
        return cannot_write(d, err);
    fstat(d->fd, &st);
    d->is_open = true;
    d->inode = st.st_ino;
    d->date = now / DAY_S;
    d->end = size == -1 ? 0 : size;
    if (d->end > 0 || sync_folders(d, data, err))
        return true;
    day_close(d);
    return false;
}

void day_close(struct day *d)
{
    if (d->is_open)
        close(d->fd);
    d->is_open = false;
    free(d->record);
    d->record = NULL;
    d->records = d->room = 0;
}

/* Somebody may have removed or moved it, or written into it. */
static bool is_as_left(const struct day *d)
{
    struct stat st;

    return stat(d->path, &st) == 0 && st.st_ino == d->inode &&
           st.st_size == d->end;
}

bool day_need(struct day *d, const char *data, struct index *index, time_t now,
              struct err *err)
{
    if (d->is_open && d->date == now / DAY_S && is_as_left(d))
        return true;
    day_close(d);
    return open_file(d, data, index, now, err);
}

/* Appending. */

size_t record_bytes_len(const struct record_bytes *b)
{
    return b->head_len + b->rest->len;
}

static bool put_at(int fd, const char *bytes, size_t len, int64_t at)
{
    while (len > 0) {
        ssize_t n = pwrite(fd, bytes, len, (off_t)at);

        if (n == -1 && errno != EINTR)
            return false;
        if (n > 0) {
            bytes += n;
            len -= (size_t)n;
            at += n;
        }
    }
    return true;
}

bool record_bytes_put(const struct record_bytes *b, int fd, int64_t at)
{
    char piece[PIECE];
    size_t done = 0;

    while (done < b->head_len) {
        size_t left = b->head_len - done;
        ssize_t n =
            pread(b->head, piece, left < PIECE ? left : PIECE, (off_t)done);

        if (n == 0)
            errno = EIO; /* it was cut */
        if (n <= 0 || !put_at(fd, piece, (size_t)n, at + (int64_t)done))
            return false;
        done += (size_t)n;
    }
    return put_at(fd, b->rest->text, b->rest->len, at + (int64_t)done);
}

static void remember(struct day *d, int64_t offset)
{
    if (d->records == d->room) {
        d->room = d->room ? 2 * d->room : 16;
        d->record = must_resize(d->record, (size_t)d->room, sizeof *d->record);
    }
    d->record[d->records++] = (struct day_record){.offset = offset};
}

/* An empty file would look like an invalid record. */
static void take_back(struct day *d)
{
    if (ftruncate(d->fd, (off_t)d->end) != 0 || d->end > 0)
        return;
    unlink(d->path);
    day_close(d);
}

bool day_append(struct day *d, const struct record_bytes *bytes,
                struct err *err)
{
    if (!record_bytes_put(bytes, d->fd, d->end)) {
        cannot_write(d, err);
        take_back(d);
        return false;
    }
    remember(d, d->end);
    d->end += (int64_t)record_bytes_len(bytes);
    return true;
}

/* Adding to the index. */

void day_add(struct day *d, int64_t offset)
{
    for (int i = 0; i < d->records; i++)
        if (d->record[i].offset == offset)
            d->record[i].is_added = true;
}

bool day_has_added(const struct day *d)
{
    for (int i = 0; i < d->records; i++)
        if (d->record[i].is_added)
            return true;
    return false;
}

int64_t day_upto(const struct day *d)
{
    for (int i = 0; i < d->records; i++)
        if (!d->record[i].is_added)
            return d->record[i].offset;
    return d->end;
}

void day_settle(struct day *d, bool is_committed)
{
    int left = 0;

    for (int i = 0; i < d->records; i++) {
        struct day_record record = d->record[i];

        if (record.is_added && is_committed)
            continue;
        record.is_added = false;
        d->record[left++] = record;
    }
    d->records = left;
}

bool is_day_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *at = slash ? slash + 1 : path;
    int number;

    if (strspn(at, "0123456789") != 8)
        return false;
    at += 8;
    return strcmp(at, ".rec") == 0 ||
           (take_char(&at, '-') && take_int(&at, 2, FILES_MAX - 1, &number) &&
            strcmp(at, ".rec") == 0);
}
