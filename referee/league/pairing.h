#ifndef REFEREE_LEAGUE_PAIRING_H
#define REFEREE_LEAGUE_PAIRING_H

/*
 * pairing.h - whom to seat next on a ladder.
 *
 * There are no rounds. Whenever a table is free the caller shows all bots
 * that could begin a game right now and gets one table of them; bots that
 * play, sleep or are away are not shown, and so hold up nobody.
 *
 * The first seat goes to the bot in greatest need. Need is the time that it
 * waited, times an urgency between 1 and 4, divided by 1 + the games it plays
 * already (at most 7 count). Urgent are
 *
 *     PAIR_CLOSE    bots of whom little is known: a large sigma
 *     PAIR_EVEN     bots with fewer games than others who wait
 *     PAIR_RANDOM   none: the time alone decides
 *
 * So nobody starves: in the last quarter of the time that a bot waits without
 * playing, no other bot gets the first seat twice. (The second time it would
 * have waited less than a quarter as long.)
 *
 * The other seats are filled one by one, by policy:
 *
 *     PAIR_CLOSE    by lot, with chances in proportion to
 *                   (1 + sigma / 100) / (1 + d^2)^2 / (1 + meetings)
 *     PAIR_EVEN     the fewest meetings; among several such by lot
 *     PAIR_RANDOM   by lot
 *
 * where d is the distance in points to those who sit there already, in units
 * of 100 points plus both uncertainties (added as squares): a bot of whom
 * little is known is near to everybody. Meetings are those with all who sit
 * there. In the long run two bots meet about as often as 1 / (1 + d^2) says,
 * if the policy is PAIR_CLOSE, and equally often if it is PAIR_EVEN.
 *
 * No two bots at a table have met meetings_max times before. If that leaves
 * no full table for the bot in greatest need, the next one is tried. The
 * search is complete for two seats. For more it goes back over its choices,
 * but gives up after 1000 dead ends: only when nearly all pairs have used up
 * their meetings may it overlook a table.
 *
 * Choice. If bots are paired the moment that two of them are free, the two
 * that just ended a game meet again and again. So the caller lets some wait
 * for a while, until as many are there to choose among as pairing_crowd()
 * proposes.
 *
 * The same bots and the same generator give the same table on any machine.
 * Time is in proportion to the bots, times the seats; it can be the square of
 * their number only when most pairs have used up their meetings.
 */

#include "base/rng.h"
#include "league/weng_lin.h"

#include <stdbool.h>
#include <stdint.h>

struct pairing_bot {
    struct skill skill;
    int64_t idle_us; /* since it last began a game, or came */
    int games;       /* begun so far */
    int running;     /* of these, not over yet */
};

enum pairing_policy { PAIR_CLOSE, PAIR_EVEN, PAIR_RANDOM };

struct pairing_rules {
    enum pairing_policy policy;
    int seats;        /* 1 .. SKILL_SEATS */
    int meetings_max; /* games between the same two bots; 0: any number */
};

/* The number of games, running ones too, between bots a and b (numbers). */
typedef int pairing_meetings(void *arg, int a, int b);

/*
 * Choose a table among the bots 0 .. count-1; their numbers go into `chosen`,
 * the one in greatest need first: the seats are for the caller to mix. False
 * if there is no table now. Then there may be one as soon as another bot can
 * play.
 */
bool pairing_choose(const struct pairing_rules *rules,
                    const struct pairing_bot *bots, int count,
                    pairing_meetings *meetings, void *arg, struct rng *rng,
                    int *chosen);

/*
 * A crowd for a ladder of so many bots that are there, playing or not: three
 * tables' worth, but no more than half of them, and at least one table.
 */
int pairing_crowd(int present, int seats);

#endif
