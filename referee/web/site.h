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

/* What the daemon offers: each part has a tab on every page. */
enum { SITE_PLAY = 1, SITE_TOURNAMENTS = 2, SITE_HINTS = 4 };

enum { SITE_PLACES = 50 }; /* of the standings, on one page */

struct site {
    unsigned parts;
};

/* The address of a file: "/web/HASH/draw.js". */
void site_file_path(const char *name, struct buf *out);

/* The front page: games under way and ladders. */
void site_home(struct buf *out, const struct site *site, const json_t *ladders,
               const json_t *running, const json_t *status);

/* Standings behind the place `after`, crosstable, last games. `bots` are
 * reports of the first places. A row of the standings may have a "trend". */
void site_ladder(struct buf *out, const struct site *site, const json_t *ladder,
                 int after, const json_t *bots, const json_t *games);

/*
 * A bot: {"bot", "presence": [{"ladder", "state", "why", "games": [id...]}...],
 * "ladders": [report...]}. A report is one of store/report.h with "progress"
 * (store/progress.h) and "conduct" (daemon/conduct.h).
 */
void site_bot(struct buf *out, const struct site *site, const json_t *bot);

/* Games that match these filters; an empty text is no condition. */
struct site_filter {
    const char *ladder, *bot, *opponent, *seat, *result, *fault, *before;
};

/* `next` is the last game of this page if the list continues, or "". `why` says
 * what is wrong with the filter, or is NULL. */
void site_games(struct buf *out, const struct site *site, const json_t *games,
                const json_t *ladders, const struct site_filter *filter,
                const char *next, const char *why);

/*
 * The frame of a game; scripts fetch its steps. `game` is NULL while it runs.
 */
void site_game(struct buf *out, const struct site *site, const char *id,
               const json_t *game);

/* All running games, drawn by scripts. */
void site_live(struct buf *out, const struct site *site, const json_t *running);

/* Where visitors sit down. `offer` is the answer of GET /api/play; `game` is
 * selected already, if it is one of them. */
void site_play(struct buf *out, const struct site *site, const json_t *offer,
               const char *game);

/* The frame of a table; scripts fill it. */
void site_table(struct buf *out, const struct site *site, const char *id);

/* Tournaments as "referee tournament --json" writes them, each with "folder",
 * its name in addresses; and one of them, whose pairings have "matches". */
void site_tournaments(struct buf *out, const struct site *site,
                      const json_t *tournaments);
void site_tournament(struct buf *out, const struct site *site,
                     const json_t *tournament);
/* The frame of one of its games; scripts fetch the steps. */
void site_match(struct buf *out, const struct site *site,
                const json_t *tournament, const char *match);

/* How to join. `door` is "HOST:PORT" and options for "referee connect". */
void site_join(struct buf *out, const struct site *site, const char *door,
               const json_t *ladders);

/* A game: its rules, with pictures that scripts draw, and its options. */
void site_rules(struct buf *out, const struct site *site,
                const struct game *game);

/* With `again`, the browser soon retries on its own. */
void site_error(struct buf *out, const struct site *site, const char *title,
                const char *text, bool again);

#endif
