#ifndef REFEREE_LEAGUE_PAIRING_H
#define REFEREE_LEAGUE_PAIRING_H

/*
 * pairing.h - whom to seat next on a ladder.
 *
 * There are no rounds. Whenever a table is free, the caller passes all bots
 * that could start a game right now and gets one table of them. Bots that are
 * playing, resting or away are not passed, so nobody waits for them.
 *
 * The first seat goes to the bot with the greatest need. Need is its waiting
 * time, times an urgency between 1 and 4, divided by 1 + the games it is
 * playing (at most 7 count). The urgent bots are
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
 * where d is the distance in points to the bots already at the table, in units
 * of 100 points plus both uncertainties (added as squares): a bot about which
 * little is known is close to everybody. Meetings are those with all bots at
 * the table. In the long run two bots meet about as often as 1 / (1 + d^2)
 * says, if the policy is PAIR_CLOSE, and equally often if it is PAIR_EVEN.
 *
 * No two bots at a table have met meetings_max times before. If that leaves no
 * full table for the bot in greatest need, the next one is tried. The search is
 * complete for two seats. For more seats it backtracks, but gives up after 1000
 * dead ends. It may miss a table only when nearly all pairs have exhausted
 * their meetings.
 *
 * Choice. If bots are paired the moment that two of them are free, the two that
 * just ended a game meet again and again. So the caller lets some of them wait
 * for a while, until there are as many to choose from as pairing_crowd()
 * proposes.
 *
 * The same bots and the same generator give the same table on any machine. Time
 * is in proportion to the bots, times the seats; it grows with the square of
 * their number only when most pairs have exhausted their meetings.
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
 * Choose a table among the bots 0 .. count-1. Their numbers go into `chosen`,
 * the one with the greatest need first; the caller shuffles the seats. False if
 * there is no table now. There may be one as soon as another bot can play.
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
