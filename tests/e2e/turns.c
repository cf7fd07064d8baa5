/*
 * turns.so - how many connections a program takes at most before it looks for
 * other events, for one that is started with
 *
 *     LD_PRELOAD=.../turns.so TURNS_FILE=FILE
 *
 * FILE has the number. With TURNS_COUNT=FILE, that file holds eight bytes: how
 * often the program has looked for events.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static int taken, most;

int accept4(int fd, struct sockaddr *address, socklen_t *len, int flags)
{
    int (*real)(int, struct sockaddr *, socklen_t *, int) =
        (int (*)(int, struct sockaddr *, socklen_t *, int))dlsym(RTLD_NEXT,
                                                                 "accept4");
    int got = real(fd, address, len, flags);

    taken += got != -1;
    return got;
}

static void write_most(void)
{
    const char *path = getenv("TURNS_FILE");
    FILE *out = path ? fopen(path, "w") : NULL;

    if (!path)
        return;
    if (!out)
        abort();
    fprintf(out, "%d\n", most);
    fclose(out);
}

/* The daemon alone: bots that it starts have the same environment. */
static void count_turn(void)
{
    static int64_t *count;
    const char *path = getenv("TURNS_COUNT");
    int fd;

    if (!count && path) {
        fd = open(path, O_RDWR | O_CREAT, 0600);
        if (fd == -1 || ftruncate(fd, sizeof *count) == -1)
            abort();
        count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED,
                     fd, 0);
        if (count == MAP_FAILED)
            abort();
        close(fd);
    }
    if (count)
        ++*count;
}

int epoll_wait(int fd, struct epoll_event *events, int max, int timeout)
{
    int (*real)(int, struct epoll_event *, int, int) =
        (int (*)(int, struct epoll_event *, int, int))dlsym(RTLD_NEXT,
                                                            "epoll_wait");

    if (taken > most) {
        most = taken;
        write_most();
    }
    taken = 0;
    count_turn();
    return real(fd, events, max, timeout);
}
