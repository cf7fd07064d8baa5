#include "store/sql.h"

#include "base/alloc.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_full(int code, int os)
{
    return code == SQLITE_FULL || (code == SQLITE_IOERR && is_full_disk(os));
}

/* SQLite's last failure as a sentence; returns false. */
static bool sql_fail(struct sql *sql, struct err *err)
{
    int code = sql->db ? sqlite3_errcode(sql->db) & 0xff : SQLITE_NOMEM;
    int os = sql->db ? sqlite3_system_errno(sql->db) : 0;
    const char *path = sql->path;

    sql->is_shut = code == SQLITE_CANTOPEN;
    if (is_full(code, os))
        return fail_for_now(err, "%s cannot grow: the disk is full", path);
    switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fail_for_now(err, "%s is locked by another program", path);
    case SQLITE_READONLY:
        return fail(err, "%s cannot be written: it is read-only", path);
    case SQLITE_CANTOPEN:
        return fail(err, "%s cannot be opened: %s", path,
                    os ? strerror(os) : "its folder is missing or read-only");
    case SQLITE_IOERR:
        return fail(err, "%s cannot be read or written: %s", path,
                    os ? strerror(os) : sqlite3_errmsg(sql->db));
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return fail(err,
                    "%s is damaged (%s); \"referee reindex\" rebuilds it "
                    "from the records",
                    path, sqlite3_errmsg(sql->db));
    case SQLITE_NOMEM:
        abort();
    default:
        return fail(err, "%s: %s", path, sqlite3_errmsg(sql->db));
    }
}

bool sql_open(struct sql *sql, const char *path, const char *uri, int flags,
              int patience_ms, const char *const *texts, int count,
              struct err *err)
{
    assert(count <= SQL_STATEMENTS_MAX);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* heard before the first */
    *sql = (struct sql){
        .path = must_alloc(strdup(path)), .texts = texts, .count = count};
    if (sqlite3_open_v2(uri, &sql->db, flags, NULL) != SQLITE_OK) {
        sql_fail(sql, err);
        sql_close(sql);
        return false;
    }
    sqlite3_busy_timeout(sql->db, patience_ms);
    return true;
}

void sql_close(struct sql *sql)
{
    for (int i = 0; i < sql->count; i++)
        sqlite3_finalize(sql->stmt[i]);
    sqlite3_close(sql->db);
    free(sql->path);
    *sql = (struct sql){0};
}

bool sql_exec(struct sql *sql, const char *text, struct err *err)
{
    return sqlite3_exec(sql->db, text, NULL, NULL, NULL) == SQLITE_OK ||
           sql_fail(sql, err);
}

bool sql_number(struct sql *sql, const char *text, int64_t *value,
                struct err *err)
{
    sqlite3_stmt *stmt = NULL;
    bool ok = sqlite3_prepare_v2(sql->db, text, -1, &stmt, NULL) == SQLITE_OK &&
              sqlite3_step(stmt) == SQLITE_ROW;

    if (ok)
        *value = sqlite3_column_int64(stmt, 0);
    else
        sql_fail(sql, err);
    sqlite3_finalize(stmt);
    return ok;
}

static void bind(sqlite3_stmt *stmt, int place, const struct sql_value *value)
{
    switch (value->kind) {
    case SQL_IS_NULL:
        sqlite3_bind_null(stmt, place);
        break;
    case SQL_IS_INT:
        sqlite3_bind_int64(stmt, place, value->i);
        break;
    case SQL_IS_REAL:
        sqlite3_bind_double(stmt, place, value->d);
        break;
    case SQL_IS_TEXT:
        sqlite3_bind_text(stmt, place, value->t, -1, SQLITE_STATIC);
        break;
    }
}

/* If a statement cannot be prepared, stepping it reports why. */
void sql_ask_values(struct sql *sql, int which, const struct sql_value *values,
                    int count)
{
    sqlite3_stmt **stmt = &sql->stmt[which];

    if (!*stmt)
        sqlite3_prepare_v3(sql->db, sql->texts[which], -1,
                           SQLITE_PREPARE_PERSISTENT, stmt, NULL);
    for (int i = 0; *stmt && i < count; i++)
        bind(*stmt, i + 1, &values[i]);
}

bool sql_row(struct sql *sql, int which, bool *ok, struct err *err)
{
    int code = sql->stmt[which] ? sqlite3_step(sql->stmt[which]) : SQLITE_ERROR;

    if (code == SQLITE_ROW)
        return true;
    *ok = code == SQLITE_DONE || sql_fail(sql, err);
    sqlite3_reset(sql->stmt[which]);
    return false;
}

void sql_stop(struct sql *sql, int which)
{
    sqlite3_reset(sql->stmt[which]);
}

bool sql_run_values(struct sql *sql, int which, const struct sql_value *values,
                    int count, struct err *err)
{
    bool ok = true;

    sql_ask_values(sql, which, values, count);
    while (sql_row(sql, which, &ok, err))
        continue;
    return ok;
}

int64_t sql_int(struct sql *sql, int which, int column)
{
    return sqlite3_column_int64(sql->stmt[which], column);
}

double sql_real(struct sql *sql, int which, int column)
{
    return sqlite3_column_double(sql->stmt[which], column);
}

const char *sql_text(struct sql *sql, int which, int column)
{
    const void *text = sqlite3_column_text(sql->stmt[which], column);

    return text ? text : "";
}

bool sql_is_null(struct sql *sql, int which, int column)
{
    return sqlite3_column_type(sql->stmt[which], column) == SQLITE_NULL;
}
