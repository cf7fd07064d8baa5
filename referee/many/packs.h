#ifndef REFEREE_MANY_PACKS_H
#define REFEREE_MANY_PACKS_H

/*
 * packs.h - put the files of bots into the database, before the units that need
 * them.
 */

#include "many/db.h"
#include "run/group.h"

struct packs_calls {
    void (*on_there)(void *owner);
    void (*on_error)(void *owner, const char *why);
};

struct packs {
    struct db *db;
    const struct packs_calls *calls;
    void *owner;
    const struct player *player; /* borrowed until the next packs_need() */
    int players;
    int open;         /* open questions; -1: not begun */
    bool needs_again; /* an answer was lost: put everything again */
};

void packs_init(struct packs *packs, struct db *db,
                const struct packs_calls *calls, void *owner);

/* Put the missing packs of these players. The database is ready. */
void packs_need(struct packs *packs, const struct player *player, int players);

/* The database is away. */
void packs_forget(struct packs *packs);

static inline bool packs_are_there(const struct packs *packs)
{
    return packs->open == 0;
}

#endif
