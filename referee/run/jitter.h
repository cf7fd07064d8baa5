#ifndef REFEREE_RUN_JITTER_H
#define REFEREE_RUN_JITTER_H

/*
 * jitter.h - how even the processors run.
 *
 * A spin is a fixed amount of arithmetic that touches no memory. On a quiet
 * machine it always takes the same time. Any extra time was taken by something
 * else: other programs, interrupts, a host with more virtual machines than
 * processors, a changing clock rate. A bot's clock counts that time as well.
 */

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

struct jitter {
    int processor;    /* the one that was measured */
    int64_t half_ns;  /* half of the spins take at most this long, */
    int64_t p99_ns;   /* 99 of 100 at most this long, */
    int64_t worst_ns; /* and this is the longest */
};

enum { JITTER_PROCESSORS = 4, JITTER_SPINS = 400 };

/*
 * Measure on some of these processors and return the result of the least even
 * one. Takes half a second, or more on a busy machine.
 */
struct jitter jitter_measure(const cpu_set_t *processors);

#endif
