#ifndef REFEREE_WEB_RULES_H
#define REFEREE_WEB_RULES_H

/* rules.h - the rules of a game for people, and an example game. */

#include "games/game.h"

#include <jansson.h>

/* Its section of protocol.md, or "". */
const char *rules_text(const struct game *game);

/*
 * A short game between two players who follow the game's rule of thumb, as
 * steps.h writes it; always the same one. It may stop before its end.
 */
json_t *rules_example(const struct game *game);

#endif
