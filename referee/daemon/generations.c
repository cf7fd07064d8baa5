#include "daemon/generations.h"

#include "base/alloc.h"

#include <stdlib.h>

struct generation *generations_add(struct generations *all,
                                   struct serve_config *config)
{
    struct generation *g = must_alloc(calloc(1, sizeof *g));

    g->config = config;
    g->home = (struct home){.on_ended = all->on_bot_ended, .arg = all->owner};
    g->next = all->newest;
    all->newest = g;
    return g;
}

/* Idle guards have a copy of it. */
static void free_generation(struct generations *all, struct generation *g)
{
    children_end_idle(&all->loop->children);
    all->release(g->config);
    free(g);
}

void generations_drop(struct generations *all)
{
    struct generation *g = all->newest;

    all->newest = g->next;
    free_generation(all, g);
}

void generations_tidy(struct generations *all)
{
    struct generation **at = &all->newest->next;

    while (*at) {
        struct generation *old = *at;

        if (old->units > 0 || old->home.bots > 0 ||
            old->config == all->opened) {
            at = &old->next;
            continue;
        }
        *at = old->next;
        free_generation(all, old);
    }
}

bool generations_have_bots(const struct generations *all)
{
    for (const struct generation *g = all->newest; g; g = g->next)
        if (g->home.bots > 0)
            return true;
    return false;
}
