#ifndef REFEREE_DAEMON_REVIVE_H
#define REFEREE_DAEMON_REVIVE_H

/*
 * revive.h - games that were under way when the last run ended, by a kill or
 * a stop.
 *
 * What lies in running/ is one of these:
 *
 *     in the index  the game is over, and its file is removed. If it is a part
 *                   of a group, and the next part has no file, the group goes
 *                   on with that.
 *     closed        the same, but its record could not be kept: it is now.
 *     with a head   a game under way: it goes on from its last whole step.
 *     without       nothing had happened. The first part of a group is dropped,
 *                   any other is played by those who played the part before.
 *
 * A game can go on only if nothing has changed that it depends on: its ladder,
 * the ladder's game and time, its bots. Else it is void.
 *
 * revival_open() comes before the ladders are read, because they learn from
 * the index what it puts there; revival_begin() comes after.
 */

#include "daemon/units.h"

struct revival;

/* `units` was made with this context; both live as long as the revival. */
struct revival *revival_new(const struct units_context *context,
                            struct units *units,
                            const struct generations *generations);
void revival_free(struct revival *revival); /* NULL is none */

/* Look through running/: put away what is over, remember what goes on. */
bool revival_open(struct revival *revival, struct err *err) MUST_CHECK;

/* Let games go on, one per turn of the loop. The call says that all do;
 * revival_stop() that no more of them shall. */
void revival_begin(struct revival *revival, void (*on_done)(void *owner),
                   void *owner);
void revival_stop(struct revival *revival);

#endif
