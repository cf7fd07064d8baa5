#ifndef REFEREE_STORE_INDEX_STRIKE_H
#define REFEREE_STORE_INDEX_STRIKE_H

/*
 * index_strike.h - hold the index against the organiser's strikes.
 *
 * A game of a struck bot counts for nothing: not in ratings, standings or
 * meetings, for nobody. When the strike is undone it counts again.
 */

#include "store/index.h"
#include "store/orders.h"

/* Is there a game whose mark is not what the orders say? */
bool index_is_struck(struct index *index, const struct orders *orders, bool *is,
                     struct err *err) MUST_CHECK;

/* Mark those games, and count them in or out. Their ladders lose their
 * ratings, which are then to be computed again. */
bool index_strike(struct index *index, const struct orders *orders,
                  struct err *err) MUST_CHECK;

#endif
