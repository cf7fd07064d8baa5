#!/usr/bin/env python3
"""A random player for every game of the referee; README.md says more."""
import random
import sys

# What the bot can do, and the answers that never change.
ANSWERS = {
    "protocol_version": "2",
    "list_commands": "",
    "name": "random-python",
    "version": "1",
    "new_game": "",
    "legal_moves": "",
    "genmove": "",
    "quit": "",
}
ANSWERS["list_commands"] = "\n".join(ANSWERS)


def choose(moves):
    """Your strategy goes here."""
    return random.choice(moves) if moves else "resign"


moves = []
for line in sys.stdin:
    words = line.split()
    number = words.pop(0) if words and words[0].isdigit() else ""
    if not words:
        continue
    command, *args = words
    mark, text = "=", ANSWERS.get(command)
    if command == "legal_moves":
        moves = args
    elif command == "genmove":
        text = choose(moves)
    elif text is None:
        mark, text = "?", "unknown command"
    # An answer ends with an empty line. Without flush it would stay here.
    print(f"{mark}{number} {text}".rstrip(), end="\n\n", flush=True)
    if command == "quit":
        break
