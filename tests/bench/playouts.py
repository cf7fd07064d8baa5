#!/usr/bin/env python3
"""Random playouts per second and core, through C and through Python batches.

Usage: playouts.py BUILD [GAME...]

C plays one game after the other (bench_playouts.c). Python plays them in
batches of 1,024 in two ways: State.playouts() plays all to the end, and VectorEnv
makes a move in all of them, writes the masks of legal moves, and deals anew
where a game is over. All count processor time and take turns; the best of three
rounds counts.
"""
import os
import subprocess
import sys
import time

BUILD = os.path.abspath(sys.argv[1])
os.environ["REFEREE_LIBRARY"] = os.path.join(BUILD, "referee/libreferee.so.0")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "sample-bots", "python"))
import referee  # noqa: E402
from referee.envs import VectorEnv  # noqa: E402

STATES, SECONDS, ROUNDS = 1024, 0.5, 3


def through_c(game):
    out = subprocess.run([f"{BUILD}/tests/bench/bench_playouts", game,
                          str(SECONDS)], stdout=subprocess.PIPE, check=True)
    return [float(word) for word in out.stdout.split()]


def batches(state):
    """Games per second, 1,024 in a call."""
    begin, calls = time.process_time(), 0
    while time.process_time() - begin < SECONDS:
        state.playouts(1, STATES, str(calls), threads=1)
        calls += 1
    return calls * STATES / (time.process_time() - begin)


def steps_of(env):
    """Moves per second of 1,024 games side by side."""
    begin, steps = time.process_time(), 0
    while time.process_time() - begin < SECONDS:
        env.step()
        steps += 1
    return steps * STATES / (time.process_time() - begin)


def main():
    print(f"{'game':15} {'games/s, C':>11} {'moves/s, C':>11} "
          f"{'games/s, Python':>16} {'of C':>5} {'steps/s, Python':>16} "
          f"{'of C':>5}")
    for game in sys.argv[2:] or [game.name for game in referee.games()]:
        env = VectorEnv(game, STATES, seed="bench", threads=1)
        state = referee.Rules(game, 2).deal("bench")
        games = moves = played_here = stepped = 0.0
        for _ in range(ROUNDS):
            played, made = through_c(game)
            games, moves = max(games, played), max(moves, made)
            played_here = max(played_here, batches(state))
            stepped = max(stepped, steps_of(env))
        print(f"{game:15} {games:11,.0f} {moves:11,.0f} {played_here:16,.0f}"
              f" {played_here / games:5.2f} {stepped:16,.0f}"
              f" {stepped / moves:5.2f}", flush=True)


if __name__ == "__main__":
    main()
