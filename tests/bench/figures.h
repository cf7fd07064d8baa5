#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

/*
 * figures.h - samples in tables, shown as medians with their spread.
 *
 * A figure is sampled once in every round; table, row and column name it, and
 * rows and columns stand in the order in which they were first named. NAN is
 * "not measured". The names are borrowed, and rows are copied.
 */

#include <stdio.h>

void sample(const char *table, const char *row, const char *column,
            double value);

/* "11.2 (4%)": the median, and half of the way between the quartiles as a share
 * of it. */
void print_table(const char *table);

/* {"TABLE": {"ROW": {"COLUMN": {"median": M, "low": L, "high": H}}}}, low and
 * high are the quartiles. */
void write_json(FILE *out);

#endif
