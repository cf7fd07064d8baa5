#ifndef REFEREE_DAEMON_LOBBY_STATE_H
#define REFEREE_DAEMON_LOBBY_STATE_H

/*
 * lobby_state.h - what lobby.c, guests.c and choice.c share.
 *
 * lobby.c decides when to look at a ladder, guests.c finds who could play there
 * now, and choice.c chooses who does.
 */

#include "daemon/lobby.h"

/* How long a bot may wait for something better, at least and at most. */
enum { PATIENCE_US = 1000000, PATIENCE_MAX_US = 60000000 };

/*
 * After this many games, two bots, or one alone, are known well, and the next
 * game can wait.
 */
enum { OFTEN = 100 };

struct lobby {
    struct loop *loop;
    struct log *log;
    struct index *index;
    const struct lobby_owner *calls;
    void *owner;
    const struct serve_config *config;
    struct rng rng; /* for the pairing */
    struct lobby_ladder **ladder;
    int ladders, ladder_cap;
    int first_ladder; /* whose turn it is to be looked at first */
    /* all that wait for a game, and some that no longer do */
    struct connection **queue;
    int queue_len, queue_cap;
    struct alarm starter;
    int64_t settled_us; /* use of the tables is accounted up to here */
};

/* Look at this ladder at that time, or earlier. */
static inline void look_again(struct lobby_ladder *ladder, int64_t at_us)
{
    if (at_us < ladder->again_us)
        ladder->again_us = at_us;
}

#endif
