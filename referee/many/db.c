#include "many/db.h"

#include "base/alloc.h"
#include "many/schema.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBPQ

#include "many/pg_link.h"

enum {
    PAUSE_US = 250000, /* pause after the first failure; it doubles each time */
    PAUSE_MAX_US = 15000000,
    CONNECT_US = 10000000,
};

/* libpq omits these: packets to a dead machine would wait for minutes. */
static const char *const keywords[] = {"dbname",
                                       "application_name",
                                       "keepalives_idle",
                                       "keepalives_interval",
                                       "keepalives_count",
                                       "tcp_user_timeout",
                                       NULL};

struct question {
    db_take *take;
    void *arg;
    bool is_done; /* answered; only its sync is still to come */
    struct question *next;
};

struct db {
    struct loop *loop;
    char *url;
    const struct db_calls *calls;
    void *owner;
    PGconn *conn;
    struct event *readable, *writable;
    int fd;
    bool is_connecting, is_ready;
    int64_t heard_us; /* from the server, or before any other question */
    int64_t pause_us;
    struct question *first, **end;
    int open;
    struct alarm alarm; /* timeout to connect, or to give up */
};

static void begin(struct db *db);

static void watch_nothing(struct db *db)
{
    if (db->readable)
        event_free(db->readable);
    if (db->writable)
        event_free(db->writable);
    db->readable = db->writable = NULL;
    db->fd = -1;
}

/* Add up to half, so that a thousand clients do not return at once. */
static int64_t with_jitter(int64_t us)
{
    return us + (int64_t)randombytes_uniform((uint32_t)(us / 2 + 1));
}

static struct question *take_first(struct db *db)
{
    struct question *q = db->first;

    db->first = q->next;
    if (!db->first)
        db->end = &db->first;
    db->open--;
    return q;
}

static void answer_lost(struct db *db, const char *why)
{
    const struct db_answer lost = {.is_lost = true, .error = why, .code = ""};

    while (db->first) {
        struct question *q = take_first(db);

        if (q->take && !q->is_done)
            q->take(q->arg, &lost);
        free(q);
    }
}

static void go_away(struct db *db, const char *what, const char *message)
{
    struct err err;
    bool was_ready = db->is_ready;

    pg_fail(&err, what, message);
    watch_nothing(db);
    PQfinish(db->conn);
    db->conn = NULL;
    db->is_connecting = db->is_ready = false;
    db->pause_us = was_ready || db->pause_us == 0 ? PAUSE_US : 2 * db->pause_us;
    if (db->pause_us > PAUSE_MAX_US)
        db->pause_us = PAUSE_MAX_US;
    loop_alarm(db->loop, &db->alarm, now_us() + with_jitter(db->pause_us));
    answer_lost(db, err.text);
    db->calls->on_away(db->owner, err.text);
}

static const char *message_of(const struct db *db)
{
    const char *text = PQerrorMessage(db->conn);

    return *text ? text : "the connection was closed";
}

static void lost(struct db *db)
{
    go_away(db, "PostgreSQL", message_of(db));
}

/* The descriptor may change while it connects. */
static void on_event(evutil_socket_t fd, short what, void *arg);

static void watch(struct db *db)
{
    int fd = PQsocket(db->conn);

    if (fd == db->fd && db->readable)
        return;
    watch_nothing(db);
    db->fd = fd;
    db->readable =
        event_new(db->loop->base, fd, EV_READ | EV_PERSIST, on_event, db);
    db->writable = event_new(db->loop->base, fd, EV_WRITE, on_event, db);
}

static void flush(struct db *db)
{
    int left = PQflush(db->conn);

    if (left < 0)
        lost(db);
    else if (left > 0)
        loop_watch(db->writable);
}

static void set_alarm(struct db *db)
{
    loop_alarm(db->loop, &db->alarm,
               db->open > 0 ? db->heard_us + DB_SILENCE_US : INT64_MAX);
}

/* Answers. */

/* Errors of the server, not of the question: connection, rollback, resources,
 * operator, system, internal. */
static bool passes(const char *code)
{
    static const char *const classes[] = {"08", "40", "53", "57", "58", "XX"};

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strncmp(code, classes[i], 2) == 0)
            return true;
    return false;
}

static void answer(struct db *db, PGresult *result)
{
    struct question *q = db->first;
    struct pg_rows rows = {result};
    struct err err;
    struct db_answer a = {.code = ""};
    ExecStatusType status = PQresultStatus(result);

    if (q->is_done)
        return;
    q->is_done = true;
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) {
        a.rows = &rows;
    } else {
        const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);

        pg_fail(&err, "PostgreSQL", PQresultErrorMessage(result));
        a.error = err.text;
        a.code = code ? code : "XX000";
        a.is_lost = passes(a.code);
    }
    if (q->take)
        q->take(q->arg, &a);
}

/* A question ends with the sync that follows it. */
static void read_answers(struct db *db)
{
    while (db->conn && db->first && !PQisBusy(db->conn)) {
        PGresult *result = PQgetResult(db->conn);

        if (!result && PQstatus(db->conn) == CONNECTION_BAD) {
            lost(db);
            return;
        }
        if (!result)
            continue;
        if (PQresultStatus(result) == PGRES_PIPELINE_SYNC)
            free(take_first(db));
        else
            answer(db, result);
        PQclear(result);
    }
}

/* The first question: does the schema fit? */
static void take_version(void *arg, const struct db_answer *a)
{
    struct db *db = arg;
    struct err err;
    int version = a->rows ? (int)pg_number(a->rows, 0, 0) : 0;

    if (a->is_lost)
        return;
    /* 42P01: there is no such table or schema. */
    if (!a->rows && strncmp(a->code, "42", 2) != 0 &&
        strncmp(a->code, "3F", 2) != 0) {
        fail(&err, "%s", a->error);
    } else if (schema_fits(version, &err)) {
        db->is_ready = true;
        db->pause_us = 0;
        return;
    }
    db->calls->on_away(db->owner, err.text);
}

static void ask_version(struct db *db)
{
    db_ask(db, "SELECT max(version) FROM referee.versions", NULL, 0,
           take_version, db);
}

/* Connected, or one step closer. */
static void on_step(struct db *db)
{
    PostgresPollingStatusType status = PQconnectPoll(db->conn);

    if (status == PGRES_POLLING_FAILED) {
        lost(db);
        return;
    }
    watch(db);
    if (status == PGRES_POLLING_READING) {
        event_del(db->writable);
        loop_watch(db->readable);
    } else if (status == PGRES_POLLING_WRITING) {
        event_del(db->readable);
        loop_watch(db->writable);
    } else if (status == PGRES_POLLING_OK) {
        db->is_connecting = false;
        if (PQsetnonblocking(db->conn, 1) != 0 ||
            PQenterPipelineMode(db->conn) != 1) {
            lost(db);
            return;
        }
        loop_watch(db->readable);
        ask_version(db);
    }
}

/* The schema does not fit; this was reported. Look again later. */
static bool is_useless(const struct db *db)
{
    return db->conn && !db->is_connecting && !db->is_ready && db->open == 0;
}

static void end_quietly(struct db *db)
{
    watch_nothing(db);
    PQfinish(db->conn);
    db->conn = NULL;
    db->pause_us = PAUSE_MAX_US;
    loop_alarm(db->loop, &db->alarm, now_us() + with_jitter(PAUSE_MAX_US / 5));
}

static void on_event(evutil_socket_t fd, short what, void *arg)
{
    struct db *db = arg;
    bool was_ready = db->is_ready;

    loop_now(db->loop);
    if (db->is_connecting) {
        on_step(db);
        return;
    }
    if (what & EV_READ) {
        db->heard_us = now_us();
        if (!PQconsumeInput(db->conn)) {
            lost(db);
            return;
        }
        read_answers(db);
        if (!db->conn)
            return;
    }
    if (is_useless(db)) {
        end_quietly(db);
        return;
    }
    flush(db);
    if (!db->conn)
        return;
    set_alarm(db);
    if (db->is_ready && !was_ready)
        db->calls->on_ready(db->owner);
}

static void on_alarm(void *arg)
{
    struct db *db = arg;

    if (!db->conn)
        begin(db);
    else if (db->is_connecting)
        go_away(db, "PostgreSQL", "it does not answer");
    else if (db->open > 0)
        go_away(db, "PostgreSQL", "it has not answered for 20 s");
}

/* Make the socket fail soon if the other machine has died. */
static void begin(struct db *db)
{
    const char *const values[] = {db->url, "referee", "10", "5",
                                  "3",     "20000",   NULL};

    db->conn = PQconnectStartParams(keywords, values, 1);
    if (!db->conn)
        out_of("memory");
    db->is_connecting = true;
    if (PQstatus(db->conn) == CONNECTION_BAD) {
        lost(db);
        return;
    }
    watch(db);
    loop_watch(db->writable);
    loop_alarm(db->loop, &db->alarm, now_us() + CONNECT_US);
}

struct db *db_new(struct loop *loop, const char *url,
                  const struct db_calls *calls, void *owner)
{
    struct db *db = must_alloc(calloc(1, sizeof *db));

    db->loop = loop;
    db->url = must_alloc(strdup(url));
    db->calls = calls;
    db->owner = owner;
    db->end = &db->first;
    db->fd = -1;
    alarm_init(&db->alarm, on_alarm, db);
    loop_alarm(loop, &db->alarm, now_us());
    return db;
}

void db_free(struct db *db)
{
    if (!db)
        return;
    watch_nothing(db);
    PQfinish(db->conn);
    while (db->first)
        free(take_first(db));
    alarm_stop(db->loop, &db->alarm);
    free(db->url);
    free(db);
}

bool db_is_ready(const struct db *db)
{
    return db->is_ready;
}

int db_open(const struct db *db)
{
    return db->open;
}

static void add_question(struct db *db, db_take *take, void *arg)
{
    struct question *q = must_alloc(calloc(1, sizeof *q));

    *q = (struct question){.take = take, .arg = arg};
    *db->end = q;
    db->end = &q->next;
    db->open++;
}

/* If it cannot be sent, the connection is lost; the loop will report that. */
void db_ask(struct db *db, const char *sql, const struct pg_value *value,
            int count, db_take *take, void *arg)
{
    struct pg_values values = {0};

    if (db->open == 0)
        db->heard_us = now_us();
    add_question(db, take, arg);
    pg_values(&values, value, count);
    if (!PQsendQueryParams(db->conn, sql, count, NULL, values.data, values.len,
                           values.format, 0) ||
        !PQpipelineSync(db->conn)) {
        loop_alarm(db->loop, &db->alarm, now_us());
        db->heard_us = 0;
        return;
    }
    loop_watch(db->writable);
    set_alarm(db);
}

void db_forget(struct db *db, const void *arg)
{
    for (struct question *q = db->first; q; q = q->next)
        if (q->arg == arg)
            q->take = NULL;
}

#else /* The program was built without libpq. */

struct db {
    struct loop *loop;
    const struct db_calls *calls;
    void *owner;
    struct alarm alarm;
};

static void on_alarm(void *arg)
{
    struct db *db = arg;
    struct err err;

    if (!pg_open("", &err))
        db->calls->on_away(db->owner, err.text);
}

struct db *db_new(struct loop *loop, const char *url,
                  const struct db_calls *calls, void *owner)
{
    struct db *db = must_alloc(calloc(1, sizeof *db));

    *db = (struct db){.loop = loop, .calls = calls, .owner = owner};
    alarm_init(&db->alarm, on_alarm, db);
    loop_alarm(loop, &db->alarm, now_us());
    return db;
}

void db_free(struct db *db)
{
    if (db)
        alarm_stop(db->loop, &db->alarm);
    free(db);
}

bool db_is_ready(const struct db *db)
{
    return false;
}

int db_open(const struct db *db)
{
    return 0;
}

void db_ask(struct db *db, const char *sql, const struct pg_value *value,
            int count, db_take *take, void *arg)
{
}

void db_forget(struct db *db, const void *arg)
{
}

#endif
