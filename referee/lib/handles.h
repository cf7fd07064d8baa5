#ifndef REFEREE_HANDLES_H
#define REFEREE_HANDLES_H

/* handles.h - the structs behind the handles of referee.h. */

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
    int listed; /* the seat whose moves are in `legal`, from 0, or -1 */
};

struct referee_seat {
    const referee_rules *rules;
    struct follower follower;
};

/* Pass an error on; NULL: nobody wants it. Returns 0. */
int lib_fail(referee_error *to, const struct err *err);

/* The 32 bytes of a seed given as text. */
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

/* Two threads must not make what a game keeps for all its states. */
void lib_lock(void);
void lib_unlock(void);

/* Copy a position only to be played in, without anything else. */
static inline void lib_try(referee_state *to, const referee_state *from)
{
    const struct game *game = lib_game(from);

    memcpy(to->state, from->state,
           game->used ? game->used(from->state) : from->rules->state_size);
}

/* Make a handle that owns this position. */
referee_state *lib_state(const referee_rules *rules, struct state *state);

/* The list of a seat, counted from 0; made when needed. */
const struct moves *lib_list(referee_state *s, int seat);

/* Play a move from the list. */
void lib_apply(referee_state *s, int seat, const struct move *move);

#endif
