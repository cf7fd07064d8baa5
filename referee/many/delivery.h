#ifndef REFEREE_MANY_DELIVERY_H
#define REFEREE_MANY_DELIVERY_H

/* delivery.h - the records of a unit, as delivered by a worker. */

#include "many/queue.h"
#include "many/verify.h"
#include "store/archive.h"

struct delivery {
    char unit[ORDER_UNIT_MAX + 1];
    char worker[64];
    bool is_given_up;       /* no worker could play it; ... */
    char why[ERR_TEXT_MAX]; /* ... the reason it was last given back */
    struct buf *record;     /* one for each part */
    int parts;
    json_t *said;   /* written by the bots (said.h), or NULL */
    char *original; /* the unit it is a twin of, or NULL */
    char *orders;   /* the order */
};

/* Read the next unit from an answer to queue_ask(), from a row on. Returns the
 * row after it. */
int delivery_read(struct delivery *delivery, const struct pg_rows *rows,
                  int row);
void delivery_free(struct delivery *delivery);

/* True if these are the records of the order. `why` is one sentence. */
bool delivery_is_right(struct verifier *verifier, const struct order *order,
                       const struct delivery *delivery,
                       struct err *why) MUST_CHECK;

/* Read a record of a correct delivery. */
bool delivery_summary(struct verifier *verifier, const struct order *order,
                      const struct delivery *delivery, int part,
                      struct game_summary *summary, struct err *err) MUST_CHECK;

/* It is correct and stored: tell the database that it counts. */
void delivery_accept(struct db *db, struct verifier *verifier,
                     const struct order *order,
                     const struct delivery *delivery);

#endif
