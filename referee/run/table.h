#ifndef REFEREE_RUN_TABLE_H
#define REFEREE_RUN_TABLE_H

/*
 * table.h - a match in the event loop: its peers, its timer, its record.
 *
 * Whatever happens, the table tells the match, and at the end of the turn of
 * the loop it pumps: it stores the record, writes what the bots are to read,
 * and sets the timer. The owner hears once that the game is over, from the
 * loop, and may free the table then.
 */

#include "match/match.h"
#include "run/loop.h"
#include "run/peer.h"

struct table;

/*
 * A record that cannot be written makes the game void, unless the owner is
 * patient and wants to hear of the trouble: then the bytes are kept and tried
 * again every second, and the game goes on. It is over, for the bots as for the
 * owner, when the owner has kept its record and called table_stored(); its
 * match must hold its end.
 */
struct table_owner {
    /* A seat has made a move and used so much time for it. */
    void (*on_move)(void *owner, struct table *table, int seat, int64_t us);
    void (*on_over)(void *owner, struct table *table);
    /*
     * The record's file, when there is first something to store; -1: errno
     * says why not. NULL if the table has it from the beginning, or has none.
     */
    int (*open_record)(void *owner, struct table *table);
    /*
     * The record is closed, and its end is about to be written: add what
     * stands behind its hash. NULL if nothing does, or keep_record() does it.
     */
    void (*seal_record)(void *owner, struct record_writer *record);
    /* Why its record cannot be stored; NULL: it can again. */
    void (*on_trouble)(void *owner, struct table *table, const char *why);
    /*
     * The record is closed: keep it, the bytes that were taken from its writer
     * and are in the file `record`, if any, and those in the writer. Asked
     * again if that fails, or if table_stored() says that it did after all.
     */
    bool (*keep_record)(void *owner, struct table *table, int record,
                        struct err *err);
};

/*
 * The peers are borrowed until the table is freed, as is `record`, unless the
 * owner has an open_record(): then the table closes it. -1: none yet, or none
 * at all. That of a patient owner can be read and does not append.
 */
struct table *table_new(struct loop *loop, struct match *match,
                        struct peer *const *peers, int seats, int record,
                        const struct table_owner *calls, void *owner);
void table_free(struct table *table);

/* When the record is safe, in keep_record() or later: 0, or why it is not. */
void table_stored(struct table *table, int error);

struct match *table_match(const struct table *table);

/* Why the record was given up, which made the game void; or 0. */
int table_error(const struct table *table);

#endif
