#ifndef REFEREE_STORE_RATE_H
#define REFEREE_STORE_RATE_H

/*
 * rate.h - the published ratings of a ladder: computed from all its stored
 * results at once, and stored beside them.
 *
 * league/plackett.h is the model. Versions are taken in the order of their
 * names, so the same games give the same bits, whatever happened in between.
 * A forfeit counts as the rank that the record gives it, the last. More than
 * RATE_VERSIONS_MAX versions take too long to compare: then those with the
 * fewest games have no rating, and their seats are taken out of the games.
 *
 * A name may bring as many versions as it likes, and each of them would begin
 * as an average bot from which a friend could gain. So old versions of a name
 * with fewer than RATE_KNOWN_GAMES games count as one, and share a rating.
 *
 * The anchor is the bot that has a rating by definition. If several versions
 * of that name played, it is the one with the most games (of equals the first
 * by name): it holds the scale best. Without an anchor, or if it never played,
 * the mean of all is 0.
 */

#include "store/index.h"

enum { RATE_VERSIONS_MAX = 2048, RATE_KNOWN_GAMES = 10 };

struct rate_anchor {
    char name[SUMMARY_NAME_MAX + 1]; /* "": none */
    double elo;
};

/* Games against people, in ladders of such names, are not rated. */
#define PLAY_PREFIX "play-"

bool rate_leaves_out(const char *ladder);

/* Are the stored ratings those of all its games, and of this anchor? */
bool rate_is_current(const struct index_ladder *ladder,
                     const struct rate_anchor *anchor);

/*
 * Compute and store the ratings of at most `most` versions. Takes seconds if
 * they and the games are many; the index is not locked while it thinks.
 */
bool rate_ladder(struct index *index, const char *ladder,
                 const struct rate_anchor *anchor, int most,
                 struct err *err) MUST_CHECK;

/*
 * The same for all ladders of an index whose ratings are out of date, or only
 * for this one. It opens the index itself, and waits a few seconds if somebody
 * else writes to it.
 */
typedef struct rate_anchor rate_anchor_of(void *arg, const char *ladder);

bool rate_stale(const char *path, const char *only, rate_anchor_of *anchor_of,
                void *arg, struct err *err) MUST_CHECK;

#endif
