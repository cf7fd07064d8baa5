#include "store/location.h"

#include "base/text.h"
#include "match/record.h"

#include <stdio.h>
#include <string.h>

/* "data/", and the rest. */
static void path_of(const char *data, char *path, size_t size, const char *what)
{
    text_join(path, size, data, "/", what, NULL);
}

void location_write(const char *file, int64_t offset, size_t len, char *text,
                    size_t size)
{
    char number[2 * NUMBER_TEXT + 3], *at = number;

    *at++ = '@';
    at = jot_int(at, offset);
    *at++ = '+';
    at = jot_int(at, (long long)len);
    *at = '\0';
    text_join(text, size, file, number, NULL);
}

size_t location_file_len(const char *where)
{
    const char *mark = strrchr(where, '@');

    return mark ? (size_t)(mark - where) : strlen(where);
}

void location_file(const char *data, const char *where, char *path, size_t size)
{
    snprintf(path, size, "%s/%.*s", data, (int)location_file_len(where), where);
}

/* The index is not trusted: the paths in it must lead into a folder of
 * records. */
static bool is_location(const char *where)
{
    static const char *const folders[] = {"records/", "running/"};
    bool is_ours = false;

    for (int i = 0; i < 2; i++)
        is_ours |= strncmp(where, folders[i], strlen(folders[i])) == 0;
    return is_ours && !strstr(where, "/../") && !strstr(where, "//") &&
           strlen(where) <= LOCATION_MAX;
}

/* A location that is no part is a file of one record. */
bool location_find(const char *data, const char *where, struct location *p)
{
    const char *mark = where + location_file_len(where);
    int end = 0;

    if (sscanf(mark, "@%lld+%zu%n", &p->offset, &p->len, &end) != 2 ||
        mark[end] || p->offset < 0 || p->len > RECORD_FILE_MAX)
        return false;
    location_file(data, where, p->path, sizeof p->path);
    return true;
}

static bool is_whole(const struct buf *text, size_t len)
{
    struct record_span span = record_span(text->text, text->len);

    return span.is_closed && span.len == len && text->len == len &&
           strncmp(text->text, "record ", 7) == 0;
}

bool location_was_changed(const char *path, struct err *err)
{
    return fail(err,
                "%s was changed after it was indexed; \"referee reindex\" "
                "rebuilds the index",
                path);
}

bool location_read(const char *data, const char *where, struct buf *out,
                   struct err *err)
{
    char path[DISK_PATH_MAX];
    struct location p;

    if (!is_location(where))
        return fail(
            err,
            "the index names \"%.80s\", which is not a place for a record; \"referee reindex\" rebuilds it",
            where);
    if (!location_find(data, where, &p)) {
        path_of(data, path, sizeof path, where);
        return disk_read(path, out, err);
    }
    return disk_read_part(p.path, p.offset, p.len, out, err) &&
           (is_whole(out, p.len) || location_was_changed(p.path, err));
}

bool location_exists(const char *data, const char *where)
{
    char path[DISK_PATH_MAX];
    struct location p;

    if (!is_location(where))
        return false;
    if (location_find(data, where, &p))
        return disk_size(p.path) >= p.offset + (long long)p.len;
    path_of(data, path, sizeof path, where);
    return disk_has(path);
}
