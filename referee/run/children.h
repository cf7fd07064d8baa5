#ifndef REFEREE_RUN_CHILDREN_H
#define REFEREE_RUN_CHILDREN_H

/*
 * children.h - the processes that the referee has started, and those left over.
 *
 * Everything that a bot starts is below its guard, which ends all of it. But a
 * bot runs as the same user and may kill its guard. The referee is a subreaper,
 * so it then inherits the rest: a child of the referee that is not one of its
 * known children belonged to a dead guard. A sweep kills all of these. It works
 * in rounds, because one round may miss processes that start meanwhile. The
 * event loop runs between the rounds.
 *
 * Children that exist when this module starts count as known children.
 */

#include <event2/event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cell;
struct cores;
struct tree;

/* A guard without a bot; see child.h. */
struct idle_guard {
    pid_t pid;
    int control;
    const void *whose; /* the bots that it can start */
    struct cell *cell; /* its walls, or NULL */
};

enum { IDLE_GUARDS_MAX = 64 };

struct loop;

struct children {
    struct loop *loop;
    pid_t *member; /* sorted */
    int count, room;
    struct tree *tree; /* scratch space */
    struct event *next_round;
    int empty_rounds; /* rounds in a row, so far, that found nothing */
    int64_t pause_us; /* before the next round */
    int64_t swept_us; /* time that this sweep has spent in pauses */
    struct idle_guard idle[IDLE_GUARDS_MAX];
    int idle_count;
    bool in_crowd; /* how their games are run (priority.h) */
    /* handed out to bots; NULL: all bots share all cores */
    struct cores *cores;
};

void children_init(struct children *children, struct loop *loop);

/* Something that waits for the end of a sweep, up to a limit. */
void children_release(struct children *children);

/* A caller that adds a process also reaps it, and then removes it. */
void children_add(struct children *children, pid_t pid);
void children_remove(struct children *children, pid_t pid);

/* Some processes may be left over. */
void children_sweep(struct children *children);

/* Keep a guard for later. If there are too many, the oldest one ends. */
void children_keep(struct children *children, const struct idle_guard *guard);

/* A kept guard that can start these bots; false if there is none. */
bool children_reuse(struct children *children, const void *whose,
                    struct idle_guard *guard);

/* End a kept guard that has no descendants, ... */
void children_end_guard(struct children *children,
                        const struct idle_guard *guard);

/*
 * ... or all kept guards, when their copy of the configuration is out of date.
 */
void children_end_idle(struct children *children);

#endif
