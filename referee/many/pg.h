#ifndef REFEREE_MANY_PG_H
#define REFEREE_MANY_PG_H

/*
 * pg.h - PostgreSQL for commands that can wait: every call blocks until its
 * answer. The daemon and its workers use db.h.
 *
 * Only pg.c and db.c know libpq. A program that was built without it refuses
 * every address with a sentence.
 */

#include "base/buf.h"

#include <stdint.h>

/* A value in a statement: "$1" is the first. NULL for none. */
struct pg_value {
    const char *data;
    size_t len;
    bool is_bytes; /* for a bytea; text ends with a NUL instead */
};

#define PG_TEXT(text) ((struct pg_value){.data = (text)})
#define PG_BYTES(bytes, size) \
    ((struct pg_value){.data = (bytes), .len = (size), .is_bytes = true})

/* The result of a statement. Texts live as long as the rows. */
struct pg_rows;

int pg_count(const struct pg_rows *rows);
const char *pg_text(const struct pg_rows *rows, int row, int column); /* "" */
bool pg_is_null(const struct pg_rows *rows, int row, int column);
int64_t pg_number(const struct pg_rows *rows, int row, int column);
double pg_real(const struct pg_rows *rows, int row, int column);
bool pg_yes(const struct pg_rows *rows, int row, int column);
void pg_bytes(const struct pg_rows *rows, int row, int column, struct buf *out);
void pg_free(struct pg_rows *rows); /* NULL is none */

/* "postgresql://..." */
bool pg_is_url(const char *text);

/* The address without its password, for messages. */
void pg_hide(const char *url, struct buf *out);

struct pg;

struct pg *pg_open(const char *url, struct err *err);
void pg_close(struct pg *pg); /* NULL is none */

/* Run one statement. `rows` may be NULL. */
bool pg_run(struct pg *pg, const char *sql, const struct pg_value *value,
            int count, struct pg_rows **rows, struct err *err) MUST_CHECK;

/* Run several statements, without values and answers. */
bool pg_script(struct pg *pg, const char *sql, struct err *err) MUST_CHECK;

#endif
