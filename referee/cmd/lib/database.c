#include "cmd/lib/database.h"

#include "cmd/serve/config.h"

#include <stdlib.h>
#include <string.h>

char *database_url(const char *given, struct err *err)
{
    if (pg_is_url(given))
        return strdup(given);
    return serve_config_database(given, err);
}

struct pg *database_open(const char *given, struct err *err)
{
    char *url = database_url(given, err);
    struct pg *pg = url ? pg_open(url, err) : NULL;

    free(url);
    return pg;
}
