#include "store/digest.h"

#include "base/text.h"
#include "store/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 32 };

void digest_begin(struct digest *digest)
{
    sha256_begin(&digest->hash);
}

void digest_end(struct digest *digest, char hex[DIGEST_HEX + 1])
{
    unsigned char bytes[SHA256_BYTES];

    sha256_end(&digest->hash, bytes);
    text_hex(hex, bytes, sizeof bytes);
}

void digest_word(struct digest *digest, const char *word)
{
    sha256_add(&digest->hash, word, strlen(word) + 1);
}

/* A file that would take seconds to read counts by its size and date. */
static bool add_bytes(struct digest *d, int fd, const struct stat *st)
{
    char bytes[16 * 1024];
    ssize_t n;

    if (st->st_size > DIGEST_FILE_MAX) {
        sha256_add(&d->hash, &st->st_size, sizeof st->st_size);
        sha256_add(&d->hash, &st->st_mtim, sizeof st->st_mtim);
        return true;
    }
    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        sha256_add(&d->hash, bytes, (size_t)n);
    return n == 0;
}

/* A pipe or a device is not a file, and opening it could block forever. */
static int open_file(const char *path, struct stat *st)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd == -1)
        return -1;
    if (fstat(fd, st) == 0 && S_ISREG(st->st_mode))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

bool digest_contents(struct digest *digest, const char *path)
{
    struct stat st;
    int fd = open_file(path, &st);

    if (fd == -1)
        return false;
    add_bytes(digest, fd, &st);
    close(fd);
    return true;
}

/* The length comes before the bytes; otherwise they could imitate another
 * file. */
bool digest_file(struct digest *d, const char *path, const char *name,
                 struct err *err)
{
    struct stat st;
    char head[64];
    int fd = open_file(path, &st);
    bool ok;

    if (fd == -1)
        return fail(err, "%.200s cannot be read: %s", path,
                    errno == EINVAL ? "it is not a file" : strerror(errno));
    snprintf(head, sizeof head, "%c%lld", st.st_mode & S_IXUSR ? 'x' : '-',
             (long long)st.st_size);
    digest_word(d, name);
    digest_word(d, head);
    ok = add_bytes(d, fd, &st) ||
         fail(err, "%.200s cannot be read: %s", path, strerror(errno));
    close(fd);
    return ok;
}

/* Folders. */

struct walk {
    const char *top;
    struct disk_names names; /* of the files, as seen from the top */
    int depth;
};

static bool comes_and_goes(const char *name)
{
    static const char names[] = ".|..|.git|__pycache__";

    return words_find(names, name) >= 0;
}

static bool walk(struct walk *w, const char *below, struct err *err);

/* Links to folders count as their text: following them may lead in circles. */
static bool visit(struct walk *w, const char *name, struct err *err)
{
    char path[2 * DISK_PATH_MAX];
    struct stat st;

    if (strlen(name) >= DISK_PATH_MAX || strlen(w->top) >= DISK_PATH_MAX)
        return fail(err, "%.200s: a path of more than %d bytes", name,
                    DISK_PATH_MAX);
    snprintf(path, sizeof path, "%s/%s", w->top, name);
    if (lstat(path, &st) != 0)
        return fail(err, "%.200s cannot be read: %s", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return walk(w, name, err);
    if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
        return true; /* a socket or a pipe, which holds nothing */
    if (w->names.count == DIGEST_FILES_MAX)
        return fail(err, "%.200s contains more than %d files", w->top,
                    DIGEST_FILES_MAX);
    disk_names_add(&w->names, name);
    return true;
}

static bool walk(struct walk *w, const char *below, struct err *err)
{
    char path[2 * DISK_PATH_MAX], name[DISK_PATH_MAX + 260];
    struct dirent *entry;
    bool ok = true;
    DIR *dir;

    snprintf(path, sizeof path, "%s/%s", w->top, below);
    dir = w->depth < DEPTH_MAX ? opendir(path) : NULL;
    if (!dir)
        return fail(err, "%.200s cannot be read: %s", path,
                    w->depth < DEPTH_MAX ? strerror(errno)
                                         : "folders are nested too deeply");
    w->depth++;
    while (ok && (entry = readdir(dir)) != NULL) {
        snprintf(name, sizeof name, "%s%s%s", below, *below ? "/" : "",
                 entry->d_name);
        ok = comes_and_goes(entry->d_name) || visit(w, name, err);
    }
    w->depth--;
    closedir(dir);
    return ok;
}

static bool add_link(struct digest *d, const char *path, const char *name,
                     struct err *err)
{
    char target[DISK_PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target - 1);

    if (n == -1)
        return fail(err, "%.200s cannot be read: %s", path, strerror(errno));
    target[n] = '\0';
    digest_word(d, name);
    digest_word(d, "link");
    digest_word(d, target);
    digest_contents(d, path);
    return true;
}

static bool add_found(struct digest *d, const char *top, const char *name,
                      struct err *err)
{
    char path[2 * DISK_PATH_MAX];
    struct stat st;

    snprintf(path, sizeof path, "%s/%s", top, name);
    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
        return add_link(d, path, name, err);
    return digest_file(d, path, name, err);
}

bool digest_names(const char *folder, struct disk_names *names, struct err *err)
{
    struct walk w = {.top = folder, .names = *names};
    bool ok = walk(&w, "", err);

    disk_names_sort(&w.names);
    *names = w.names;
    return ok;
}

bool digest_folder(struct digest *digest, const char *folder, struct err *err)
{
    struct disk_names names = {0};
    bool ok = digest_names(folder, &names, err);

    for (size_t i = 0; ok && i < names.count; i++)
        ok = add_found(digest, folder, names.name[i], err);
    digest_word(digest, ""); /* the end of the folder */
    disk_names_free(&names);
    return ok;
}

bool digest_of_folder(const char *folder, char hex[DIGEST_HEX + 1],
                      struct err *err)
{
    struct digest digest;

    digest_begin(&digest);
    if (!digest_folder(&digest, folder, err))
        return false;
    digest_end(&digest, hex);
    return true;
}
