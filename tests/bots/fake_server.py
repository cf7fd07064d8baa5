#!/usr/bin/env python3
"""A server that does to `referee connect` what a test wants.

    fake_server.py READY LOG SCRIPT NAME TOKEN [ADDRESS [CERTIFICATE KEY]]

It writes its port to the file READY as soon as it listens, and what happens to
the file LOG. SCRIPT has a word for each connection, "drop,drop,play"; the last
one is for all that follow. ADDRESS is 127.0.0.1, ::1 or unix:PATH; with a
certificate it speaks TLS.
"""
import hashlib
import hmac
import random
import secrets
import select
import socket
import ssl
import sys
import threading
import time

lock = threading.Lock()


def any_bytes(count):
    """But for lines that begin with #, which are news for the bot's owner."""
    return random.Random(1).randbytes(count).replace(b"\n#", b"\n.")


def log(*words):
    with lock, open(LOG, "a") as out:
        print(*words, file=out)


class Peer:
    def __init__(self, number, sock):
        self.number = number
        self.sock = sock
        self.lines = sock.makefile("rb")
        self.id = 0

    def say(self, command):
        self.id += 1
        self.sock.sendall(f"{self.id} {command}\n".encode())

    def ask(self, command):
        """A command, and its answer without the mark; None at the end."""
        self.say(command)
        line = self.lines.readline().decode().rstrip("\n")
        if not line:
            return None
        if self.lines.readline() != b"\n":
            log(self.number, "no empty line behind", line)
        mark, _, text = line.partition(" ")
        if mark != f"={self.id}":
            log(self.number, "bad answer", line)
        return text

    def login(self):
        nonce = secrets.token_hex(16)
        text = f"referee-login-1 {NAME} {nonce}".encode()
        proof = hmac.new(TOKEN.encode(), text, hashlib.sha256).hexdigest()
        answer = self.ask(f"login {nonce}")
        if answer == f"{NAME} {proof} news":
            log(self.number, "login")
        elif answer == f"{NAME} token:{TOKEN} news":
            log(self.number, "plain login")
        else:
            log(self.number, "wrong login")
            return False
        return True

    def read_all(self):
        count = 0
        while chunk := self.lines.read(65536):
            count += len(chunk)
        return count


def play(peer):
    for command in ("protocol_version", "name", "legal_moves a b c",
                    "genmove 1", "quit"):
        log(peer.number, command.split()[0], "=", peer.ask(command))
    log(peer.number, "rest", peer.read_all())


def drop(peer):
    log(peer.number, "dropped", peer.ask("name"))


def hold(peer):
    log(peer.number, "holds", peer.ask("name"))
    peer.read_all()
    log(peer.number, "gone")


def half(peer):
    """A server that says no more may still listen."""
    peer.say("name")
    peer.sock.shutdown(socket.SHUT_WR)
    log(peer.number, "after half", peer.lines.read())


def sink(peer):
    log(peer.number, "got", peer.read_all())


def feed(peer):
    peer.sock.sendall(any_bytes(1 << 20))
    log(peer.number, "fed")


def bulk(peer):
    """Send until it stalls, then read too; all must come back."""
    data = any_bytes(16 << 20)
    sock, out, back = peer.sock, memoryview(data), hashlib.sha256()
    sock.setblocking(False)
    sent = got = 0
    moved = time.monotonic()
    while got < len(data):
        stalled = time.monotonic() - moved > 1
        try:
            n = sock.send(out[sent : sent + 65536]) if sent < len(out) else 0
            if n:
                moved = time.monotonic()
            sent += n
        except (BlockingIOError, ssl.SSLWantWriteError):
            pass
        if sent == len(out) and got == 0:
            log(peer.number, "never stalled")
            return
        if not stalled and got == 0:
            time.sleep(0.001)
            continue
        try:
            chunk = sock.recv(1 << 20)
            if not chunk:
                break
            back.update(chunk)
            got += len(chunk)
        except (BlockingIOError, ssl.SSLWantReadError):
            select.select([sock], [sock] if sent < len(out) else [], [], 0.01)
    same = back.digest() == hashlib.sha256(data).digest()
    log(peer.number, "bulk", "same" if same else f"differs at {got}")


AFTER_LOGIN = {f.__name__: f for f in (play, drop, hold, half, sink, feed, bulk)}


def mute(peer):
    log(peer.number, "mute")
    peer.read_all()
    log(peer.number, "gone")


def early(peer):
    log(peer.number, "early")


def garbage(peer):
    peer.sock.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    log(peer.number, "garbage")


AT_ONCE = {f.__name__: f for f in (mute, early, garbage)}


def serve(number, sock, word):
    try:
        if TLS:
            sock = TLS.wrap_socket(sock, server_side=True)
        peer = Peer(number, sock)
        if word in AT_ONCE:
            AT_ONCE[word](peer)
        elif peer.login():
            AFTER_LOGIN[word](peer)
    except OSError as error:
        log(number, "error", type(error).__name__)
    finally:
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        sock.close()


def listen(address):
    if address.startswith("unix:"):
        sock = socket.socket(socket.AF_UNIX)
        sock.bind(address[5:])
    else:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        sock = socket.socket(family)
        sock.bind((address, 0))
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        sock.setsockopt(socket.SOL_SOCKET, option, 65536)
    sock.listen(64)
    with open(READY, "w") as out:
        print(0 if address.startswith("unix:") else sock.getsockname()[1],
              file=out)
    return sock


READY, LOG, SCRIPT, NAME, TOKEN = sys.argv[1:6]
TLS = None
if len(sys.argv) > 7:
    TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    TLS.load_cert_chain(sys.argv[7], sys.argv[8])
words = SCRIPT.split(",")
door = listen(sys.argv[6] if len(sys.argv) > 6 else "127.0.0.1")
number = 0
while True:
    connection, _ = door.accept()
    word = words[min(number, len(words) - 1)]
    number += 1
    threading.Thread(target=serve, args=(number, connection, word),
                     daemon=True).start()
