#!/usr/bin/env python3
"""Monte Carlo tree search over information sets, as the textbook has it.

A node stands for everything that a player cannot tell apart, so its key is the
player's view. Every round of the search has four steps:

    1. determinise  take a world that agrees with what we were told
    2. select       walk down by UCB1 while all legal moves were tried
    3. expand       try one that was not
    4. simulate, and back up the result along the way

After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search"
(2012), with a node for the mover's own view (multiple observers). It reads
easily and is slow; `referee bot` and sample-bots/c/ismcts play better.

Usage: ismcts.py [PLAYOUTS [SEED]]
"""
import math
import sys
from collections import defaultdict

import referee


class Node:
    """One information set: how often each move was tried, and what it won."""

    def __init__(self):
        self.visits = defaultdict(int)
        self.wins = defaultdict(float)

    def untried(self, count):
        return [move for move in range(count) if move not in self.visits]

    def select(self, exploration=0.7):
        total = math.log(sum(self.visits.values()))

        def ucb1(move):
            n = self.visits[move]
            return self.wins[move] / n + exploration * math.sqrt(total / n)
        return max(self.visits, key=ucb1)


class ISMCTS(referee.Bot):
    name = "textbook-ismcts"
    playouts = 500

    def choose(self, state, clock):
        self.nodes = defaultdict(Node)
        for _ in range(self.playouts):
            self.round(self.knows.world(self.rng))       # 1. determinise
        root = self.nodes[self.seat, state.view(self.seat)]
        return max(root.visits, key=root.visits.get)

    def round(self, world):
        path, grown = [], False
        while not world.over and not grown:
            seat = world.turn
            node = self.nodes[seat, world.view(seat)]
            untried = node.untried(world.count(seat))
            grown = bool(untried)
            if grown:
                move = untried[self.rng.below(len(untried))]  # 3. expand
            else:
                move = node.select()                          # 2. select
            path.append((node, seat, move))
            world.apply(seat, move)
        if not world.over:
            world.playout(self.rng)                           # 4. simulate
        values = world.values()
        for node, seat, move in path:                         # and back up
            node.visits[move] += 1
            node.wins[move] += values[seat - 1]


if __name__ == "__main__":
    bot = ISMCTS(sys.argv[2] if len(sys.argv) > 2 else None)
    if len(sys.argv) > 1:
        bot.playouts = int(sys.argv[1])
    referee.run(bot)
