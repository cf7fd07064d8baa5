#ifndef BENCH_RUN_H
#define BENCH_RUN_H

/* run.h - run a command and see what it costs, for bench_match. */

#include <stdbool.h>
#include <stdint.h>

enum { ARGS_MAX = 40, TEXT_MAX = 512 };

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

/* The cost of what happens between two numbers of moves, or of all. */
struct cost run(struct command *command, const char *output, bool one_core,
                uint64_t first, uint64_t last);
struct cost run_whole(struct command *command, const char *output,
                      bool one_core);

_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
