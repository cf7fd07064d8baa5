/*
 * Memory and disk where a look at a process does not find them: for guards that
 * have no control group to count. Each takes so many mebibytes.
 */
#include "hostile.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE = 4 << 20, STACK = 64 << 10, PAUSE_US = 5000 };

static char piece[PIECE];

/* A file in memory with a piece in it, or -1. */
static int fill_one(void)
{
    int fd = memfd_create("hostile", 0);

    memset(piece, 1, sizeof piece);
    return fd != -1 && write(fd, piece, sizeof piece) == sizeof piece ? fd : -1;
}

static bool fill_memory(long mebibytes)
{
    for (; mebibytes > 0; mebibytes -= PIECE >> 20) {
        if (fill_one() == -1)
            return false;
        usleep(PAUSE_US);
    }
    return true;
}

/* Whose memory cannot be read does not show its descriptors either. */
bool fill_undumpable(const char *mebibytes)
{
    return prctl(PR_SET_DUMPABLE, 0) == 0 && fill_memory(atol(mebibytes));
}

/* A thread with descriptors of its own. It shares the thread-local variables of
 * the other one, which waits. */
static volatile int in_thread; /* 1: filled; 2: it could not */
static long wanted;

static int run_thread(void *unused)
{
    in_thread = fill_memory(wanted) ? 1 : 2;
    while (pause() != 0)
        continue;
    return 0;
}

bool fill_in_thread(const char *mebibytes)
{
    char *stack = malloc(STACK);

    wanted = atol(mebibytes);
    if (clone(run_thread, stack + STACK,
              CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD |
                  CLONE_SYSVSEM,
              NULL) == -1)
        return false;
    while (!in_thread)
        syscall(SYS_sched_yield);
    return in_thread == 1;
}

/* In the queue of a socket, a file is nobody's. */
static bool post(int to, int fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof fd)];
        struct cmsghdr header;
    } luggage = {.header = {.cmsg_len = CMSG_LEN(sizeof fd),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS}};
    struct iovec byte = {"", 1};
    const struct msghdr message = {.msg_iov = &byte,
                                   .msg_iovlen = 1,
                                   .msg_control = &luggage,
                                   .msg_controllen = sizeof luggage};

    memcpy(CMSG_DATA(&luggage.header), &fd, sizeof fd);
    return sendmsg(to, &message, MSG_DONTWAIT) == 1 && close(fd) == 0;
}

bool fill_posted(const char *mebibytes)
{
    int fd[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == -1)
        return false;
    for (long left = atol(mebibytes); left > 0; left -= PIECE >> 20) {
        int file = fill_one();

        if (file == -1 || !post(fd[0], file))
            return false;
        usleep(PAUSE_US);
    }
    return true;
}

/* Memory that is shared with nobody stays when its pages are let go. */
static bool fill_shared_memory(long mebibytes, bool lets_go)
{
    for (; mebibytes > 0; mebibytes -= PIECE >> 20) {
        char *at = mmap(NULL, PIECE, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        if (at == MAP_FAILED)
            return false;
        memset(at, 1, PIECE);
        if (lets_go)
            munmap(at + 4096, PIECE - 4096);
        usleep(PAUSE_US);
    }
    return true;
}

bool fill_shared(const char *mebibytes)
{
    return fill_shared_memory(atol(mebibytes), true);
}

/* A process whose first thread has ended seems to use no memory. */
static void *run_headless(void *mebibytes)
{
    usleep(10 * PAUSE_US);
    _exit(!fill_shared_memory(atol(mebibytes), false));
}

bool fill_headless(const char *mebibytes)
{
    int status = 1;
    pid_t pid = fork();

    if (pid == 0) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, run_headless, (void *)mebibytes))
            _exit(1);
        syscall(SYS_exit, 0);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* A folder that may be written to, but not be listed. */
bool fill_unreadable(const char *mebibytes)
{
    char name[4096];

    signal(SIGXFSZ, SIG_IGN);
    snprintf(name, sizeof name, "%s/unreadable", getenv("HOME"));
    if (mkdir(name, 0300) == -1)
        return false;
    for (long i = atol(mebibytes); i > 0; i--) {
        int fd;

        snprintf(name, sizeof name, "%s/unreadable/%ld", getenv("HOME"), i);
        fd = open(name, O_WRONLY | O_CREAT, 0600);
        if (fd == -1 || write(fd, piece, 1 << 20) != 1 << 20)
            return false;
        close(fd);
        usleep(PAUSE_US);
    }
    return true;
}
