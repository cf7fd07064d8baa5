#ifndef REFEREE_STORE_PROGRESS_H
#define REFEREE_STORE_PROGRESS_H

/*
 * progress.h - how a bot did over time, and from each seat, as JSON.
 *
 * Ratings are fitted to all games at once, so their history is not kept.
 * Instead, the last games of the bot are cut into spans, and each span gets its
 * performance (league/performance.h) against opponents at today's ratings. All
 * of it follows from the index.
 *
 * {"games": N (that were examined), "span": N (games),
 *  "spans": [{"start", "end" (of its first and last game), "game" (the last),
 *             "version", "games", "elo" or null, "score" (mean)}...], oldest
 *             first,
 *  "seats": [{"seat", "games", "first" (places, shared ones too), "score"}...],
 *  "trend": how far the last PROGRESS_TREND_GAMES are above the rating, or
 * null}
 */

#include "store/index.h"

#include <jansson.h>

enum { PROGRESS_GAMES = 240, PROGRESS_TREND_GAMES = 20, PROGRESS_SPANS = 16 };

/* `elo` is the published rating of the bot, if it `is_rated`. NULL and a reason
 * if the index could not be asked. */
json_t *progress_of(struct index *index, const char *ladder, const char *bot,
                    bool is_rated, double elo, struct err *err);

/* Only the trend: a real or null. */
json_t *progress_trend(struct index *index, const char *ladder, const char *bot,
                       bool is_rated, double elo, struct err *err);

#endif
