#ifndef REFEREE_RUN_STDERR_TALLY_H
#define REFEREE_RUN_STDERR_TALLY_H

/*
 * stderr_tally.h - what a bot, in all its processes, wrote to standard error:
 * the number of lines, and how they begin.
 */

#include "base/buf.h"

#include <stdint.h>

struct stderr_tally {
    int64_t lines;
    bool is_inside; /* a line */
    struct buf head;
};

/* Keep at most this many of the first bytes. */
void stderr_tally_init(struct stderr_tally *tally, size_t max_bytes);
void stderr_tally_release(struct stderr_tally *tally);
void stderr_tally_add(struct stderr_tally *tally, const char *bytes,
                      size_t count);

#endif
