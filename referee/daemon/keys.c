#include "daemon/config.h"

#include <sodium.h>
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

/*
 * The key of a name. For an unknown name, a dummy key that takes as long to
 * compare.
 */
static const struct login_key *key_of(const struct serve_config *c,
                                      const char *name, bool *is_known)
{
    static const struct login_key nobody;
    const struct key_entry *entry = key_named(c, name);

    *is_known = entry != NULL;
    return entry ? &entry->key : &nobody;
}

bool proof_is_token(const char *proof)
{
    return strncmp(proof, "token:", 6) == 0;
}

bool key_holds_token(const struct serve_config *c, const char *name,
                     const char *token)
{
    bool is_known;
    const struct login_key *key = key_of(c, name, &is_known);
    struct login_key given;

    token_key(token, &given);
    return sodium_memcmp(&given, key, sizeof given) == 0 && is_known;
}

bool key_holds(const struct serve_config *c, const char *name,
               const char *nonce, const char *proof)
{
    const struct login_key *key;
    bool is_known;

    if (c->plain_tokens && proof_is_token(proof))
        return key_holds_token(c, name, proof + 6);
    key = key_of(c, name, &is_known);
    return login_holds(key, name, nonce, proof) && is_known;
}
