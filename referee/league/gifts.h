#ifndef REFEREE_LEAGUE_GIFTS_H
#define REFEREE_LEAGUE_GIFTS_H

/*
 * gifts.h - games that one bot gives away to another.
 *
 * A gift is a game that its loser resigned or forfeited at once: after less
 * than a GIFTS_SHORTth of the moves that are usual on the ladder. The first
 * GIFTS_FREE in a row from one name to another count like any other game.
 * Further gifts say nothing about the strength of the two, and are kept out of
 * the ratings until the two have played a game that is not a gift.
 */

#include <stdbool.h>
#include <stdint.h>

enum { GIFTS_FREE = 3, GIFTS_SHORT = 4 };

/* Is it a gift, after this many moves? */
static inline bool gift_is_short(int64_t moves, double usual_moves)
{
    return (double)(GIFTS_SHORT * moves) < usual_moves;
}

/* Rows of gifts between names, which are numbered from 0. */
struct gifts {
    int names;
    uint8_t *run; /* by gainer and giver; NULL before the first gift */
};

void gifts_init(struct gifts *gifts, int names);
void gifts_release(struct gifts *gifts);

/*
 * The next game between these two; call it in the order of the games. Is the
 * game held back?
 */
bool gifts_hold(struct gifts *gifts, int gainer, int giver, bool is_gift);

#endif
