#ifndef REFEREE_MATCH_SEAL_H
#define REFEREE_MATCH_SEAL_H

/*
 * seal.h - the line after the hash of a record: who closed it, and its place in
 * a chain of records.
 *
 *     seal CHAIN NUMBER BEFORE KEY SIGNATURE
 *
 * A chain has a name: that of a ladder, or a random one for a match. NUMBER
 * counts from 1. The link of a record is the SHA-256 of
 *
 *     referee-seal-1 CHAIN NUMBER BEFORE HASH KEY
 *
 * where HASH is the hash of the record, and BEFORE is the link of the record
 * before it, or 64 zeros for the first. So the last link, the head of the
 * chain, covers all records. SIGNATURE is an Ed25519 signature of the same text
 * by KEY, which is the public half. Nothing here does I/O.
 */

#include "base/buf.h"
#include "base/sha256.h"

#include <sodium.h>
#include <stdint.h>

enum {
    SEAL_CHAIN_MAX = 64, /* bytes of a chain's name */
    SEAL_KEY_BYTES = crypto_sign_PUBLICKEYBYTES,
    SEAL_KEY_HEX = 2 * SEAL_KEY_BYTES,
    SEAL_LINE_MAX = 512, /* bytes, also of a receipt */
};

/* Both halves. */
struct signing_key {
    uint8_t open[SEAL_KEY_BYTES];
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
};

/* From a seed of crypto_sign_SEEDBYTES. */
void signing_key_make(struct signing_key *key, const uint8_t *seed);

struct seal {
    char chain[SEAL_CHAIN_MAX + 1];
    int number;
    uint8_t before[SHA256_BYTES];
    uint8_t hash[SHA256_BYTES]; /* of the record */
    uint8_t key[SEAL_KEY_BYTES];
    uint8_t signature[crypto_sign_BYTES];
};

/* How far a chain has grown. At first it is {0} except for its name. */
struct chain {
    char name[SEAL_CHAIN_MAX + 1];
    int number;
    uint8_t link[SHA256_BYTES];
};

/* The seal of the next record of a chain, for a record with this hash. */
void seal_make(struct seal *seal, const struct chain *chain,
               const uint8_t hash[SHA256_BYTES], const struct signing_key *key);

/* Advance the chain past that record. */
void chain_add(struct chain *chain, const struct seal *seal);

void seal_link(const struct seal *seal, uint8_t link[SHA256_BYTES]);

/* Did the key that it names make the signature? */
bool seal_holds(const struct seal *seal);

/* "CHAIN NUMBER BEFORE KEY SIGNATURE", and back. The hash is not in it. */
void seal_write(const struct seal *seal, struct buf *out);
bool seal_read(struct seal *seal, const char *text);

/* As the line that follows the hash of a record. */
void seal_append(const struct seal *seal, struct buf *record);

/* "HASH" and the same: a bot's receipt. */
void receipt_write(const struct seal *seal, struct buf *out);
bool receipt_read(struct seal *seal, const char *text);

/*
 * The seal at the end of a record, with the hash that the record states; false
 * if there is none. The rest of the record is not read.
 */
bool seal_find(struct seal *seal, const char *record, size_t len);

/* The hash that a record without a seal states at its end. */
bool hash_find(uint8_t hash[SHA256_BYTES], const char *record, size_t len);

#endif
