#ifndef REFEREE_CMD_LIB_LUGGAGE_H
#define REFEREE_CMD_LIB_LUGGAGE_H

/*
 * luggage.h - send a bot to another machine, and start it there.
 *
 * A bot's luggage is its `folder`, the files that its command names, and its
 * `files`. All of them must be in the folder in which it is started. They
 * travel as one tar file, the pack, which is named by its SHA-256. Programs
 * that the command finds in PATH, such as python3, must exist on the other
 * machine.
 *
 * The other machine unpacks the pack and makes the bot from the same words. A
 * bot whose digest differs is refused.
 */

#include "cmd/lib/bots.h"

#include <jansson.h>

enum { PACK_BYTES_MAX = 64 << 20 };

/* Give the player its luggage. Refuse what cannot travel: a file outside the
 * folder, a link. */
bool player_pack(struct player *player, const struct bot_entry *entry,
                 struct pool *pool, struct err *err) MUST_CHECK;

/*
 * The player of an order (order.h). `root` contains its unpacked pack, or is
 * NULL if it has none. `walls` is used if the order asks for no walls.
 */
bool player_unpack(struct player *player, const json_t *bot, const char *root,
                   const char *walls, struct pool *pool,
                   struct err *err) MUST_CHECK;

#endif
