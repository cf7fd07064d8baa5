#ifndef REFEREE_DAEMON_GUESTS_H
#define REFEREE_DAEMON_GUESTS_H

/*
 * guests.h - who could play on a ladder now.
 *
 * Guests are the waiting network bots and the local bots that may run one more
 * copy. A name is one guest, however many connections or copies wait. Bots are
 * left out that refuse the game, came too late, have played enough, must rest,
 * or are kept for another ladder. If one of them may play later, the ladder
 * learns when to look again.
 */

#include "daemon/lobby_state.h"

/* One list serves all ladders, one after the other. {0} at first. */
struct guests {
    struct offer *offer; /* for the pairing, ... */
    struct guest *guest; /* ... and the bots that its numbers stand for */
    int count, cap;
    int waiting; /* connections and copies; several may be one guest */
    int connections;
    int done;   /* left out because they have played as often as allowed, ... */
    int rests;  /* ... or because they must rest */
    int *place; /* by entrant: its position in the list, + 1 */
    int places;
};

/* All connections in the queue are waiting: see lobby_is_waiting(). */
void guests_gather(struct guests *guests, struct lobby *lobby,
                   struct lobby_ladder *ladder, int64_t now_us);
void guests_release(struct guests *guests);

#endif
