#ifndef REFEREE_TABLE_H
#define REFEREE_TABLE_H

/*
 * table.h - a match in the event loop: its peers, its timer, its record.
 *
 * Whatever happens, the table tells the match, and at the end of the turn of
 * the loop it pumps: it stores the record, writes what the bots are to read,
 * and sets the timer. The owner hears once that the game is over, from the
 * loop, and may free the table then.
 */

#include "host/loop.h"
#include "host/peer.h"
#include "match/match.h"

struct table;

struct table_owner {
    /* A seat has made a move and used so much time for it. */
    void (*on_move)(void *owner, struct table *table, int seat, int64_t us);
    void (*on_over)(void *owner, struct table *table);
};

/*
 * The peers are borrowed until the table is freed. `record` is a descriptor
 * that the table closes, or -1.
 */
struct table *table_new(struct loop *loop, struct match *match,
                        struct peer *const *peers, int seats, int record,
                        const struct table_owner *calls, void *owner);
void table_free(struct table *table);

struct match *table_match(const struct table *table);

/* The owner has told the match something itself: see to what follows. */
void table_settle(struct table *table);

#endif
