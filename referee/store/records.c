#include "store/records.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum {
    PIECE = 64 * 1024,
    LINES_MAX = INT_MAX / 2, /* that are counted */
};

bool records_open(struct records *r, const char *path, struct err *err)
{
    bool is_stdin = strcmp(path, "-") == 0;

    *r = (struct records){.path = path};
    r->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (r->fd == -1)
        return fail(err, "%s cannot be opened: %s", path, strerror(errno));
    buf_init(&r->bytes, 2 * (RECORD_FILE_MAX + PIECE));
    return true;
}

void records_close(struct records *r)
{
    if (r->fd != STDIN_FILENO)
        close(r->fd);
    buf_release(&r->bytes);
}

static void forget(struct records *r, size_t len)
{
    memmove(r->bytes.text, r->bytes.text + len, r->bytes.len - len);
    buf_cut(&r->bytes, r->bytes.len - len);
}

/* As much again as there is, so that long records are not searched for ever. */
static bool read_more(struct records *r, struct err *err)
{
    size_t size = r->bytes.len > PIECE ? r->bytes.len : PIECE;
    char *room;
    ssize_t n;

    if (r->bytes.len > RECORD_FILE_MAX)
        return fail(err, "%s has a record that is larger than %d MiB", r->path,
                    RECORD_FILE_MAX >> 20);
    room = buf_room(&r->bytes, size);
    do
        n = read(r->fd, room, size);
    while (n == -1 && errno == EINTR);
    if (n == -1)
        return fail(err, "%s cannot be read: %s", r->path, strerror(errno));
    r->has_all = n == 0;
    buf_upto(&r->bytes, room + n);
    return true;
}

static void step_over(struct records *r, size_t len, int lines)
{
    r->at += len;
    r->offset += (int64_t)len;
    r->lines_before = r->lines_before < LINES_MAX - lines
                          ? r->lines_before + lines
                          : LINES_MAX;
}

/* The next one is all there, or all that there is of it. */
static bool find_next(struct records *r)
{
    int lines;
    size_t len =
        comment_bytes(r->bytes.text + r->at, r->bytes.len - r->at, &lines);

    r->span = (struct record_span){0};
    if (r->at + len == r->bytes.len && !r->has_all)
        return false; /* it may be half a comment */
    step_over(r, len, lines);
    r->span = record_span(r->bytes.text + r->at, r->bytes.len - r->at);
    return (r->span.ends && !r->span.may_grow) || r->has_all;
}

bool records_next(struct records *r, struct buf *out, bool *failed,
                  struct err *err)
{
    *failed = false;
    step_over(r, r->span.len, r->span.lines);
    while (!find_next(r)) {
        forget(r, r->at);
        r->at = 0;
        *failed = !read_more(r, err);
        if (*failed)
            return false;
    }
    if (r->count > 0 && r->span.len == 0)
        return false;
    r->count++;
    buf_reset(out);
    buf_put(out, r->bytes.text + r->at, r->span.len);
    *failed = !buf_ok(out);
    return !*failed ||
           fail(err, "%s is larger than %zu MiB", r->path, out->max >> 20);
}

bool records_is_only(struct records *r, bool *is_only, struct err *err)
{
    size_t end = r->at + r->span.len;
    int lines;

    *is_only = false;
    if (r->count > 1)
        return true;
    while (comment_bytes(r->bytes.text + end, r->bytes.len - end, &lines) ==
           r->bytes.len - end) {
        *is_only = r->has_all;
        if (r->has_all)
            return true;
        if (!read_more(r, err))
            return false;
    }
    return true;
}
