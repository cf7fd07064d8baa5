#ifndef REFEREE_MANY_PG_LINK_H
#define REFEREE_MANY_PG_LINK_H

/* pg_link.h - what pg.c and db.c share. Nobody else includes libpq. */

#include "many/pg.h"

#include <libpq-fe.h>

enum { PG_VALUES_MAX = 16 };

struct pg_rows {
    PGresult *result;
};

/* In the form that libpq expects. */
struct pg_values {
    const char *data[PG_VALUES_MAX];
    int len[PG_VALUES_MAX];
    int format[PG_VALUES_MAX];
};

void pg_values(struct pg_values *values, const struct pg_value *value,
               int count);

/* libpq's message as part of a sentence: one line, without a line end. */
bool pg_fail(struct err *err, const char *what, const char *message);

#endif
