#ifndef REFEREE_CMD_LIB_DATABASE_H
#define REFEREE_CMD_LIB_DATABASE_H

/*
 * database.h - the shared database that a command is about. It is given as
 * postgresql://..., or as the ini file whose [server] names it.
 */

#include "many/pg.h"
#include "many/verify.h"
#include "store/session.h"

/* To be freed; NULL with a reason. */
char *database_url(const char *given, struct err *err);

struct pg *database_open(const char *given, struct err *err);

/* The workers of a database, and whose records count. */
struct workers_found {
    char *url; /* NULL: none */
    struct worker_keys keys;
    char session[SESSION_TEXT + 1]; /* of who asked */
};

/* `keys` is a file; NULL: the one that the ini file names. */
bool workers_find(const char *given, const char *keys,
                  struct workers_found *found, struct err *err) MUST_CHECK;
void workers_forget(struct workers_found *found);

#endif
