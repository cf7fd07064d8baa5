#!/usr/bin/env python3
"""A random player that connects to a server itself; README.md says more.

    tcp_bot.py HOST PORT NAME TOKEN_FILE [tls [CA_FILE]]
"""
import hashlib
import hmac
import random
import socket
import ssl
import sys

# What the bot can do, and the answers that never change.
ANSWERS = {
    "protocol_version": "2",
    "list_commands": "",
    "name": "random-python-tcp",
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


def login(name, token, nonce):
    """The name, a proof that we know the token, which stays at home, and a wish:
    to be told what happens."""
    text = f"referee-login-1 {name} {nonce}"
    proof = hmac.new(token.encode(), text.encode(), hashlib.sha256)
    return f"{name} {proof.hexdigest()} news"


def connect(host, port, tls=None, ca=None):
    sock = socket.create_connection((host, int(port)))
    # An answer must not wait for the next one to fill a packet.
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if tls:
        context = ssl.create_default_context(cafile=ca)
        sock = context.wrap_socket(sock, server_hostname=host)
    return sock


def play(sock, name, token):
    """Returns why it failed, or None."""
    moves, command = [], "login"
    for line in sock.makefile("r", encoding="ascii", newline="\n"):
        if line.startswith("#"):  # news: a kind, and text for people
            print(line[1:].strip(), file=sys.stderr)
            continue
        number, command, *args = line.split()
        mark, text = "=", ANSWERS.get(command)
        if command == "login":
            text = login(name, token, args[0])
        elif command == "legal_moves":
            moves = args
        elif command == "genmove":
            text = choose(moves)
        elif text is None:
            mark, text = "?", "unknown command"
        sock.sendall(f"{mark}{number} {text}".rstrip().encode() + b"\n\n")
        if command == "quit":
            break
    if command == "login":  # the server had nothing else to say to us
        return "the server refused the login"
    return None


if len(sys.argv) < 5:
    sys.exit(__doc__)
host, port, name, token_file = sys.argv[1:5]
with open(token_file) as file:
    token = file.readline().strip()
try:
    sock = connect(host, port, *sys.argv[5:7])
except OSError as error:
    sys.exit(f"{sys.argv[0]}: cannot connect to {host} port {port}: {error}")
with sock:
    try:
        why = play(sock, name, token)
    except OSError as error:
        why = error
if why:
    sys.exit(f"{sys.argv[0]}: {why}")
