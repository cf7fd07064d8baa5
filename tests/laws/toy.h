#ifndef TESTS_TOY_H
#define TESTS_TOY_H

/*
 * toy.h - a small game with all that makes a game hard: hidden hands, bids at
 * once, a deal. It obeys the laws. Its state is open, so that tests can put a
 * fault into a copy of its table and see whether the laws bite.
 */

#include "games/game.h"

enum { TOY_DECK = 24, TOY_HAND_MAX = 5 };

/* The one part of a move: the card's place in the hand. */
enum { TOY_SLOT };

struct state {
    int seats, hand, round;
    char deck[TOY_DECK + 1]; /* slot i of seat s is deck[s * hand + i] */
    bool played[SEATS_MAX][TOY_HAND_MAX];
    int bid[SEATS_MAX]; /* slot + 1, or 0 */
    int points[SEATS_MAX];
    struct leavers leavers;
};

extern const struct game toy_game;

char toy_card(const struct state *state, int seat, int slot);

#endif
