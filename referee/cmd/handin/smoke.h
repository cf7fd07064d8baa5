#ifndef REFEREE_CMD_HANDIN_SMOKE_H
#define REFEREE_CMD_HANDIN_SMOKE_H

/*
 * smoke.h - play one game with a new bot, with a ladder's settings.
 *
 * `referee check` tests a bot with its own settings. A ladder has a board, a
 * number of seats, a clock and limits. So before the bot meets others, it plays
 * one unrated game against "referee bot" with those settings.
 */

#include "base/pool.h"
#include "cmd/handin/step.h"
#include "daemon/config.h"

/* The outcome. */
enum smoke {
    SMOKE_PLAYED,
    SMOKE_UNFINISHED, /* the game ended in time, without a fault */
    SMOKE_FAULT,      /* the bot left the game; the sentence says why */
    SMOKE_OURS, /* the game could not be played, and the bot is not to blame */
};

struct smoke_bot {
    const char *name, *command, *folder;
};

/*
 * `sentence` becomes the score, or what was wrong. With a `patience` above 1
 * (step.h), the bot may start later and answer later than the ladder allows.
 */
enum smoke smoke_game(const struct ladder_config *ladder,
                      const struct smoke_bot *bot, int patience,
                      int64_t time_us, struct pool *pool, struct err *sentence);

#endif
