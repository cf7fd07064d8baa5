#ifndef REFEREE_CMD_LIB_CSV_H
#define REFEREE_CMD_LIB_CSV_H

/*
 * csv.h - read and write rows of CSV files.
 *
 * A quoted cell may contain commas and line ends; in it, "" stands for ".
 */

#include "base/buf.h"

enum { CSV_CELLS_MAX = 256, CSV_BYTES_MAX = 64 << 20 };

/* Start and end of each cell, including quotation marks. */
struct csv_row {
    const char *cell[CSV_CELLS_MAX];
    size_t len[CSV_CELLS_MAX];
    int cells;
};

/* Take one row; false at the end. */
bool csv_next(const char **at, struct csv_row *row);

/* The contents of a cell; replaces what is in the buf. */
void csv_text(const struct csv_row *row, int cell, struct buf *out);

/*
 * Write a cell. A spreadsheet would run a text that looks like a formula, so an
 * apostrophe is put before such a text. Numbers are written elsewhere.
 */
void csv_cell(struct buf *out, const char *text);

#endif
