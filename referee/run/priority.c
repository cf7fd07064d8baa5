#include "run/priority.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SLICE_NS = 100 * 1000,
    RESET_ON_FORK = 1,
    MANY = 64, /* games for each processor */
    NICEST = 19,
};

/* The kernel's form; Debian 12's libc has neither this nor the calls. */
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
        a.policy = SCHED_IDLE; /* as if we were not allowed to change it */
    return a;
}

int64_t priority_slice_ns(void)
{
    return (int64_t)own().runtime;
}

/* This is only a request. A kernel that does not know it ignores it. */
void priority_referee(void)
{
    struct attributes a = own();

    if (a.policy != SCHED_OTHER)
        return;
    a.flags |= RESET_ON_FORK;
    a.runtime = SLICE_NS;
    syscall(SYS_sched_setattr, 0, &a, 0);
}

enum crowding priority_crowd(int games)
{
    cpu_set_t ours;
    int processors;

    if (sched_getaffinity(0, sizeof ours, &ours) != 0)
        return NO_CROWD;
    processors = CPU_COUNT(&ours);
    return games > MANY * processors ? A_THRONG
           : games > processors      ? A_CROWD
                                     : NO_CROWD;
}

/* A process that was started under an unusual policy keeps it. */
void priority_bot(enum crowding crowd)
{
    const struct sched_param none = {0};

    if (sched_getscheduler(0) != SCHED_OTHER)
        return;
    if (crowd >= A_CROWD)
        sched_setscheduler(0, SCHED_BATCH, &none);
    if (crowd == A_THRONG)
        setpriority(PRIO_PROCESS, 0, NICEST);
}
