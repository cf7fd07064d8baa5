#ifndef REFEREE_DAEMON_HANDS_H
#define REFEREE_DAEMON_HANDS_H

/*
 * hands.h - the deals of a unit, and the order in which their parts are played.
 *
 * A hand is one deal, played once for each rotation of the seats. A single game
 * is a hand of one part. A network bot stays connected from part to part, so it
 * could recognise a deal that it has just played. That is why several hands are
 * played in turn, all first parts before any second part:
 *
 *     A/1 B/1 C/1 D/1 A/2 B/2 C/2 D/2
 */

#include "match/record.h"

#include <stdbool.h>

enum { HANDS_MAX = 8, HAND_ID_MAX = 48 };

struct hand {
    char id[HAND_ID_MAX + 1];
    int part; /* the part that is next or being played, from 1 */
    char entropy[ENTROPY_TEXT + 1]; /* what seats added to its seed, or "" */
};

struct hands {
    struct hand hand[HANDS_MAX];
    int count;
    int at;    /* the one whose part this is */
    int parts; /* of each */
};

/* Start with zeroes and `parts`. False if there is no room for another hand. */
bool hands_add(struct hands *hands, const char *id, int part,
               const char *entropy);

static inline struct hand *hands_now(struct hands *hands)
{
    return &hands->hand[hands->at];
}

/* Games that are not over, including the current one. */
int hands_left(const struct hands *hands);

/* Has a part of any of them been played? */
bool hands_have_begun(const struct hands *hands);

/* The current part is over. False if it was the last of all. */
bool hands_next(struct hands *hands);

/* Drop the hands of which nothing was played. Returns their number of games. */
int hands_drop_new(struct hands *hands);

#endif
