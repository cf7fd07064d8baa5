#include "league/gifts.h"

#include "base/alloc.h"

#include <stdlib.h>

void gifts_init(struct gifts *g, int names)
{
    *g = (struct gifts){.names = names};
}

void gifts_release(struct gifts *g)
{
    free(g->run);
    g->run = NULL;
}

bool gifts_hold(struct gifts *g, int gainer, int giver, bool is_gift)
{
    size_t names = (size_t)g->names;
    uint8_t *run;

    if (!g->run && !is_gift)
        return false;
    if (!g->run)
        g->run = must_alloc(calloc(names * names, sizeof *g->run));
    run = &g->run[(size_t)gainer * names + (size_t)giver];
    if (!is_gift)
        *run = 0;
    else if (*run <= GIFTS_FREE)
        ++*run;
    return *run > GIFTS_FREE;
}
