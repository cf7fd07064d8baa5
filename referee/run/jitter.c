#include "run/jitter.h"

#include <stdlib.h>
#include <time.h>

enum { STEPS = 250000 }; /* of a spin: about 0.3 ms in 2020 */

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/*
 * Each step needs the result of the one before, so that a processor cannot
 * overlap them.
 */
static int64_t spin_ns(void)
{
    static volatile uint64_t result;
    uint64_t x = result;
    int64_t start = now_ns();

    for (int i = 0; i < STEPS; i++)
        x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
    result = x;
    return now_ns() - start;
}

static int by_length(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static struct jitter measure_one(size_t processor)
{
    int64_t ns[JITTER_SPINS];
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
    spin_ns(); /* to warm it up */
    for (int i = 0; i < JITTER_SPINS; i++)
        ns[i] = spin_ns();
    qsort(ns, JITTER_SPINS, sizeof *ns, by_length);
    return (struct jitter){.processor = (int)processor,
                           .half_ns = ns[JITTER_SPINS / 2],
                           .p99_ns = ns[JITTER_SPINS * 99 / 100],
                           .worst_ns = ns[JITTER_SPINS - 1]};
}

static bool is_less_even(const struct jitter *a, const struct jitter *b)
{
    return a->p99_ns * b->half_ns > b->p99_ns * a->half_ns;
}

struct jitter jitter_measure(const cpu_set_t *processors)
{
    struct jitter worst = {.half_ns = 1};
    cpu_set_t old;
    int measured = 0;

    CPU_ZERO(&old);
    sched_getaffinity(0, sizeof old, &old);
    for (size_t i = 0; i < CPU_SETSIZE && measured < JITTER_PROCESSORS; i++) {
        struct jitter one;

        if (!CPU_ISSET(i, processors))
            continue;
        one = measure_one(i);
        if (measured++ == 0 || is_less_even(&one, &worst))
            worst = one;
    }
    sched_setaffinity(0, sizeof old, &old);
    return worst;
}
