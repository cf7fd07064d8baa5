#include "many/worker.h"

#include "base/alloc.h"
#include "base/text.h"
#include "many/speed.h"
#include "many/worker_state.h"
#include "store/disk.h"
#include "store/session.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
    MEASURE_US = 300000000, /* interval when no game runs */
    BEATS = 3,              /* heartbeats per lease */
    DESCRIPTORS = 40,       /* descriptors per slot */
    LOCK_TRIES = 30,
    LOCK_PAUSE_US = 100000,
};

static int playing(const struct worker *w)
{
    int count = 0;

    for (int i = 0; i < w->config->slots; i++)
        count += w->slot[i].phase != SLOT_FREE;
    return count;
}

static int64_t with_jitter(int64_t us)
{
    return us / 2 + (int64_t)randombytes_uniform((uint32_t)us);
}

/* Ending. */

void worker_end_if_done(struct worker *w)
{
    bool is_late = now_us() >= w->stop_us;

    if (w->is_stopping && playing(w) == 0 &&
        (w->kept.count == 0 || is_late || !db_is_ready(w->db)))
        loop_stop(&w->loop);
}

static void stop(struct worker *w, const char *why)
{
    if (!w->is_stopping) {
        log_line(&w->log, LOG_INFO, NULL,
                 "stopping (%s): %d unit%s still to be played", why, playing(w),
                 playing(w) == 1 ? "" : "s");
        w->is_stopping = true;
        w->stop_us = now_us() + w->config->stop_us;
    } else {
        w->stop_us = now_us();
    }
    worker_poll_soon(w);
    worker_end_if_done(w);
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct worker *w = arg;

    loop_now(&w->loop);
    stop(w, number == SIGTERM ? "SIGTERM" : "SIGINT");
}

/* Whatever does not end in time is played by another worker. */
static void give_up_late(struct worker *w)
{
    if (!w->is_stopping || now_us() < w->stop_us)
        return;
    for (int i = 0; i < w->config->slots; i++)
        slot_stop(&w->slot[i], NULL);
    worker_end_if_done(w);
}

static void say_hello(struct worker *w);

/* Work. */

static struct slot *free_slot(struct worker *w)
{
    for (int i = 0; i < w->config->slots; i++)
        if (w->slot[i].phase == SLOT_FREE)
            return &w->slot[i];
    return NULL;
}

static void take_units(void *arg, const struct db_answer *a)
{
    struct worker *w = arg;
    int count = a->rows ? pg_count(a->rows) : 0;

    w->is_claiming = false;
    if (a->error && !a->is_lost)
        log_line(&w->log, LOG_WARNING, NULL, "no work: %s", a->error);
    for (int i = 0; i < count; i++)
        slot_begin(free_slot(w), pg_text(a->rows, i, 0),
                   pg_number(a->rows, i, 1), pg_text(a->rows, i, 2));
    if (count > 0)
        w->busy_us = now_us();
    loop_alarm(&w->loop, &w->poll, now_us() + with_jitter(w->config->poll_us));
}

static bool may_claim(const struct worker *w)
{
    return db_is_ready(w->db) && w->is_known && !w->is_claiming &&
           !w->is_stopping && !w->drains && playing(w) < w->config->slots;
}

static void claim(struct worker *w)
{
    char most[16];
    const struct pg_value values[] = {PG_TEXT(w->name), PG_TEXT(most)};

    snprintf(most, sizeof most, "%d", w->config->slots - playing(w));
    w->is_claiming = true;
    db_ask(w->db, "SELECT * FROM referee.claim($1, $2::int)", values, 2,
           take_units, w);
}

/* Other games would disturb the measurement, and it would disturb them. */
static void measure(struct worker *w)
{
    if (playing(w) > 0 || now_us() - w->measured_us < MEASURE_US)
        return;
    w->speed = speed_measure();
    w->measured_us = now_us();
}

static bool has_idled(const struct worker *w)
{
    return w->config->idle_us > 0 && playing(w) == 0 && w->kept.count == 0 &&
           now_us() - w->busy_us >= w->config->idle_us;
}

static void on_poll(void *arg)
{
    struct worker *w = arg;

    loop_now(&w->loop);
    loop_alarm(&w->loop, &w->poll, now_us() + with_jitter(w->config->poll_us));
    outbox_send(w);
    give_up_late(w);
    measure(w);
    if (playing(w) > 0)
        w->busy_us = now_us();
    if (!w->is_stopping && has_idled(w))
        stop(w, "there is nothing to do");
    if (db_is_ready(w->db) && !w->is_known && !w->is_greeting)
        say_hello(w);
    if (may_claim(w))
        claim(w);
}

void worker_poll_soon(struct worker *w)
{
    loop_alarm(&w->loop, &w->poll, now_us());
}

/* The heartbeat. */

static void take_beat(void *arg, const struct db_answer *a)
{
    struct worker *w = arg;
    bool drains;

    w->is_beating = false;
    if (!a->rows || pg_count(a->rows) == 0)
        return;
    drains = pg_yes(a->rows, 0, 0) || !pg_is_null(a->rows, 0, 1);
    if (drains && !w->drains)
        log_line(&w->log, LOG_WARNING, NULL, "takes no more work: %s",
                 pg_is_null(a->rows, 0, 1) ? "it is being drained"
                                           : pg_text(a->rows, 0, 1));
    w->drains = drains;
}

static void beat(struct worker *w)
{
    char busy[16], speed[32], lease[16];
    const struct pg_value values[] = {PG_TEXT(w->name), PG_TEXT(busy),
                                      PG_TEXT(speed), PG_TEXT(lease)};

    snprintf(busy, sizeof busy, "%d", playing(w));
    snprintf(speed, sizeof speed, "%.1f", w->speed);
    snprintf(lease, sizeof lease, "%d", w->config->lease_s);
    w->is_beating = true;
    db_ask(w->db, "SELECT * FROM referee.beat($1, $2::int, $3::real, $4::int)",
           values, 4, take_beat, w);
    /* Clean up after workers that have died meanwhile. */
    if (randombytes_uniform(BEATS) == 0)
        db_ask(w->db, "SELECT referee.expire()", NULL, 0, NULL, w);
}

static int64_t beat_us(const struct worker *w)
{
    return (int64_t)w->config->lease_s * 1000000 / BEATS;
}

static void on_beat(void *arg)
{
    struct worker *w = arg;

    loop_now(&w->loop);
    loop_alarm(&w->loop, &w->beat, now_us() + with_jitter(beat_us(w)));
    if (db_is_ready(w->db) && w->is_known && !w->is_beating)
        beat(w);
}

/* The database connects and disconnects. */

static bool plays(const struct worker *w, const char *unit, int64_t token)
{
    for (int i = 0; i < w->config->slots; i++)
        if (w->slot[i].phase != SLOT_FREE && w->slot[i].token == token &&
            strcmp(w->slot[i].order.unit, unit) == 0)
            return true;
    return outbox_has(w, unit, token);
}

/* Give back leases from before a kill of which nothing is left. */
static void give_back(struct worker *w, const char *unit, int64_t token)
{
    char number[32];
    const struct pg_value values[] = {
        PG_TEXT(w->name), PG_TEXT(unit), PG_TEXT(number),
        PG_TEXT("its worker was killed and restarted")};

    snprintf(number, sizeof number, "%lld", (long long)token);
    db_ask(w->db, "SELECT referee.give_back($1, $2, $3::bigint, $4)", values, 4,
           NULL, w);
}

static void take_hello(void *arg, const struct db_answer *a)
{
    struct worker *w = arg;

    w->is_greeting = false;
    if (a->is_lost)
        return; /* on_poll() says hello again */
    if (!a->rows) {
        log_line(&w->log, LOG_ERROR, NULL, "%s", a->error);
        stop(w, "it is not admitted");
        return;
    }
    w->is_known = true;
    for (int i = 0; i < pg_count(a->rows); i++)
        if (!plays(w, pg_text(a->rows, i, 0), pg_number(a->rows, i, 1)))
            give_back(w, pg_text(a->rows, i, 0), pg_number(a->rows, i, 1));
    log_line(&w->log, LOG_INFO, NULL, "ready");
    worker_poll_soon(w);
}

static void say_hello(struct worker *w)
{
    char key[SEAL_KEY_HEX + 1], host[128] = "", slots[16], speed[32], lease[16];
    const struct pg_value values[] = {
        PG_TEXT(w->name), PG_TEXT(key),
        PG_TEXT(host),    PG_TEXT(w->config->program),
        PG_TEXT(slots),   PG_TEXT(speed),
        PG_TEXT(lease)};

    text_hex(key, w->key.open, sizeof w->key.open);
    gethostname(host, sizeof host - 1);
    snprintf(slots, sizeof slots, "%d", w->config->slots);
    snprintf(speed, sizeof speed, "%.1f", w->speed);
    snprintf(lease, sizeof lease, "%d", w->config->lease_s);
    db_ask(w->db,
           "SELECT * FROM referee.hello($1, $2, $3, $4, $5::int, $6::real,"
           " $7::int)",
           values, 7, take_hello, w);
    w->is_greeting = true;
}

static void on_ready(void *owner)
{
    say_hello(owner);
}

static void on_away(void *owner, const char *why)
{
    struct worker *w = owner;

    w->is_known = w->is_greeting = false;
    w->is_claiming = w->is_sending = w->is_beating = false;
    log_line(&w->log, LOG_WARNING, NULL,
             "the database is unreachable: %s; %d unit%s kept", why,
             (int)w->kept.count, w->kept.count == 1 ? " is" : "s are");
    worker_end_if_done(w);
}

static const struct db_calls db_calls = {on_ready, on_away};

/* Beginning. */

static bool write_name(const char *path, char name[WORKER_NAME_MAX + 1],
                       struct err *err)
{
    char session[SESSION_TEXT + 1], host[64] = "";

    session_name(time(NULL), session);
    gethostname(host, sizeof host - 1);
    host[strcspn(host, ".")] = '\0';
    make_plain(host);
    snprintf(name, WORKER_NAME_MAX + 1, "%.24s-%s", host,
             session + DATE_NAME_TEXT + 1);
    return disk_write(path, name, strlen(name), err);
}

static bool find_name(struct worker *w, struct err *err)
{
    char path[WORKER_PATH_MAX];
    struct buf text;
    bool ok;

    if (w->config->name) {
        snprintf(w->name, sizeof w->name, "%s", w->config->name);
        return true;
    }
    snprintf(path, sizeof path, "%s/name", w->config->folder);
    if (!disk_has(path))
        return write_name(path, w->name, err);
    buf_init(&text, WORKER_NAME_MAX);
    ok =
        disk_read(path, &text, err) && ((text.len > 0 && is_word(text.text)) ||
                                        fail(err, "%s contains no name", path));
    if (ok)
        snprintf(w->name, sizeof w->name, "%s", text.text);
    buf_release(&text);
    return ok;
}

/* The guards of a killed worker hold it for a moment. */
static bool lock(const char *path, const char *folder, struct err *err)
{
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (disk_lock(path, folder, err) != -1)
            return true;
        usleep(LOCK_PAUSE_US);
    }
    return false;
}

static bool open_folder(struct worker *w, struct err *err)
{
    const char *folder = w->config->folder;
    char path[WORKER_PATH_MAX];

    if (!disk_folder(folder, err))
        return false;
    snprintf(path, sizeof path, "%s/lock", folder);
    if (!lock(path, folder, err))
        return false;
    snprintf(path, sizeof path, "%s/bots", folder);
    if (!disk_folder(path, err))
        return false;
    snprintf(path, sizeof path, "%s/logs", folder);
    if (!disk_folder(path, err))
        return false;
    snprintf(path, sizeof path, "%s/key", folder);
    return signing_need(&w->key, path, err) && find_name(w, err) &&
           outbox_open(w, err);
}

static void name_chain(struct worker *w)
{
    char session[SESSION_TEXT + 1];

    session_name(time(NULL), session);
    snprintf(w->chain.name, sizeof w->chain.name, "worker-%s", session);
}

static void raise_limit(const struct worker *w)
{
    struct rlimit limit;
    rlim_t need = (rlim_t)(w->config->slots * DESCRIPTORS + 64);

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < need) {
        limit.rlim_cur = need < limit.rlim_max ? need : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static void begin(struct worker *w)
{
    static const int numbers[] = {SIGTERM, SIGINT};

    signal(SIGPIPE, SIG_IGN);
    raise_limit(w);
    loop_init(&w->loop);
    w->loop.children.in_crowd = priority_crowd(w->config->slots);
    for (int i = 0; i < 2; i++) {
        w->signals[i] = evsignal_new(w->loop.base, numbers[i], on_signal, w);
        loop_watch(w->signals[i]);
    }
    w->slot = must_alloc(calloc((size_t)w->config->slots, sizeof *w->slot));
    for (int i = 0; i < w->config->slots; i++)
        slot_init(&w->slot[i], w);
    alarm_init(&w->poll, on_poll, w);
    alarm_init(&w->beat, on_beat, w);
    loop_alarm(&w->loop, &w->poll, now_us() + w->config->poll_us);
    loop_alarm(&w->loop, &w->beat, now_us() + beat_us(w));
    w->busy_us = now_us();
    w->db = db_new(&w->loop, w->config->url, &db_calls, w);
}

static void end(struct worker *w)
{
    db_free(w->db);
    for (int i = 0; i < w->config->slots; i++)
        slot_release(&w->slot[i]);
    free(w->slot);
    alarm_stop(&w->loop, &w->poll);
    alarm_stop(&w->loop, &w->beat);
    for (int i = 0; i < 2; i++)
        event_free(w->signals[i]);
    loop_release(&w->loop);
    outbox_release(w);
    signing_forget(&w->key);
}

int worker_run(const struct worker_config *config,
               const struct worker_calls *calls, void *owner)
{
    struct worker w = {.config = config, .calls = calls, .owner = owner};
    char hex[SEAL_KEY_HEX + 1];
    struct err err;

    log_init(&w.log, stderr, config->level);
    if (!open_folder(&w, &err)) {
        fprintf(stderr, "referee: %s\n", err.text);
        return err.passes ? 1 : 2;
    }
    name_chain(&w);
    w.speed = speed_measure();
    w.measured_us = now_us();
    text_hex(hex, w.key.open, sizeof w.key.open);
    log_line(&w.log, LOG_INFO, NULL,
             "worker %s: %d game%s at once, speed %.0f, key %s", w.name,
             config->slots, config->slots == 1 ? "" : "s", w.speed, hex);
    begin(&w);
    loop_run(&w.loop);
    end(&w);
    log_line(&w.log, LOG_INFO, NULL, "stopped after %lld game%s",
             (long long)w.games, w.games == 1 ? "" : "s");
    return 0;
}
