#ifndef REFEREE_RUN_WALLS_HIDDEN_H
#define REFEREE_RUN_WALLS_HIDDEN_H

/*
 * hidden.h - storage of a bot that appears in no folder and in no process's
 * memory.
 *
 * A file without a name uses disk space as long as a process has it open or has
 * a page of it mapped. Memory can be in such files (memfd), and in the buffers
 * of sockets and pipes. If the kernel does not count for the guard, the guard
 * finds them through the descriptors and maps of all processes.
 *
 * The size of a file that is only mapped is unknown. It counts as an eighth of
 * the limit, so that eight of them are too many. Memory that is shared without
 * a file counts as the size of its mapping, and at least as an eighth.
 *
 * A bot can block the guard's view: an unreadable program does not show its
 * descriptors, and descriptors in transit through a socket belong to no
 * process. Both are rare and short in honest programs, so a guard that sees
 * this several times in a row treats it as hiding.
 */

#include "run/tree.h"

#include <stdbool.h>
#include <stdint.h>

struct hidden {
    int64_t disk_bytes, memory_bytes;
    bool is_hiding;
};

/* `scratch` is the folder of its files; "": no folder counts. */
struct hidden hidden_look(const struct tree *tree, const char *scratch,
                          int64_t scratch_max, int64_t memory_max);

#endif
