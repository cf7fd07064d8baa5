#ifndef TESTS_STORE_H
#define TESTS_STORE_H

/*
 * store.h - games to put into an index, and folders to put it in.
 */

#include "match/game_summary.h"

/* A folder of its own; scratch_free() removes it with all that is in it. */
char *scratch_new(void);
void scratch_free(char *folder);

/* FOLDER/NAME, in a static buffer. */
const char *scratch_path(const char *folder, const char *name);

/*
 * A finished game of axio-rota on the ladder "main", from "anna/1 bob/2 ..."
 * and "1 2 ...": names with versions, and ranks; the score is 10 - rank.
 */
struct game_summary game_of(const char *id, const char *bots,
                            const char *ranks);

/* A record of such a game, as text with its hash; to be freed. Without an id,
 * its unit is its name in a match. */
char *record_of(const struct game_summary *summary);

/* Every row of every table of an index, as text; to be freed. */
char *tables_of(const char *path);

#endif
