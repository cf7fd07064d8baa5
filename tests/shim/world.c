/*
 * world.so - a world in which one call fails, or in which the way is long, for
 * a program that is started with
 *
 *     LD_PRELOAD=.../world.so [NAME=VALUE...]
 *
 *     SHIM_CALL=NAME SHIM_NTH=N   the N-th call of that name fails, from 1;
 *     SHIM_ERRNO=E                with this error (default: EIO)
 *     SHIM_FOR=K                  and so do the K - 1 after it (default: 1)
 *     SHIM_COUNT=FILE             has "N" when the program ends: its calls
 *     SHIM_HIT=FILE               is made when a call has failed
 *     SHIM_RTT_US=US              the round trip of every TCP connection
 *
 * Only the process that was started so is meant, not its children: bots and
 * guards have the same environment.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *chosen;
static long nth, last, error_number;
static pid_t armed; /* the process that is meant */
static atomic_long calls;

static long number(const char *name, long preset)
{
    const char *text = getenv(name);

    return text ? atol(text) : preset;
}

/* The mark is for the children, which inherit it. */
__attribute__((constructor)) static void arm(void)
{
    if (getenv("SHIM_ARMED"))
        return;
    setenv("SHIM_ARMED", "1", 1);
    armed = getpid();
    chosen = getenv("SHIM_CALL");
    nth = number("SHIM_NTH", 0);
    last = nth + number("SHIM_FOR", 1) - 1;
    error_number = number("SHIM_ERRNO", EIO);
}

/* By system calls, or this would count itself. */
static void make_file(const char *name, const char *text)
{
    const char *path = getenv(name);
    long fd = path ? syscall(SYS_openat, AT_FDCWD, path,
                             O_WRONLY | O_CREAT | O_TRUNC, 0600)
                   : -1;

    if (fd == -1)
        return;
    syscall(SYS_write, fd, text, strlen(text));
    syscall(SYS_close, fd);
}

__attribute__((destructor)) static void tell_count(void)
{
    char text[32];

    if (!chosen || getpid() != armed)
        return;
    snprintf(text, sizeof text, "%ld\n", (long)calls);
    make_file("SHIM_COUNT", text);
}

/* Does this call of that name fail? Then errno says so. */
static int fails(const char *name)
{
    long call;

    if (!chosen || strcmp(name, chosen) != 0 || getpid() != armed)
        return 0;
    call = ++calls;
    if (call < nth || call > last || nth == 0)
        return 0;
    make_file("SHIM_HIT", name);
    errno = (int)error_number;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* TYPE NAME(PARAMETERS) is REAL NAME(ARGUMENTS), or fails as WORD. */
#define CALL(type, failure, word, name, parameters, arguments)     \
    type name parameters                                           \
    {                                                              \
        return fails(word) ? (type)failure : REAL(name) arguments; \
    }

CALL(ssize_t, -1, "write", write, (int fd, const void *b, size_t n), (fd, b, n))
CALL(ssize_t, -1, "pwrite", pwrite, (int fd, const void *b, size_t n, off_t at),
     (fd, b, n, at))
CALL(ssize_t, -1, "pwrite", pwrite64,
     (int fd, const void *b, size_t n, off64_t at), (fd, b, n, at))
CALL(ssize_t, -1, "read", read, (int fd, void *b, size_t n), (fd, b, n))
CALL(int, -1, "fsync", fsync, (int fd), (fd))
CALL(int, -1, "fsync", fdatasync, (int fd), (fd))
CALL(int, -1, "rename", rename, (const char *a, const char *b), (a, b))
CALL(int, -1, "unlink", unlink, (const char *path), (path))
CALL(int, -1, "mkdir", mkdir, (const char *path, mode_t mode), (path, mode))
CALL(int, -1, "truncate", ftruncate, (int fd, off_t len), (fd, len))
CALL(pid_t, -1, "fork", fork, (void), ())
CALL(int, -1, "pipe", pipe2, (int fd[2], int flags), (fd, flags))
CALL(int, -1, "socketpair", socketpair,
     (int domain, int type, int protocol, int fd[2]),
     (domain, type, protocol, fd))
CALL(int, -1, "accept", accept4,
     (int fd, struct sockaddr *a, socklen_t *len, int flags),
     (fd, a, len, flags))
CALL(int, -1, "epoll_ctl", epoll_ctl,
     (int fd, int verb, int of, struct epoll_event *event),
     (fd, verb, of, event))
CALL(int, -1, "epoll_wait", epoll_wait,
     (int fd, struct epoll_event *events, int max, int timeout),
     (fd, events, max, timeout))
CALL(void *, MAP_FAILED, "mmap", mmap,
     (void *at, size_t len, int prot, int flags, int fd, off_t offset),
     (at, len, prot, flags, fd, offset))
CALL(void *, MAP_FAILED, "mmap", mmap64,
     (void *at, size_t len, int prot, int flags, int fd, off64_t offset),
     (at, len, prot, flags, fd, offset))
CALL(ssize_t, -1, "sendmsg", sendmsg,
     (int fd, const struct msghdr *message, int flags), (fd, message, flags))

/* This one returns what went wrong. */
int pthread_create(pthread_t *thread, const pthread_attr_t *how,
                   void *(*run)(void *), void *arg)
{
    return fails("thread") ? errno
                           : REAL(pthread_create)(thread, how, run, arg);
}

#define OPEN(name)                                                 \
    int name(const char *path, int flags, ...)                     \
    {                                                              \
        mode_t mode;                                               \
        va_list args;                                              \
                                                                   \
        va_start(args, flags);                                     \
        mode = va_arg(args, mode_t);                               \
        va_end(args);                                              \
        return fails("open") ? -1 : REAL(name)(path, flags, mode); \
    }

OPEN(open)
OPEN(open64)

#define FCNTL(name)                                             \
    int name(int fd, int verb, ...)                             \
    {                                                           \
        void *arg;                                              \
        va_list args;                                           \
                                                                \
        va_start(args, verb);                                   \
        arg = va_arg(args, void *);                             \
        va_end(args);                                           \
        return fails("fcntl") ? -1 : REAL(name)(fd, verb, arg); \
    }

FCNTL(fcntl)
FCNTL(fcntl64)

int getsockopt(int fd, int level, int name, void *to, socklen_t *size)
{
    int got = REAL(getsockopt)(fd, level, name, to, size);

    if (got == 0 && level == IPPROTO_TCP && name == TCP_INFO &&
        getenv("SHIM_RTT_US"))
        ((struct tcp_info *)to)->tcpi_rtt = (unsigned)number("SHIM_RTT_US", 0);
    return got;
}
