#ifndef REFEREE_CMD_LIB_FILES_H
#define REFEREE_CMD_LIB_FILES_H

/* files.h - whole files, in and out. */

#include "base/buf.h"

/* Read a file, or standard input for "-", into an empty buf. */
bool file_read(const char *path, struct buf *out, struct err *err) MUST_CHECK;

/*
 * Append a data file (a board, a set of tiles or pieces) as one line: comments
 * dropped, blanks become ',', line ends become ';'.
 */
bool file_as_line(const char *path, struct buf *out,
                  struct err *err) MUST_CHECK;

/*
 * Write a file that only its owner can read; it appears complete or not at all.
 */
bool file_write(const char *path, const struct buf *text,
                struct err *err) MUST_CHECK;

#endif
