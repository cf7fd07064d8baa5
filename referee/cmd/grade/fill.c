/* Fill the points into a learning platform's file. */

#include "cmd/grade/course.h"
#include "cmd/ladder/view.h"
#include "cmd/lib/csv.h"
#include "cmd/lib/files.h"

#include <stdio.h>
#include <string.h>

/* The name of a student on the platform. */
static const json_t *student_called(const json_t *grades, const json_t *roster,
                                    const char *text)
{
    const char *name = view_text(roster, text);
    json_t *student;
    size_t i;

    json_array_foreach(
        json_object_get(grades, "students"), i,
        student) if (strcmp(view_text(student, "name"), *name ? name : text) ==
                     0) return student;
    return NULL;
}

/* {"Anna Adams": "anna"}, from rows such as anna,"Anna Adams" */
static bool read_roster(const char *path, json_t **roster, struct err *err)
{
    struct buf text, name, called;
    const char *at;
    struct csv_row row;

    *roster = json_object();
    if (!path)
        return true;
    buf_init(&text, CSV_BYTES_MAX);
    if (!file_read(path, &text, err)) {
        buf_release(&text);
        return false;
    }
    buf_init(&name, 4096);
    buf_init(&called, 4096);
    for (at = text.text ? text.text : ""; csv_next(&at, &row);)
        for (int i = 1; i < row.cells; i++) {
            csv_text(&row, 0, &name);
            csv_text(&row, i, &called);
            json_object_set_new(*roster, called.text, json_string(name.text));
        }
    buf_release(&name);
    buf_release(&called);
    buf_release(&text);
    return true;
}

static int find_column(const struct csv_row *title, const char *column,
                       struct err *err)
{
    struct buf text;
    int found = -1;

    buf_init(&text, 4096);
    for (int i = 0; i < title->cells && found < 0; i++) {
        csv_text(title, i, &text);
        if (strncmp(text.text, column, strlen(column)) == 0)
            found = i;
    }
    buf_release(&text);
    if (found < 0)
        fail(err,
             "no column title begins with \"%.100s\"; name one with "
             "--column",
             column);
    return found;
}

static void fill_row(const json_t *grades, const json_t *roster,
                     const struct csv_row *row, int column, int *filled,
                     struct buf *out)
{
    const json_t *student = NULL;
    struct buf text;

    buf_init(&text, 4096);
    for (int i = 0; i < row->cells && !student; i++) {
        csv_text(row, i, &text);
        if (i != column)
            student = student_called(grades, roster, text.text);
    }
    buf_release(&text);
    for (int i = 0; i < row->cells || (student && i <= column); i++) {
        if (i)
            buf_char(out, ',');
        if (student && i == column)
            buf_add(out, "%lld", view_int(student, "points"));
        else if (i < row->cells)
            buf_put(out, row->cell[i], row->len[i]);
    }
    *filled += student != NULL;
    buf_char(out, '\n');
}

bool grades_fill(const json_t *grades, const char *path, const char *roster,
                 const char *column, struct buf *out, struct err *err)
{
    json_t *names = NULL;
    const char *at;
    struct buf text;
    struct csv_row row;
    int where = -1, filled = 0;
    bool ok;

    buf_init(&text, CSV_BYTES_MAX);
    ok = file_read(path, &text, err) && read_roster(roster, &names, err);
    at = ok && text.text ? text.text : "";
    if (ok && csv_next(&at, &row)) {
        where = find_column(&row, column, err);
        ok = where >= 0 || fail_at(err, "%s", path);
        for (int i = 0; ok && i < row.cells; i++) {
            buf_str(out, i ? "," : "");
            buf_put(out, row.cell[i], row.len[i]);
        }
        buf_char(out, '\n');
    }
    while (ok && csv_next(&at, &row))
        fill_row(grades, names, &row, where, &filled, out);
    if (ok && filled == 0)
        ok = fail(err,
                  "%s: no row has the name of a student; use --roster to "
                  "give their names on the platform",
                  path);
    json_decref(names);
    buf_release(&text);
    return ok;
}
