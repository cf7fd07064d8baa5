#ifndef REFEREE_CMD_LIB_ROWS_H
#define REFEREE_CMD_LIB_ROWS_H

/*
 * rows.h - the rows that a text takes on a screen.
 *
 * A line that is wider than the screen is folded. Escape sequences, and the
 * bytes after the first of a letter, take no column.
 */

#include "base/buf.h"

/* Append the text, folded, to `out`; every row ends with a line feed. Returns
 * how many rows were added. */
int rows_fold(const char *text, int columns, struct buf *out);

/* Where the row number `row`, from 0, begins; the end if there are fewer. */
const char *rows_at(const char *text, int row);

#endif
