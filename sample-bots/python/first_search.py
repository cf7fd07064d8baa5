#!/usr/bin/env python3
"""A search bot in half an hour, for every game that has rules of thumb.

Again and again it takes a world that may be true, plays one of its moves
there, lets everybody play on sensibly, and looks who wins. All its moves are
tried in the same worlds, so that luck is the same for all of them; then the
worse half is dropped, until one move is left.
Usage: first_search.py [PLAYOUTS [SEED]]
"""
import sys

import referee

WIDTH = 100  # moves to begin with


class FirstSearch(referee.Bot):
    name = "first-search"
    playouts = 4000  # for a move

    def value(self, world, move, luck):
        """How a game ends for us in one world, when we play this move."""
        rng = referee.Rng(luck)
        self.knows.world(rng, world)
        world.apply(self.seat, move)
        world.rollout(rng)
        return world.values()[self.seat - 1]

    def choose(self, state, clock):
        world = state.clone()
        world.mute()
        # What the rule of thumb would play, and any others.
        count = state.count(self.seat)
        moves = {state.hint(self.seat, self.rng)}
        while len(moves) < min(count, WIDTH):
            moves.add(self.rng.below(count))
        moves = list(moves)
        worth = dict.fromkeys(moves, 0.0)
        salt, tried = self.rng.below(10**9), 0
        while len(moves) > 1:
            for _ in range(self.playouts // (len(moves) * 7) + 1):
                tried += 1
                for move in moves:
                    worth[move] += self.value(world, move, f"{salt} {tried}")
            moves.sort(key=worth.get, reverse=True)
            moves = moves[:(len(moves) + 1) // 2]
        return moves[0]


if __name__ == "__main__":
    bot = FirstSearch(sys.argv[2] if len(sys.argv) > 2 else None)
    if len(sys.argv) > 1:
        bot.playouts = int(sys.argv[1])
    referee.run(bot)
