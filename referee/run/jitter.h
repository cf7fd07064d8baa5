#ifndef REFEREE_RUN_JITTER_H
#define REFEREE_RUN_JITTER_H

/*
 * jitter.h - how even the processors run.
 *
 * A spin is a fixed amount of arithmetic that touches no memory. On a quiet
 * machine it always takes the same time. What it takes longer is what others
 * have taken away: other programs, interrupts, a host with more machines than
 * processors, a clock rate that changes. A bot's clock counts that as well.
 */

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

struct jitter {
    int processor;    /* on which it is measured */
    int64_t half_ns;  /* half of the spins take at most so long, */
    int64_t p99_ns;   /* 99 of 100, */
    int64_t worst_ns; /* and all of them */
};

enum { JITTER_PROCESSORS = 4, JITTER_SPINS = 400 };

/*
 * Measure on some of these processors; the result is that of the least even
 * one. Takes half a second, more on a busy machine.
 */
struct jitter jitter_measure(const cpu_set_t *processors);

#endif
