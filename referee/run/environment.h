#ifndef REFEREE_RUN_ENVIRONMENT_H
#define REFEREE_RUN_ENVIRONMENT_H

/*
 * environment.h - the variables of a bot's process, made here and nowhere
 * else.
 *
 * The referee's own variables may hold passwords and the paths of the person
 * who runs it. A bot that somebody else wrote gets PATH, LANG and HOME, and
 * what its configuration names; a bot of one's own gets all of them.
 */

#include "base/pool.h"

#include <stdbool.h>

/*
 * `wishes` ends with NULL: "NAME=VALUE" sets a variable, "NAME" passes on that
 * of the referee, if it has one. The result ends with NULL and is in the pool.
 */
char *const *environment_make(bool is_clean, char *const *wishes,
                              struct pool *pool);

/* The length of the variable's name at the beginning of a text; 0: none. */
size_t environment_name(const char *text);

#endif
