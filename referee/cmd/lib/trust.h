#ifndef REFEREE_CMD_LIB_TRUST_H
#define REFEREE_CMD_LIB_TRUST_H

/*
 * trust.h - what a command line trusts: keys, the head of a chain that somebody
 * wrote down, the receipt that a bot got.
 */

#include "cmd/lib/options.h"
#include "match/replay.h"
#include "store/chain_check.h"

/* --trust KEY; one less than there is room for, as a folder may have its own.
 */
bool trust_read(const struct texts *given,
                uint8_t keys[CHAIN_KEYS_MAX][SEAL_KEY_BYTES],
                struct err *err) MUST_CHECK;

struct trust {
    struct chain_check check; /* without keys: all records are trusted */
    const char *head;         /* "CHAIN NUMBER LINK", or NULL */
    const char *receipt;      /* a file with one, or NULL */
    struct seal promised;     /* in it */
    bool is_kept;             /* the record that it speaks of is there */
};

bool trust_open(struct trust *trust, const struct texts *keys,
                struct err *err) MUST_CHECK;
void trust_close(struct trust *trust);

/* A record that is valid by itself, where it stands being called `place`. */
bool trust_record(struct trust *trust, const struct replay *replay,
                  const char *place, struct err *why) MUST_CHECK;

/* All records are known: complain of what is wrong, and return how much. */
int trust_end(struct trust *trust, bool quiet);

#endif
