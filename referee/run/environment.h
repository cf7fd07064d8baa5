#ifndef REFEREE_RUN_ENVIRONMENT_H
#define REFEREE_RUN_ENVIRONMENT_H

/*
 * environment.h - builds the environment variables of a bot's process.
 *
 * The referee's own variables may hold passwords and paths of the person who
 * runs it. A bot that somebody else wrote gets PATH, LANG and HOME, and what
 * its configuration names. Your own bots get all of them.
 */

#include "base/pool.h"

#include <stdbool.h>

/*
 * `passed` ends with NULL. "NAME=VALUE" sets a variable; "NAME" passes on the
 * referee's variable, if there is one. The result ends with NULL and is in the
 * pool.
 */
char *const *environment_make(bool is_clean, char *const *passed,
                              struct pool *pool);

/* Length of the variable's name at the beginning of a text; 0: none. */
size_t environment_name(const char *text);

#endif
