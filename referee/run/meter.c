#include "run/meter.h"

#include "base/alloc.h"
#include "run/tree.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    COUNTED_WATCH_US = 10000,
    /* watching takes at most this fraction of all CPU time */
    WATCH_SHARE = 20
};

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t clock_us(clockid_t clock)
{
    struct timespec t;

    if (clock_gettime(clock, &t) != 0)
        return 0;
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* 0 if there is no such process any more. */
static int64_t own_cpu_us(pid_t pid)
{
    clockid_t clock;

    return clock_getcpuclockid(pid, &clock) == 0 ? clock_us(clock) : 0;
}

/* Watching. */

static int by_pid(const void *a, const void *b)
{
    pid_t x = ((const struct sight *)a)->pid,
          y = ((const struct sight *)b)->pid;

    return (x > y) - (x < y);
}

static struct sight *find(struct sight *all, int count, pid_t pid)
{
    const struct sight key = {.pid = pid};

    return count > 0 ? bsearch(&key, all, (size_t)count, sizeof key, by_pid)
                     : NULL;
}

/* A process that changed its parent during the walk may be listed twice. */
static int sort(struct sight *all, int count)
{
    int kept = 0;

    qsort(all, (size_t)count, sizeof *all, by_pid);
    for (int i = 0; i < count; i++)
        if (kept == 0 || all[kept - 1].pid != all[i].pid)
            all[kept++] = all[i];
    return kept;
}

static bool has_vanished(pid_t pid)
{
    return kill(pid, 0) == -1 && errno == ESRCH;
}

/*
 * The last reading of a process. If its time has fallen by half, it is a new
 * process with the same number. A process that has ended in the meantime shows
 * no time.
 */
static void compare(struct meter *m, struct sight *now,
                    const struct sight *before)
{
    if (now->us > 0 && now->us < before->us / 2)
        m->gone_us += before->us;
    else
        now->us = greater(now->us, before->us);
}

/*
 * The kernel's list may miss a process while others end. So a process that is
 * not listed keeps its last reading. It counts as vanished only when it no
 * longer exists.
 */
static void look(struct meter *m, pid_t root)
{
    struct sight *now, *seen;
    int count, listed;

    tree_look(m->tree, root);
    now = must_alloc(
        calloc((size_t)(m->tree->count + m->count) + 1, sizeof *now));
    for (int i = 0; i < m->tree->count; i++)
        now[i] = (struct sight){m->tree->pid[i], own_cpu_us(m->tree->pid[i])};
    count = listed = sort(now, m->tree->count);
    for (int i = 0; i < m->count; i++) {
        const struct sight *before = &m->last[i];

        if ((seen = find(now, listed, before->pid)) != NULL)
            compare(m, seen, before);
        else if (has_vanished(before->pid))
            m->gone_us += before->us;
        else
            now[count++] = *before;
    }
    free(m->last);
    m->last = now;
    m->count = sort(now, count);
}

static int64_t seen_us(const struct meter *m)
{
    int64_t us = m->gone_us;

    for (int i = 0; i < m->count; i++)
        us += m->last[i].us;
    return us;
}

/* Waiting. */

/* CPU time of children that were waited for, in clock ticks. */
static int64_t waited_us(pid_t pid)
{
    enum { FIRST = 3, DEAD_USER = 16, DEAD_SYSTEM = 17 };
    int64_t ticks = 0;
    char path[32], text[1024];
    char *at;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    read_text(path, text, sizeof text);
    /* the name comes before it and may contain any character, even ')' */
    at = strrchr(text, ')');
    for (int i = FIRST; at && i <= DEAD_SYSTEM; i++) {
        at = strchr(at + 1, ' ');
        if (at && i >= DEAD_USER)
            ticks += strtoll(at, NULL, 10);
    }
    return ticks * (1000000 / sysconf(_SC_CLK_TCK));
}

/*
 * Parents come before their children. So a process that ends during the walk
 * may be missed, both as alive and among its parent's dead children, but it is
 * never counted twice.
 */
static int64_t handed_over_us(const struct meter *m, pid_t root)
{
    int64_t us = waited_us(root);

    for (int i = 0; i < m->tree->count; i++)
        us += waited_us(m->tree->pid[i]) + own_cpu_us(m->tree->pid[i]);
    return us;
}

/* The counter. */

int meter_open_counter(void)
{
    /*
     * The task clock includes time in the kernel even if the kernel is
     * excluded. Asking to exclude it needs fewer privileges.
     */
    struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
                                   .size = sizeof attr,
                                   .config = PERF_COUNT_SW_TASK_CLOCK,
                                   .inherit = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};

    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
                        PERF_FLAG_FD_CLOEXEC);
}

static int64_t counted_us(int counter)
{
    int64_t ns;

    return read(counter, &ns, sizeof ns) == sizeof ns ? ns / 1000 : 0;
}

/* The meter. */

struct meter *meter_new(void)
{
    struct meter *m = must_alloc(calloc(1, sizeof *m));

    m->counter = -1;
    m->tree = must_alloc(calloc(1, sizeof *m->tree));
    return m;
}

void meter_free(struct meter *m)
{
    if (!m)
        return;
    if (m->counter != -1)
        close(m->counter);
    free(m->last);
    free(m->tree);
    free(m);
}

int64_t meter_read_us(struct meter *m, pid_t root)
{
    look(m, root);
    m->used_us = greater(m->used_us, seen_us(m));
    m->used_us = greater(m->used_us, handed_over_us(m, root));
    if (m->counter != -1)
        m->used_us = greater(m->used_us, counted_us(m->counter));
    return m->used_us;
}

/*
 * Walking over very many processes takes time from the other games, so walk
 * less often then. Walk even if there is a counter, because the counter misses
 * programs that are not readable.
 */
int64_t meter_watch(struct meter *m, pid_t root)
{
    int64_t cost_us = -clock_us(CLOCK_THREAD_CPUTIME_ID);

    look(m, root);
    cost_us += clock_us(CLOCK_THREAD_CPUTIME_ID);
    return greater(m->counter == -1 ? METER_WATCH_US : COUNTED_WATCH_US,
                   WATCH_SHARE * cost_us);
}
