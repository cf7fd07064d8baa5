#ifndef REFEREE_RUN_WALLS_FILES_H
#define REFEREE_RUN_WALLS_FILES_H

/*
 * files.h - the files that a bot can open, by Landlock.
 *
 * Landlock takes a list of what is allowed. The kernel refuses everything else
 * to the bot and its descendants. Any user can set it up, without namespaces.
 * Newer kernels cover more; on older ones calls.h closes the gaps.
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

/* Apply the rules to this process and everything that it starts. */
bool files_restrict(int rules);

#endif
