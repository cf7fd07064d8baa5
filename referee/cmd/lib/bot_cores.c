#include "cmd/lib/bot_cores.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static int cores_of(const void *player)
{
    return (*(const struct player *const *)player)->bot.cores;
}

static int most_first(const void *a, const void *b)
{
    return cores_of(b) - cores_of(a);
}

/* Cores of a game between the bots that want the most; and of all games. */
static int of_the_greediest(const struct player *const *players, int count,
                            int seats, int *of_all)
{
    size_t size = (size_t)count * sizeof *players;
    const struct player **list = must_alloc(malloc(size + 1));
    int own = 0;

    memcpy(list, players, size);
    qsort(list, (size_t)count, sizeof *list, most_first);
    *of_all = 0;
    for (int i = 0; i < count; i++) {
        own += i < seats ? cores_of(&list[i]) : 0;
        *of_all += cores_of(&list[i]);
    }
    free(list);
    return own;
}

void core_needs_add(struct core_needs *needs,
                    const struct player *const *players, int count, int seats,
                    int games, int copies)
{
    int of_all, own = of_the_greediest(players, count, seats, &of_all) * games;

    of_all *= copies;
    needs->own += own < of_all ? own : of_all;
    for (int i = 0; i < count; i++)
        needs->has_others |= players[i]->bot.cores == 0;
}

static struct cores *looked(void)
{
    static struct cores *cores; /* probed before we bind to one */

    if (!cores)
        cores = cores_look("", NULL);
    return cores;
}

bool cores_for(const struct core_needs *needs, struct cores **cores,
               struct err *err)
{
    *cores = NULL;
    if (needs->own == 0)
        return true;
    if (!cores_fit(looked(), needs->own, needs->has_others, err))
        return fail_at(err, "cores");
    *cores = looked();
    return true;
}
