#include "cmd/lib/files.h"

#include "store/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool read_all(int fd, struct buf *out)
{
    char chunk[64 * 1024];
    ssize_t n;

    while ((n = read(fd, chunk, sizeof chunk)) > 0)
        buf_put(out, chunk, (size_t)n);
    return n == 0;
}

bool file_read(const char *path, struct buf *out, struct err *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    bool ok;

    if (fd == -1)
        return fail(err, "%s cannot be opened: %s", path, strerror(errno));
    ok = read_all(fd, out);
    if (!ok)
        fail(err, "%s cannot be read: %s", path, strerror(errno));
    if (!is_stdin)
        close(fd);
    if (ok && !buf_ok(out))
        return fail(err, "%s is larger than %zu MiB", path, out->max >> 20);
    return ok;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Join the words of one line with ','. */
static void add_words(struct buf *out, size_t start, const char *at,
                      const char *end)
{
    const char *between = out->len > start ? ";" : "";

    while (at < end) {
        const char *word = at;

        while (at < end && !is_blank(*at))
            at++;
        if (at > word) {
            buf_str(out, between);
            buf_put(out, word, (size_t)(at - word));
            between = ",";
        }
        while (at < end && is_blank(*at))
            at++;
    }
}

bool file_as_line(const char *path, struct buf *out, struct err *err)
{
    const size_t start = out->len;
    struct buf text;
    bool ok;

    buf_init(&text, 1 << 20);
    ok = file_read(path, &text, err);
    if (ok && strlen(text.text) != text.len)
        ok = fail(err, "%s holds a NUL byte: it is not a text file", path);
    for (const char *at = text.text; ok && *at;) {
        size_t line = strcspn(at, "\n");
        const char *hash = memchr(at, '#', line);

        add_words(out, start, at, hash ? hash : at + line);
        at += line + (at[line] == '\n');
    }
    buf_release(&text);
    if (ok && !buf_ok(out))
        return fail(err, "%s has more than %zu bytes of data", path, out->max);
    return ok;
}

bool file_write(const char *path, const struct buf *text, struct err *err)
{
    char temporary[4096];
    bool ok;
    int fd;

    snprintf(temporary, sizeof temporary, "%s.new", path);
    fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd == -1)
        return fail(err, "%s cannot be written: %s", path, strerror(errno));
    ok = disk_put(fd, text->text, text->len);
    ok = close(fd) == 0 && ok && rename(temporary, path) == 0;
    if (!ok) {
        fail(err, "%s cannot be written: %s", path, strerror(errno));
        unlink(temporary);
        return false;
    }
    return true;
}
