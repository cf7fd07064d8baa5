#ifndef REFEREE_MANY_SAID_H
#define REFEREE_MANY_SAID_H

/*
 * said.h - what bots wrote to standard error on a worker. It travels with the
 * records, as JSON, to whoever owns the bots.
 *
 *     [{"anna": "thinking .."}, ...]
 *
 * There is an object for each game, and in it a text for each bot that wrote
 * something. Bytes that are no printable ASCII are '?' in it.
 */

#include "base/buf.h"

#include <jansson.h>

enum { SAID_MAX = 16 << 10 }; /* bytes of a bot in a game */

void said_add(json_t *game, const char *bot, const struct buf *log);

/* As a worker delivered it: what no honest one would send is taken out, as for
 * the text of a bot. NULL: it is nothing at all. */
json_t *said_read(const char *text);

/* "" if there is nothing. */
const char *said_by(const json_t *said, int game, const char *bot);

#endif
