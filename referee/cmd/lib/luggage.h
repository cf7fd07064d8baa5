#ifndef REFEREE_CMD_LIB_LUGGAGE_H
#define REFEREE_CMD_LIB_LUGGAGE_H

/*
 * luggage.h - a bot on its way to another machine, and there.
 *
 * What a bot needs is in the folder in which it is started: its `folder`, the
 * files that its command names, and its `files`. They travel as one tar file,
 * the pack, which is called by its SHA-256. Programs that the command finds in
 * PATH, such as python3, must be on the other machine.
 *
 * There the pack is unpacked, and the bot is made from the same words as here.
 * So it has the same digest, or it is refused.
 */

#include "cmd/lib/bots.h"

#include <jansson.h>

enum { PACK_BYTES_MAX = 64 << 20 };

/* Give the player its luggage. Refuses what cannot travel: a file outside of
 * the folder, a link. */
bool player_pack(struct player *player, const struct bot_entry *entry,
                 struct pool *pool, struct err *err) MUST_CHECK;

/*
 * The player of an order (order.h), whose pack is unpacked in `root`, or NULL
 * if it has none. `walls` is what it gets if the order asks for none.
 */
bool player_unpack(struct player *player, const json_t *bot, const char *root,
                   const char *walls, struct pool *pool,
                   struct err *err) MUST_CHECK;

#endif
