#ifndef REFEREE_MANY_VERIFY_H
#define REFEREE_MANY_VERIFY_H

/*
 * verify.h - what a worker delivered, held against its order. Nothing in a
 * record is believed: it is played again by the rules, with its clocks, and it
 * must be the game that was ordered, on the deal that was ordered, between the
 * programs that were ordered, and signed by a worker that is known.
 *
 * What this cannot see is a legal move that the bot did not make, and a time
 * that it did not need.
 */

#include "many/order.h"
#include "match/replay.h"

/* The public keys that are trusted. */
struct worker_keys {
    uint8_t (*key)[SEAL_KEY_BYTES];
    int count;
};

/* Lines of 64 hex digits; what follows them is a remark, as is '#'. */
bool worker_keys_read(struct worker_keys *keys, const char *path,
                      struct err *err) MUST_CHECK;
void worker_keys_free(struct worker_keys *keys);

struct verifier {
    const struct worker_keys *keys;
    struct replay replay; /* of the record that was verified last */
    struct buf copy;
};

void verifier_init(struct verifier *verifier, const struct worker_keys *keys);
void verifier_release(struct verifier *verifier);

/* Is this the record of part k, from 0, of the order? Then the replay is at
 * its end. `why` is one sentence about the record. */
bool verify_part(struct verifier *verifier, const struct order *order, int part,
                 const char *record, size_t len, struct err *why) MUST_CHECK;

/* Its bytes without the seal: so many. */
size_t record_without_seal(const char *record, size_t len);

#endif
