#ifndef REFEREE_STORE_SQL_H
#define REFEREE_STORE_SQL_H

/*
 * sql.h - SQLite as this program uses it; for the files of store/ only.
 *
 * A statement is a row of a table of texts. It is prepared when it is first
 * needed, and kept. Values are bound by their type, so nothing that a stranger
 * wrote ever becomes part of a statement:
 *
 *     ok = sql_run(sql, ADD_BOT, err, SQL_T(name), SQL_I(number));
 *
 *     sql_ask(sql, GAMES_OF, SQL_T(name));
 *     while (sql_row(sql, GAMES_OF, &ok, err))
 *         use(sql_text(sql, GAMES_OF, 0));
 */

#include "base/err.h"

#include <sqlite3.h>
#include <stdint.h>

enum { SQL_STATEMENTS_MAX = 64 };

struct sql {
    sqlite3 *db;
    char *path; /* for messages */
    /* the last failure was that it cannot be opened */
    bool is_shut;
    const char *const *texts; /* of the statements */
    int count;
    sqlite3_stmt *stmt[SQL_STATEMENTS_MAX];
};

struct sql_value {
    enum { SQL_IS_NULL, SQL_IS_INT, SQL_IS_REAL, SQL_IS_TEXT } kind;
    int64_t i;
    double d;
    const char *t;
};

#define SQL_T(text)   ((struct sql_value){.kind = SQL_IS_TEXT, .t = (text)})
#define SQL_I(number) ((struct sql_value){.kind = SQL_IS_INT, .i = (number)})
#define SQL_D(real)   ((struct sql_value){.kind = SQL_IS_REAL, .d = (real)})
#define SQL_N         ((struct sql_value){.kind = SQL_IS_NULL})

/*
 * `uri` and `flags` as in sqlite3_open_v2(). The path is for messages. It waits
 * this long for a lock, and no longer.
 */
bool sql_open(struct sql *sql, const char *path, const char *uri, int flags,
              int patience_ms, const char *const *texts, int count,
              struct err *err) MUST_CHECK;
void sql_close(struct sql *sql);

/* Statements that are not kept, such as PRAGMAs; several are joined by ';'. */
bool sql_exec(struct sql *sql, const char *text, struct err *err) MUST_CHECK;
bool sql_number(struct sql *sql, const char *text, int64_t *value,
                struct err *err) MUST_CHECK;

/*
 * Bind the values. Then sql_row() steps. At the end it returns false, resets
 * the statement, and *ok tells whether all went well.
 */
void sql_ask_values(struct sql *sql, int which, const struct sql_value *values,
                    int count);
bool sql_row(struct sql *sql, int which, bool *ok, struct err *err);
void sql_stop(struct sql *sql, int which); /* before the end */

/* A statement without rows. */
bool sql_run_values(struct sql *sql, int which, const struct sql_value *values,
                    int count, struct err *err) MUST_CHECK;

#define SQL_VALUES(...)                                 \
    (struct sql_value[]){__VA_ARGS__},                  \
        (int)(sizeof(struct sql_value[]){__VA_ARGS__} / \
              sizeof(struct sql_value))
#define sql_ask(sql, which, ...) \
    sql_ask_values(sql, which, SQL_VALUES(__VA_ARGS__))
#define sql_run(sql, which, err, ...) \
    sql_run_values(sql, which, SQL_VALUES(__VA_ARGS__), err)

/* Columns of the row. A text lives until the next step. NULL becomes "". */
int64_t sql_int(struct sql *sql, int which, int column);
double sql_real(struct sql *sql, int which, int column);
const char *sql_text(struct sql *sql, int which, int column);
bool sql_is_null(struct sql *sql, int which, int column);

#endif
