#ifndef REFEREE_RUN_TABLE_H
#define REFEREE_RUN_TABLE_H

/*
 * table.h - a match in the event loop: its peers, its timer, its record.
 *
 * The table reports every event to the match. At the end of the loop's turn it
 * pumps: it stores the record, writes to the bots, and sets the timer. When the
 * game is over, the owner is told once and may then free the table.
 */

#include "match/match.h"
#include "run/loop.h"
#include "run/peer.h"

struct table;

/*
 * A record that cannot be written makes the game void, unless the owner is
 * patient and wants to hear of the problem. Then the table keeps the bytes and
 * tries again every second, while the game continues. For the bots and the
 * owner, the game is over once the owner has stored its record and called
 * table_stored(). Until then its match must hold back its end.
 */
struct table_owner {
    /* A seat has made a move, and this is the time it used. */
    void (*on_move)(void *owner, struct table *table, int seat, int64_t us);
    void (*on_over)(void *owner, struct table *table);
    /*
     * The record's file, asked for when there is first something to store. -1:
     * errno says why there is none. NULL: the table was given the file at the
     * start, or keeps no record.
     */
    int (*open_record)(void *owner, struct table *table);
    /*
     * The record is closed and its end is about to be written: add what follows
     * its hash. NULL if nothing does, or if keep_record() adds it.
     */
    void (*seal_record)(void *owner, struct record_writer *record);
    /* Why the record cannot be stored, or NULL if it can again. */
    void (*on_trouble)(void *owner, struct table *table, const char *why);
    /*
     * The record is closed: store it. It consists of the bytes already taken
     * from its writer, which are in the file `record` if there is one, followed
     * by the bytes still in the writer. Called again if it fails, or if
     * table_stored() reports a failure later.
     */
    bool (*keep_record)(void *owner, struct table *table, int record,
                        struct err *err);
};

/*
 * The peers are borrowed until the table is freed. So is `record`, unless the
 * owner has an open_record(): then the table closes it. -1: no file yet, or
 * none at all. A patient owner's file can be read and is not opened for
 * appending.
 */
struct table *table_new(struct loop *loop, struct match *match,
                        struct peer *const *peers, int seats, int record,
                        const struct table_owner *calls, void *owner);
void table_free(struct table *table);

/*
 * Tell the table, in keep_record() or later, that the record is safe (0) or why
 * it is not.
 */
void table_stored(struct table *table, int error);

struct match *table_match(const struct table *table);

/* Why the record was given up, which made the game void; or 0. */
int table_error(const struct table *table);

#endif
