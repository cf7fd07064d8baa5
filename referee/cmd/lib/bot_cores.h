#ifndef REFEREE_CMD_LIB_BOT_CORES_H
#define REFEREE_CMD_LIB_BOT_CORES_H

/*
 * bot_cores.h - turn `cores = N` into processors: find how many cores are
 * needed at once, and whether this machine has them.
 */

#include "run/contest.h"
#include "run/cores.h"

enum { BOT_CORES_MAX = 64 };

/* Cores that are needed at once. */
struct core_needs {
    int own;         /* by bots with a `cores` key */
    bool has_others; /* by the other bots */
};

/* Plan for this many games at once, with this many copies of each bot. */
void core_needs_add(struct core_needs *needs,
                    const struct player *const *players, int count, int seats,
                    int games, int copies);

/* This machine's processors, if a bot needs cores of its own and there are
 * enough; NULL if none does. The result is fixed for the life of the
 * process. */
bool cores_for(const struct core_needs *needs, struct cores **cores,
               struct err *err) MUST_CHECK;

#endif
