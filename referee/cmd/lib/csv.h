#ifndef REFEREE_CMD_LIB_CSV_H
#define REFEREE_CMD_LIB_CSV_H

/*
 * csv.h - rows of CSV files, read and written.
 *
 * A cell in quotation marks may hold commas and line ends; "" in it is one ".
 */

#include "base/buf.h"

enum { CSV_CELLS_MAX = 256, CSV_BYTES_MAX = 64 << 20 };

/* Where each cell begins and ends, quotation marks included. */
struct csv_row {
    const char *cell[CSV_CELLS_MAX];
    size_t len[CSV_CELLS_MAX];
    int cells;
};

/* Take one row; false at the end. */
bool csv_next(const char **at, struct csv_row *row);

/* What a cell says, in place of what is in the buf. */
void csv_text(const struct csv_row *row, int cell, struct buf *out);

/*
 * Write a cell. A text that a spreadsheet takes for a formula would be run by
 * it, so such a one gets a quotation mark before it; numbers are written
 * elsewhere.
 */
void csv_cell(struct buf *out, const char *text);

#endif
