#ifndef REFEREE_CMD_HANDIN_SMOKE_H
#define REFEREE_CMD_HANDIN_SMOKE_H

/*
 * smoke.h - one game of a fresh bot, as a ladder has it.
 *
 * `referee check` asks a bot many things, but with settings of its own. A
 * ladder has a board, a number of seats, a clock, limits. So the bot plays one
 * game there against "referee bot", which counts for nothing, before it meets
 * others.
 */

#include "base/pool.h"
#include "cmd/handin/step.h"
#include "daemon/config.h"

/* What came of it. */
enum smoke {
    SMOKE_PLAYED,
    SMOKE_UNFINISHED, /* in this time, without a fault */
    SMOKE_FAULT,      /* the bot left the game; the sentence says why */
    SMOKE_OURS, /* it could not be played, and it is not the bot's fault */
};

/* `sentence` becomes the score, or what was wrong. */
enum smoke smoke_game(const struct ladder_config *ladder, const char *name,
                      const char *command, const char *folder, int64_t time_us,
                      struct pool *pool, struct err *sentence);

#endif
