#ifndef REFEREE_LEAGUE_SIMILAR_H
#define REFEREE_LEAGUE_SIMILAR_H

/*
 * similar.h - do two bots choose the same moves more often than chance allows?
 *
 * For each position in which two bots both moved, and at least
 * SIMILAR_OTHERS other bots too, the others tell how likely it is that an
 * independent bot moves as the first of the two did: of m others, a moved so,
 * and the chance is taken to be (a + 1) / (m + 2). The assumption is that,
 * given the position, independent bots choose as the field does. The chance
 * that so many choices or more agree is at most exp(-n KL(share, mean chance)),
 * which holds although the chances differ (Hoeffding 1963).
 *
 * Two good bots in a field of bad ones agree on good moves, so that alone is
 * not enough. A pair is odd if that chance, times the number of pairs, is below
 * SIMILAR_LEVEL, and if each of the two agrees so often with nobody else: the
 * same bound, with the share of its best agreement with a third bot, must be
 * below SIMILAR_LEVEL as well. So the field should have bots of every strength,
 * such as the levels of a course.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIMILAR_OTHERS = 2, SIMILAR_MET_MIN = 20 };

#define SIMILAR_LEVEL 0.001

/* In this position, this bot made this move. Both are hashes. */
struct choice {
    uint64_t position, move;
    int bot;
};

struct similar_pair {
    int a, b;
    int met;         /* positions that tell something */
    int agreed;      /* of them */
    double expected; /* of independent bots */
    double chance;   /* of so many or more, times the number of pairs */
    double nearest;  /* the best share of agreement with a third bot */
    bool is_odd;
};

/*
 * All pairs that met in a position, the least likely first; the caller frees
 * them. Sorts the choices. Of a bot's choices in a position the first counts.
 */
struct similar_pair *similar_pairs(struct choice *choices, size_t count,
                                   int bots, size_t *pairs);

#endif
