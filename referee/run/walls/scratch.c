#include "run/walls/scratch.h"

#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 12, DEPTH_MAX = 64, ROUNDS_MAX = 1000 };

bool scratch_name(char path[SCRATCH_PATH_MAX], struct err *err)
{
    const char *folder = getenv("TMPDIR");
    unsigned char bytes[NAME_BYTES];
    char name[2 * NAME_BYTES + 1];

    if (!folder || folder[0] != '/')
        folder = "/tmp";
    randombytes_buf(bytes, sizeof bytes);
    text_hex(name, bytes, sizeof bytes);
    return snprintf(path, SCRATCH_PATH_MAX, "%s/referee-%s", folder, name) <
               SCRATCH_PATH_MAX ||
           fail(err, "TMPDIR has more than %d bytes", SCRATCH_PATH_MAX - 40);
}

bool scratch_make(const char *path, uid_t user)
{
    return mkdir(path, 0700) == 0 &&
           (user == (uid_t)-1 || chown(path, user, (gid_t)user) == 0);
}

bool scratch_mount(const char *path, uid_t user, int64_t bytes)
{
    unsigned id = user == (uid_t)-1 ? geteuid() : user;
    char options[160];

    snprintf(options, sizeof options,
             "mode=0700,uid=%u,gid=%u,size=%" PRId64 ",nr_inodes=%d", id, id,
             bytes, SCRATCH_FILES_MAX);
    return geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
           mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0 &&
           mount("referee", path, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
}

void scratch_unmount(const char *path)
{
    umount2(path, MNT_DETACH);
}

/*
 * Walk through the folder. A hostile bot may make it deep and wide, so each
 * level is opened from the one above, without following links, and only up to a
 * limit.
 */
struct walk {
    int top; /* the folder itself */
    int64_t bytes, max;
    int files;
    bool removes;
};

static bool is_over(const struct walk *w)
{
    return !w->removes && (w->bytes > w->max || w->files > SCRATCH_FILES_MAX);
}

static void walk(struct walk *w, int folder, int depth);

/* Too deep. For removal, move it up; another round gets it. */
static void too_deep(struct walk *w, int folder, const char *name)
{
    char up[32];

    if (w->removes) {
        snprintf(up, sizeof up, "deep-%d", w->files);
        renameat(folder, name, w->top, up);
    }
    w->files += SCRATCH_FILES_MAX;
}

static int open_folder(int folder, const char *name)
{
    return openat(folder, name,
                  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/*
 * Make a folder readable that its owner, the bot, has made unreadable. Change
 * the mode of the open descriptor, so that a link put in its place is not
 * followed.
 */
static int open_closed(int folder, const char *name)
{
    int fd =
        openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    char path[64];

    if (fd == -1)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    chmod(path, 0700);
    close(fd);
    return open_folder(folder, name);
}

static void visit(struct walk *w, int folder, const char *name, int depth)
{
    struct stat st;
    int below;

    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == -1)
        return;
    w->files++;
    w->bytes += (int64_t)st.st_blocks * 512;
    if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
        below = open_folder(folder, name);
        if (below == -1 && errno == EACCES)
            below = open_closed(folder, name);
        if (below != -1)
            walk(w, below, depth + 1);
        else if (errno == EACCES) /* unreadable: it hides its contents */
            w->files += SCRATCH_FILES_MAX;
    } else if (S_ISDIR(st.st_mode)) {
        too_deep(w, folder, name);
    }
    if (w->removes)
        unlinkat(folder, name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0);
}

/* Closes the folder. */
static void walk(struct walk *w, int folder, int depth)
{
    DIR *dir = fdopendir(folder);
    const struct dirent *entry;

    if (!dir) {
        close(folder);
        return;
    }
    while (!is_over(w) && (entry = readdir(dir)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            visit(w, folder, entry->d_name, depth);
    closedir(dir);
}

static void walk_all(struct walk *w, const char *path)
{
    w->top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (w->top != -1)
        walk(w, dup(w->top), 0);
    if (w->top != -1)
        close(w->top);
}

bool scratch_is_full(const char *path, int64_t bytes)
{
    struct walk w = {.max = bytes};

    walk_all(&w, path);
    return is_over(&w);
}

void scratch_empty(const char *path)
{
    struct walk w = {.removes = true};

    chmod(path, 0700);
    walk_all(&w, path);
}

void scratch_remove(const char *path)
{
    int rounds = 0;

    while (rmdir(path) == -1 && errno != ENOENT && rounds++ < ROUNDS_MAX)
        scratch_empty(path);
}
