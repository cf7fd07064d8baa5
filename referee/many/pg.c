#include "many/pg.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

bool pg_is_url(const char *text)
{
    return strncmp(text, "postgresql://", 13) == 0 ||
           strncmp(text, "postgres://", 11) == 0;
}

/* "postgresql://anna:secret@host/db" */
void pg_hide(const char *url, struct buf *out)
{
    const char *user = strstr(url, "://");
    const char *at = user ? strchr(user + 3, '@') : NULL;
    const char *colon =
        at ? memchr(user + 3, ':', (size_t)(at - user - 3)) : NULL;
    const char *word = strstr(url, "password=");

    if (colon) {
        buf_put(out, url, (size_t)(colon - url));
        url = at;
    }
    if (word && word >= url) {
        buf_put(out, url, (size_t)(word - url));
        buf_str(out, "password=*");
        url = word + strcspn(word, "&");
    }
    buf_str(out, url);
}

#ifdef HAVE_LIBPQ

#include "many/pg_link.h"

struct pg {
    PGconn *conn;
};

int pg_count(const struct pg_rows *rows)
{
    return PQntuples(rows->result);
}

const char *pg_text(const struct pg_rows *rows, int row, int column)
{
    return PQgetvalue(rows->result, row, column);
}

bool pg_is_null(const struct pg_rows *rows, int row, int column)
{
    return PQgetisnull(rows->result, row, column);
}

void pg_bytes(const struct pg_rows *rows, int row, int column, struct buf *out)
{
    size_t len = 0;
    unsigned char *bytes = must_alloc(PQunescapeBytea(
        (const unsigned char *)pg_text(rows, row, column), &len));

    buf_put(out, (const char *)bytes, len);
    PQfreemem(bytes);
}

void pg_free(struct pg_rows *rows)
{
    if (!rows)
        return;
    PQclear(rows->result);
    free(rows);
}

void pg_values(struct pg_values *values, const struct pg_value *value,
               int count)
{
    for (int i = 0; i < count && i < PG_VALUES_MAX; i++) {
        values->data[i] = value[i].data;
        values->len[i] = (int)value[i].len;
        values->format[i] = value[i].is_bytes;
    }
}

bool pg_fail(struct err *err, const char *what, const char *message)
{
    char line[240];
    size_t n = 0;

    if (strncmp(message, "ERROR:  ", 8) == 0)
        message += 8;
    for (; *message && n + 1 < sizeof line; message++)
        line[n++] = *message == '\n' || *message == '\t' ? ' ' : *message;
    while (n > 0 && line[n - 1] == ' ')
        n--;
    line[n] = '\0';
    return fail_for_now(err, "%s: %s", what, line);
}

struct pg *pg_open(const char *url, struct err *err)
{
    struct pg *pg = must_alloc(calloc(1, sizeof *pg));

    pg->conn = PQconnectdb(url);
    if (pg->conn && PQstatus(pg->conn) == CONNECTION_OK)
        return pg;
    pg_fail(err, "PostgreSQL", pg->conn ? PQerrorMessage(pg->conn) : "memory");
    pg_close(pg);
    return NULL;
}

void pg_close(struct pg *pg)
{
    if (!pg)
        return;
    PQfinish(pg->conn);
    free(pg);
}

static bool take(struct pg *pg, PGresult *result, struct pg_rows **rows,
                 struct err *err)
{
    ExecStatusType status = PQresultStatus(result);

    if (rows)
        *rows = NULL;
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        pg_fail(err, "PostgreSQL", PQerrorMessage(pg->conn));
        PQclear(result);
        return false;
    }
    if (!rows) {
        PQclear(result);
        return true;
    }
    *rows = must_alloc(calloc(1, sizeof **rows));
    (*rows)->result = result;
    return true;
}

bool pg_run(struct pg *pg, const char *sql, const struct pg_value *value,
            int count, struct pg_rows **rows, struct err *err)
{
    struct pg_values values = {0};

    pg_values(&values, value, count);
    return take(pg,
                PQexecParams(pg->conn, sql, count, NULL, values.data,
                             values.len, values.format, 0),
                rows, err);
}

bool pg_script(struct pg *pg, const char *sql, struct err *err)
{
    return take(pg, PQexec(pg->conn, sql), NULL, err);
}

#else /* The program was built without libpq. */

int pg_count(const struct pg_rows *rows)
{
    return 0;
}

const char *pg_text(const struct pg_rows *rows, int row, int column)
{
    return "";
}

bool pg_is_null(const struct pg_rows *rows, int row, int column)
{
    return true;
}

void pg_bytes(const struct pg_rows *rows, int row, int column, struct buf *out)
{
}

void pg_free(struct pg_rows *rows)
{
}

struct pg *pg_open(const char *url, struct err *err)
{
    fail(err, "this referee was built without libpq, so it cannot talk to "
              "PostgreSQL: install libpq-dev, and run configure and make");
    return NULL;
}

void pg_close(struct pg *pg)
{
}

bool pg_run(struct pg *pg, const char *sql, const struct pg_value *value,
            int count, struct pg_rows **rows, struct err *err)
{
    return false;
}

bool pg_script(struct pg *pg, const char *sql, struct err *err)
{
    return false;
}

#endif

int64_t pg_number(const struct pg_rows *rows, int row, int column)
{
    return strtoll(pg_text(rows, row, column), NULL, 10);
}

double pg_real(const struct pg_rows *rows, int row, int column)
{
    return strtod(pg_text(rows, row, column), NULL);
}

bool pg_yes(const struct pg_rows *rows, int row, int column)
{
    return pg_text(rows, row, column)[0] == 't';
}
