#include "store/records.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 64 * 1024 };

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

/* Nothing but comments and empty lines. */
static bool says_nothing(const char *at, size_t len)
{
    const char *end = at + len;

    while (at < end && (*at == '#' || *at == '\n')) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));

        at = feed ? feed + 1 : end;
    }
    return at == end;
}

static void step_over_last(struct records *r)
{
    r->at += r->span.len;
    r->offset += (int64_t)r->span.len;
    r->behind = r->behind < INT_MAX - r->span.lines ? r->behind + r->span.lines
                                                    : INT_MAX;
}

bool records_next(struct records *r, struct buf *out, bool *failed,
                  struct err *err)
{
    *failed = false;
    step_over_last(r);
    for (;;) {
        r->span = record_span(r->bytes.text + r->at, r->bytes.len - r->at);
        if (r->span.ends || r->has_all)
            break;
        forget(r, r->at);
        r->at = 0;
        *failed = !read_more(r, err);
        if (*failed)
            return false;
    }
    if (r->count > 0 && says_nothing(r->bytes.text + r->at, r->span.len))
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

    while (!r->has_all && r->bytes.len == end)
        if (!read_more(r, err))
            return false;
    *is_only =
        r->count == 1 && says_nothing(r->bytes.text + end, r->bytes.len - end);
    return true;
}
