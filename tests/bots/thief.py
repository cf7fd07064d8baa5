#!/usr/bin/env python3
"""A bot that thinks before it reads: its pipe is small, so that the referee
cannot hand over the end of a long turn before the bot makes room.

    thief.py SECONDS SEED

It plays random moves. Whenever its input is full, it rests for SECONDS before
it reads on. It is honest with 0 seconds. The referee may be slow to write, so it
looks again until no more comes.
"""
import array
import fcntl
import os
import random
import select
import sys
import termios
import time

PIPE_BYTES = 4096
F_SETPIPE_SZ = 1031
ANSWERS = {"protocol_version": "2", "list_commands": "legal_moves\nstate"}


def waiting():
    count = array.array("i", [0])
    fcntl.ioctl(0, termios.FIONREAD, count)
    return count[0]


def main():
    pause, moves, rest = float(sys.argv[1]), [], b""
    random.seed(sys.argv[2])
    fcntl.fcntl(0, F_SETPIPE_SZ, PIPE_BYTES)
    while True:
        select.select([0], [], [])
        seen = 0
        while seen < waiting() < PIPE_BYTES:
            seen = waiting()
            time.sleep(0.01)
        if waiting() >= PIPE_BYTES:
            time.sleep(pause)
        data = os.read(0, 512)
        if not data:
            return
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            number, command, *args = line.decode().split()
            if command == "legal_moves":
                moves = args
            text = ANSWERS.get(command, "")
            if command == "genmove":
                text = random.choice(moves)
            os.write(1, f"={number} {text}".rstrip().encode() + b"\n\n")


main()
