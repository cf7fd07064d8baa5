#ifndef REFEREE_DAEMON_REVIVE_H
#define REFEREE_DAEMON_REVIVE_H

/*
 * revive.h - games that were under way when the last run was killed or stopped.
 *
 * A file in running/ is one of these:
 *
 *     in the index  the game is over, and its file is removed. If it is a part
 *                   of a group, and the next part has no file, the group
 *                   continues with that part.
 *     closed        the same, but its record was not kept: it is kept now.
 *     with a head   a game under way: it continues from its last whole step.
 *     without       nothing had happened. The first part of a group is dropped;
 *                   another part is played by the bots of the part before.
 *
 * A game can continue only if nothing has changed that it depends on: its
 * ladder, the ladder's game and time, its bots. Otherwise it is void.
 *
 * Call revival_open() before the ladders are read, because they learn from the
 * index what it puts there, and revival_begin() after.
 */

#include "daemon/units.h"

struct revival;

/* `units` was made with this context; both live as long as the revival. */
struct revival *revival_new(const struct units_context *context,
                            struct units *units,
                            const struct generations *generations);
void revival_free(struct revival *revival); /* NULL is none */

/*
 * Look through running/: put away finished games, note the ones that continue.
 */
bool revival_open(struct revival *revival, struct err *err) MUST_CHECK;

/* Continue the games, one per turn of the loop. The call tells when all are
 * playing. After revival_stop() no more of them start. */
void revival_begin(struct revival *revival, void (*on_done)(void *owner),
                   void *owner);
void revival_stop(struct revival *revival);

#endif
