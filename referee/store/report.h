#ifndef REFEREE_STORE_REPORT_H
#define REFEREE_STORE_REPORT_H

/*
 * report.h - what an index says, as JSON: for `referee ladder --json`, for its
 * tables and pages, and for the daemon's HTTP.
 *
 * Each function returns a new value, json_null() if what was asked for does not
 * exist, or NULL with a reason if the index could not be read. Names, versions
 * and reasons are strangers' texts: escape them before showing them.
 *
 * ladder    {"ladder", "game", "games", "void", "last", "standings":
 *           [standing...], "rating": {"games", "anchor" or null,
 *           "anchor_elo", "converged", "groups", "solo"} or null}
 *           "solo": nobody met anybody, so "elo" is the mean score,
 *           negative where fewer points are better
 * standing  {"place" (null: an old version), "bot", "version", "current",
 *           "elo", "low", "high", "group" (null: not rated),
 *           "provisional" (rated by fewer than REPORT_FEW_GAMES),
 *           "games", "win_share", "mean_rank", "mean_score", "forfeits",
 *           "first", "last"}
 * bot       {"ladder", "bot", "standings": [standing...], "opponents":
 *           [{"bot", "games", "wins", "ties", "losses", "score"}...],
 *           "played": [game...]}
 * game      {"id", "ladder", "game", "start", "unit", "part", "parts",
 *           "moves", "void" (it does not count), "struck" (by order of the
 *           organiser), "reason", "record", "seats":
 *           [{"bot", "version", "rank", "score", "left"}...]}
 */

#include "store/index.h"
#include "store/rate.h"

#include <jansson.h>

enum {
    REPORT_FEW_GAMES = RATE_KNOWN_GAMES,
    REPORT_GAMES_MAX = 1000,
    REPORT_ROWS_MAX = 1000, /* versions, or opponents, of one bot */
};

/* A page of standings: `limit` of them after the place `after`. */
struct report_page {
    int after, limit;
};

/* [ladder...], with standings or without. */
json_t *report_ladders(struct index *index, bool standings, struct err *err);

/* With a page of the latest versions, or with all if that is NULL. */
json_t *report_ladder(struct index *index, const char *ladder,
                      const struct report_page *page, struct err *err);

/* The bots that this one met, those it met most often first. */
json_t *report_opponents(struct index *index, const char *ladder,
                         const char *bot, struct err *err);

/* The versions that played last come first, then its last games. */
json_t *report_bot(struct index *index, const char *ladder, const char *bot,
                   int limit, struct err *err);

/* A text of strangers; "?" if it is not UTF-8. */
json_t *report_text(const char *text);

json_t *report_game_json(const struct index_game *game);

/* [game...], newest first; index_page says which. */
json_t *report_games(struct index *index, const struct index_page *page,
                     struct err *err);

json_t *report_game(struct index *index, const char *id, struct err *err);

#endif
