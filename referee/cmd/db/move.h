#ifndef REFEREE_CMD_DB_MOVE_H
#define REFEREE_CMD_DB_MOVE_H

/*
 * move.h - copy records between the shared database and a folder, both ways,
 * byte for byte.
 *
 *     FOLDER/records/EVENT/20261118.rec    one after the other
 *
 * It has the layout of a daemon's records folder: "referee reindex FOLDER"
 * makes the index, and "referee replay" verifies it. Games whose id exists at
 * the destination are left unchanged.
 *
 * With a key, the copies are not byte for byte the same. The key is that of a
 * front that lost its disk: it replaces the worker's signature on each record,
 * in one chain for each event, as the front did when it verified them.
 */

#include "many/pg.h"
#include "match/seal.h"

struct move_out {
    const char *folder;
    const struct signing_key *key; /* or NULL */
};

struct move_sums {
    long long moved, known;
};

bool move_out(struct pg *pg, const struct move_out *config,
              struct move_sums *sums, struct err *err) MUST_CHECK;
bool move_in(struct pg *pg, const char *folder, struct move_sums *sums,
             struct err *err) MUST_CHECK;

#endif
