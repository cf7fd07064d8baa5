#ifndef REFEREE_CMD_LIB_BOT_WALLS_H
#define REFEREE_CMD_LIB_BOT_WALLS_H

/*
 * bot_walls.h - turn `walls = WORD` into the walls of a player.
 *
 * The machine is probed once per process, when the first bot asks for walls.
 */

#include "cmd/lib/bots.h"

/* "64m", "2g": from one megabyte to one terabyte. */
bool size_read(const char *text, int64_t *bytes, struct err *err) MUST_CHECK;

/* Give the player the walls that its entry asks for, if any. */
bool player_wall(struct player *player, const struct bot_entry *entry,
                 struct pool *pool, struct err *err) MUST_CHECK;

/* No player may read `path`; `what` names its contents. */
bool walls_keep_out(const struct player *players, int count, const char *path,
                    const char *what, struct err *err) MUST_CHECK;

/* One line: the walls in use, and what else this machine offers; "" if no
 * player has walls. */
const char *walls_in_words(const struct player *players, int count,
                           struct pool *pool);

#endif
