#ifndef REFEREE_STORE_REINDEX_H
#define REFEREE_STORE_REINDEX_H

/*
 * reindex.h - rebuild the index from the records alone.
 *
 * It takes every *.rec below data/records/, wherever it came from. Those in
 * data/running/ are for the next daemon. Records are read in the order of their
 * paths, not in the order of the disk. The index does not depend on the order,
 * so the same records give the same tables, to the bit.
 *
 * A record that was played elsewhere may not say what it is. Then its ladder is
 * its folder below records/, and its id is its path there, with '-' for '/'.
 *
 * Whose records count? If the folder has a key, or others are trusted, records
 * that one of these keys has sealed, each number of a chain once. Unsigned
 * records count too on a ladder without a chain of this referee, and everywhere
 * if the caller asks for it.
 *
 * The new index is built beside the old one and replaces it when it is
 * complete. If a record is wrong, the reason is told and the record is left
 * out. If two have the same id, the first one counts.
 */

#include "store/chain_check.h"
#include "store/rate.h"

struct reindex {
    const char *data;
    bool takes_unsigned;
    const uint8_t (*trusted)[SEAL_KEY_BYTES]; /* trusted besides its own */
    int trusts;
    /* The anchor of a ladder; NULL: there are none. */
    rate_anchor_of *anchor;
    void (*on_wrong)(void *arg, const char *sentence);
    void (*on_progress)(void *arg, int64_t bytes, int64_t of);
    void *arg;
};

struct reindex_sums {
    int64_t games, voids; /* in the index */
    int64_t unsealed;     /* of these, unsigned */
    int64_t wrong;        /* records that were left out, and gaps */
    int64_t running;      /* games that are not over */
    int64_t bytes;        /* read */
    int ladders;
};

/* False: there is no new index, and the old one is as it was. */
bool reindex_run(const struct reindex *reindex, struct reindex_sums *sums,
                 struct err *err) MUST_CHECK;

#endif
