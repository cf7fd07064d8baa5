#!/usr/bin/env python3
"""Rondo: a stone in the rack is worth about as much as it will score later.
Play the chain with the most points above that price, or pass."""
import random

from referee_bot import Bot, RondoMove, run

PRICE = {"blue": 2.0, "red": 2.4}  # of a stone


class GreedyRondo(Bot):
    name = "greedy-rondo"
    games = ("rondo",)

    def choose(self, game):
        state, board = game.state, game.board
        values = board.value.values()
        price = PRICE.get(state.board, 0.8 * sum(values) / len(values))
        if state.end != "-":
            price = 0.01  # the last turn: stones only break a tie

        def profit(text):
            move = RondoMove.parse(text)
            return move.points(board) - price * move.stones()

        random.shuffle(game.moves)  # equal moves in turn
        return max(game.moves, key=profit)


if __name__ == "__main__":
    run(GreedyRondo())
