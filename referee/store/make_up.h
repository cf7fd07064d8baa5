#ifndef REFEREE_MAKE_UP_H
#define REFEREE_MAKE_UP_H

/*
 * make_up.h - add to an index the games that a power failure took from it.
 *
 * The index does not wait for the disk, records do. So the last games can be
 * in records/ and not in the index. They ended after the last game that is
 * there began: it is enough to look at its day, the day before it, for games
 * that took long, and all later days.
 */

#include "store/archive.h"

/* `on_damaged` hears of records that cannot be added; they stay. */
bool make_up(const char *data, struct index *index,
             const struct archive_news *news, struct err *err) MUST_CHECK;

#endif
