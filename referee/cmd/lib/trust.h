#ifndef REFEREE_CMD_LIB_TRUST_H
#define REFEREE_CMD_LIB_TRUST_H

/*
 * trust.h - what a command line trusts: keys, a head of a chain that was noted,
 * a receipt that a bot got.
 */

#include "cmd/lib/options.h"
#include "match/replay.h"
#include "store/chain_check.h"

/* --trust KEY; one slot is kept free for the folder's own key. */
bool trust_read(const struct texts *given,
                uint8_t keys[CHAIN_KEYS_MAX][SEAL_KEY_BYTES],
                struct err *err) MUST_CHECK;

struct trust {
    struct chain_check check; /* no keys: trust all records */
    const char *head;         /* "CHAIN NUMBER LINK", or NULL */
    const char *receipt;      /* a file with one, or NULL */
    struct seal promised;     /* in it */
    bool is_kept;             /* the record it refers to was found */
};

bool trust_open(struct trust *trust, const struct texts *keys,
                struct err *err) MUST_CHECK;
void trust_close(struct trust *trust);

/* Check a record that is valid by itself; `place` is its name in messages. */
bool trust_record(struct trust *trust, const struct replay *replay,
                  const char *place, struct err *why) MUST_CHECK;

/*
 * All records have been checked: report what is wrong, and return the number of
 * problems.
 */
int trust_end(struct trust *trust, bool quiet);

#endif
