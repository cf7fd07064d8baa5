#ifndef REFEREE_HANDLES_H
#define REFEREE_HANDLES_H

/* handles.h - what is behind the handles of referee.h. */

#include "base/pool.h"
#include "games/follow.h"
#include "games/game.h"
#include "lib/referee.h"

#include <string.h>

struct referee_rules {
    const struct game *game;
    struct setup setup;
    struct pool texts; /* of the options */
    size_t state_size;
};

struct referee_rng {
    struct rng rng;
};

struct referee_state {
    const referee_rules *rules;
    struct state *state;
    seat_set gone;
    struct lines events;
    bool mute;
    struct moves legal;
    int listed; /* the seat whose moves `legal` has, from 0, or -1 */
};

struct referee_seat {
    const referee_rules *rules;
    struct follower follower;
};

/* Hand an error on; NULL: nobody wants it. Returns 0. */
int lib_fail(referee_error *to, const struct err *err);

/* The 32 bytes that a seed's text stands for. */
void lib_seed(const char *text, uint8_t seed[SEED_BYTES]);

/* Seats and viewers of the interface count from 1. */
static inline int lib_viewer(int viewer)
{
    return viewer > 0    ? viewer - 1
           : viewer == 0 ? AUDIENCE_PUBLIC
                         : AUDIENCE_REFEREE;
}

static inline const struct game *lib_game(const referee_state *s)
{
    return s->rules->game;
}

/* What a game keeps once for all states must not be made by two threads. */
void lib_lock(void);
void lib_unlock(void);

/* Make a copy of a position to be played in, and no more than that. */
static inline void lib_try(referee_state *to, const referee_state *from)
{
    const struct game *game = lib_game(from);

    memcpy(to->state, from->state,
           game->used ? game->used(from->state) : from->rules->state_size);
}

/* A handle that owns this position. */
referee_state *lib_state(const referee_rules *rules, struct state *state);

/* The list of a seat, counted from 0, made if need be. */
const struct moves *lib_list(referee_state *s, int seat);

/* Play a move that is in the list. */
void lib_apply(referee_state *s, int seat, const struct move *move);

#endif
