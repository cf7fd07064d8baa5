#ifndef REFEREE_DAEMON_GUESTS_H
#define REFEREE_DAEMON_GUESTS_H

/*
 * guests.h - who could play on a ladder now.
 *
 * Guests are the network bots that wait and the local bots that may play one
 * copy more. A name is one guest, however many connections or copies wait. Left
 * out are those that refuse the game, came too late, have played enough, must
 * rest, or are kept for another ladder. If one of these may play later, the
 * ladder is told when to look again.
 */

#include "daemon/lobby_state.h"

/* One list serves all ladders, one after the other. {0} at first. */
struct guests {
    struct offer *offer; /* for the pairing, ... */
    struct guest *guest; /* ... and what stands behind it */
    int count, cap;
    int waiting; /* connections and copies, of which several are one guest */
    int connections;
    int done;   /* left out: they have played as often as they may, ... */
    int rests;  /* ... or must rest */
    int *place; /* by entrant: its position in the list, + 1 */
    int places;
};

/* All connections in the queue are waiting: see lobby_is_waiting(). */
void guests_gather(struct guests *guests, struct lobby *lobby,
                   struct lobby_ladder *ladder, int64_t now_us);
void guests_release(struct guests *guests);

#endif
