#ifndef REFEREE_CMD_LIB_DATABASE_H
#define REFEREE_CMD_LIB_DATABASE_H

/*
 * database.h - the shared database that a command uses. The command line gives
 * postgresql://..., or an ini file whose [server] section names it.
 */

#include "many/pg.h"
#include "many/verify.h"
#include "store/session.h"

/* Free the result. NULL with a reason on failure. */
char *database_url(const char *given, struct err *err);

struct pg *database_open(const char *given, struct err *err);

/* The workers of a database, and the keys whose records count. */
struct workers_found {
    char *url; /* NULL: none */
    struct worker_keys keys;
    char session[SESSION_TEXT + 1]; /* names of the workers */
};

/* `keys` is a file; NULL: the one named in the ini file. */
bool workers_find(const char *given, const char *keys,
                  struct workers_found *found, struct err *err) MUST_CHECK;
void workers_forget(struct workers_found *found);

#endif
