#!/usr/bin/env python3
"""Second Chance: keep the free squares together, and room for what may come.

A placement is good if it leaves few edges and few parts of the free area. The
best of these also leave room for most of the cards that are still to come.
"""
from referee_bot import (Bot, SecondChanceMove, WIDTH, count, fits, regions,
                         run)

PER_SQUARE, PER_PART, PER_CARD = 0.5, 5.0, 2.0  # what they are worth
LOOK_AT = 20  # so many of the best placements are looked at closely


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
        free = {}  # what each move leaves
        for text in game.moves:
            move = SecondChanceMove.parse(text)
            free[text] = state.mine & ~move.squares(game.pieces)
        rough = {text: tidiness(free[text]) for text in game.moves}
        best = sorted(game.moves, key=rough.get, reverse=True)[:LOOK_AT]

        def worth(text):
            fitting = sum(fits(rows, free[text]) for rows in coming)
            return rough[text] + PER_CARD * fitting

        return max(best, key=worth)


if __name__ == "__main__":
    run(GreedySecondChance())
