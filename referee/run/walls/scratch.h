#ifndef REFEREE_RUN_WALLS_SCRATCH_H
#define REFEREE_RUN_WALLS_SCRATCH_H

/*
 * scratch.h - the folder that a bot may write to, outside a mount namespace.
 *
 * Its name cannot be guessed, and only the bot's user can enter. The guard
 * makes it, regularly checks its size, and removes it.
 */

#include "base/err.h"

#include <stdint.h>
#include <sys/types.h>

enum { SCRATCH_PATH_MAX = 256, SCRATCH_FILES_MAX = 4096 };

/* A new random name, below $TMPDIR or /tmp. */
bool scratch_name(char path[SCRATCH_PATH_MAX], struct err *err) MUST_CHECK;

/* Make it for this user, or for ours with -1; false with errno. */
bool scratch_make(const char *path, uid_t user);

/*
 * Mount a file system of this size there. Only this process and its descendants
 * see it, and it ends with them. Only root may do this; false with errno.
 */
bool scratch_mount(const char *path, uid_t user, int64_t bytes);
void scratch_unmount(const char *path);

/* Does it hold more bytes than this, or more than SCRATCH_FILES_MAX files? */
bool scratch_is_full(const char *path, int64_t bytes);

/* Remove its contents; and the folder itself, if it exists. */
void scratch_empty(const char *path);
void scratch_remove(const char *path);

#endif
