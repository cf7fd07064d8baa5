#ifndef REFEREE_DAEMON_AWAY_H
#define REFEREE_DAEMON_AWAY_H

/*
 * away.h - units that workers play, on this machine or others.
 *
 *               put                  delivered, verified        in the index
 *     begin --> queue --> a worker ----------------------> kept ------------>
 *                 ^           |             |
 *                 +-----------+-------------+ expired, given back, refused
 *
 * A unit of local bots goes to the shared database (many/) instead of being
 * played here. Its records come back from there. Each is verified against its
 * order and then stored like any other: in the file of the day, then in the
 * index. So pages, ratings and commands see no difference. Then the database is
 * told that the record counts. If a process dies between these steps, the next
 * run does the rest: a game that is already in the index is not taken again.
 *
 * If the database is away, units wait here until it is back.
 */

#include "daemon/units.h"
#include "many/db.h"

#include <jansson.h>

struct away;

/* All pointers are borrowed. The configuration names a database. */
struct away *away_new(const struct units_context *context, struct units *units,
                      struct generation *generation,
                      const struct units_owner *calls, void *owner,
                      struct err *err);
void away_free(struct away *away); /* NULL is none, here and below */

/* New units are played under this configuration. */
bool away_configure(struct away *away, struct generation *generation,
                    struct err *err) MUST_CHECK;

/*
 * Are the units of the last run known, or is the database away? No game may
 * begin before that.
 */
bool away_is_settled(const struct away *away);

/* May workers play this unit? Otherwise it is played here. */
bool away_takes(const struct away *away, const struct lobby_ladder *ladder,
                const struct guest *guest);
void away_start(struct away *away, struct lobby_ladder *ladder,
                const struct guest *guest);

/* Units that are not over, in all and of one ladder. */
int away_count(const struct away *away);
int away_on(const struct away *away, const struct lobby_ladder *ladder);

/* Are records being kept now? */
bool away_is_busy(const struct away *away);

/* For monitors: what the database said last. */
void away_figures(const struct away *away, struct many_metrics *figures);

/* A row for each worker heard from in the last day. */
const json_t *away_workers(const struct away *away);

#endif
