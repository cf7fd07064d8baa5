#ifndef REFEREE_WEB_SITE_GAMES_H
#define REFEREE_WEB_SITE_GAMES_H

/*
 * site_games.h - parts of pages that several pages of site.h have: lists of
 * games, standings.
 */

#include "base/buf.h"

#include <jansson.h>

void games_table(struct buf *out, const json_t *games);

/* Games that run: drawn by scripts, a list without them. */
void running_games(struct buf *out, const json_t *running, int most);

/* Of one ladder. */
void standings_table(struct buf *out, const char *ladder,
                     const json_t *standings);

#endif
