#include "run/priority.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SLICE_NS = 100 * 1000,
    RESET_ON_FORK = 1,
};

/* The kernel's struct; Debian 12's libc has neither this nor the calls. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static struct attributes own(void)
{
    struct attributes a = {.size = sizeof a};

    if (syscall(SYS_sched_getattr, 0, &a, sizeof a, 0) != 0)
        a.policy = SCHED_IDLE; /* as if the change had been refused */
    return a;
}

int64_t priority_slice_ns(void)
{
    return (int64_t)own().runtime;
}

/* This is only a request, which older kernels ignore. */
void priority_referee(void)
{
    struct attributes a = own();

    if (a.policy != SCHED_OTHER)
        return;
    a.flags |= RESET_ON_FORK;
    a.runtime = SLICE_NS;
    syscall(SYS_sched_setattr, 0, &a, 0);
}

bool priority_crowd(int games)
{
    cpu_set_t ours;

    return sched_getaffinity(0, sizeof ours, &ours) == 0 &&
           games > CPU_COUNT(&ours);
}

/* A process that was started under an unusual policy keeps it. */
void priority_bot(bool in_crowd)
{
    const struct sched_param none = {0};

    if (in_crowd && sched_getscheduler(0) == SCHED_OTHER)
        sched_setscheduler(0, SCHED_BATCH, &none);
}
