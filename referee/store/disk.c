#include "store/disk.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    LOCK_TRIES = 20,
    LOCK_WAIT_US = 50000, /* between two of them */
};

/* To the end, or so many bytes. */
static bool read_all(int fd, size_t most, struct buf *out)
{
    char chunk[64 * 1024];
    ssize_t n = 1;

    while (most > 0 && n != 0) {
        n = read(fd, chunk, most < sizeof chunk ? most : sizeof chunk);
        if (n > 0) {
            buf_put(out, chunk, (size_t)n);
            most -= (size_t)n;
        } else if (n == -1 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool disk_read_part(const char *path, int64_t from, size_t len, struct buf *out,
                    struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    bool ok;

    if (fd == -1)
        return fail(err, "%s cannot be opened: %s", path, strerror(errno));
    if (fstat(fd, &st) == -1 || !S_ISREG(st.st_mode)) {
        close(fd); /* a FIFO would keep us waiting */
        return fail(err, "%s cannot be read: it is not a file", path);
    }
    ok = (from == 0 || lseek(fd, from, SEEK_SET) == from) &&
         read_all(fd, len, out);
    if (!ok)
        fail(err, "%s cannot be read: %s", path, strerror(errno));
    close(fd);
    if (ok && !buf_ok(out))
        return fail(err, "%s is larger than %zu MiB", path, out->max >> 20);
    return ok;
}

bool disk_read(const char *path, struct buf *out, struct err *err)
{
    return disk_read_part(path, 0, SIZE_MAX, out, err);
}

bool disk_put(int fd, const void *bytes, size_t len)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = write(fd, (const char *)bytes + done, len - done);

        if (n == -1 && errno != EINTR)
            return false;
        if (n > 0)
            done += (size_t)n;
    }
    return true;
}

bool disk_sync_folder_of(const char *path)
{
    char folder[DISK_PATH_MAX];
    char *slash;
    bool ok;
    int fd;

    snprintf(folder, sizeof folder, "%s", path);
    slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    fd = open(slash == folder ? "/"
              : slash         ? folder
                              : ".",
              O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ok = fd != -1 && fsync(fd) == 0;
    if (fd != -1)
        close(fd);
    return ok;
}

static bool write_new(const char *path, const void *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool ok;

    if (fd == -1)
        return false;
    ok = disk_put(fd, bytes, len) && fsync(fd) == 0;
    return close(fd) == 0 && ok;
}

static bool cannot_write(const char *path, struct err *err)
{
    int error = errno;

    fail(err, "%s cannot be written: %s", path, strerror(error));
    err->passes = is_full_disk(error);
    return false;
}

bool disk_write(const char *path, const void *bytes, size_t len,
                struct err *err)
{
    char temporary[DISK_PATH_MAX];

    snprintf(temporary, sizeof temporary, "%s.new", path);
    if (write_new(temporary, bytes, len) && rename(temporary, path) == 0 &&
        disk_sync_folder_of(path))
        return true;
    cannot_write(path, err);
    unlink(temporary);
    return false;
}

bool disk_is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool disk_folder(const char *path, struct err *err)
{
    int error;

    if (mkdir(path, 0700) == 0)
        return true;
    error = errno;
    if (error == EEXIST && disk_is_folder(path))
        return true;
    fail(err, "the folder %s cannot be created: %s", path, strerror(error));
    err->passes = is_full_disk(error);
    return false;
}

bool disk_move(const char *from, const char *to, struct err *err)
{
    return rename(from, to) == 0 ||
           fail(err, "%s cannot be moved to %s: %s", from, to, strerror(errno));
}

long long disk_room(const char *folder)
{
    struct statvfs st;

    if (statvfs(folder, &st) != 0 || st.f_blocks == 0)
        return -1;
    if (st.f_files > 0 && st.f_favail == 0)
        return 0;
    return (long long)(st.f_bavail * st.f_frsize);
}

long long disk_size(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? (long long)st.st_size : -1;
}

bool disk_has(const char *path)
{
    return access(path, F_OK) == 0;
}

/* A process that a killed referee had just forked shares the lock until it has
 * closed its inherited descriptors; give it a moment. */
static bool take_lock(int fd)
{
    for (int i = 0;; i++) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

        if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
            return true;
        if ((errno != EAGAIN && errno != EACCES) || i == LOCK_TRIES)
            return false;
        usleep(LOCK_WAIT_US);
    }
}

int disk_lock(const char *path, const char *what, struct err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    if (fd == -1) {
        fail(err, "%s cannot be opened: %s", path, strerror(errno));
        return -1;
    }
    if (take_lock(fd))
        return fd;
    if (errno == EAGAIN || errno == EACCES)
        fail_for_now(err, "another referee uses %s", what);
    else
        fail(err, "%s cannot be locked: %s", path, strerror(errno));
    close(fd);
    return -1;
}

bool disk_sync(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd != -1 && fsync(fd) == 0;

    if (!ok)
        cannot_write(path, err);
    if (fd != -1)
        close(fd);
    return ok;
}

/* Names. */

static void add_part(struct disk_names *names, const char *name, size_t len)
{
    if (names->count == names->cap) {
        names->cap = names->cap ? 2 * names->cap : 64;
        names->name = must_resize(names->name, names->cap, sizeof *names->name);
    }
    names->name[names->count++] = must_alloc(strndup(name, len));
}

void disk_names_add(struct disk_names *names, const char *name)
{
    add_part(names, name, strlen(name));
}

void disk_names_free(struct disk_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
    *names = (struct disk_names){0};
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort(struct disk_names *names, size_t from)
{
    if (names->count > from)
        qsort(names->name + from, names->count - from, sizeof *names->name,
              by_name);
}

void disk_names_sort(struct disk_names *names)
{
    sort(names, 0);
}

static bool ends_in(const char *name, const char *ending)
{
    size_t len = strlen(name), end = strlen(ending);

    return len > end && strcmp(name + len - end, ending) == 0;
}

bool disk_list(const char *folder, const char *ending, struct disk_names *names,
               struct err *err)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    *names = (struct disk_names){0};
    if (!dir)
        return fail(err, "%s cannot be read: %s", folder, strerror(errno));
    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.' && ends_in(entry->d_name, ending))
            add_part(names, entry->d_name,
                     strlen(entry->d_name) - strlen(ending));
    closedir(dir);
    sort(names, 0);
    return true;
}

static bool is_folder(const char *path, const struct dirent *entry)
{
    if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
        return entry->d_type == DT_DIR;
    return disk_is_folder(path);
}

struct walk {
    const char *top, *ending;
    struct disk_names *names;
    int depth; /* there may be links that lead in circles */
};

static bool walk(struct walk *w, const char *folder, struct err *err);

static bool visit(struct walk *w, const char *folder,
                  const struct dirent *entry, struct err *err)
{
    char name[DISK_PATH_MAX], path[2 * DISK_PATH_MAX];
    int len = snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);

    if (len >= DISK_PATH_MAX)
        return fail(err, "%s/%s/... has paths of more than %d bytes", w->top,
                    folder, DISK_PATH_MAX);
    snprintf(path, sizeof path, "%s/%s", w->top, name);
    if (is_folder(path, entry))
        return w->depth == DISK_DEPTH_MAX || walk(w, name, err);
    if (ends_in(name, w->ending))
        disk_names_add(w->names, name);
    return true;
}

static bool walk(struct walk *w, const char *folder, struct err *err)
{
    char path[2 * DISK_PATH_MAX];
    struct dirent *entry;
    bool ok = true;
    DIR *dir;

    snprintf(path, sizeof path, "%s/%s", w->top, folder);
    dir = opendir(path);
    if (!dir)
        return errno == ENOENT ||
               fail(err, "%s cannot be read: %s", path, strerror(errno));
    w->depth++;
    while (ok && (entry = readdir(dir)) != NULL)
        ok = entry->d_name[0] == '.' || visit(w, folder, entry, err);
    w->depth--;
    closedir(dir);
    return ok;
}

bool disk_walk(const char *top, const char *folder, const char *ending,
               struct disk_names *names, struct err *err)
{
    struct walk w = {.top = top, .ending = ending, .names = names};
    size_t before = names->count;

    if (!walk(&w, folder, err))
        return false;
    sort(names, before);
    return true;
}
