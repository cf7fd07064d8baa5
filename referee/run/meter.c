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

/*
 * A process hands its CPU time and its page faults to the process that waits
 * for it, together with everything that was handed to it. The kernel counts
 * time in ticks and rounds it. Page faults are exact, and almost every process
 * has some. The two together show which processes have vanished without being
 * waited for.
 */
struct take {
    int64_t us, faults;
};

struct sight {
    pid_t pid, parent;
    int64_t start;      /* start time: process numbers are reused */
    struct take own;    /* used by all its threads */
    struct take dead;   /* used by the processes that it has waited for */
    struct take gain;   /* growth of `dead` since it was last seen */
    struct take credit; /* part of the gain that vanished processes explain */
    bool gone;          /* known to have ended since */
    bool ends;          /* it ended while it was read again */
};

enum {
    COUNTED_WATCH_US = 10000,
    /* of all time, watching takes one part in this many at most */
    WATCH_SHARE = 20
};

static struct tree tree; /* scratch space */

static struct take sum(struct take a, struct take b)
{
    return (struct take){a.us + b.us, a.faults + b.faults};
}

static struct take less(struct take a, struct take b)
{
    return (struct take){a.us - b.us, a.faults - b.faults};
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Reading. */

static int64_t clock_us(clockid_t clock)
{
    struct timespec t;

    if (clock_gettime(clock, &t) != 0)
        return 0;
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t own_cpu_us(pid_t pid)
{
    clockid_t clock;

    return clock_getcpuclockid(pid, &clock) == 0 ? clock_us(clock) : 0;
}

static int64_t tick_us(void)
{
    return 1000000 / sysconf(_SC_CLK_TCK);
}

/* The fields of /proc/PID/stat that are read here, by number. */
enum {
    PARENT = 4,
    FAULTS = 10,
    DEAD_FAULTS = 11,
    DEAD_USER = 16,
    DEAD_SYSTEM = 17,
    START = 22,
    FIELDS
};

/* False if the process no longer exists. */
static bool read_fields(pid_t pid, int64_t field[FIELDS])
{
    char path[32], text[1024];
    char *at;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    read_text(path, text, sizeof text);
    at = strrchr(text, ')'); /* the name before it may contain anything */
    if (!at || strlen(at) < sizeof ") S ")
        return false;
    at += strlen(") S");
    for (int i = PARENT; i < FIELDS; i++)
        field[i] = strtoll(at, &at, 10);
    return true;
}

static bool see(struct sight *s, pid_t pid)
{
    int64_t field[FIELDS], ticks;

    if (!read_fields(pid, field))
        return false;
    ticks = field[DEAD_USER] + field[DEAD_SYSTEM];
    *s = (struct sight){
        .pid = pid, .parent = (pid_t)field[PARENT], .start = field[START]};
    s->own = (struct take){own_cpu_us(pid), field[FAULTS]};
    s->dead = (struct take){ticks * tick_us(), field[DEAD_FAULTS]};
    return true;
}

/* Sights. */

static int by_pid(const void *a, const void *b)
{
    pid_t x = ((const struct sight *)a)->pid,
          y = ((const struct sight *)b)->pid;

    return (x > y) - (x < y);
}

static struct sight *find(const struct sights *all, pid_t pid)
{
    const struct sight key = {.pid = pid};

    if (all->count == 0)
        return NULL;
    return bsearch(&key, all->sight, (size_t)all->count, sizeof key, by_pid);
}

/* Finds the same process, not only the same number. */
static struct sight *find_same(const struct sights *all, const struct sight *s)
{
    struct sight *found = find(all, s->pid);

    return found && found->start == s->start ? found : NULL;
}

/* A process that changed its parent meanwhile may be listed twice. */
static void sort(struct sights *all)
{
    int kept = 0;

    qsort(all->sight, (size_t)all->count, sizeof *all->sight, by_pid);
    for (int i = 0; i < all->count; i++)
        if (kept == 0 || all->sight[kept - 1].pid != all->sight[i].pid)
            all->sight[kept++] = all->sight[i];
    all->count = kept;
}

/*
 * Find out who is gone before anybody's gains are read. Only then do the gains
 * include all those that were waited for. True if anybody is gone.
 */
static bool mark_gone(struct sights *last)
{
    bool any = false;

    for (int i = 0; i < last->count; i++) {
        struct sight *s = &last->sight[i];

        s->gone = kill(s->pid, 0) == -1 && errno == ESRCH;
        any = any || s->gone;
    }
    return any;
}

/* A process's own time is cheap to read. The rest is not, and may be reused. */
static void glance(struct sight *s, const struct sight *before)
{
    int64_t us = own_cpu_us(before->pid);

    *s = *before;
    s->own.us = greater(us, before->own.us);
}

static void look_at(struct sights *now, const struct sights *known, pid_t pid)
{
    struct sight *s = now->sight + now->count;
    const struct sight *before = find(known, pid);

    if (before && before->own.faults > 0) /* otherwise it has not run yet */
        glance(s, before);
    else if (!see(s, pid))
        return;
    now->count++;
}

/*
 * Parents come before their children. So a process that ends meanwhile may be
 * counted neither as alive nor among the dead of its parent, but never as both.
 */
static void look(struct sights *now, const struct sights *known, pid_t root)
{
    now->count = 0;
    look_at(now, known, root);
    for (int i = 0; now->count > 0 && i < tree.count; i++)
        look_at(now, known, tree.pid[i]);
    sort(now);
}

/*
 * The kernel's list may miss a process while others end. A process that has
 * ended since the list was read is judged next time, when the gains of its
 * parent have certainly been read after its end.
 */
static void keep_others(struct sights *now, const struct sights *last)
{
    const struct sights listed = *now;

    for (int i = 0; i < last->count; i++) {
        const struct sight *s = &last->sight[i];
        struct sight *again = now->sight + now->count;

        if (s->gone || find(&listed, s->pid))
            continue;
        if (!see(again, s->pid) || again->start != s->start) {
            *again = *s;
            again->ends = true;
        }
        now->count++;
    }
    sort(now);
}

static void note_gains(struct sights *now, const struct sights *last)
{
    for (int i = 0; i < now->count; i++) {
        struct sight *s = &now->sight[i];
        const struct sight *before = find_same(last, s);

        if (!before || s->ends)
            continue;
        s->gain = less(s->dead, before->dead);
        s->credit = sum(s->gain, before->gain);
    }
}

/*
 * Has `parent` waited for the other one? Both numbers of ticks are rounded
 * down.
 */
static bool may_have_waited(struct sight *s, struct take whole)
{
    if (s->credit.faults < whole.faults ||
        s->credit.us + 3 * tick_us() < whole.us)
        return false;
    s->credit = less(s->credit, whole);
    return true;
}

/* If its parent ended first, a process further up waits for it. */
static bool is_lost(const struct sight *s, const struct sights *now,
                    const struct sights *last)
{
    const struct take whole = sum(s->own, s->dead);
    const struct sight *above = s;

    for (int up = 0; above && up <= last->count; up++) {
        struct sight *parent = find(now, above->parent);

        if (parent && may_have_waited(parent, whole))
            return false;
        above = find(last, above->parent);
    }
    return true;
}

static int64_t lost_us(const struct sights *now, const struct sights *last)
{
    int64_t us = 0;

    for (int i = 0; i < last->count; i++) {
        const struct sight *s = &last->sight[i];

        if (s->gone && is_lost(s, now, last))
            us += s->own.us + s->dead.us;
    }
    return us;
}

/* The root itself does not count, but the processes it has waited for do. */
static int64_t seen_us(const struct sights *now, pid_t root)
{
    int64_t us = 0;

    for (int i = 0; i < now->count; i++) {
        const struct sight *s = &now->sight[i];

        if (!s->ends)
            us += s->dead.us + (s->pid == root ? 0 : s->own.us);
    }
    return us;
}

/* The counter. */

int meter_open_counter(void)
{
    /*
     * The task clock counts time in the kernel whatever is excluded, but a
     * process that does not exclude it needs more rights.
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

static void *room_for(size_t count)
{
    return must_alloc(calloc(count, sizeof(struct sight)));
}

struct meter *meter_new(void)
{
    struct meter *m = must_alloc(calloc(1, sizeof *m));

    m->counter = -1;
    return m;
}

void meter_free(struct meter *m)
{
    if (!m)
        return;
    if (m->counter != -1)
        close(m->counter);
    free(m->last.sight);
    free(m);
}

/* Look closely, or only for new processes, as long as nobody is gone. */
static void look_around(struct meter *m, pid_t root, bool closely)
{
    const struct sights nobody = {0};
    struct sights now;

    tree_look(&tree, root);
    closely = mark_gone(&m->last) || closely;
    now.sight = room_for((size_t)(1 + tree.count + m->last.count));
    look(&now, closely ? &nobody : &m->last, root);
    if (now.count > 0) {
        keep_others(&now, &m->last);
        note_gains(&now, &m->last);
        m->lost_us += lost_us(&now, &m->last);
        m->used_us = greater(m->used_us, seen_us(&now, root) + m->lost_us);
    }
    free(m->last.sight);
    m->last = now;
}

int64_t meter_read_us(struct meter *m, pid_t root)
{
    look_around(m, root, true);
    if (m->counter != -1)
        m->used_us = greater(m->used_us, counted_us(m->counter));
    return m->used_us;
}

/*
 * A bot with very many processes must not take the time of others. And the
 * counter misses a program that nobody may read.
 */
int64_t meter_watch(struct meter *m, pid_t root)
{
    int64_t cost_us = -clock_us(CLOCK_THREAD_CPUTIME_ID);

    look_around(m, root, false);
    cost_us += clock_us(CLOCK_THREAD_CPUTIME_ID);
    return greater(m->counter == -1 ? METER_WATCH_US : COUNTED_WATCH_US,
                   WATCH_SHARE * cost_us);
}
