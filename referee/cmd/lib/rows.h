#ifndef REFEREE_CMD_LIB_ROWS_H
#define REFEREE_CMD_LIB_ROWS_H

/*
 * rows.h - split text into the rows of a screen.
 *
 * A line wider than the screen is folded. Escape sequences take no column; a
 * character of several bytes takes one.
 */

#include "base/buf.h"

/* Append the text, folded, to `out`; every row ends with a line feed. Returns
 * how many rows were added. */
int rows_fold(const char *text, int columns, struct buf *out);

/*
 * Where row number `row` (from 0) begins; the end of the text if there are
 * fewer rows.
 */
const char *rows_at(const char *text, int row);

#endif
