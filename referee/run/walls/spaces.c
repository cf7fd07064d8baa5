#include "run/walls/spaces.h"

#include "run/walls/files.h"
#include "run/walls/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OLD "/.old" /* where the host's root is mounted for a while */

const char *const spaces_writable[] = {SPACES_SCRATCH, "/var/tmp", "/dev/shm",
                                       NULL};

/* What all bots share. */

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool done = fd != -1 && write(fd, text, strlen(text)) > 0;

    if (fd != -1)
        close(fd);
    return done;
}

/* In a new user namespace we keep our own user, and no other user exists. */
static bool map_user(const struct spaces_host *host)
{
    char text[64];

    snprintf(text, sizeof text, "%u %u 1", (unsigned)host->uid,
             (unsigned)host->uid);
    if (!write_file("/proc/self/setgroups", "deny") ||
        !write_file("/proc/self/uid_map", text))
        return false;
    snprintf(text, sizeof text, "%u %u 1", (unsigned)host->gid,
             (unsigned)host->gid);
    return write_file("/proc/self/gid_map", text);
}

static int open_space(pid_t pid, const char *name)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Report the outcome over the pipe, and stay until the pipe is closed. */
static void hold_spaces(const struct spaces_host *host, const int tell[2],
                        const int stay[2])
{
    int error = 0;
    char byte;

    close(stay[1]);
    if (unshare(CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                (host->has_users ? CLONE_NEWUSER : 0)) == -1 ||
        (host->has_users && !map_user(host)))
        error = errno;
    if (write(tell[1], &error, sizeof error) > 0 && read(stay[0], &byte, 1) < 0)
        _exit(1);
    _exit(0);
}

/* A process has to be in a namespace until another one has opened it. */
static int open_shared(struct spaces_host *host)
{
    int tell[2], stay[2], error = ENOSYS;
    pid_t holder;

    if (pipe2(tell, O_CLOEXEC) == -1 || pipe2(stay, O_CLOEXEC) == -1)
        return errno;
    holder = fork();
    if (holder == 0)
        hold_spaces(host, tell, stay);
    close(tell[1]);
    close(stay[0]);
    if (holder == -1 || read(tell[0], &error, sizeof error) != sizeof error)
        error = errno ? errno : EIO;
    if (error == 0) {
        host->net = open_space(holder, "net");
        host->ipc = open_space(holder, "ipc");
        host->uts = open_space(holder, "uts");
        if (host->has_users)
            host->user = open_space(holder, "user");
        if (host->net == -1 || host->ipc == -1 || host->uts == -1 ||
            (host->has_users && host->user == -1))
            error = errno;
    }
    close(tell[0]);
    close(stay[1]);
    if (holder > 0)
        waitpid(holder, NULL, 0);
    return error;
}

bool spaces_open(struct spaces_host *host, struct err *err)
{
    int error = EPERM;

    *host = (struct spaces_host){.user = -1,
                                 .net = -1,
                                 .ipc = -1,
                                 .uts = -1,
                                 .uid = geteuid(),
                                 .gid = getegid()};
    if (host->uid == 0)
        error = open_shared(host);
    if (error != 0) {
        host->has_users = true;
        error = open_shared(host);
    }
    if (error == ENOSPC)
        return fail(err, "no more namespaces are allowed, see "
                         "/proc/sys/user/max_user_namespaces");
    return error == 0 ||
           fail(err, "namespaces cannot be made here: %s", strerror(error));
}

void spaces_close(struct spaces_host *host)
{
    if (host->user != -1)
        close(host->user);
    if (host->net != -1)
        close(host->net);
    if (host->ipc != -1)
        close(host->ipc);
    if (host->uts != -1)
        close(host->uts);
    *host = (struct spaces_host){.user = -1, .net = -1, .ipc = -1, .uts = -1};
}

/*
 * Our child must write its user map, so it must own its files in /proc. A
 * process that has just changed its user namespace does not: the kernel gives
 * those files to root until the process is dumpable again.
 */
bool spaces_join(const struct spaces_host *host)
{
    if (host->has_users && setns(host->user, CLONE_NEWUSER) == -1)
        return false;
    return setns(host->net, CLONE_NEWNET) == 0 &&
           setns(host->ipc, CLONE_NEWIPC) == 0 &&
           setns(host->uts, CLONE_NEWUTS) == 0 &&
           prctl(PR_SET_DUMPABLE, 1) == 0;
}

pid_t spaces_fork(const struct spaces_host *host)
{
    unsigned long flags =
        SIGCHLD | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWCGROUP;

    if (host->has_users)
        flags |= CLONE_NEWUSER;
    return (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
}

/* The mounts. */

/* The folders above a path. */
static void make_parents(const char *path)
{
    char part[PATH_MAX];

    snprintf(part, sizeof part, "%s", path);
    for (char *at = strchr(part + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(part, 0755);
        *at = '/';
    }
}

/*
 * Even a failed attempt to open a program for writing keeps others from running
 * it at that moment. So do not open a file that exists.
 */
static bool make_place(const char *path, mode_t mode)
{
    int fd;

    if (access(path, F_OK) == 0)
        return true;
    make_parents(path);
    if (S_ISDIR(mode))
        return mkdir(path, 0755) == 0 || errno == EEXIST;
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
    if (fd != -1)
        close(fd);
    return fd != -1;
}

/*
 * Access times would show one bot what another has read, so switch them off. A
 * user who may not change the host's setting has to leave it.
 */
static bool make_harmless(int tree, bool is_device)
{
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_NOSUID};
    const unsigned flags = AT_EMPTY_PATH | AT_RECURSIVE;

    if (is_device)
        return mount_setattr(tree, "", flags, &attr, sizeof attr) == 0;
    attr.attr_set |= MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV;
    attr.attr_clr = MOUNT_ATTR__ATIME;
    attr.attr_set |= MOUNT_ATTR_NOATIME;
    if (mount_setattr(tree, "", flags, &attr, sizeof attr) == 0)
        return true;
    attr.attr_clr = 0;
    attr.attr_set &= ~(uint64_t)MOUNT_ATTR_NOATIME;
    return mount_setattr(tree, "", flags, &attr, sizeof attr) == 0;
}

static bool copy_link(const char *from, const char *to)
{
    char target[PATH_MAX];
    ssize_t n = readlink(from, target, sizeof target - 1);

    if (n < 0)
        return false;
    target[n] = '\0';
    make_parents(to);
    return symlink(target, to) == 0 || errno == EEXIST;
}

/*
 * Make a path of the host visible in the new root; skip it if it does not
 * exist.
 */
static bool show(const char *path, bool is_device)
{
    char from[PATH_MAX];
    struct stat st;
    int tree;
    bool done;

    snprintf(from, sizeof from, OLD "%s", path);
    if (lstat(from, &st) == -1)
        return true;
    if (S_ISLNK(st.st_mode))
        return copy_link(from, path);
    if (!make_place(path, st.st_mode))
        return false;
    tree = open_tree(AT_FDCWD, from,
                     OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    done = tree != -1 && make_harmless(tree, is_device) &&
           move_mount(tree, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH) == 0;
    if (tree != -1)
        close(tree);
    return done;
}

/* Mount a /proc of our own. */
static bool show_all(const char *const *paths, bool are_devices)
{
    for (; *paths; paths++)
        if (strncmp(*paths, "/proc", 5) != 0 && !show(*paths, are_devices))
            return false;
    return true;
}

static bool make_root(const struct walls *walls)
{
    char options[128];

    snprintf(options, sizeof options, "mode=0755,size=%" PRId64 ",nr_inodes=%d",
             walls->limits.scratch_bytes, SCRATCH_FILES_MAX);
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("referee", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, options) ==
               0 &&
           mkdir("/tmp" OLD, 0755) == 0 &&
           syscall(SYS_pivot_root, "/tmp", "/tmp" OLD) == 0 && chdir("/") == 0;
}

/* /dev/shm and the scratch folder are in memory, within the bot's limit. */
static bool make_writable(void)
{
    mode_t old = umask(0);
    bool done = mkdir(SPACES_SCRATCH, 01777) == 0 && mkdir("/var", 0755) == 0 &&
                mkdir("/var/tmp", 01777) == 0 && mkdir("/dev", 0755) == 0 &&
                mkdir("/dev/shm", 01777) == 0;

    umask(old);
    return done && symlink("/proc/self/fd", "/dev/fd") == 0 &&
           symlink("/proc/self/fd/0", "/dev/stdin") == 0 &&
           symlink("/proc/self/fd/1", "/dev/stdout") == 0 &&
           symlink("/proc/self/fd/2", "/dev/stderr") == 0;
}

static bool failed(const char **what, const char *words)
{
    *what = words;
    return false;
}

bool spaces_furnish(const struct spaces_host *host, const char *const *system,
                    const struct walls *walls, const char **what)
{
    char here[PATH_MAX];

    if (!getcwd(here, sizeof here))
        snprintf(here, sizeof here, "/");
    if (host->has_users && !map_user(host))
        return failed(what, "a user namespace");
    if (!make_root(walls) || !make_writable())
        return failed(what, "a root of its own");
    if (!show_all(system, false) || !show_all(walls->readable, false))
        return failed(what, "read-only mounts");
    if (!show_all(files_devices, true))
        return failed(what, "/dev");
    if (mkdir("/proc", 0555) == -1 ||
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
              NULL) == -1)
        return failed(what, "/proc");
    if (umount2(OLD, MNT_DETACH) == -1 || rmdir(OLD) == -1)
        return failed(what, "a root of its own");
    make_place(here, S_IFDIR);
    return chdir(here) == 0 || failed(what, "its folder");
}
