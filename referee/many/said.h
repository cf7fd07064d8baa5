#ifndef REFEREE_MANY_SAID_H
#define REFEREE_MANY_SAID_H

/*
 * said.h - the standard error of bots on a worker. It travels with the records,
 * as JSON, to the owners of the bots.
 *
 *     [{"anna": "thinking .."}, ...]
 *
 * There is an object for each game, with a text for each bot that wrote
 * something. Bytes that are not printable ASCII become '?'.
 */

#include "base/buf.h"

#include <jansson.h>

enum { SAID_MAX = 16 << 10 }; /* bytes per bot and game */

void said_add(json_t *game, const char *bot, const struct buf *log);

/* "" if there is none. */
json_t *said_read(const char *text);

/* "" if there is nothing. */
const char *said_by(const json_t *said, int game, const char *bot);

#endif
