#ifndef REFEREE_STORE_CHAIN_CHECK_H
#define REFEREE_STORE_CHAIN_CHECK_H

/*
 * chain_check.h - do records belong to trusted chains, and has nothing been
 * removed, added or changed?
 *
 * Records are added in any order. Each is judged at once by its own seal. How
 * they are linked is known at the end.
 */

#include "match/seal.h"

enum { CHAIN_KEYS_MAX = 16 };

struct chain_check {
    uint8_t key[CHAIN_KEYS_MAX][SEAL_KEY_BYTES]; /* trusted keys */
    int keys;
    void *tree;   /* of links */
    int64_t good; /* records */
};

void chain_check_release(struct chain_check *check);

bool chain_trusts(const struct chain_check *check,
                  const uint8_t key[SEAL_KEY_BYTES]);

/*
 * Add a record that is found at `place`; `seal` is NULL if it has none. False,
 * with a sentence, if the record does not count because it is unsigned, signed
 * by a stranger, or the twin of one that was added.
 */
bool chain_check_add(struct chain_check *check, const struct seal *seal,
                     const char *place, struct err *why) MUST_CHECK;

/*
 * Call `say` for each gap, and for each record that does not follow the one
 * before it. A chain may begin with any number, unless it must be `whole`.
 * Returns how many problems were found.
 */
typedef void chain_say(void *arg, const char *sentence);

int chain_check_end(struct chain_check *check, bool whole, chain_say *say,
                    void *arg);

/* Is this the link of this number? If not, the error says what is wrong. */
bool chain_check_head(const struct chain_check *check, const char *chain,
                      int number, const uint8_t link[SHA256_BYTES],
                      struct err *why) MUST_CHECK;

/* The end of each chain, by name. */
typedef void chain_each(void *arg, const struct chain *chain,
                        const uint8_t key[SEAL_KEY_BYTES]);

void chain_check_heads(const struct chain_check *check, chain_each *each,
                       void *arg);

#endif
