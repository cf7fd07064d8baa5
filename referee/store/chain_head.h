#ifndef REFEREE_STORE_CHAIN_HEAD_H
#define REFEREE_STORE_CHAIN_HEAD_H

/*
 * chain_head.h - how far a chain of records is, judging by what is on the disk.
 *
 * The records are the truth here as well: the head is the seal with the highest
 * number that this key has signed. It is searched at the ends of the files, so
 * it costs nothing in a folder with a million games.
 */

#include "match/seal.h"

/*
 * The head of the chain of this name, in records/LADDER/ or another folder;
 * number 0 if there is none. With "" as its name, any chain will do, and its
 * name is filled in.
 */
bool chain_head(struct chain *chain, const char *folder,
                const uint8_t key[SEAL_KEY_BYTES], struct err *err) MUST_CHECK;

/* Do the seals in these bytes include a later one? */
void chain_look(struct chain *chain, const char *bytes, size_t len,
                const uint8_t key[SEAL_KEY_BYTES]);

#endif
