#ifndef REFEREE_LIB_MINIMAX_H
#define REFEREE_LIB_MINIMAX_H

/* minimax.h - search for two seats, without hidden information and chance. */

#include "lib/handles.h"

struct minimax {
    const struct game *game;
    int viewer;                     /* the seat that searches, from 0 */
    referee_state *start;           /* the position */
    referee_state *world, *scratch; /* room to play in */
    struct rng *rng;
};

/* True if it suits these rules. */
static inline bool minimax_suits(const referee_rules *rules)
{
    return rules->game->worth && !rules->game->traits &&
           rules->setup.seats == 2;
}

/* The number of a good move; end_ms is a time as of now_ms(), or 0. */
int minimax_run(struct minimax *m, int playouts, int64_t end_ms, int *done);

int64_t now_ms(void);

#endif
