#include "cmd/submit/pack.h"

#include "base/text.h"
#include "store/disk.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 64 << 10 };

/* A folder being packed. */
struct job {
    struct archive *to;
    char *top; /* without a trailing '/' */
    struct pack *pack;
};

static int temporary_file(struct err *err)
{
    const char *folder = "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd == -1) {
        FILE *file = tmpfile(); /* fallback for kernels without unnamed files */

        fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;
        if (file)
            fclose(file);
    }
    if (fd == -1)
        fail(err, "no file can be created in %s: %s", folder, strerror(errno));
    return fd;
}

static bool put_contents(struct job *job, const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    char block[BLOCK];
    ssize_t n;

    if (fd == -1)
        return fail(err, "%s: %s", path, strerror(errno));
    while ((n = read(fd, block, sizeof block)) > 0)
        if (archive_write_data(job->to, block, (size_t)n) < 0)
            break;
    close(fd);
    return n == 0 || fail(err, "%s cannot be packed", path);
}

static bool put_file(struct job *job, const char *name, const char *path,
                     const struct stat *st, struct err *err)
{
    struct archive_entry *entry = archive_entry_new();
    bool ok;

    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, st->st_mode & 0100 ? 0755 : 0644);
    archive_entry_set_size(entry, st->st_size);
    ok = archive_write_header(job->to, entry) == ARCHIVE_OK ||
         fail(err, "%s cannot be packed: %.200s", path,
              archive_error_string(job->to));
    archive_entry_free(entry);
    job->pack->files++;
    return ok && put_contents(job, path, err);
}

/* Neither is part of a bot, and both change on their own. */
static bool is_left_out(const FTSENT *entry)
{
    return strcmp(entry->fts_name, ".git") == 0 ||
           strcmp(entry->fts_name, "__pycache__") == 0;
}

static bool put_one(struct job *job, FTS *tree, FTSENT *entry, struct err *err)
{
    switch (entry->fts_info) {
    case FTS_D:
        if (is_left_out(entry))
            fts_set(tree, entry, FTS_SKIP);
        return true;
    case FTS_DP:
        return true;
    case FTS_F:
        return put_file(job, entry->fts_path + strlen(job->top) + 1,
                        entry->fts_accpath, entry->fts_statp, err);
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        return fail(err, "%s cannot be read: %s", entry->fts_path,
                    strerror(entry->fts_errno));
    default:
        return fail(err,
                    "%s is neither a file nor a folder; links and devices "
                    "cannot be handed in",
                    entry->fts_path);
    }
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool put_all(struct job *job, struct err *err)
{
    char *tops[] = {job->top, NULL};
    FTS *tree = fts_open(tops, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    FTSENT *entry;
    bool ok = tree != NULL || fail(err, "%s: %s", job->top, strerror(errno));

    while (ok && (entry = fts_read(tree)) != NULL)
        ok = put_one(job, tree, entry, err);
    if (tree)
        fts_close(tree);
    return ok && (job->pack->files > 0 ||
                  fail(err, "%s contains no files", job->top));
}

static bool pack_folder(const char *path, struct pack *pack, struct err *err)
{
    char top[DISK_PATH_MAX];
    struct job job = {.to = archive_write_new(), .top = top, .pack = pack};
    size_t len = (size_t)snprintf(top, sizeof top, "%s", path);
    bool ok;

    while (len > 1 && len < sizeof top && top[len - 1] == '/')
        top[--len] = '\0';
    archive_write_set_format_ustar(job.to);
    archive_write_add_filter_gzip(job.to);
    archive_write_set_filter_option(job.to, "gzip", "timestamp", NULL);
    ok = archive_write_open_fd(job.to, pack->fd) == ARCHIVE_OK ||
         fail(err, "%s cannot be packed: %.200s", path,
              archive_error_string(job.to));
    ok = ok && put_all(&job, err);
    if (ok && archive_write_close(job.to) != ARCHIVE_OK)
        ok = fail(err, "%s cannot be packed: %.200s", path,
                  archive_error_string(job.to));
    archive_write_free(job.to);
    return ok;
}

/* Its size and digest. */
static bool measure(const char *path, struct pack *pack, struct err *err)
{
    unsigned char digest[SHA256_BYTES];
    struct sha256 hash;
    char block[BLOCK];
    ssize_t n;

    sha256_begin(&hash);
    lseek(pack->fd, 0, SEEK_SET);
    while ((n = read(pack->fd, block, sizeof block)) > 0) {
        sha256_add(&hash, block, (size_t)n);
        pack->bytes += n;
    }
    if (n < 0)
        return fail(err, "%s: %s", path, strerror(errno));
    sha256_end(&hash, digest);
    text_hex(pack->digest, digest, sizeof digest);
    lseek(pack->fd, 0, SEEK_SET);
    return pack->bytes > 0 || fail(err, "%s is empty", path);
}

bool pack_make(const char *path, struct pack *pack, struct err *err)
{
    bool is_folder = disk_is_folder(path);

    *pack = (struct pack){.fd = -1};
    if (is_folder)
        pack->fd = temporary_file(err);
    else
        pack->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (pack->fd == -1)
        return is_folder ? false : fail(err, "%s: %s", path, strerror(errno));
    if ((!is_folder || pack_folder(path, pack, err)) &&
        measure(path, pack, err))
        return true;
    close(pack->fd);
    return false;
}
