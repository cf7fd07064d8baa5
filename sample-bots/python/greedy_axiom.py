#!/usr/bin/env python3
"""Axiom: win if you can, else leave the enemy no win, else hope.

Among the safe moves it takes one with threats, and with more room for its
sceptres than the enemy's have.
"""
import random

from referee_bot import AxiomMove, Bot, run


def makes_pair(position, move):
    """Does the move bring both own sceptres to one cube?"""
    return move.piece == "S" and any(
        side == position.side and at == move.end and at != move.start
        for side, at, _ in position.sceptres)


class GreedyAxiom(Bot):
    name = "greedy-axiom"
    games = ("axiom",)

    def choose(self, game):
        position = game.state
        enemies = {at for side, at, _ in position.sceptres
                   if side != position.side}
        pair_loses = game.options.get("ownpair") == "loss"

        def worth(text):
            move = AxiomMove.parse(text)
            if move.piece == "S" and move.end in enemies:
                return 1000
            if pair_loses and makes_pair(position, move):
                return -1000
            after = position.after(move)
            room, dangers = after.prospects(after.side)
            if dangers:
                return -100 * dangers
            own_room, threats = after.prospects(position.side)
            return 5 * threats + own_room - room + random.random()

        return max(game.moves, key=worth)


if __name__ == "__main__":
    run(GreedyAxiom())
