#ifndef REFEREE_DAEMON_SHARES_H
#define REFEREE_DAEMON_SHARES_H

/*
 * shares.h - limits the time that HTTP requests may take from the games.
 *
 * Every address has a share of each second, and so have all addresses together.
 * While games are played, one turn of the loop spends even less time on
 * requests; after that the games come first. A client that asks for more is
 * told to try again.
 */

#include "net/tcp.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SHARE_OF_ADDRESS_US = 100000, /* of each second */
    SHARE_OF_ALL_US = 250000,     /* of each second */
    SHARE_OF_TURN_US = 20000,     /* of a turn of the loop */
    SHARES_MAX = 64, /* addresses in a second; further ones share the last */
};

/* Starts as zeroes. */
struct shares {
    int64_t since_us, used_us; /* this second, by all */
    int64_t turn_us, used_in_turn_us;
    struct share {
        char origin[ORIGIN_MAX];
        int64_t used_us;
    } share[SHARES_MAX];
    int count;
};

/*
 * The share of this address, or NULL if it is exhausted. `turn_us` identifies
 * the turn of the loop; 0 while no games are played.
 */
struct share *shares_admit(struct shares *shares, const char *address,
                           int64_t now_us, int64_t turn_us);

/* An answer took this long. */
void shares_charge(struct shares *shares, struct share *share, int64_t used_us);

#endif
