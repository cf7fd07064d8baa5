#include "cmd/handin/unpack.h"

#include "store/disk.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 400, DEPTH_MAX = 20, REMOVE_FDS = 16 };

struct job {
    struct archive *archive;
    const char *to;
    const char *top; /* prefix of each path; for a folder */
    const struct unpack_limits *limits;
    struct unpacked *sums;
    int entries;
};

/*
 * True if the path is relative, has plain names, and is not too deep. "" is the
 * top.
 */
static bool is_tame(const char *path)
{
    int depth = 0;

    if (*path == '/' || strlen(path) > NAME_MAX_BYTES || strchr(path, '\\'))
        return false;
    for (const char *at = path; *at; at += strspn(at, "/")) {
        size_t len = strcspn(at, "/");

        if (len == 2 && at[0] == '.' && at[1] == '.')
            return false;
        for (size_t i = 0; i < len; i++)
            if ((unsigned char)at[i] < ' ')
                return false;
        at += len;
        depth++;
    }
    return depth <= DEPTH_MAX;
}

/* Create the folders that lead to a path below `to`. */
static bool make_way(const char *to, const char *path, struct err *err)
{
    char way[DISK_PATH_MAX + NAME_MAX_BYTES];
    size_t start = strlen(to) + 1;

    snprintf(way, sizeof way, "%s/%s", to, path);
    for (char *at = way + start; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        if (mkdir(way, 0755) != 0 && errno != EEXIST)
            return is_full_disk(errno)
                       ? fail_for_now(err, "%.100s: %s", path, strerror(errno))
                       : fail(err, "%.100s: %s", path, strerror(errno));
        *at = '/';
    }
    return true;
}

static bool copy_bytes(const struct job *job, const char *path, int fd,
                       struct err *err)
{
    char block[1 << 16];
    la_ssize_t n;

    while ((n = archive_read_data(job->archive, block, sizeof block)) > 0) {
        job->sums->bytes += n;
        if (job->sums->bytes > job->limits->bytes)
            return fail(err, "it is larger than %lld MiB when unpacked",
                        job->limits->bytes >> 20);
        if (!disk_put(fd, block, (size_t)n))
            return fail_for_now(err, "%.100s: %s", path, strerror(errno));
    }
    return n == 0 || fail(err, "%.100s cannot be unpacked: %.200s", path,
                          archive_error_string(job->archive));
}

/* Write a file; of its permissions only "executable" is kept. */
static bool take_file(const struct job *job, const char *path, bool executable,
                      struct err *err)
{
    char full[DISK_PATH_MAX + NAME_MAX_BYTES];
    bool ok;
    int fd;

    snprintf(full, sizeof full, "%s/%s", job->to, path);
    fd = open(full, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
              executable ? 0755 : 0644);
    if (fd < 0 && is_full_disk(errno))
        return fail_for_now(err, "%.100s: %s", path, strerror(errno));
    if (fd < 0)
        return fail(err,
                    errno == EEXIST ? "%.100s is in the archive twice"
                                    : "%.100s cannot be written",
                    path);
    ok = copy_bytes(job, path, fd, err);
    close(fd);
    return ok;
}

static const char *below_top(const struct job *job, const char *path)
{
    size_t n = job->top ? strlen(job->top) : 0;

    if (n > 0 && strncmp(path, job->top, n) == 0)
        path += n;
    while (job->top && *path == '/')
        path++;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return strcmp(path, ".") == 0 ? "" : path;
}

static bool take_entry(struct job *job, struct archive_entry *entry,
                       struct err *err)
{
    const char *full = archive_entry_pathname(entry);
    const char *path = below_top(job, full ? full : "/");
    mode_t type = archive_entry_filetype(entry);
    char folder[NAME_MAX_BYTES + 2];

    if (!*path)
        return true;
    if (!is_tame(path))
        return fail(err, "the path \"%.100s\" is not allowed", path);
    if (archive_entry_hardlink(entry) || (type != AE_IFREG && type != AE_IFDIR))
        return fail(err,
                    "%.100s is neither a file nor a folder; links and devices "
                    "are not allowed",
                    path);
    if (++job->entries > job->limits->files)
        return fail(err, "it has more than %d files and folders",
                    job->limits->files);
    job->sums->files += type == AE_IFREG;
    snprintf(folder, sizeof folder, "%s/", path);
    return make_way(job->to, type == AE_IFDIR ? folder : path, err) &&
           (type == AE_IFDIR ||
            take_file(job, path, archive_entry_perm(entry) & 0100, err));
}

static bool take_all(struct job *job, struct err *err)
{
    struct archive_entry *entry;
    int code;

    while ((code = archive_read_next_header(job->archive, &entry)) ==
           ARCHIVE_OK) {
        if (!take_entry(job, entry, err))
            return false;
        if (job->top)
            archive_read_disk_descend(job->archive);
    }
    return code == ARCHIVE_EOF || fail(err, "it cannot be unpacked: %.200s",
                                       archive_error_string(job->archive));
}

static bool open_source(struct job *job, const char *from, struct err *err)
{
    bool is_folder = disk_is_folder(from);
    int code;

    if (is_folder) {
        job->archive = archive_read_disk_new();
        archive_read_disk_set_symlink_physical(job->archive);
        job->top = from;
        code = archive_read_disk_open(job->archive, from);
    } else {
        job->archive = archive_read_new();
        archive_read_support_format_zip(job->archive);
        archive_read_support_format_tar(job->archive);
        archive_read_support_filter_gzip(job->archive);
        archive_read_support_filter_bzip2(job->archive);
        archive_read_support_filter_xz(job->archive);
        archive_read_support_filter_zstd(job->archive);
        code = archive_read_open_filename(job->archive, from, 1 << 16);
    }
    return code == ARCHIVE_OK ||
           fail(err, "it is neither a folder nor a zip or tar file: %.200s",
                archive_error_string(job->archive));
}

/* If "bot-v2/" is the only thing at the top, its contents move up. */
static bool lift_only_folder(const char *to, struct err *err)
{
    char only[DISK_PATH_MAX] = "", path[2 * DISK_PATH_MAX],
         aside[2 * DISK_PATH_MAX];
    const struct dirent *entry;
    DIR *dir = opendir(to);
    int count = 0;

    if (!dir)
        return fail(err, "%s: %s", to, strerror(errno));
    while ((entry = readdir(dir)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        snprintf(only, sizeof only, "%s", entry->d_name);
    }
    closedir(dir);
    snprintf(path, sizeof path, "%s/%s", to, only);
    if (count != 1 || !disk_is_folder(path))
        return true;
    snprintf(aside, sizeof aside, "%s.lifted", to);
    return (rename(path, aside) == 0 && rmdir(to) == 0 &&
            rename(aside, to) == 0) ||
           fail(err, "%s: %s", to, strerror(errno));
}

bool unpack(const char *from, const char *to,
            const struct unpack_limits *limits, struct unpacked *sums,
            struct err *err)
{
    struct job job = {.to = to, .limits = limits, .sums = sums};
    bool ok;

    *sums = (struct unpacked){0};
    ok = open_source(&job, from, err) && take_all(&job, err);
    archive_read_free(job.archive);
    if (ok && sums->files == 0)
        return fail(err, "it is empty");
    return ok && lift_only_folder(to, err);
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *where)
{
    return remove(path);
}

void remove_folder(const char *path)
{
    nftw(path, remove_one, REMOVE_FDS, FTW_DEPTH | FTW_PHYS);
}
