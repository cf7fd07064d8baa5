#ifndef REFEREE_CMD_LIB_BOT_WALLS_H
#define REFEREE_CMD_LIB_BOT_WALLS_H

/*
 * bot_walls.h - from `walls = WORD` to the walls of a player.
 *
 * The machine is probed when the first bot asks for walls, once for a process.
 */

#include "cmd/lib/bots.h"

/* "64m", "2g": from a megabyte up to a terabyte. */
bool size_read(const char *text, int64_t *bytes, struct err *err) MUST_CHECK;

/* Give the player the walls that its entry asks for, if any. */
bool player_wall(struct player *player, const struct bot_entry *entry,
                 struct pool *pool, struct err *err) MUST_CHECK;

/* No player may be able to read `path`, where `what` is kept. */
bool walls_keep_out(const struct player *players, int count, const char *path,
                    const char *what, struct err *err) MUST_CHECK;

/* One line: which walls stand, and what else this machine offers; "" if no
 * player has walls. */
const char *walls_in_words(const struct player *players, int count,
                           struct pool *pool);

#endif
