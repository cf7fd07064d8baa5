#ifndef REFEREE_MANY_DELIVERY_H
#define REFEREE_MANY_DELIVERY_H

/*
 * delivery.h - the records of a unit, as a worker delivered them.
 */

#include "many/queue.h"
#include "many/verify.h"
#include "store/archive.h"

struct delivery {
    char unit[ORDER_UNIT_MAX + 1];
    char worker[64];
    bool is_given_up;       /* no worker could play it: */
    char why[ERR_TEXT_MAX]; /* it was given back last */
    struct buf *record;     /* of each part */
    int parts;
    json_t *said;   /* by the bots (said.h), or NULL */
    char *original; /* of which it is the twin, or NULL */
    char *orders;   /* what was to be played */
};

/* From a row on, the next unit in an answer to queue_ask(). Returns the row
 * behind it. */
int delivery_read(struct delivery *delivery, const struct pg_rows *rows,
                  int row);
void delivery_free(struct delivery *delivery);

/* Are these the records of the order? `why` is one sentence. */
bool delivery_is_right(struct verifier *verifier, const struct order *order,
                       const struct delivery *delivery,
                       struct err *why) MUST_CHECK;

/* What a record of a right delivery tells. */
bool delivery_summary(struct verifier *verifier, const struct order *order,
                      const struct delivery *delivery, int part,
                      struct game_summary *summary, struct err *err) MUST_CHECK;

/* It is right, and kept: tell the database that it counts. */
void delivery_accept(struct db *db, struct verifier *verifier,
                     const struct order *order,
                     const struct delivery *delivery);

#endif
