#ifndef REFEREE_RUN_WALLS_HIDDEN_H
#define REFEREE_RUN_WALLS_HIDDEN_H

/*
 * hidden.h - what a bot has stored where no folder and no process shows it.
 *
 * A file without a name takes room on a disk for as long as somebody has it
 * open, or has a page of it mapped. Memory can be in such files (memfd), and in
 * the buffers of sockets and pipes. A guard that has to look for itself, since
 * the kernel does not count for it, finds them by the descriptors and the maps
 * of all processes.
 *
 * A file that is only mapped does not tell its size: it counts as an eighth of
 * the limit, so that eight of them are too many. Memory that is shared without
 * a file counts with the size of its mapping, and at least as much.
 *
 * A bot can keep the guard from looking: a program that nobody may read does
 * not show its descriptors, and those that are on their way through a socket
 * are nobody's. Both are rare and short in honest programs, so a guard that
 * sees it several times in a row takes it for hiding.
 */

#include "run/tree.h"

#include <stdbool.h>
#include <stdint.h>

struct hidden {
    int64_t disk_bytes, memory_bytes;
    bool is_hiding;
};

/* `scratch` is where its files have been; "": nowhere that counts. */
struct hidden hidden_look(const struct tree *tree, const char *scratch,
                          int64_t scratch_max, int64_t memory_max);

#endif
