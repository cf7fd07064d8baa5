#include "store/json_lines.h"

#include "store/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static bool parse(const char *path, char *text, json_t *lines, struct err *err)
{
    int number = 0;

    for (char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        json_error_t why;
        json_t *line;

        *end = '\0';
        number++;
        line = json_loads(text, 0, &why);
        if (!json_is_object(line)) {
            json_decref(line);
            return fail(err, "%s:%d: this is not a JSON object: %.100s", path,
                        number, why.text);
        }
        json_array_append_new(lines, line);
    }
    return true;
}

bool json_lines_read(const char *path, size_t bytes_max, json_t **lines,
                     struct err *err)
{
    struct buf text;
    bool ok;

    *lines = json_array();
    if (!disk_has(path))
        return true;
    buf_init(&text, bytes_max);
    ok = disk_read(path, &text, err) &&
         (text.len == 0 || parse(path, text.text, *lines, err));
    buf_release(&text);
    if (ok)
        return true;
    json_decref(*lines);
    *lines = NULL;
    return false;
}

/* Where the last whole line ends. */
static off_t whole_lines(int fd)
{
    off_t size = lseek(fd, 0, SEEK_END);
    char last;

    for (; size > 0; size--)
        if (pread(fd, &last, 1, size - 1) != 1 || last == '\n')
            break;
    return size;
}

static bool append(int fd, const char *line)
{
    off_t size = whole_lines(fd);

    bool ok = ftruncate(fd, size) == 0 && lseek(fd, size, SEEK_SET) == size &&
              disk_put(fd, line, strlen(line)) && disk_put(fd, "\n", 1) &&
              fsync(fd) == 0;
    int why = errno;

    if (!ok && ftruncate(fd, size) != 0) /* a later writer will */
        errno = why;
    return ok;
}

bool json_lines_add(const char *path, const json_t *line, struct err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600), why;
    char *text = json_dumps(line, JSON_COMPACT);
    bool ok = fd >= 0 && flock(fd, LOCK_EX) == 0 && append(fd, text);

    why = errno;
    free(text);
    if (fd >= 0)
        close(fd);
    return ok || fail(err, "%s cannot be written: %s", path, strerror(why));
}
