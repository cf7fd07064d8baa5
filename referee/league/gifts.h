#ifndef REFEREE_LEAGUE_GIFTS_H
#define REFEREE_LEAGUE_GIFTS_H

/*
 * gifts.h - games that one bot gives to another.
 *
 * A gift is a game that its loser resigned or forfeited at once: after less
 * than a GIFTS_SHORTth of the moves that are usual on the ladder. The first
 * GIFTS_FREE in a row from one name to another count like any other game. What
 * follows them says nothing of how strong the two are, and is held back from
 * the ratings until the two have played a game that is no gift.
 */

#include <stdbool.h>
#include <stdint.h>

enum { GIFTS_FREE = 3, GIFTS_SHORT = 4 };

/* Is it one, after so many moves? */
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

/* The next game between these two; in their order. Is it held back? */
bool gifts_hold(struct gifts *gifts, int gainer, int giver, bool is_gift);

#endif
