#ifndef REFEREE_RUN_METER_H
#define REFEREE_RUN_METER_H

/*
 * meter.h - the CPU time of all processes below one, also of the dead.
 *
 * The kernel tells the time of every living process, and adds that of a dead
 * one to the process that waited for it. But a process that ignores SIGCHLD
 * waits for nobody: its children vanish, and their time with them. So a meter
 * remembers what it last saw of every process. One that has vanished although
 * no process above it has gained anything is lost; what was seen of it counts.
 *
 * No more than that: what a lost process used after it was last seen escapes.
 * So while it matters somebody has to watch: then it is a millisecond or so of
 * each. Where the kernel lets us have a
 * counter (perf_event_open) that all descendants inherit, that one misses
 * nothing. All of these are lower bounds of the truth, so the greatest counts.
 */

#include <stdint.h>
#include <sys/types.h>

/* What was seen of the processes, in the order of their numbers. */
struct sights {
    struct sight *sight;
    int count;
};

struct meter {
    int counter; /* a descriptor, the meter's to close, or -1 */
    struct sights last;
    int64_t lost_us; /* of all that are lost */
    int64_t used_us; /* when it was last read */
};

struct meter *meter_new(void);
void meter_free(struct meter *meter);

/* What all below `root` have used so far; it never goes back. */
int64_t meter_read_us(struct meter *meter, pid_t root);

/*
 * Only see who is there, at half the cost. Returns the time until it should be
 * done again, in microseconds: METER_WATCH_US, or more if it takes long or a
 * counter misses nothing anyway.
 */
enum { METER_WATCH_US = 1000 };

int64_t meter_watch(struct meter *meter, pid_t root);

/*
 * A counter of this process, from now on, and of all that it will start; -1 if
 * the kernel does not let us.
 */
int meter_open_counter(void);

#endif
