#include "host/priority.h"

#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SLICE_NS = 100 * 1000, RESET_ON_FORK = 1 };

/* As the kernel has it; Debian 12 knows neither it nor the calls. */
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
        a.policy = SCHED_IDLE; /* as if it were not ours to say */
    return a;
}

int64_t priority_slice_ns(void)
{
    return (int64_t)own().runtime;
}

/* It is only a wish: a kernel that does not know it does no harm. */
void priority_referee(void)
{
    struct attributes a = own();

    if (a.policy != SCHED_OTHER)
        return;
    a.flags |= RESET_ON_FORK;
    a.runtime = SLICE_NS;
    syscall(SYS_sched_setattr, 0, &a, 0);
}

void priority_crowd(void)
{
    const struct sched_param none = {0};

    if (sched_getscheduler(0) == SCHED_OTHER)
        sched_setscheduler(0, SCHED_BATCH, &none);
}

bool priority_is_crowd(int games)
{
    cpu_set_t ours;

    return sched_getaffinity(0, sizeof ours, &ours) == 0 &&
           games > CPU_COUNT(&ours);
}
