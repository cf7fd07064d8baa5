#ifndef REFEREE_CMD_HANDIN_STEP_H
#define REFEREE_CMD_HANDIN_STEP_H

/*
 * step.h - run a program with limits and keep its output.
 *
 * The program gets a clean environment, no input, a process group of its own,
 * and limits: of time, memory and processes, and of what it may write to its
 * folder. Where control groups are available, memory and processes are limited
 * for everything that a foreign program starts; elsewhere, for each process or
 * for the user. When the program ends or reaches a limit, its whole group is
 * killed.
 *
 * Time is wall time, so a busy machine would refuse honest bots. When more
 * programs want to run than there are processors, the limit is longer in
 * proportion, up to STEP_PATIENCE_MAX times.
 */

#include "base/buf.h"

#include <stdint.h>

enum { STEP_PATIENCE_MAX = 4 };

struct step_limits {
    int64_t time_us; /* on an idle machine */
    int64_t memory_bytes;
    int64_t file_bytes; /* size of one file that it writes */
    int processes;
    int64_t folder_bytes; /* bytes in its folder, ... */
    int folder_files;     /* ... and number of files; 0: no limit */
    int64_t output_bytes; /* size of its output; 0: no limit */
    bool is_foreign;      /* it gets a control group, and games have priority */
};

enum step_end {
    STEP_DONE,
    STEP_FAILED, /* with an exit code */
    STEP_KILLED, /* by a signal that we did not send */
    STEP_TIMED_OUT,
    STEP_MEMORY, /* it reached one of its limits */
    STEP_PROCESSES,
    STEP_FOLDER,
    STEP_OUTPUT
};

/* How many times as long everything may take now: 1 on an idle machine. */
int step_patience(void);

/*
 * stdout and stderr go to `said` until it is full; the rest is dropped. Fails
 * only if the program cannot be started.
 */
bool step_run(char *const *argv, const char *folder,
              const struct step_limits *limits, struct buf *said,
              enum step_end *end, struct err *err) MUST_CHECK;

#endif
