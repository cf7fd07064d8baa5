#ifndef REFEREE_STORE_AUDIT_H
#define REFEREE_STORE_AUDIT_H

/*
 * audit.h - who gained from whom on a ladder, and what is odd about it.
 *
 * For every pair of bots, and for either of them as the one that gains: how
 * many games it won, how many of those the other gave away by resigning or
 * forfeiting, how many in a row, under how many versions, and when. Nothing
 * here proves anything: it is a list of games that are worth a look.
 *
 *     {"ladder", "games", "usual_moves", "pairs": [{"gainer", "giver", "games",
 *      "won", "share", "given", "held", "run", "versions", "moves", "first",
 *      "last", "odd": [SENTENCE...]}...]}
 *
 * `share` is the part of the gainer's wins that it won from this one, `moves`
 * the mean of the games given, `held` how many of those do not count in the
 * ratings (league/gifts.h), `first` and `last` their starts. Only pairs
 * with something odd are listed, the most games given first.
 */

#include "store/index.h"

#include <jansson.h>

/* json_null() if there is no such ladder; NULL if the index cannot be read. */
json_t *audit_ladder(struct index *index, const char *ladder, struct err *err);

#endif
