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
 * Nothing here waits: statements are sent through libpq's pipeline, as many at
 * once as are asked, and each is a transaction of its own. Answers come in the
 * order of the questions. When the connection is lost every question that is
 * open is answered as lost: it may have been done or not, so whoever asks must
 * be able to ask again. So are questions that the server could not answer for
 * a reason that passes: it is shutting down, or its disk is full. A server that
 * says nothing for DB_SILENCE_US counts as lost.
 *
 * A database whose tables have another version is not used: on_away() says
 * so, and it is tried again, for somebody may migrate it.
 */

#include "many/pg.h"
#include "run/loop.h"

struct db;

enum { DB_SILENCE_US = 20000000 };

struct db_answer {
    struct pg_rows *rows; /* NULL: it failed; freed after the call */
    bool is_lost;         /* nobody knows whether it was done: ask again */
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
void db_free(struct db *db); /* open questions are not answered; NULL is none */

bool db_is_ready(const struct db *db);

/* How many questions are open. */
int db_open(const struct db *db);

/* Only when it is ready. Values are copied. `take` may be NULL. */
void db_ask(struct db *db, const char *sql, const struct pg_value *value,
            int count, db_take *take, void *arg);

/* Whoever has asked is gone: its questions are not answered. */
void db_forget(struct db *db, const void *arg);

#endif
