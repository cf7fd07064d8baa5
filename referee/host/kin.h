#ifndef REFEREE_KIN_H
#define REFEREE_KIN_H

/*
 * kin.h - whom the referee has started, and who is left over.
 *
 * What a bot starts is below its guard, which ends all of it. But a bot runs
 * as the same user and may kill its guard. Then the referee inherits the rest,
 * for it is a subreaper: whoever is its child, but not of its kin, belonged to
 * a guard that is dead. A sweep ends all of these, in rounds, as one round may
 * miss what starts meanwhile; the event loop goes on between them.
 *
 * Whoever was a child of this process before all that is of its kin too.
 */

#include "host/priority.h"

#include <event2/event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A guard without a bot; child.h. */
struct idle_guard {
    pid_t pid;
    int control;
    const void *whose; /* bots it can start */
};

enum { IDLE_GUARDS_MAX = 64 };

struct loop;

struct kin {
    struct loop *loop;
    pid_t *member; /* in their order */
    int count, room;
    struct event *next_round;
    int empty_rounds; /* at the end of this sweep */
    int64_t pause_us; /* before the next round */
    int64_t swept_us; /* spent in pauses of this sweep */
    struct idle_guard idle[IDLE_GUARDS_MAX];
    int idle_count;
    enum crowding crowd; /* of how many games */
};

void kin_init(struct kin *kin, struct loop *loop);

/* Waits for the end of a sweep, but not for ever. */
void kin_release(struct kin *kin);

/* Whoever adds one also reaps it, and removes it then. */
void kin_add(struct kin *kin, pid_t pid);
void kin_remove(struct kin *kin, pid_t pid);

/* Somebody may be left over. */
void kin_sweep(struct kin *kin);

/* Keep a guard for later; if there are too many, the oldest goes. */
void kin_keep(struct kin *kin, const struct idle_guard *guard);

/* One that was kept for these bots; false if there is none. */
bool kin_reuse(struct kin *kin, const void *whose, struct idle_guard *guard);

/* End one below which nobody is, ... */
void kin_end_guard(struct kin *kin, const struct idle_guard *guard);

/* ... or all that are kept: what they know of their bots is out of date. */
void kin_end_idle(struct kin *kin);

#endif
