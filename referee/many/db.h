#ifndef REFEREE_MANY_DB_H
#define REFEREE_MANY_DB_H

/*
 * db.h - PostgreSQL in the event loop.
 *
 *            connected, the schema fits          any failure
 *     AWAY ---------------------------> READY ----------------> AWAY
 *       ^                                                        |
 *       +------ after a pause, longer each time, with jitter ----+
 *
 * Nothing here waits. Statements are sent at once through libpq's pipeline, and
 * each is its own transaction. Answers come in the order of the questions. When
 * the connection is lost, every open question is answered as lost: it may have
 * been executed or not, so the caller must be able to ask again. The same
 * happens if the server cannot answer for a temporary reason: it is shutting
 * down, or its disk is full. A server that is silent for DB_SILENCE_US counts
 * as lost.
 *
 * A database whose tables have another version is not used. on_away() reports
 * it, and the connection is tried again, because somebody may migrate the
 * database.
 */

#include "many/pg.h"
#include "run/loop.h"

struct db;

enum { DB_SILENCE_US = 20000000 };

struct db_answer {
    struct pg_rows *rows; /* NULL: it failed; freed after the call */
    bool is_lost;         /* it may have been executed or not: ask again */
    const char *error;    /* a sentence, if it failed */
    const char *code;     /* five characters of PostgreSQL, or "" */
};

typedef void db_take(void *arg, const struct db_answer *answer);

struct db_calls {
    void (*on_ready)(void *owner);
    void (*on_away)(void *owner, const char *why);
};

/* Connects from the loop; the texts are copied. */
struct db *db_new(struct loop *loop, const char *url,
                  const struct db_calls *calls, void *owner);
void db_free(struct db *db); /* drops open questions; accepts NULL */

bool db_is_ready(const struct db *db);

/* The number of open questions. */
int db_open(const struct db *db);

/* Call this only when it is ready. Values are copied. `take` may be NULL. */
void db_ask(struct db *db, const char *sql, const struct pg_value *value,
            int count, db_take *take, void *arg);

/* The owner of these questions is gone: drop their answers. */
void db_forget(struct db *db, const void *arg);

#endif
