#ifndef REFEREE_MANY_SCHEMA_H
#define REFEREE_MANY_SCHEMA_H

/*
 * schema.h - the tables of the shared database, and their version.
 *
 * Each file in sql/ is a version; its number is that of its name. They are run
 * in order, each in a transaction of its own. A program works with one version
 * only: an older or newer database is refused with a sentence that says what
 * to do.
 */

#include "many/pg.h"

/* That this program works with. */
int schema_newest(void);

/* The version of the database; 0: there is no schema yet. */
bool schema_version(struct pg *pg, int *version, struct err *err) MUST_CHECK;

/* Run what is missing. With `is_new` a schema that is there is refused, else
 * one that is not. Says from which version to which. */
bool schema_migrate(struct pg *pg, bool is_new, int *from, int *to,
                    struct err *err) MUST_CHECK;

/* Is this the version that the program works with? */
bool schema_fits(int version, struct err *err) MUST_CHECK;

#endif
