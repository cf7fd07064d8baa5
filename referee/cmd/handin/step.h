#ifndef REFEREE_CMD_HANDIN_STEP_H
#define REFEREE_CMD_HANDIN_STEP_H

/*
 * step.h - run a program with limits and keep what it says.
 *
 * The program gets a clean environment, no input, a process group of its own,
 * and limits of memory, processes, file size and time. When it ends, or its
 * time is over, everything in its group is killed.
 */

#include "base/buf.h"

#include <stdint.h>

struct step_limits {
    int64_t time_us;
    int64_t memory_bytes;
    int64_t file_bytes; /* of one file that it writes */
    int processes;
};

enum step_end { STEP_DONE, STEP_FAILED, STEP_TIMED_OUT };

/*
 * stdout and stderr go to `said`, until it is full; what follows is dropped.
 * Fails only if the program cannot be started.
 */
bool step_run(char *const *argv, const char *folder,
              const struct step_limits *limits, struct buf *said,
              enum step_end *end, struct err *err) MUST_CHECK;

#endif
