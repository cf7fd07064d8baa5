#ifndef REFEREE_RUN_WALLS_FILES_H
#define REFEREE_RUN_WALLS_FILES_H

/*
 * files.h - what a bot can open, by Landlock.
 *
 * Landlock lists what is allowed, and the kernel refuses the rest to the bot
 * and to everything that it starts. Any user can set it up, without namespaces.
 * Newer kernels cover more; for older ones calls.h closes what is left.
 *
 * stat() and access() stay possible: a bot can find out that a file exists.
 */

#include "run/walls/walls.h"

/* What Landlock covers, by its version. */
enum {
    LANDLOCK_REFER = 2,
    LANDLOCK_TRUNCATE = 3,
    LANDLOCK_TCP = 4,
    LANDLOCK_IOCTL = 5,
    LANDLOCK_SCOPES = 6, /* signals, abstract sockets */
};

/* The version of this kernel; 0 with errno if there is none. */
int files_abi(void);

/* The system's own files that every bot may read; NULL at the end. */
const char *const *files_of_system(struct pool *pool);

/* Devices that every bot has. */
extern const char *const files_devices[];

/*
 * The rules for a bot, as a descriptor; -1 with errno. It may write to the
 * folders in `writable`, a list with NULL at its end.
 */
int files_rules(int abi, const char *const *system, const struct walls *walls,
                const char *const *writable);

/* From now on they hold for this process and all that it starts. */
bool files_restrict(int rules);

#endif
