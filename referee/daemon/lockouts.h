#ifndef REFEREE_DAEMON_LOCKOUTS_H
#define REFEREE_DAEMON_LOCKOUTS_H

/*
 * lockouts.h - names and addresses that have failed to log in too often.
 *
 * The failures of a minute count in two ways. They count for a name from an
 * address: after too many, that address may not use that name. They also count
 * for the address, as the name "": after too many, the address is refused
 * entirely. Whole campuses share one address, so that takes sixty times as
 * many, each with a weight. A Unix socket is never refused entirely; otherwise
 * one of its users could lock out all.
 */

#include "match/match.h"
#include "net/tcp.h"

#include <stdint.h>

enum {
    FAILED_LOGIN = 6,  /* what it counts against its address, ... */
    ONLY_HELLO = 10,   /* ... a TLS handshake that no login follows, ... */
    REFUSED_LOGIN = 1, /* ... and one that a refused name follows */
    LOCKOUT_ROOM = 256 /* the oldest entry makes room for a new one */
};

struct offender {
    char origin[ORIGIN_MAX]; /* as in tcp_origin(); "": nobody */
    char name[BOT_NAME_MAX + 1];
    int failures;
    int64_t since_us;
};

/* {0} at first. */
struct lockouts {
    int failures_max; /* in a minute as one name from one address */
    struct offender offender[LOCKOUT_ROOM];
};

/* How many seconds is it still refused? 0: it is not refused. */
int lockouts_left_s(const struct lockouts *lockouts, const char *origin,
                    const char *name, int64_t now_us);

/* The same for the i-th offender, from 0. */
int lockouts_left_of(const struct lockouts *lockouts, int i, int64_t now_us);

/* Count a failure. If it causes a lockout, returns for how many seconds. */
int lockouts_count(struct lockouts *lockouts, const char *origin,
                   const char *name, int weight, int64_t now_us);

#endif
