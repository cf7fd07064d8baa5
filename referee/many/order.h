#ifndef REFEREE_MANY_ORDER_H
#define REFEREE_MANY_ORDER_H

/*
 * order.h - everything a worker must know to play a unit, as JSON text.
 *
 * A client (the front, or a contest) writes it with order_write(). The worker
 * reads it, and the client reads it again to verify the delivery. A unit is a
 * set of games on one deal, as in group.h.
 *
 *     {"unit": ID, "day": "2026-11-18", "event": LADDER, "contest": false,
 *      "game": "rondo", "options": {"board": "red"}, "seats": 2, "first": 0,
 *      "seed": HEX, "chosen": false, "start_us": .., "none_us": ..,
 *      "lenience_us": .., "retries": 0, "min_speed": 0,
 *      "begin": 0, "end": 1, "entropy": "..",
 *      "parts": [{"id": .., "name": .., "about": ..}, ...],
 *      "members": [{"name": .., "digest": .., "time": "move:10s", "pack": HEX,
 *                   ...}, ...]}
 *
 * A unit may contain only some games of a group, from `begin` to `end`; earlier
 * ones were already played. Then `entropy` is what the seats added to the seed
 * in the group's first game.
 *
 * The id of a part is the id of its game, globally unique; its name is the one
 * the bots are told. The other keys of a member say how to start its program
 * (luggage.h in cmd/lib).
 */

#include "base/pool.h"
#include "run/group.h"

#include <jansson.h>

enum {
    ORDER_MAX = 16 << 20, /* bytes */
    ORDER_GAMES_MAX = 64,
    ORDER_FIRST_MAX = 10000000,
    ORDER_UNIT_MAX = GROUP_ID_MAX + 40, /* characters of a unit's id */
};

struct order_member {
    const char *name, *digest;
    const char *pack; /* SHA-256 of its files, or "" */
    struct time_control time;
    const json_t *bot;
};

struct order {
    json_t *json; /* owns the texts */
    struct pool pool;
    const char *unit, *day, *event;
    bool is_contest; /* false: of a ladder */
    const struct game *game;
    struct setup setup;
    int first, games, begin, end;
    const char *entropy; /* or "" */
    uint8_t seed[SEED_BYTES];
    bool seed_is_chosen;
    int64_t start_us, none_us, lenience_us;
    int retries;
    double min_speed;
    struct order_member member[SEATS_MAX];
};

/* Values that are not in a group. */
struct order_facts {
    const char *unit, *event;
    bool is_contest;
    bool seed_is_chosen;
    double min_speed;
    int64_t second; /* creation time of the order */
};

/* Order the next `games` of the group, whose members have luggage. */
void order_write(const struct order_facts *facts, const struct group *group,
                 const struct game_names *names, int games, struct buf *out);

bool order_read(struct order *order, const char *text,
                struct err *err) MUST_CHECK;
void order_release(struct order *order);

const char *order_id(const struct order *order, int part); /* from 0 */
const char *order_name(const struct order *order, int part);
const char *order_about(const struct order *order, int part);

/* Turn its games into a group; the caller adds the players for the members. */
void order_fill(const struct order *order, struct group *group);

#endif
