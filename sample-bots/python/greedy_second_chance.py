#!/usr/bin/env python3
"""Second Chance: keep the free squares together, and big pieces first.

A placement is good if it leaves few edges and few parts of the free area. Of the
best ones it takes that after which most of the cards still to come would fit.
"""
from referee_bot import (Bot, SecondChanceMove, WIDTH, count, fits, regions,
                         run)

PER_SQUARE, PER_PART, PER_CARD = 2.0, 3.0, 1.0  # what they are worth
LOOK_AT = 12  # so many of the best placements are looked at closely


def edges(free):
    """The length of the border of a set of squares."""
    inside = count(free & free << 1) + count(free & free << WIDTH)
    return 4 * count(free) - 2 * inside


def tidiness(free):
    parts = sum(1 for _ in regions(free))
    return -edges(free) - PER_PART * parts - PER_SQUARE * count(free)


class GreedySecondChance(Bot):
    name = "greedy-second-chance"
    games = ("second-chance",)

    def choose(self, game):
        state = game.state
        coming = [rows for card, rows in game.pieces.items()
                  if card[0] == "P" and card not in state.shown]
        free = {text: state.mine & ~SecondChanceMove.parse(text).squares(game.pieces)
                for text in game.moves}
        rough = {text: tidiness(free[text]) for text in game.moves}
        best = sorted(game.moves, key=rough.get, reverse=True)[:LOOK_AT]

        def worth(text):
            fitting = sum(fits(rows, free[text]) for rows in coming)
            return rough[text] + PER_CARD * fitting

        return max(best, key=worth)


if __name__ == "__main__":
    run(GreedySecondChance())
