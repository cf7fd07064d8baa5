#!/usr/bin/env python3
"""A network bot for the tests: it plays at random, and errs as it is told.

    net_bot.py ADDRESS NAME TOKEN_FILE [MODE]

ADDRESS is HOST:PORT, tls:HOST:PORT or unix:PATH. It prints what happens to it, a line each.
NET_BOT_VERSION is what it calls its version, and NET_BOT_VERSION_BACK when it
has come back. NET_BOT_PLAYS=GAME is listed as the only game that it plays. With
NET_BOT_FRESH=N it comes N times, once for each game, and each time with another
version. MODE is
    play        until the server hangs up
    slow:MS     the same, with a pause before each move
    slow_told:MS  the same; it prints "asked" before and "answers" after the pause
    slow_once:MS  the same, with a pause before its first move
    cut:K       hang up when the move after K moves is due, and come back
    cut_new     hang up when the first game is announced, and come back
    away:K      hang up after K moves, and come back NET_BOT_AWAY seconds later
    leave:K     hang up then, and stay away
    leave_over  hang up when the first game is over
    rubbish_over  say what is no answer then
    mute        never answer genmove
    quiet       log in, and answer nothing more
    refuse      play nothing: answer ? to new_game
    resign      at the first move
    late        say nothing after the login before a game is announced
"""
import hashlib
import hmac
import os
import random
import socket
import ssl
import sys
import time

ANSWERS = {
    "protocol_version": "2",
    "list_commands": "",
    "name": "net-bot",
    "version": os.environ.get("NET_BOT_VERSION", "1"),
    "new_game": "",
    "legal_moves": "",
    "game_over": "",
    "quit": "",
}
# Commands that it lists besides; what it answers stands behind a colon.
for extra in os.environ.get("NET_BOT_LISTS", "").split():
    word, _, text = extra.partition(":")
    ANSWERS[word] = text
PLAYS = os.environ.get("NET_BOT_PLAYS")
ANSWERS["list_commands"] = "\n".join(
    [*ANSWERS, "genmove"] + ([f"new_game {PLAYS}"] if PLAYS else []))
FRESH = int(os.environ.get("NET_BOT_FRESH", "0"))


def connect(address):
    if address.startswith("unix:"):
        sock = socket.socket(socket.AF_UNIX)
        sock.connect(address[5:])
        return sock
    host, port = address.removeprefix("tls:").rsplit(":", 1)
    sock = socket.create_connection((host.strip("[]"), int(port)))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if address.startswith("tls:"):
        return ssl._create_unverified_context().wrap_socket(sock)
    return sock


def proof(name, token, nonce):
    text = f"referee-login-1 {name} {nonce}".encode()
    return hmac.new(token.encode(), text, hashlib.sha256).hexdigest()


def talk(sock, name, token, mode, number):
    """True if it is to come back."""
    moves, made, unsaid = [], 0, ""
    for line in sock.makefile("r", encoding="ascii", newline="\n"):
        ident, command, *args = line.split()
        text = ANSWERS.get(command)
        if command == "login":
            text = f"{name} {proof(name, token, args[0])}"
        elif mode == "quiet":
            continue
        elif command == "new_game":
            print("new_game", *args, flush=True)
            if mode == "refuse":
                text = None
            if mode == "cut_new":
                print("hangs up", flush=True)
                return True
        elif command in ("receipt", "entropy"):
            print(command, *args, flush=True)
        elif command == "legal_moves":
            moves = args
        elif command == "game_over":
            print("game_over", *args, flush=True)
            if mode == "leave_over" or FRESH:
                return False
            if mode == "rubbish_over":
                sock.sendall(b"rubbish\n")
        elif command == "genmove":
            if mode == "mute":
                print("mute", flush=True)
                continue
            if mode in ("cut", "leave") and made == number:
                print("hangs up", flush=True)
                return mode == "cut"
            if mode == "slow" or (mode == "slow_once" and made == 0):
                time.sleep(number / 1000)
            if mode == "slow_told":
                print("asked", flush=True)
                time.sleep(number / 1000)
                print("answers", flush=True)
            made += 1
            text = "resign" if mode == "resign" else random.choice(moves)
        mark = "=" if text is not None else "?"
        answer = f"{mark}{ident} {text or ''}".rstrip() + "\n\n"
        if mode == "late" and command not in ("login", "new_game"):
            unsaid += answer
            continue
        sock.sendall((unsaid + answer).encode())
        if mode == "away" and made == number and command == "genmove":
            print("hangs up", flush=True)
            return True
        if command == "login":
            print("logged in", flush=True)
        if command == "quit":
            break
    print("end", flush=True)
    return False


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    address, name, token_file = sys.argv[1:4]
    mode, _, number = (sys.argv[4:] + ["play"])[0].partition(":")
    with open(token_file) as file:
        token = file.readline().strip()
    random.seed(os.environ.get("NET_BOT_SEED", name))
    for time_of in range(1, FRESH):
        ANSWERS["version"] = f"{FRESH}.{time_of}"
        with connect(address) as sock:
            talk(sock, name, token, mode, int(number or 0))
    with connect(address) as sock:
        again = talk(sock, name, token, mode, int(number or 0))
    if again:
        ANSWERS["version"] = os.environ.get("NET_BOT_VERSION_BACK",
                                            ANSWERS["version"])
        if mode == "away":
            time.sleep(float(os.environ["NET_BOT_AWAY"]))
        with connect(address) as sock:
            talk(sock, name, token, "play", 0)


try:
    main()
except (ConnectionError, BrokenPipeError) as error:
    print("lost:", error, flush=True)
