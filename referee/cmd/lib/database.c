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

bool workers_find(const char *given, const char *keys,
                  struct workers_found *found, struct err *err)
{
    char *path = NULL;
    bool ok;

    found->url = database_url(given, err);
    if (!found->url)
        return false;
    if (!keys && !pg_is_url(given))
        keys = path = serve_config_worker_keys(given);
    ok = (keys || fail(err, "say whose records count with --worker-keys FILE, "
                            "public keys as \"referee key\" prints them")) &&
         worker_keys_read(&found->keys, keys, err);
    ok = ok && (found->keys.count > 0 ||
                fail(err,
                     "%.200s has no keys yet, so no game that a worker "
                     "plays would count",
                     keys));
    free(path); /* the address may contain keys */
    return ok;
}

void workers_forget(struct workers_found *found)
{
    worker_keys_free(&found->keys);
    free(found->url);
    *found = (struct workers_found){0};
}

struct pg *database_open(const char *given, struct err *err)
{
    char *url = database_url(given, err);
    struct pg *pg = url ? pg_open(url, err) : NULL;

    free(url);
    return pg;
}
