#ifndef REFEREE_DAEMON_CHOICE_H
#define REFEREE_DAEMON_CHOICE_H

/*
 * choice.h - which of a ladder's guests play next.
 *
 * The pairing (league/pairing.h) chooses. But it may be better to wait first:
 * for more guests, if there are few to choose from and other bots of the ladder
 * are playing; or for a while, if the same two bots have met a hundred times
 * and are alone.
 */

#include "daemon/guests.h"

/*
 * The guests that play now, one for each seat, in random order. False if no
 * game starts now. The ladder then records when to look again, and whether its
 * bots have met as often as allowed.
 */
bool choice_make(struct lobby *lobby, struct lobby_ladder *ladder,
                 const struct guests *guests, int64_t now_us,
                 struct guest chosen[SEATS_MAX]);

#endif
