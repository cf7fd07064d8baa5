#include "figures.h"

#include "run.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES_MAX = 1024, SAMPLES_MAX = 15, NAMES_MAX = 64, ROW_MAX = 40 };

struct figure {
    const char *table, *column;
    char row[ROW_MAX];
    double value[SAMPLES_MAX];
    int count;
};

static struct figure figures[FIGURES_MAX];
static int figure_count;

static struct figure *find(const char *table, const char *row,
                           const char *column)
{
    for (int i = 0; i < figure_count; i++)
        if (strcmp(figures[i].table, table) == 0 &&
            strcmp(figures[i].row, row) == 0 &&
            strcmp(figures[i].column, column) == 0)
            return &figures[i];
    return NULL;
}

void sample(const char *table, const char *row, const char *column,
            double value)
{
    struct figure *f = find(table, row, column);

    if (!f && figure_count == FIGURES_MAX)
        die("too many figures");
    if (!f) {
        f = &figures[figure_count++];
        f->table = table;
        f->column = column;
        snprintf(f->row, sizeof f->row, "%s", row);
    }
    if (f->count < SAMPLES_MAX)
        f->value[f->count++] = value;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The quartiles and the median. */
static void sort_out(const struct figure *f, double *low, double *median,
                     double *high)
{
    double sorted[SAMPLES_MAX];

    memcpy(sorted, f->value, sizeof sorted);
    qsort(sorted, (size_t)f->count, sizeof *sorted, by_size);
    *low = sorted[(f->count - 1) / 4];
    *median = sorted[f->count / 2];
    *high = sorted[f->count - 1 - (f->count - 1) / 4];
}

/* Three digits that count, and no more behind the point. */
static int decimals(double value)
{
    return fabs(value) >= 100 ? 0 : fabs(value) >= 10 ? 1 : 2;
}

static const char *cell(const struct figure *f, char *text, size_t size)
{
    double low, median, high;
    int n;

    if (!f)
        return "";
    sort_out(f, &low, &median, &high);
    if (isnan(median))
        return "-";
    n = snprintf(text, size, "%.*f", decimals(median), median);
    if (f->count > 1 && median != 0)
        snprintf(text + n, size - (size_t)n, " (%.0f%%)",
                 50 * (high - low) / fabs(median));
    return text;
}

/* Rows and columns of a table, in the order of their first figures. */
struct names {
    const char *name[NAMES_MAX];
    int count;
};

static void add_name(struct names *names, const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return;
    if (names->count == NAMES_MAX)
        die("too many rows or columns");
    names->name[names->count++] = name;
}

static void look_at_table(const char *table, struct names *rows,
                          struct names *columns)
{
    *rows = *columns = (struct names){0};
    for (int i = 0; i < figure_count; i++)
        if (strcmp(figures[i].table, table) == 0) {
            add_name(rows, figures[i].row);
            add_name(columns, figures[i].column);
        }
}

static int row_width(const struct names *rows)
{
    int width = 0;

    for (int i = 0; i < rows->count; i++) {
        int n = (int)strlen(rows->name[i]);

        width = n > width ? n : width;
    }
    return width;
}

static int width_of(const char *table, const struct names *rows,
                    const char *column)
{
    int width = (int)strlen(column);

    for (int i = 0; i < rows->count; i++) {
        char text[64];
        int n = (int)strlen(
            cell(find(table, rows->name[i], column), text, sizeof text));

        width = n > width ? n : width;
    }
    return width;
}

void print_table(const char *table)
{
    struct names rows, columns;
    int width[NAMES_MAX];
    char text[64];

    look_at_table(table, &rows, &columns);
    printf("%*s", row_width(&rows), "");
    for (int k = 0; k < columns.count; k++) {
        width[k] = width_of(table, &rows, columns.name[k]);
        printf("  %*s", width[k], columns.name[k]);
    }
    printf("\n");
    for (int i = 0; i < rows.count; i++) {
        printf("%-*s", row_width(&rows), rows.name[i]);
        for (int k = 0; k < columns.count; k++)
            printf("  %*s", width[k],
                   cell(find(table, rows.name[i], columns.name[k]), text,
                        sizeof text));
        printf("\n");
    }
}

static void write_figure(FILE *out, const struct figure *f)
{
    double low, median, high;

    sort_out(f, &low, &median, &high);
    fprintf(out, "\"%s\": ", f->column);
    if (isnan(median))
        fprintf(out, "null");
    else
        fprintf(out, "{\"median\": %.6g, \"low\": %.6g, \"high\": %.6g}",
                median, low, high);
}

static void write_row(FILE *out, const char *table, const char *row)
{
    const char *comma = "";

    fprintf(out, "  \"%s\": {", row);
    for (int i = 0; i < figure_count; i++)
        if (strcmp(figures[i].table, table) == 0 &&
            strcmp(figures[i].row, row) == 0) {
            fputs(comma, out);
            write_figure(out, &figures[i]);
            comma = ", ";
        }
    fprintf(out, "}");
}

void write_json(FILE *out)
{
    struct names tables = {0}, rows, columns;

    for (int i = 0; i < figure_count; i++)
        add_name(&tables, figures[i].table);
    fprintf(out, "{");
    for (int t = 0; t < tables.count; t++) {
        fprintf(out, "%s\n \"%s\": {\n", t ? "," : "", tables.name[t]);
        look_at_table(tables.name[t], &rows, &columns);
        for (int i = 0; i < rows.count; i++) {
            write_row(out, tables.name[t], rows.name[i]);
            fprintf(out, "%s\n", i + 1 < rows.count ? "," : "");
        }
        fprintf(out, " }");
    }
    fprintf(out, "\n}\n");
}
