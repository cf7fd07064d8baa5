#ifndef REFEREE_WEB_SITE_H
#define REFEREE_WEB_SITE_H

/*
 * site.h - the pages of the daemon, as HTML from the JSON of its API.
 *
 * Pure functions: they read JSON (store/report.h says what is in it) and write
 * HTML that works without scripts. Names come from strangers and are escaped.
 * Nothing is inline: the style sheet and the scripts are files of web/files.h,
 * whose addresses name their contents, so that browsers may keep them for ever.
 */

#include "base/buf.h"
#include "games/game.h"

#include <jansson.h>

/* The address of a file: "/web/HASH/draw.js". */
void site_file_path(const char *name, struct buf *out);

/* The front page: ladders, games under way, and a table if there is an offer
 * as for site_play(). */
void site_home(struct buf *out, const json_t *ladders, const json_t *running,
               const json_t *status, const json_t *offer);

/* Standings, crosstable, last games. `bots` are reports of the first places. */
void site_ladder(struct buf *out, const json_t *ladder, const json_t *bots,
                 const json_t *games);

/* A bot on all its ladders; `state` says what it does now, in words. */
void site_bot(struct buf *out, const char *name, const json_t *reports,
              const char *state);

/* Games that were filtered by these; an empty text is no filter. */
struct site_filter {
    const char *ladder, *bot, *before;
};

void site_games(struct buf *out, const json_t *games,
                const struct site_filter *filter);

/* The frame of a game; scripts fetch its steps. `game` may be NULL: it runs. */
void site_game(struct buf *out, const char *id, const json_t *game);

/* All running games, drawn by scripts. */
void site_live(struct buf *out, const json_t *running);

/* Where visitors sit down: `offer` is what GET /api/play answers. */
void site_play(struct buf *out, const json_t *offer);

/* The frame of a table; scripts do the rest. */
void site_table(struct buf *out, const char *id);

/* How to join. `listen` is "HOST:PORT" of a listener, or NULL. */
void site_join(struct buf *out, const char *listen, const json_t *ladders);

/* A game, its options and where its rules are. */
void site_rules(struct buf *out, const struct game *game);

void site_error(struct buf *out, const char *title, const char *text);

#endif
