#ifndef REFEREE_CMD_LIB_BOT_CORES_H
#define REFEREE_CMD_LIB_BOT_CORES_H

/*
 * bot_cores.h - from `cores = N` to processors: how many cores are needed at
 * once, at most, and does this machine have them?
 */

#include "run/contest.h"
#include "run/cores.h"

enum { BOT_CORES_MAX = 64 };

/* Cores that are needed at once. */
struct core_needs {
    int own;         /* by bots that say how many */
    bool has_others; /* bots that do not */
};

/* So many games at once between these, of which each has so many copies. */
void core_needs_add(struct core_needs *needs,
                    const struct player *const *players, int count, int seats,
                    int games, int copies);

/* This machine's, if somebody needs some of his own and there are enough; NULL
 * if nobody does. They stay the same for as long as the process lives. */
bool cores_for(const struct core_needs *needs, struct cores **cores,
               struct err *err) MUST_CHECK;

#endif
