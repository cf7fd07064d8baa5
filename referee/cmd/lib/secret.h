#ifndef REFEREE_CMD_LIB_SECRET_H
#define REFEREE_CMD_LIB_SECRET_H

/*
 * secret.h - a token that is read from a file and kept out of sight.
 *
 * Its memory is not swapped, not dumped, not there in the processes that we
 * start, and wiped in the end.
 */

#include "base/err.h"

enum { SECRET_MAX = 256 };

/* The first line of a file that only its owner can read; NULL: failed. */
const char *secret_read(const char *path, struct err *err);
void secret_free(const char *secret);

#endif
