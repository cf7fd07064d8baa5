#ifndef REFEREE_STORE_SIGNING_H
#define REFEREE_STORE_SIGNING_H

/*
 * signing.h - the referee's key, with which it seals records (seal.h).
 *
 * The file has one line, "referee-key-1 HEX": the secret half, which only its
 * owner may read. Anyone who has it can write records in this referee's name.
 * Others know the key by its public half, 64 hex digits.
 */

#include "match/seal.h"

/* Read the key in this file, or make one if there is no such file. */
bool signing_need(struct signing_key *key, const char *path,
                  struct err *err) MUST_CHECK;

/* Only read it. */
bool signing_load(struct signing_key *key, const char *path,
                  struct err *err) MUST_CHECK;

void signing_forget(struct signing_key *key);

/* The public half: 64 hex digits, or a file that begins with them. */
bool signing_read_public(uint8_t key[SEAL_KEY_BYTES], const char *given,
                         struct err *err) MUST_CHECK;

#endif
