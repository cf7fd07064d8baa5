#ifndef REFEREE_STORE_KEYS_H
#define REFEREE_STORE_KEYS_H

/*
 * keys.h - the file of login keys.
 *
 *     # a comment
 *     NAME KEYHEX OWNER, IN ANY WORDS
 *
 * One line for each bot. The keys let whoever has them log in to this
 * referee, so the file is written for its owner's eyes only.
 */

#include "base/err.h"
#include "match/login.h"

enum { KEYS_MAX = 65536, KEY_OWNER_MAX = 200 };

/* A line of it. */
struct key_entry {
    const char *name;
    const char *owner;
    struct login_key key;
};

/* *out is one block, names and owners included: free() it. */
bool keys_read(const char *path, struct key_entry **out, int *count,
               struct err *err) MUST_CHECK;

/* The entry of that name, or NULL. */
const struct key_entry *keys_find(const struct key_entry *keys, int count,
                                  const char *name);

bool key_owner_check(const char *owner, struct err *err) MUST_CHECK;

/*
 * Give a name a key, in a file that is made if need be; comments and the
 * order of the lines stay. A name that is there is refused unless `replace`
 * is set; its owner stays if `owner` is NULL. The file changes at once or not
 * at all, also if several do it at the same time.
 */
bool keys_put(const char *path, const char *name, const struct login_key *key,
              const char *owner, bool replace, struct err *err) MUST_CHECK;

/* Take these names out; *removed of them were there. Otherwise the same. */
bool keys_remove(const char *path, const char *const *names, int count,
                 int *removed, struct err *err) MUST_CHECK;

#endif
