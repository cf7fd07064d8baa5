#include "run/cores.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/text.h"
#include "run/tree.h"

#include <stdio.h>
#include <stdlib.h>

/* One core and its use. */
struct core {
    cpu_set_t set;
    int bots;  /* bots that have it now */
    long left; /* a counter: when the last bot gave it back */
};

struct cores {
    struct core core[CORES_MAX];
    int count;
    int own; /* to be handed out, from core 1 on */
    long events;
};

void cores_read(const char *at, cpu_set_t *set)
{
    const int max = CPU_SETSIZE - 1;
    int first, last;

    do {
        if (!take_int(&at, 0, max, &first))
            return;
        last = first;
        if (take_char(&at, '-') && !take_int(&at, first, max, &last))
            return;
        for (int i = first; i <= last; i++)
            CPU_SET((size_t)i, set);
    } while (take_char(&at, ','));
}

/*
 * The processors that share a core with this one; only itself if the kernel
 * does not say.
 */
static void siblings(const char *root, size_t processor, cpu_set_t *set)
{
    char path[300], text[256];

    snprintf(path, sizeof path,
             "%.150s/sys/devices/system/cpu/cpu%zu/topology/"
             "thread_siblings_list",
             root, processor);
    read_text(path, text, sizeof text);
    CPU_ZERO(set);
    cores_read(text, set);
    CPU_SET(processor, set);
}

static void find_own(cpu_set_t *set)
{
    CPU_ZERO(set);
    if (sched_getaffinity(0, sizeof *set, set) != 0)
        CPU_SET(0, set);
}

struct cores *cores_look(const char *root, const cpu_set_t *processors)
{
    struct cores *c = must_alloc(calloc(1, sizeof *c));
    cpu_set_t ours, seen;

    CPU_ZERO(&seen);
    if (processors)
        ours = *processors;
    else
        find_own(&ours);
    for (size_t i = 0; i < CPU_SETSIZE && c->count < CORES_MAX; i++) {
        cpu_set_t *set = &c->core[c->count].set;

        if (!CPU_ISSET(i, &ours) || CPU_ISSET(i, &seen))
            continue;
        siblings(root, i, set);
        CPU_AND(set, set, &ours);
        CPU_OR(&seen, &seen, set);
        c->count++;
    }
    return c;
}

void cores_free(struct cores *c)
{
    free(c);
}

int cores_count(const struct cores *c)
{
    return c->count;
}

int cores_processors(const struct cores *c)
{
    int processors = 0;

    for (int i = 0; i < c->count; i++)
        processors += CPU_COUNT(&c->core[i].set);
    return processors;
}

bool cores_fit(const struct cores *c, int own, bool has_others, struct err *err)
{
    int needed = 1 + own + has_others;

    return needed <= c->count ||
           fail(err,
                "%d for bots%s and 1 for the referee make %d cores, but this "
                "machine offers %d; let fewer games run at once, or say fewer "
                "cores",
                own, has_others ? ", 1 for bots without their own" : "", needed,
                c->count);
}

void cores_split(struct cores *c, int own)
{
    c->own = own;
    sched_setaffinity(0, sizeof c->core[0].set, &c->core[0].set);
}

/*
 * The core with the fewest bots; among equals, the one that has been free
 * longest.
 */
static struct core *best(struct cores *c, const struct core_share *share)
{
    struct core *found = NULL;

    for (int i = 1; i <= c->own; i++) {
        struct core *core = &c->core[i];
        cpu_set_t both;

        CPU_AND(&both, &core->set, &share->set);
        if (CPU_COUNT(&both) > 0)
            continue; /* it has that already */
        if (!found || core->bots < found->bots ||
            (core->bots == found->bots && core->left < found->left))
            found = core;
    }
    return found;
}

void cores_take(struct cores *c, int count, struct core_share *share)
{
    struct core *core;

    *share = (struct core_share){.count = count};
    for (int i = 0; i < count && (core = best(c, share)) != NULL; i++) {
        core->bots++;
        CPU_OR(&share->set, &share->set, &core->set);
    }
    for (int i = 1 + c->own; count == 0 && i < c->count; i++)
        CPU_OR(&share->set, &share->set, &c->core[i].set);
}

void cores_give_back(struct cores *c, struct core_share *share)
{
    cpu_set_t both;

    for (int i = 1; share->count > 0 && i <= c->own; i++) {
        struct core *core = &c->core[i];

        CPU_AND(&both, &core->set, &share->set);
        if (CPU_COUNT(&both) == 0)
            continue;
        core->bots--;
        core->left = ++c->events;
    }
    *share = (struct core_share){0};
}

void cores_text(const cpu_set_t *set, char text[CORES_TEXT])
{
    struct buf out;

    buf_init(&out, CORES_TEXT);
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        size_t first = i;

        if (!CPU_ISSET(i, set))
            continue;
        while (i + 1 < CPU_SETSIZE && CPU_ISSET(i + 1, set))
            i++;
        buf_add(&out, "%s%zu", out.len > 0 ? "," : "", first);
        if (i > first)
            buf_add(&out, "-%zu", i);
    }
    snprintf(text, CORES_TEXT, "%s", out.text);
    buf_release(&out);
}
