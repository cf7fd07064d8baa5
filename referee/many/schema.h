#ifndef REFEREE_MANY_SCHEMA_H
#define REFEREE_MANY_SCHEMA_H

/*
 * schema.h - the tables of the shared database, and their version.
 *
 * Each file in sql/ is a version; its name contains the number. They run in
 * order, each in its own transaction. A program works with one version only: an
 * older or newer database is refused with a sentence that says what to do.
 */

#include "many/pg.h"

/* The version that this program works with. */
int schema_newest(void);

/* The version of the database; 0: there is no schema yet. */
bool schema_version(struct pg *pg, int *version, struct err *err) MUST_CHECK;

/* Run the missing files. With `is_new`, an existing schema is an error; without
 * it, a missing one is. Returns the versions before and after. */
bool schema_migrate(struct pg *pg, bool is_new, int *from, int *to,
                    struct err *err) MUST_CHECK;

/* True if the program works with this version. */
bool schema_fits(int version, struct err *err) MUST_CHECK;

#endif
