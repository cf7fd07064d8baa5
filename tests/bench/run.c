#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t *moves_made; /* shared with the bots */

_Noreturn void die(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    fputs("bench: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    exit(1);
}

void add(struct command *c, const char *fmt, ...)
{
    char text[TEXT_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (c->argc == ARGS_MAX)
        die("too many arguments");
    c->argv[c->argc++] = strdup(text);
}

void forget(struct command *c)
{
    for (int i = 0; i < c->argc; i++)
        free(c->argv[i]);
    c->argc = 0;
}

static double time_us(clockid_t clock)
{
    struct timespec t;

    if (clock_gettime(clock, &t) != 0)
        die("no clock: %s", strerror(errno));
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* What it has cost so far. Its CPU clock can be read until it is reaped. */
static struct cost cost_of(pid_t pid)
{
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0)
        die("no CPU clock");
    return (struct cost){time_us(CLOCK_MONOTONIC), time_us(clock), *moves_made,
                         0};
}

static void stay_on_core(int number)
{
    cpu_set_t core;

    CPU_ZERO(&core);
    CPU_SET(number, &core);
    sched_setaffinity(0, sizeof core, &core);
}

static void become(struct command *c, const char *output, enum cores cores)
{
    int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (cores == ONE_CORE)
        stay_on_core(0);
    dup2(fd, 1);
    c->argv[c->argc] = NULL;
    execvp(c->argv[0], c->argv);
    _exit(127);
}

pid_t launch(struct command *c, const char *output, enum cores cores)
{
    pid_t pid;

    *moves_made = 0;
    pid = fork();
    if (pid == 0)
        become(c, output, cores);
    if (pid == -1)
        die("fork: %s", strerror(errno));
    return pid;
}

/* Until so many moves are made, or it has ended. */
static struct cost wait_for(pid_t pid, uint64_t moves)
{
    siginfo_t info = {0};

    while (*moves_made < moves && info.si_pid == 0) {
        usleep(1000);
        waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG);
    }
    return cost_of(pid);
}

struct cost cost_between(pid_t pid, uint64_t first, uint64_t last)
{
    struct cost from = wait_for(pid, first), to = wait_for(pid, last);

    return (struct cost){to.wall_us - from.wall_us, to.cpu_us - from.cpu_us,
                         to.moves - from.moves, 0};
}

void finish(pid_t pid, const char *name)
{
    int status;

    waitpid(pid, &status, 0);
    if (status != 0)
        die("%s failed", name);
}

struct cost run(struct command *c, const char *output, enum cores cores,
                uint64_t first, uint64_t last)
{
    pid_t pid = launch(c, output, cores);
    struct cost cost = cost_between(pid, first, last);

    /* Not ru_maxrss, which remembers what we ourselves had before exec. */
    cost.rss_kib = proc_kib(pid, "status", "VmHWM:");
    finish(pid, c->argv[0]);
    return cost;
}

struct cost run_whole(struct command *c, const char *output, enum cores cores)
{
    return run(c, output, cores, 0, UINT64_MAX);
}

double proc_kib(pid_t pid, const char *file, const char *key)
{
    char path[64], line[256];
    double kib = 0;
    FILE *in;

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (strncmp(line, key, strlen(key)) == 0)
            kib = strtod(line + strlen(key), NULL);
    if (in)
        fclose(in);
    return kib;
}

void count_moves(const char *path)
{
    int fd;

    fd = open(path, O_RDWR | O_CREAT, 0600);
    if (fd == -1 || ftruncate(fd, sizeof *moves_made) == -1)
        die("%s: %s", path, strerror(errno));
    moves_made = mmap(NULL, sizeof *moves_made, PROT_READ | PROT_WRITE,
                      MAP_SHARED, fd, 0);
    if (moves_made == MAP_FAILED)
        die("%s: %s", path, strerror(errno));
    close(fd);
}
