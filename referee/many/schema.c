#include "many/schema.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sql_file {
    const char *name;
    const char *text;
};

static const struct sql_file files[] = {
#define SQL_FILE(name, text) {name, text},
#include "many/list.h"
#undef SQL_FILE
};

enum {
    FILES = sizeof files / sizeof *files,
    SCRIPT_MAX = 1 << 20,
    LOCK = 7265666, /* lock: only one process migrates at a time */
};

static int version_of(const struct sql_file *file)
{
    return atoi(file->name);
}

int schema_newest(void)
{
    return version_of(&files[FILES - 1]);
}

bool schema_version(struct pg *pg, int *version, struct err *err)
{
    struct pg_rows *rows;
    bool is_there;

    *version = 0;
    if (!pg_run(pg, "SELECT to_regclass('referee.versions') IS NOT NULL", NULL,
                0, &rows, err))
        return false;
    is_there = pg_yes(rows, 0, 0);
    pg_free(rows);
    if (!is_there)
        return true;
    if (!pg_run(pg, "SELECT coalesce(max(version), 0) FROM referee.versions",
                NULL, 0, &rows, err))
        return false;
    *version = (int)pg_number(rows, 0, 0);
    pg_free(rows);
    return true;
}

bool schema_fits(int version, struct err *err)
{
    if (version == 0)
        return fail(err, "the database has no tables of the referee yet: "
                         "run \"referee db init\"");
    if (version < schema_newest())
        return fail(err,
                    "the database has version %d of the tables, but this "
                    "program needs version %d: run \"referee db migrate\"",
                    version, schema_newest());
    if (version > schema_newest())
        return fail(err,
                    "the database has version %d of the tables, but this "
                    "program supports only version %d: install the newer "
                    "referee",
                    version, schema_newest());
    return true;
}

/* Set the version, and check that it is present: all or nothing. */
static bool run_file(struct pg *pg, const struct sql_file *file,
                     struct err *err)
{
    struct buf script;
    struct err ignored;
    bool ok;

    buf_init(&script, SCRIPT_MAX);
    buf_add(&script, "BEGIN;\n");
    buf_str(&script, file->text);
    buf_add(&script,
            "\nINSERT INTO referee.versions (version) VALUES (%d);\nCOMMIT;",
            version_of(file));
    ok = pg_script(pg, script.text, err) || fail_at(err, "%s", file->name);
    if (!ok && !pg_script(pg, "ROLLBACK", &ignored))
        err->passes = false;
    buf_release(&script);
    return ok;
}

static bool prepare(struct pg *pg, struct err *err)
{
    return pg_script(pg,
                     "CREATE SCHEMA IF NOT EXISTS referee;"
                     "CREATE TABLE IF NOT EXISTS referee.versions ("
                     "version int PRIMARY KEY,"
                     "made timestamptz NOT NULL DEFAULT now());",
                     err);
}

static bool run_missing(struct pg *pg, int from, struct err *err)
{
    for (int i = 0; i < FILES; i++)
        if (version_of(&files[i]) > from && !run_file(pg, &files[i], err))
            return false;
    return true;
}

static bool partition(struct pg *pg, struct err *err)
{
    return pg_script(pg,
                     "SELECT referee.make_partitions(current_date),"
                     " referee.make_partitions((current_date +"
                     " interval '1 month')::date)",
                     err);
}

bool schema_migrate(struct pg *pg, bool is_new, int *from, int *to,
                    struct err *err)
{
    char lock[64];

    snprintf(lock, sizeof lock, "SELECT pg_advisory_lock(%d)", LOCK);
    if (!pg_script(pg, lock, err) || !schema_version(pg, from, err))
        return false;
    if (is_new && *from > 0)
        return fail(err,
                    "the database already has version %d of the tables: run "
                    "\"referee db migrate\"",
                    *from);
    if (!is_new && *from == 0)
        return schema_fits(0, err);
    if (*from > schema_newest())
        return schema_fits(*from, err);
    *to = schema_newest();
    return prepare(pg, err) && run_missing(pg, *from, err) &&
           partition(pg, err);
}
