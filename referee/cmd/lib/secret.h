#ifndef REFEREE_CMD_LIB_SECRET_H
#define REFEREE_CMD_LIB_SECRET_H

/*
 * secret.h - read a token from a file and keep it hidden.
 *
 * Its memory is not swapped, not dumped, not visible to the processes that we
 * start, and wiped at the end.
 */

#include "base/err.h"

enum { SECRET_MAX = 256 };

/* The first line of a file that only its owner can read; NULL on failure. */
const char *secret_read(const char *path, struct err *err);
void secret_free(const char *secret);

#endif
