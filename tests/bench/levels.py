#!/usr/bin/env python3
"""How far apart are the levels? Matches between neighbours, rated.

Usage: levels.py BUILD [GAME...] [--games N] [--playouts 0,2,4,...]

Each level plays duplicate games against the next one; "build/referee/referee
bot --level N" is a level. With --playouts the neighbours are numbers of
playouts of sample-bots/c/ismcts instead: that is where the figures of
referee/lib/levels.c come from. Prints a line for each pair as it is known.
"""
import argparse
import csv
import io
import math
import os
import subprocess


def player(build, number, by_playouts):
    if by_playouts and number:
        return f"{build}/sample-bots/c/ismcts --playouts {number}"
    return f"{build}/referee/referee bot --level {number or 1}"


def match(build, game, games, low, high):
    """How many of the games the higher one wins; a draw is half a win."""
    out = subprocess.run(
        [f"{build}/referee/referee", "match", "--game", game, "--games",
         str(games), "--duplicate", "--quiet", "--csv", "--time", "none",
         f"low={low}", f"high={high}"],
        stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = {row["bot"]: row for row in csv.DictReader(io.StringIO(out))}
    return float(rows["high"]["wins"])


def rate(wins, games):
    """Elo, as if half a game more had been won and half a game lost, and its
    standard error."""
    share = (wins + 0.5) / (games + 1)
    return (400 * math.log10(share / (1 - share)),
            400 / math.log(10) / math.sqrt(games * share * (1 - share)))


def levels_of(program):
    """The levels of each game, from the program's own table."""
    lines = subprocess.run([program, "bot", "--levels"], text=True, check=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    games = lines[0].split()[1:]
    return {game: [int(line.split()[0]) for line in lines[1:]
                   if line.split()[i + 1] != "-"]
            for i, game in enumerate(games)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build")
    parser.add_argument("game", nargs="*")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--playouts")
    parser.add_argument("--step", type=int, default=1,
                        help="compare with the level so many above")
    args = parser.parse_args()
    build = os.path.abspath(args.build)
    levels = levels_of(f"{build}/referee/referee")
    for game in args.game or levels:
        steps = ([int(n) for n in args.playouts.split(",")] if args.playouts
                 else levels[game][::args.step])
        total = 0.0
        for low, high in zip(steps, steps[1:]):
            wins = match(build, game, args.games,
                         player(build, low, args.playouts),
                         player(build, high, args.playouts))
            elo, error = rate(wins, args.games)
            total += elo
            print(f"{game:14} {low:5} {high:5}  {wins:5.1f} of {args.games}"
                  f"  {elo:+5.0f} +-{error:3.0f}  {total:6.0f}", flush=True)


if __name__ == "__main__":
    main()
