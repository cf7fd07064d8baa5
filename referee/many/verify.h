#ifndef REFEREE_MANY_VERIFY_H
#define REFEREE_MANY_VERIFY_H

/*
 * verify.h - check a worker's delivery against its order. Nothing in a record
 * is trusted: it is replayed by the rules, with its clocks. It must be the
 * ordered game, on the ordered deal, between the ordered programs, and signed
 * by a known worker.
 *
 * This cannot detect a legal move that the bot did not make, or thinking time
 * that it did not use.
 */

#include "many/order.h"
#include "match/replay.h"

/* The trusted public keys. */
struct worker_keys {
    uint8_t (*key)[SEAL_KEY_BYTES];
    int count;
};

/* Lines of 64 hex digits; text after them, or after '#', is a comment. */
bool worker_keys_read(struct worker_keys *keys, const char *path,
                      struct err *err) MUST_CHECK;
void worker_keys_free(struct worker_keys *keys);

struct verifier {
    const struct worker_keys *keys;
    struct replay replay; /* of the last verified record */
    struct buf copy;
};

void verifier_init(struct verifier *verifier, const struct worker_keys *keys);
void verifier_release(struct verifier *verifier);

/* True if this is the record of part k (from 0) of the order; the replay is
 * then at its end. `why` is one sentence about the record. */
bool verify_part(struct verifier *verifier, const struct order *order, int part,
                 const char *record, size_t len, struct err *why) MUST_CHECK;

/* The number of its bytes without the seal. */
size_t record_without_seal(const char *record, size_t len);

#endif
