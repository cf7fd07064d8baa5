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

#include <event2/event.h>
#include <stdint.h>
#include <sys/types.h>

struct kin {
    pid_t *member; /* in their order */
    int count, room;
    struct event *next_round;
    int empty_rounds; /* at the end of this sweep */
    int64_t pause_us; /* before the next round */
    int64_t swept_us; /* spent in pauses of this sweep */
};

void kin_init(struct kin *kin, struct event_base *base);

/* Waits for the end of a sweep, but not for ever. */
void kin_release(struct kin *kin);

/* Whoever adds one also reaps it, and removes it then. */
void kin_add(struct kin *kin, pid_t pid);
void kin_remove(struct kin *kin, pid_t pid);

/* Somebody may be left over. */
void kin_sweep(struct kin *kin);

#endif
