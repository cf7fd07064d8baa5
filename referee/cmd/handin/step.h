#ifndef REFEREE_CMD_HANDIN_STEP_H
#define REFEREE_CMD_HANDIN_STEP_H

/*
 * step.h - run a program with limits and keep what it says.
 *
 * The program gets a clean environment, no input, a process group of its own,
 * and limits: of time, of memory and processes, and of what it may write to
 * its folder. Where control groups can be had, memory and processes count for
 * all that a foreign program starts; elsewhere for each process, or for the
 * user. When it ends, or reaches a limit, everything in its group is killed.
 */

#include "base/buf.h"

#include <stdint.h>

struct step_limits {
    int64_t time_us;
    int64_t memory_bytes;
    int64_t file_bytes; /* of one file that it writes */
    int processes;
    int64_t folder_bytes; /* in its folder, ... */
    int folder_files;     /* ... and so many files; 0: as many as it likes */
    int64_t output_bytes; /* of what it may say; 0: no limit */
    bool is_foreign;      /* it gets a group, and games come first */
};

enum step_end {
    STEP_DONE,
    STEP_FAILED, /* with an exit code */
    STEP_KILLED, /* by a signal that was not ours */
    STEP_TIMED_OUT,
    STEP_MEMORY, /* it has reached one of its limits */
    STEP_PROCESSES,
    STEP_FOLDER,
    STEP_OUTPUT
};

/*
 * stdout and stderr go to `said`, until it is full; what follows is dropped.
 * Fails only if the program cannot be started.
 */
bool step_run(char *const *argv, const char *folder,
              const struct step_limits *limits, struct buf *said,
              enum step_end *end, struct err *err) MUST_CHECK;

#endif
