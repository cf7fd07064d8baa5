#ifndef REFEREE_CMD_LADDER_VIEW_H
#define REFEREE_CMD_LADDER_VIEW_H

/*
 * view.h - ladders and bots, for people and for other programs.
 *
 * The input is the JSON of store/report.h: a list of ladders, or a list of one
 * bot's results on each of them. Names and versions are written by strangers.
 * The output escapes them, so they cannot move a cursor, end a cell, or begin a
 * tag or a formula.
 */

#include "base/buf.h"
#include "store/index.h"

#include <jansson.h>
#include <stdio.h>

/* Tables of at most 80 columns. `versions`: include old ones. */
void ladders_as_text(const json_t *ladders, bool versions, bool colour,
                     struct buf *out);
void bots_as_text(const json_t *bots, bool colour, struct buf *out);

/* One row for each version on a ladder. */
void standings_as_csv(const json_t *list, struct buf *out);

/* One row for each game and seat; index_all_games() calls games_csv_add(). */
void games_csv_begin(FILE *to);
bool games_csv_add(void *to, const struct index_game *game);

/* A self-contained page. Its games link to the file `replays`, unless it is
 * NULL. */
void ladders_as_html(const json_t *ladders, const char *replays,
                     struct buf *out);
void bots_as_html(const json_t *bots, const char *replays, struct buf *out);

/*
 * Write the last games of the list as one page, from the records in the data
 * folder. Each ladder gets its games as "played", as bots have them.
 */
bool ladder_replays(struct index *index, const char *folder, json_t *list,
                    int limit, const char *path, struct err *err) MUST_CHECK;

/* Missing members count as 0 or "". */
long long view_int(const json_t *object, const char *key);
double view_real(const json_t *object, const char *key);
const char *view_text(const json_t *object, const char *key);
bool view_is(const json_t *object, const char *key);
bool view_has(const json_t *object, const char *key); /* present and not null */

/* The short form of a version: for a digest, its beginning. */
void view_version(const char *version, char *out, size_t size);

#endif
