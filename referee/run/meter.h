#ifndef REFEREE_RUN_METER_H
#define REFEREE_RUN_METER_H

/*
 * meter.h - CPU time of all descendants of a process, living or dead.
 *
 * The kernel tells the CPU time of every living process, and adds the time of a
 * dead process to the one that waited for it. But a process that ignores
 * SIGCHLD waits for nobody: its children vanish, and their time with them. So a
 * meter remembers what it last saw of every process. If one vanishes and no
 * process above it has gained its time, the meter adds what it last saw.
 *
 * What such a process used after it was last seen escapes. So watch while a
 * clock runs: then at most about a millisecond of each process is lost. Where
 * the kernel allows a counter (perf_event_open) that all descendants inherit,
 * nothing is lost. Each of these figures is a lower bound of the truth, so the
 * greatest one counts. Behind walls with a control group none of this is
 * needed.
 */

#include <stdint.h>
#include <sys/types.h>

/* What was seen of the processes, sorted by number. */
struct sights {
    struct sight *sight;
    int count;
};

struct meter {
    int counter; /* a descriptor that the meter closes, or -1 */
    struct sights last;
    int64_t lost_us; /* time of all processes that vanished */
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
