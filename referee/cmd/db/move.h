#ifndef REFEREE_CMD_DB_MOVE_H
#define REFEREE_CMD_DB_MOVE_H

/*
 * move.h - records between the shared database and a folder, whole and byte
 * for byte, both ways.
 *
 *     FOLDER/records/EVENT/20261118.rec    one after the other
 *
 * It is the records folder of a daemon: "referee reindex FOLDER" makes the
 * index, and "referee replay" verifies it. What is there already, by the id of
 * the game, is left as it is.
 *
 * With a key, which is that of a front that lost its disk, records are no
 * longer byte for byte the same: the key signs each, instead of the worker, in
 * one chain for each event, as the front had done it when it verified them.
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
