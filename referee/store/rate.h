#ifndef REFEREE_STORE_RATE_H
#define REFEREE_STORE_RATE_H

/*
 * rate.h - the published ratings of a ladder: computed from all its stored
 * results at once, and stored with them.
 *
 * league/plackett.h is the model. Versions are taken in the order of their
 * names, so the same games give the same bits, whatever happened in between. A
 * forfeit counts as the rank in the record, which is the last. Comparing more
 * than RATE_VERSIONS_MAX versions would take too long. Then the versions with
 * the fewest games have no rating, and their seats are taken out of the games.
 *
 * A name may bring as many versions as it likes. If each of them began as an
 * average bot, a friend could gain from each. So old versions of a name with
 * fewer than RATE_KNOWN_GAMES games count as one and share a rating.
 *
 * A version with fewer than RATE_KNOWN_GAMES games is provisional. It moves the
 * ratings of others by so much less as it is less known than they are
 * (league/newcomers.h), so many new bots that lose on purpose give little.
 *
 * Games that one bot gave to another, in a row and at once, are held back; see
 * league/gifts.h. In a game of more than two seats the giver's seat is taken
 * out.
 *
 * The anchor is the bot that has a rating by definition. If several versions of
 * that name played, the one with the most games is the anchor (if equal, the
 * first by name), because it holds the scale best. Without an anchor, or if it
 * never played, the mean of all bots is 0.
 */

#include "store/index.h"

enum { RATE_VERSIONS_MAX = 2048, RATE_KNOWN_GAMES = 20 };

struct rate_anchor {
    char name[SUMMARY_NAME_MAX + 1]; /* "": none */
    double elo;
    int min_games; /* versions with fewer have no published rating */
};

/* Games against people, on ladders with such names, are not rated. */
#define PLAY_PREFIX "play-"

bool rate_leaves_out(const char *ladder);

/* Do the stored ratings cover all its games, with this anchor? */
bool rate_is_current(const struct index_ladder *ladder,
                     const struct rate_anchor *anchor);

/*
 * Compute and store the ratings of at most `most` versions. This takes seconds
 * with many versions and games. The index is not locked meanwhile.
 */
bool rate_ladder(struct index *index, const char *ladder,
                 const struct rate_anchor *anchor, int most,
                 struct err *err) MUST_CHECK;

/*
 * The same for all ladders of an index whose ratings are out of date, or for
 * this one. Games of struck bots (orders.h) are taken out first. It opens the
 * index itself, and waits a few seconds if another process writes to it.
 */
typedef struct rate_anchor rate_anchor_of(void *arg, const char *ladder);

bool rate_stale(const char *path, const char *only, rate_anchor_of *anchor_of,
                void *arg, struct err *err) MUST_CHECK;

#endif
