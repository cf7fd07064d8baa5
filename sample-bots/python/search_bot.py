#!/usr/bin/env python3
"""A search bot for every game, with the rules of libreferee: flat Monte Carlo.

It asks for worlds that agree with what it was told, tries its moves in them,
finishes each game at random, and spends more playouts on the moves that did
well (UCB1). Usage: search_bot.py [--playouts N]
"""
import math
import sys

import referee


class SearchBot(referee.Bot):
    name = "search-bot"
    playouts = 0  # 0: as many as the clock allows

    def choose(self, state, clock):
        import time
        end = time.monotonic() + clock.budget()
        count = state.count(self.seat)
        tried, worth = [0] * count, [0.0] * count
        world, n = state.clone(), 0
        world.mute()
        while n < (self.playouts or 10**9):
            if not self.playouts and time.monotonic() > end:
                break
            n += 1
            # An untried move first, then the best with a bonus for doubt.
            move = n - 1 if n <= count else max(range(count), key=lambda i:
                worth[i] / tried[i] + math.sqrt(math.log(n) / tried[i] / 2))
            self.knows.world(self.rng, world)
            world.apply(self.seat, move)
            world.playout(self.rng)
            tried[move] += 1
            worth[move] += world.values()[self.seat - 1]
        if not n:
            return self.rng.below(count)
        return max(range(count), key=lambda i: worth[i] / tried[i]
                   if tried[i] else -1)


if __name__ == "__main__":
    bot = SearchBot()
    if "--playouts" in sys.argv:
        bot.playouts = int(sys.argv[sys.argv.index("--playouts") + 1])
    referee.run(bot)
