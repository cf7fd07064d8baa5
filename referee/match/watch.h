#ifndef REFEREE_MATCH_WATCH_H
#define REFEREE_MATCH_WATCH_H

/*
 * watch.h - a record as a spectator may see it while its game is running.
 *
 * It has the head without the deal, then the events that were told to the
 * watchers. Everything not known to be public is left out: the deal, the seed,
 * what single seats saw, and all lines for the record only.
 */

#include "match/record.h"

/*
 * `text` is borrowed, cut in place, and has room for a NUL at len. A last line
 * without its line feed is not told yet.
 */
bool watch_write(const char *name, char *text, size_t len, struct buf *out,
                 struct err *err) MUST_CHECK;

#endif
