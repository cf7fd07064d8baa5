#!/usr/bin/env python3
"""Axio Rota: the lowest marker counts, so far behind hurts more than far ahead
helps. Lay the tile that leaves the smallest sum of (12 - marker) squared."""
import random

from referee_bot import AxioRotaMove, Bot, run


class GreedyAxioRota(Bot):
    name = "greedy-axio-rota"
    games = ("axio-rota",)

    def choose(self, game):
        state = game.state
        marks = state.marks[game.seat - 1]
        circles = state.circles()

        def missing(text):
            move = AxioRotaMove.parse(text)
            gains = state.gains(circles, state.hand, move)
            return sum(max(0, 12 - mark - gain) ** 2
                       for mark, gain in zip(marks, gains))

        random.shuffle(game.moves)  # equal moves in turn
        return min(game.moves, key=missing)


if __name__ == "__main__":
    run(GreedyAxioRota())
