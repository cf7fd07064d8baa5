#include "daemon/config.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    const struct key_entry *x = a, *y = b;

    return strcmp(x->name, y->name);
}

void keys_sort(struct serve_config *c)
{
    if (c->key_count > 0)
        qsort(c->key, (size_t)c->key_count, sizeof *c->key, by_name);
}

const struct key_entry *key_named(const struct serve_config *c,
                                  const char *name)
{
    struct key_entry wanted = {.name = name};

    if (c->key_count == 0)
        return NULL;
    return bsearch(&wanted, c->key, (size_t)c->key_count, sizeof *c->key,
                   by_name);
}
