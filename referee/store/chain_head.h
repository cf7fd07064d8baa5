#ifndef REFEREE_STORE_CHAIN_HEAD_H
#define REFEREE_STORE_CHAIN_HEAD_H

/*
 * chain_head.h - how far a chain of records is, by what is on the disk.
 *
 * The records are the truth here as well: the head is the seal with the
 * highest number that this key has signed. It is looked for at the ends of the
 * files, so that it costs nothing in a folder of a million games.
 */

#include "match/seal.h"

/*
 * Of the chain of this name in records/LADDER/ or another folder; number 0 if
 * there is none. With "" as its name: of any chain, and that is its name then.
 */
bool chain_head(struct chain *chain, const char *folder,
                const uint8_t key[SEAL_KEY_BYTES], struct err *err) MUST_CHECK;

/* The seals in these bytes: do they have a later one? */
void chain_look(struct chain *chain, const char *bytes, size_t len,
                const uint8_t key[SEAL_KEY_BYTES]);

#endif
