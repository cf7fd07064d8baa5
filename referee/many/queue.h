#ifndef REFEREE_MANY_QUEUE_H
#define REFEREE_MANY_QUEUE_H

/*
 * queue.h - what a client of the queue, a front or a contest, says to it. Each
 * is one transaction (sql/001_queue.sql), and does nothing twice.
 */

#include "many/db.h"
#include "many/order.h"

/* The answer is true, or false if the unit was put before. */
void queue_put(struct db *db, const char *client, const struct order *order,
               const char *text, db_take *take, void *arg);

/* Units that were delivered or given up, at most so many; delivery.h reads the
 * answer. */
void queue_ask(struct db *db, const char *client, int most, db_take *take,
               void *arg);

/* The same, of a unit that counts already. */
void queue_ask_counted(struct db *db, const char *unit, db_take *take,
                       void *arg);

/* A unit that counts, to be played again by another worker. */
struct twin {
    const char *unit, *day, *text;
    double min_speed;
    const char *original, *worker;
    const char *names; /* of its bots, with blanks between them */
};
void queue_put_twin(struct db *db, const char *client, const struct twin *twin);

/* It was compared; `bot` and `differs` may be NULL. */
void queue_twin_done(struct db *db, const char *unit, const char *worker,
                     const char *bot, const char *differs);

/* A worker has delivered wrong records: it gets no more work. */
void queue_refuse(struct db *db, const char *unit, const char *worker,
                  const char *why);

/* Nobody needs it any more. */
void queue_drop(struct db *db, const char *unit);

#endif
