#ifndef REFEREE_MANY_WORKER_STATE_H
#define REFEREE_MANY_WORKER_STATE_H

/* worker_state.h - structs shared by the worker*.c files. */

#include "many/db.h"
#include "many/worker.h"
#include "run/priority.h"
#include "store/disk.h"
#include "store/signing.h"

enum {
    WORKER_NAME_MAX = 40,
    WORKER_PATH_MAX = 512,
    WORKER_SLOTS_MAX = 256,
};

enum slot_phase { SLOT_FREE, SLOT_FETCHING, SLOT_PLAYING, SLOT_ENDING };

/* A unit being played. */
struct slot {
    struct group group; /* first: its calls get from the group to the slot */
    struct worker *worker;
    enum slot_phase phase;
    struct order order;
    int64_t token;
    struct pool pool; /* owns its players */
    struct player player[SEATS_MAX];
    struct home home;
    int record;       /* a file without a name, or -1 */
    struct buf bytes; /* records of finished games */
    json_t *lengths;  /* of each record */
    json_t *hashes;
    json_t *said;        /* of each game (said.h) */
    int seats, forfeits; /* counted over its games */
    int fetching;        /* packs being fetched */
    struct deferred next;
    struct date date;
};

struct worker {
    const struct worker_config *config;
    const struct worker_calls *calls;
    void *owner;
    struct loop loop;
    struct log log;
    struct db *db;
    struct signing_key key;
    struct chain chain; /* of its records */
    char name[WORKER_NAME_MAX + 1];
    double speed;
    int64_t measured_us;
    struct slot *slot;
    bool is_known;    /* the database knows it, since the last connection */
    bool is_greeting; /* a greeting is not answered yet */
    bool is_claiming; /* a claim is not answered yet */
    bool is_sending;  /* a delivery is not answered yet */
    bool is_beating;
    bool drains; /* it was told to take no more work */
    bool is_stopping;
    int64_t stop_us, busy_us; /* busy_us: when there was work last */
    int64_t games;
    struct alarm poll, beat;
    struct disk_names kept; /* units to be delivered */
    struct event *signals[2];
};

/* worker.c */
void worker_poll_soon(struct worker *worker);
void worker_end_if_done(struct worker *worker);

/* worker_play.c */
void slot_init(struct slot *slot, struct worker *worker);
void slot_release(struct slot *slot);

/* A lease was granted. */
void slot_begin(struct slot *slot, const char *unit, int64_t token,
                const char *orders);

/* Give back what it plays; no reason: it is not tried again here because of
 * that. */
void slot_stop(struct slot *slot, const char *reason);

/*
 * worker_bots.c: true if ready. False without a reason: still fetching, and
 * slot->fetching is not 0.
 */
bool bots_need(struct slot *slot, struct err *err) MUST_CHECK;
const char *bots_root(const struct worker *worker, const char *pack,
                      struct pool *pool);

/* worker_outbox.c */
bool outbox_open(struct worker *worker, struct err *err) MUST_CHECK;

/* Keep what a slot has played, and deliver it soon. */
bool outbox_add(struct slot *slot, struct err *err) MUST_CHECK;

/* Deliver, if the database is connected. */
void outbox_send(struct worker *worker);
bool outbox_has(const struct worker *worker, const char *unit, int64_t token);
void outbox_release(struct worker *worker);

#endif
