#ifndef REFEREE_MANY_QUEUE_H
#define REFEREE_MANY_QUEUE_H

/*
 * queue.h - the calls of a client of the queue, which is a front or a contest.
 * Each is one transaction (sql/001_queue.sql) and is safe to repeat.
 */

#include "many/db.h"
#include "many/order.h"

/* Answers true, or false if the unit was put before. */
void queue_put(struct db *db, const char *client, const struct order *order,
               const char *text, db_take *take, void *arg);

/* Ask for units that were delivered or given up, with a limit; delivery.h reads
 * the answer. */
void queue_ask(struct db *db, const char *client, int most, db_take *take,
               void *arg);

/* The same, for a unit that already counts. */
void queue_ask_counted(struct db *db, const char *unit, db_take *take,
                       void *arg);

/* Order another play of a unit that counts, by a different worker. */
struct twin {
    const char *unit, *day, *text;
    double min_speed;
    const char *original, *worker;
    const char *names; /* names of its bots, separated by blanks */
};
void queue_put_twin(struct db *db, const char *client, const struct twin *twin);

/* Store the result of the comparison; `bot` and `differs` may be NULL. */
void queue_twin_done(struct db *db, const char *unit, const char *worker,
                     const char *bot, const char *differs);

/* A worker has delivered wrong records: give it no more work. */
void queue_refuse(struct db *db, const char *unit, const char *worker,
                  const char *why);

/* Cancel a unit: nobody needs it any more. */
void queue_drop(struct db *db, const char *unit);

#endif
