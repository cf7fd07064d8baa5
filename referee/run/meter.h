#ifndef REFEREE_RUN_METER_H
#define REFEREE_RUN_METER_H

/*
 * meter.h - CPU time of all descendants of a process, living or dead.
 *
 * A meter has up to three figures, each of which misses something but never
 * counts anything twice. So the greatest one counts.
 *
 *     a counter (perf_event_open)    all, but the kernel may not allow it
 *     what was last seen of each     up to a millisecond of each process
 *       process, by watching it
 *     what the living have used,     the children of a process that ignores
 *       and their dead children        SIGCHLD, for nobody waits for them
 *
 * Behind walls with a control group none of this is needed.
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
    int64_t gone_us; /* last seen of those that have vanished */
    int64_t used_us; /* as of the last reading */
};

struct meter *meter_new(void);
void meter_free(struct meter *meter);

/* CPU time of all descendants of `root` so far. It never decreases. */
int64_t meter_read_us(struct meter *meter, pid_t root);

/*
 * Only look at who is there, at half the cost. Returns the time until the next
 * look in microseconds: METER_WATCH_US, or more if looking takes long or a
 * counter misses nothing anyway.
 */
enum { METER_WATCH_US = 1000 };

int64_t meter_watch(struct meter *meter, pid_t root);

/*
 * A counter of this process from now on, and of all its future descendants; -1
 * if the kernel does not allow it.
 */
int meter_open_counter(void);

#endif
