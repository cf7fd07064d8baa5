#ifndef REFEREE_DAEMON_AWAY_STATE_H
#define REFEREE_DAEMON_AWAY_STATE_H

/* away_state.h - what away.c and away_take.c share. */

#include "daemon/away.h"
#include "many/delivery.h"
#include "many/packs.h"

enum { CLIENT_TEXT = 32 };

struct away_unit {
    struct order order;
    struct buf text; /* the order, until it is put; then empty */
    struct lobby_ladder *ladder;
    int entrant[SEATS_MAX];
    int64_t began_us;
    bool is_put;
    struct away_unit *next;
};

/* Records that were delivered, on their way to the archive. */
struct arrival {
    struct delivery its;
    struct away_unit *unit; /* NULL: not one of ours */
    struct away *away;
    struct closed_game *game; /* of each part that is new */
    int games;
    int syncing;
    int error;
};

struct away {
    struct units_context its;
    struct units *units;
    const struct units_owner *calls;
    void *owner;
    struct generation *generation;
    struct db *db;
    char client[CLIENT_TEXT + 1];
    struct worker_keys keys;
    struct verifier verifier;
    struct away_unit *list;
    int count;
    struct packs packs;
    /* one could not be put; all are put again, which does no harm */
    bool puts_again;
    bool is_known; /* the units of the last run were read */
    bool was_away;
    bool is_asking;          /* for arrivals */
    bool is_looking;         /* for figures */
    struct arrival *arrival; /* the queue, from `at` on */
    int arrivals, at;
    struct second *second; /* twins whose first records were asked for */
    bool is_in_trouble;
    struct alarm poll, look;
    struct deferred take;
    struct many_metrics figures;
    json_t *workers;
};

/* away.c */
struct away_unit *away_find(const struct away *away, const char *id);
void away_end(struct away *away, struct away_unit *unit, int unplayed);
void away_poll_soon(struct away *away);

/* A unit that the database knows and this run may not know. */
void away_take_up(struct away *away, const char *id, const char *orders);

/* Names for games on a ladder. */
void away_name_parts(int parts, const char *ladder, const char *id,
                     struct game_names *names);

/*
 * away_twin.c: sometimes, have a unit that counts played again, and compare the
 * results.
 */
void away_put_twin(struct away *away, const struct away_unit *unit,
                   const char *worker);
void away_take_twin(struct away *away, struct delivery *delivery);
void away_twins_release(struct away *away);

/* away_take.c: the rows of a question, one for each record. */
void away_arrived(struct away *away, const struct pg_rows *rows);
void away_take_init(struct away *away);
void away_take_release(struct away *away);

#endif
