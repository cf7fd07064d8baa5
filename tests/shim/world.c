/*
 * world.so - a world in which one call fails, or in which the way is long, for
 * a program that is started with
 *
 *     LD_PRELOAD=.../world.so [NAME=VALUE...]
 *
 *     SHIM_CALL=NAME SHIM_NTH=N   the N-th call of that name fails, from 1;
 *     SHIM_ERRNO=E                with this error (default: EIO)
 *     SHIM_FOR=K                  and so do the K - 1 after it (default: 1)
 *     SHIM_SIGNAL=S               after this signal, as SIGPIPE comes with
 * EPIPE SHIM_JUMP_S=S               "clock": the time of day is S seconds off
 * from its N-th reading on, and none fails SHIM_COUNT=FILE             has "N"
 * when the program ends: its calls SHIM_HIT=FILE               is made when a
 * call has failed SHIM_RTT_US=US              the round trip of every TCP
 * connection
 *
 * "write" means files; to write to a pipe or a socket is "send".
 * "disk" is every call that needs room on a disk: to write to a file, to make
 * one, to rename, to sync.
 * "exec" is to become another program, in whichever process that it forked.
 *
 *     SHIM_LOAD=L                 the load average of the machine
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
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char *chosen;
static long nth, last, error_number, signal_number, jump_s;
static pid_t armed; /* the process that is meant */
static atomic_long calls;
static atomic_long *execs; /* in all processes */
static int (*real_execvpe)(const char *, char *const *, char *const *);

static long number(const char *name, long preset)
{
    const char *text = getenv(name);

    return text ? atol(text) : preset;
}

/* The mark is for the children, which inherit it. */
__attribute__((constructor)) static void arm(void)
{
    real_execvpe = dlsym(RTLD_NEXT, "execvpe"); /* no dlsym() after a fork */
    if (getenv("SHIM_ARMED"))
        return;
    setenv("SHIM_ARMED", "1", 1);
    armed = getpid();
    chosen = getenv("SHIM_CALL");
    execs = (atomic_long *)syscall(SYS_mmap, NULL, sizeof *execs,
                                   PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    nth = number("SHIM_NTH", 0);
    last = nth + number("SHIM_FOR", 1) - 1;
    error_number = number("SHIM_ERRNO", EIO);
    signal_number = number("SHIM_SIGNAL", 0);
    jump_s = number("SHIM_JUMP_S", 0);
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

/* Is it the turn of this call? */
static int is_hit(const char *name)
{
    long call;

    if (!chosen || strcmp(name, chosen) != 0 || getpid() != armed)
        return 0;
    call = ++calls;
    if (call < nth || call > last || nth == 0)
        return 0;
    make_file("SHIM_HIT", name);
    return 1;
}

/* Does this call of that name fail? Then errno says so. */
static int fails(const char *name)
{
    if (!is_hit(name))
        return 0;
    if (signal_number)
        raise((int)signal_number);
    errno = (int)error_number;
    return 1;
}

static int is_file(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* The same for one that needs room on a disk. */
static int fails_on_disk(const char *name)
{
    return fails(name) || fails("disk");
}

static int fails_in_file(const char *name, int fd)
{
    return is_file(fd) ? fails_on_disk(name) : fails("send");
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* TYPE NAME(PARAMETERS) is REAL NAME(ARGUMENTS), or fails if BAD. */
#define CALL_IF(type, failure, bad, name, parameters, arguments) \
    type name parameters                                         \
    {                                                            \
        return bad ? (type)failure : REAL(name) arguments;       \
    }
#define CALL(type, failure, word, name, parameters, arguments) \
    CALL_IF(type, failure, fails(word), name, parameters, arguments)

CALL_IF(ssize_t, -1, fails_in_file("write", fd), write,
        (int fd, const void *b, size_t n), (fd, b, n))
CALL_IF(ssize_t, -1, fails_in_file("pwrite", fd), pwrite,
        (int fd, const void *b, size_t n, off_t at), (fd, b, n, at))
CALL_IF(ssize_t, -1, fails_in_file("pwrite", fd), pwrite64,
        (int fd, const void *b, size_t n, off64_t at), (fd, b, n, at))
CALL(ssize_t, -1, "read", read, (int fd, void *b, size_t n), (fd, b, n))
CALL_IF(int, -1, fails_on_disk("fsync"), fsync, (int fd), (fd))
CALL_IF(int, -1, fails_on_disk("fsync"), fdatasync, (int fd), (fd))
CALL_IF(int, -1, fails_on_disk("rename"), rename,
        (const char *a, const char *b), (a, b))
CALL(int, -1, "unlink", unlink, (const char *path), (path))
CALL_IF(int, -1, fails_on_disk("mkdir"), mkdir, (const char *path, mode_t mode),
        (path, mode))
CALL_IF(int, -1, fails_on_disk("truncate"), ftruncate, (int fd, off_t len),
        (fd, len))
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

int execvpe(const char *file, char *const argv[], char *const words[])
{
    long call = chosen && strcmp(chosen, "exec") == 0 ? ++*execs : 0;

    if (call == 0 || call < nth || call > last)
        return real_execvpe(file, argv, words);
    make_file("SHIM_HIT", "exec");
    errno = (int)error_number;
    return -1;
}

int getloadavg(double load[], int count)
{
    int got = REAL(getloadavg)(load, count);

    if (got > 0 && getenv("SHIM_LOAD"))
        load[0] = (double)number("SHIM_LOAD", 0);
    return got;
}

/* This one returns what went wrong. */
int pthread_create(pthread_t *thread, const pthread_attr_t *how,
                   void *(*run)(void *), void *arg)
{
    return fails("thread") ? errno
                           : REAL(pthread_create)(thread, how, run, arg);
}

#define OPEN(name)                                               \
    int name(const char *path, int flags, ...)                   \
    {                                                            \
        mode_t mode;                                             \
        va_list args;                                            \
                                                                 \
        va_start(args, flags);                                   \
        mode = va_arg(args, mode_t);                             \
        va_end(args);                                            \
        if (fails("open") || (flags & O_CREAT && fails("disk"))) \
            return -1;                                           \
        return REAL(name)(path, flags, mode);                    \
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

/* The time of day jumps; what counts from the start of the machine does not. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    int got = REAL(clock_gettime)(clock, now);

    if (clock == CLOCK_REALTIME && is_hit("clock"))
        now->tv_sec += jump_s;
    return got;
}

time_t time(time_t *to)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *to, void *unused)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_REALTIME, &now);
    (void)unused;
    *to = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
