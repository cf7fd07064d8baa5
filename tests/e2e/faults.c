/*
 * faults.so - a disk that fails, for a program that is started with
 *
 *     LD_PRELOAD=.../faults.so FAULT_UNDER=FOLDER FAULT_FILE=FILE
 *
 * As long as FILE says "ERRNO WORD...", what the words name fails with that
 * error in files below FOLDER: write (the first one after half of its bytes),
 * create, sync. The word stall makes no call fail: a sync waits until it is
 * gone.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Does the file have this word, and which number? */
static int read_fault(const char *word, int *error)
{
    const char *file = getenv("FAULT_FILE");
    char text[100];
    long fd = file ? syscall(SYS_openat, AT_FDCWD, file, O_RDONLY) : -1;
    long n = fd == -1 ? 0 : syscall(SYS_read, fd, text, sizeof text - 1);

    if (fd != -1)
        syscall(SYS_close, fd);
    text[n > 0 ? n : 0] = '\0';
    *error = atoi(text);
    return strstr(text, word) != NULL;
}

static int says(const char *word)
{
    int error;

    return read_fault(word, &error);
}

/* 0, or the error that this word has now. */
static int fault(const char *word)
{
    int error;

    return read_fault(word, &error) ? error : 0;
}

static int is_under(const char *path)
{
    const char *folder = getenv("FAULT_UNDER");
    char whole[PATH_MAX], parent[PATH_MAX];
    char *slash;

    if (!folder)
        return 0;
    snprintf(parent, sizeof parent, "%s", path);
    if (!realpath(parent, whole)) {
        slash = strrchr(parent, '/');
        if (slash)
            *slash = '\0';
        if (!realpath(slash ? parent : ".", whole))
            return 0;
    }
    return strncmp(whole, folder, strlen(folder)) == 0;
}

static int is_fd_under(int fd)
{
    char link[32], path[PATH_MAX];
    ssize_t n;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    return n > 0 && is_under(path);
}

static int fails(int error)
{
    errno = error;
    return -1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* 0, or the error of a write, of which there may be less to do then. */
static int write_fault(int fd, size_t *n)
{
    static int halves;
    int error = is_fd_under(fd) ? fault("write") : 0;

    if (!error)
        halves = 0;
    else if (halves++ == 0 && *n > 1)
        *n /= 2;
    else
        return error;
    return 0;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    int error = write_fault(fd, &n);

    return error ? fails(error) : REAL(write)(fd, bytes, n);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    int error = write_fault(fd, &n);

    return error ? fails(error) : REAL(pwrite)(fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at)
{
    int error = write_fault(fd, &n);

    return error ? fails(error) : REAL(pwrite64)(fd, bytes, n, at);
}

static void stall(int fd)
{
    while (is_fd_under(fd) && says("stall"))
        usleep(20000);
}

int fdatasync(int fd)
{
    int error = is_fd_under(fd) ? fault("sync") : 0;

    stall(fd);
    return error ? fails(error) : REAL(fdatasync)(fd);
}

int fsync(int fd)
{
    int error = is_fd_under(fd) ? fault("sync") : 0;

    return error ? fails(error) : REAL(fsync)(fd);
}

int mkdir(const char *path, mode_t mode)
{
    int error = is_under(path) ? fault("create") : 0;

    return error ? fails(error) : REAL(mkdir)(path, mode);
}

#define OPEN(name)                                                           \
    int name(const char *path, int flags, ...)                               \
    {                                                                        \
        int error = flags & O_CREAT && is_under(path) ? fault("create") : 0; \
        mode_t mode;                                                         \
        va_list args;                                                        \
                                                                             \
        va_start(args, flags);                                               \
        mode = va_arg(args, mode_t);                                         \
        va_end(args);                                                        \
        return error ? fails(error) : REAL(name)(path, flags, mode);         \
    }

OPEN(open)
OPEN(open64)
