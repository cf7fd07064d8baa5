#ifndef REFEREE_CMD_LIB_DATABASE_H
#define REFEREE_CMD_LIB_DATABASE_H

/*
 * database.h - the shared database that a command is about. It is given as
 * postgresql://..., or as the ini file whose [server] names it.
 */

#include "many/pg.h"

/* To be freed; NULL with a reason. */
char *database_url(const char *given, struct err *err);

struct pg *database_open(const char *given, struct err *err);

#endif
