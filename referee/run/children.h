#ifndef REFEREE_RUN_CHILDREN_H
#define REFEREE_RUN_CHILDREN_H

/*
 * children.h - whom the referee has started, and who is left over.
 *
 * What a bot starts is below its guard, which ends all of it. But a bot runs
 * as the same user and may kill its guard. Then the referee inherits the rest,
 * for it is a subreaper: whoever is its child, but not of its children,
 * belonged to a guard that is dead. A sweep ends all of these, in rounds, as
 * one round may miss what starts meanwhile; the event loop goes on between
 * them.
 *
 * Whoever was a child of this process before all that is of its children too.
 */

#include "run/priority.h"

#include <event2/event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cell;

/* A guard without a bot; child.h. */
struct idle_guard {
    pid_t pid;
    int control;
    const void *whose; /* bots it can start */
    struct cell *cell; /* its walls, or NULL */
};

enum { IDLE_GUARDS_MAX = 64 };

struct loop;

struct children {
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

void children_init(struct children *children, struct loop *loop);

/* Waits for the end of a sweep, but not for ever. */
void children_release(struct children *children);

/* Whoever adds one also reaps it, and removes it then. */
void children_add(struct children *children, pid_t pid);
void children_remove(struct children *children, pid_t pid);

/* Somebody may be left over. */
void children_sweep(struct children *children);

/* Keep a guard for later; if there are too many, the oldest goes. */
void children_keep(struct children *children, const struct idle_guard *guard);

/* One that was kept for these bots; false if there is none. */
bool children_reuse(struct children *children, const void *whose,
                    struct idle_guard *guard);

/* End one below which nobody is, ... */
void children_end_guard(struct children *children,
                        const struct idle_guard *guard);

/* ... or all that are kept: what they know of their bots is out of date. */
void children_end_idle(struct children *children);

#endif
