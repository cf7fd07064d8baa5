#include "cmd/similar/folders.h"

#include "base/buf.h"
#include "store/shelf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { COPY_BYTES_MAX = 1 << 30 };

static bool copy_folder(const char *from, const char *to, struct err *err);

static bool copy_file(const char *from, const char *to, struct err *err)
{
    struct buf text;
    bool ok;

    buf_init(&text, COPY_BYTES_MAX);
    ok =
        disk_read(from, &text, err) && disk_write(to, text.text, text.len, err);
    buf_release(&text);
    return ok;
}

/* A build may have left links to anywhere: they are not followed. */
static bool copy_one(const char *from, const char *to, const char *name,
                     struct err *err)
{
    char source[DISK_PATH_MAX], target[DISK_PATH_MAX];
    struct stat st;

    if (snprintf(source, sizeof source, "%s/%s", from, name) >= DISK_PATH_MAX ||
        snprintf(target, sizeof target, "%s/%s", to, name) >= DISK_PATH_MAX)
        return fail(err, "%.200s/... has paths of more than %d bytes", from,
                    DISK_PATH_MAX);
    if (lstat(source, &st) != 0)
        return fail(err, "%s: %s", source, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return copy_folder(source, target, err);
    return !S_ISREG(st.st_mode) || copy_file(source, target, err);
}

static bool copy_folder(const char *from, const char *to, struct err *err)
{
    const struct dirent *entry;
    DIR *dir = opendir(from);
    bool ok;

    if (!dir)
        return fail(err, "%s cannot be read: %s", from, strerror(errno));
    ok = disk_folder(to, err);
    while (ok && (entry = readdir(dir)) != NULL)
        ok = strcmp(entry->d_name, ".") == 0 ||
             strcmp(entry->d_name, "..") == 0 ||
             copy_one(from, to, entry->d_name, err);
    closedir(dir);
    return ok;
}

/* Nothing if no version of it plays. */
static bool copy_bot(const char *shelf, const char *name, const char *out,
                     int *count, struct err *err)
{
    char from[DISK_PATH_MAX], to[DISK_PATH_MAX];
    const char *version;
    json_t *history;
    bool ok = true;

    if (!shelf_history(shelf, name, &history, err))
        return false;
    version = history_playing(history, NULL);
    if (version) {
        shelf_path(shelf, name, version, from);
        snprintf(to, sizeof to, "%s/%s", out, name);
        ok = copy_folder(from, to, err);
        *count += ok;
    }
    json_decref(history);
    return ok;
}

bool similar_folders(const char *shelf, const char *out, int *count,
                     struct err *err)
{
    struct disk_names names = {0};
    bool ok;

    *count = 0;
    if (disk_is_folder(out) || disk_has(out))
        return fail(err,
                    "%.200s exists already: name a folder that does not exist",
                    out);
    if (!disk_is_folder(shelf))
        return fail(err, "there is no folder %.200s with hand-ins", shelf);
    ok = shelf_names(shelf, &names, err) && disk_folder(out, err);
    for (size_t i = 0; ok && i < names.count; i++)
        ok = copy_bot(shelf, names.name[i], out, count, err);
    disk_names_free(&names);
    return ok;
}
