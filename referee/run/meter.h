#ifndef REFEREE_RUN_METER_H
#define REFEREE_RUN_METER_H

/*
 * meter.h - CPU time of all descendants of a process, living or dead.
 *
 * A meter takes up to three readings. Each may miss something, but none counts
 * anything twice, so the largest one is used.
 *
 *     a counter (perf_event_open)    all, but the kernel may not allow it
 *     what was last seen of each     up to a millisecond of each process
 *       process, by watching it
 *     what the living have used,     the children of a process that ignores
 *       and their dead children        SIGCHLD, for nobody waits for them
 *
 * Walls with a control group need none of this.
 */

#include <stdint.h>
#include <sys/types.h>

/* One process, and its own CPU time when it was last seen. */
struct sight {
    pid_t pid;
    int64_t us;
};

struct tree;

struct meter {
    int counter;       /* a descriptor that the meter closes, or -1 */
    struct tree *tree; /* scratch space */
    struct sight *last;
    int count;
    int64_t gone_us; /* total of those that have vanished, as last seen */
    int64_t used_us; /* as of the last reading */
};

struct meter *meter_new(void);
void meter_free(struct meter *meter);

/* CPU time of all descendants of `root` so far. It never decreases. */
int64_t meter_read_us(struct meter *meter, pid_t root);

/*
 * Only update the list of processes, at half the cost. Returns the time until
 * the next call in microseconds: METER_WATCH_US, or more if a walk takes long
 * or a counter misses nothing anyway.
 */
enum { METER_WATCH_US = 1000 };

int64_t meter_watch(struct meter *meter, pid_t root);

/*
 * Open a counter for this process and all its future descendants, from now on.
 * -1 if the kernel does not allow it.
 */
int meter_open_counter(void);

#endif
