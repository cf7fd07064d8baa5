#ifndef BENCH_RUN_H
#define BENCH_RUN_H

/* run.h - run a command and see what it costs. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { ARGS_MAX = 4096, TEXT_MAX = 512 };

/* A command line that is put together. */
struct command {
    char *argv[ARGS_MAX + 1];
    int argc;
};

void add(struct command *command, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void forget(struct command *command);

/* What a run costs: time, and the CPU of that process alone. */
struct cost {
    double wall_us, cpu_us;
    uint64_t moves;
    double rss_kib; /* at most */
};

/* From now on the bots count their moves in this file. */
void count_moves(const char *path);

enum cores { ALL_CORES, ONE_CORE };

/* Start it, with its output in a file. */
pid_t launch(struct command *command, const char *output, enum cores cores);

/* What it costs from now on, or until it ends, to make so many moves. */
struct cost cost_between(pid_t pid, uint64_t first, uint64_t last);

/* Wait for its end; dies with a sentence if it failed. */
void finish(pid_t pid, const char *name);

/* All of this: the cost between two numbers of moves, or of everything. */
struct cost run(struct command *command, const char *output, enum cores cores,
                uint64_t first, uint64_t last);
struct cost run_whole(struct command *command, const char *output,
                      enum cores cores);

/* "VmRSS:" of /proc/PID/status and the like, in KiB; 0 if it is gone. */
double proc_kib(pid_t pid, const char *file, const char *key);

_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
