#ifndef REFEREE_STORE_JSON_LINES_H
#define REFEREE_STORE_JSON_LINES_H

/*
 * json_lines.h - a file that only grows: one JSON object a line.
 *
 * A last line without its end was being written when the power failed. It was
 * promised to nobody: readers leave it out, and the next writer removes it.
 */

#include "base/err.h"

#include <jansson.h>

/* All of them, as an array that the caller frees. A file that is not there is
 * empty. */
bool json_lines_read(const char *path, size_t bytes_max, json_t **lines,
                     struct err *err) MUST_CHECK;

/* It is on the disk when this returns, or not in the file. */
bool json_lines_add(const char *path, const json_t *line,
                    struct err *err) MUST_CHECK;

#endif
