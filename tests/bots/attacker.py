#!/usr/bin/env python3
"""Peers that never log in, for attack_net.sh.

    attacker.py ATTACK HOST PORT SOURCE [NUMBER]

SOURCE is the loopback address to come from. It prints one line, what has
become of the attack, and always ends: nobody waits longer than PATIENCE.
"""
import hashlib
import hmac
import os
import random
import resource
import select
import signal
import socket
import ssl
import sys
import threading
import time

PATIENCE = 60


def dial(host, port, source):
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.settimeout(PATIENCE)
    sock.bind((source, 0))
    sock.connect((host, port))
    return sock


def is_closed(sock, patience=PATIENCE):
    """Does the other side hang up in time?"""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        sock.settimeout(max(0.01, end - time.monotonic()))
        try:
            if not sock.recv(65536):
                return True
        except socket.timeout:
            return False
        except OSError:
            return True
    return False


def send(sock, data):
    try:
        sock.sendall(data)
        return True
    except OSError:
        return False


def nonce_of(sock):
    """Of "1 login NONCE"; None if the server hangs up instead."""
    line = b""
    try:
        while not line.endswith(b"\n"):
            byte = sock.recv(1)
            if not byte:
                return None
            line += byte
    except OSError:
        return None
    return line.split()[2].decode()


def prove(token, name, nonce):
    text = f"referee-login-1 {name} {nonce}".encode()
    return hmac.new(token.encode(), text, hashlib.sha256).hexdigest()


# Each attack opens connections of its own and tells how many of them were
# closed by the server.


def each(dialler, number, act):
    closed = 0
    for _ in range(number):
        try:
            with dialler() as sock:
                act(sock)
                closed += is_closed(sock)
        except OSError:
            closed += 1
    return f"closed {closed}"


def garbage(dialler, number):
    return each(dialler, number, lambda s: send(s, os.urandom(3000) + b"\n"))


def huge(dialler, number):
    def act(sock):
        for _ in range(64):
            if not send(sock, b"x" * 65536):
                return

    return each(dialler, number, act)


def text(words):
    def attack(dialler, number):
        return each(dialler, number, lambda s: send(s, words))

    return attack


def slow(dialler, number):
    """A byte now and then, for as long as the server listens."""
    socks = [dialler() for _ in range(number)]
    end = time.monotonic() + PATIENCE
    closed = 0
    for sock in socks:
        nonce_of(sock)
    while socks and time.monotonic() < end:
        for sock in list(socks):
            if not send(sock, b"=") or select.select([sock], [], [], 0)[0]:
                socks.remove(sock)
                closed += 1
        time.sleep(0.2)
    return f"closed {closed}"


def silent(dialler, number):
    socks = [dialler() for _ in range(number)]
    return f"closed {sum(map(is_closed, socks))}"


def wrong(dialler, number):
    """Wrong proofs until the door stays shut."""
    asked = 0
    for _ in range(number):
        try:
            with dialler() as sock:
                nonce = nonce_of(sock)
                if nonce is None:
                    continue
                asked += 1
                send(sock, f"=1 anna {prove('guess', 'anna', nonce)}\n\n".encode())
                is_closed(sock)
        except OSError:
            pass
    return f"asked {asked} of {number}"


def replay(dialler, number):
    """A proof that was right for another nonce."""
    with open("anna.token") as file:
        token = file.readline().strip()
    with dialler() as sock:
        proof = prove(token, "anna", nonce_of(sock))
    return each(
        dialler,
        number,
        lambda s: (nonce_of(s), send(s, f"=1 anna {proof}\n\n".encode())),
    )


def flash(dialler, number):
    """Connect and hang up, as fast as it goes, some with a reset."""
    done = 0
    for i in range(number):
        try:
            sock = dialler()
            if i % 2:
                linger = b"\1\0\0\0\0\0\0\0"
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            sock.close()
            done += 1
        except OSError:
            pass
    return f"done {done}"


def crowd(dialler, number):
    """All at once; held until the server has closed the last of them."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
    poll, socks, failed, closed = select.poll(), {}, 0, 0
    for _ in range(number):
        try:
            sock = dialler()
            socks[sock.fileno()] = sock
            poll.register(sock, select.POLLIN | select.POLLHUP)
        except OSError:
            failed += 1
    end = time.monotonic() + PATIENCE
    while socks and time.monotonic() < end:
        for fd, _ in poll.poll(500):
            try:
                alive = socks[fd].recv(4096)
            except OSError:
                alive = b""
            if not alive:
                poll.unregister(fd)
                socks.pop(fd).close()
                closed += 1
    return f"closed {closed + failed}"


def hello_of_tls():
    context = ssl._create_unverified_context()
    into, out = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        context.wrap_bio(into, out).do_handshake()
    except ssl.SSLWantReadError:
        pass
    return out.read()


def lengthen(hello, ciphers_len, algorithms_len):
    """The same hello with lists of ciphers and of signatures of that length."""

    def with_length(data):
        return len(data).to_bytes(2, "big") + data

    def stretch(data, length):
        return (data * (length // len(data) + 1))[:length] if length else data

    at = 9 + 2 + 32
    head = hello[9 : at + 1 + hello[at]]
    at += 1 + hello[at]
    length = int.from_bytes(hello[at : at + 2], "big")
    ciphers = stretch(hello[at + 2 : at + 2 + length], ciphers_len)
    at += 2 + length
    packing = hello[at : at + 1 + hello[at]]
    at += len(packing) + 2
    extensions = b""
    while at < len(hello):
        kind = hello[at : at + 2]
        length = int.from_bytes(hello[at + 2 : at + 4], "big")
        data = hello[at + 4 : at + 4 + length]
        if kind == b"\0\x0d":
            data = with_length(stretch(data[2:], algorithms_len))
        extensions += kind + with_length(data)
        at += 4 + length
    body = head + with_length(ciphers) + packing + with_length(extensions)
    message = b"\1" + len(body).to_bytes(3, "big") + body
    parts = [message[i : i + 16384] for i in range(0, len(message), 16384)]
    return b"".join(b"\x16\3\1" + with_length(part) for part in parts)


def answered(dialler, number, hello):
    """By how many hellos is a handshake begun? One after the other."""
    count = 0
    for _ in range(number):
        try:
            with dialler() as sock:
                send(sock, hello)
                count += sock.recv(1) == b"\x16"
        except OSError:
            pass
    return f"answered {count} of {number}"


def hello(dialler, number):
    return answered(dialler, number, hello_of_tls())


def same_hello(dialler, number):
    return answered(dialler, number, lengthen(hello_of_tls(), 0, 0))


def long_ciphers(dialler, number):
    return answered(dialler, number, lengthen(hello_of_tls(), 40000, 0))


def long_algorithms(dialler, number):
    return answered(dialler, number, lengthen(hello_of_tls(), 0, 24000))


def half_tls(dialler, number):
    """The first half of a handshake, and then nothing."""
    hello = hello_of_tls()
    socks = [dialler() for _ in range(number)]
    for sock in socks:
        send(sock, hello[: random.randrange(1, len(hello) + 1)])
    return f"closed {sum(map(is_closed, socks))}"


def queue(dialler, number):
    """All at once, while nobody opens."""
    socks = [dialler() for _ in range(number)]
    print("queued", number, flush=True)
    return f"closed {sum(map(is_closed, socks))}"


def wait_for_files(pid, number):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if len(os.listdir(f"/proc/{pid}/fd")) >= number:
            return
        time.sleep(0.01)


def row(dialler, number):
    """Hellos of all at once, and behind them somebody at the door without TLS,
    all while the daemon stands still: how many are greeted before that one?"""
    pid, port = int(os.environ["DAEMON"]), int(os.environ["PLAIN_PORT"])
    hello = hello_of_tls()
    before = len(os.listdir(f"/proc/{pid}/fd"))
    socks = [dialler() for _ in range(number)]
    wait_for_files(pid, before + number)
    os.kill(pid, signal.SIGSTOP)
    for sock in socks:
        send(sock, hello)
    last = dial("127.0.0.1", port, "127.0.0.1")
    os.kill(pid, signal.SIGCONT)
    if nonce_of(last) is None:
        return "the last one was not let in"
    ready = select.select(socks, [], [], 0)[0]
    greeted = sum(sock.recv(1) != b"" for sock in socks)
    return f"{len(ready)} before, {greeted} in all"


def crumbs(dialler, number):
    """A hello that has so many bytes and no end, each in a record of its own
    behind 31 empty ones. How much of their time does somebody else wait?"""
    port = int(os.environ["PLAIN_PORT"])
    empty, one = b"\x16\x03\x01\x00\x00", b"\x16\x03\x01\x00\x01"
    hello = b"\x01" + (number + 100).to_bytes(3, "big") + bytes(number - 4)
    data = b"".join(31 * empty + one + hello[i : i + 1] for i in range(number))
    sock = dialler()
    sender = threading.Thread(target=send, args=(sock, data))
    begun, longest = time.monotonic(), 0
    sender.start()
    while sender.is_alive():
        came = time.monotonic()
        with dial("127.0.0.1", port, "127.0.0.1") as other:
            if nonce_of(other) is None:
                return "another was not let in"
        longest = max(longest, time.monotonic() - came)
    return int(100 * longest / (time.monotonic() - begun))


def shaken(dialler, number):
    """A whole handshake, and then nothing."""
    context = ssl._create_unverified_context()
    socks = [context.wrap_socket(dialler()) for _ in range(number)]
    return f"closed {sum(map(is_closed, socks))}"


def again(dialler, number):
    """Right logins over TLS, one more than this bot may have: no offence."""
    context = ssl._create_unverified_context()
    asked = 0
    with open("anna.token") as file:
        token = file.readline().strip()
    for _ in range(number):
        try:
            with context.wrap_socket(dialler()) as sock:
                nonce = nonce_of(sock)
                asked += nonce is not None
                send(sock, f"=1 anna {prove(token, 'anna', nonce)}\n\n".encode())
                is_closed(sock)
        except OSError:
            pass
    return f"asked {asked} of {number}"


ATTACKS = {
    "garbage": garbage,
    "huge": huge,
    "lines": text(b"hello\n" * 100),
    "blanks": text(b"\n" * 5000),
    "notes": text(b"# hello\n" * 2000),
    "half": text(b"=1 anna 01234"),
    "early": text(b"=1 anna x\n\n=2 2\n\n=3\n\n"),
    "other_id": text(b"=7 anna x\n\n"),
    "refused": text(b"?1 no\n\n"),
    "long_name": text(b"=1 " + b"n" * 900 + b" x\n\n"),
    "no_proof": text(b"=1 anna\n\n"),
    "http": text(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
    "nothing": text(b""),
    "slow": slow,
    "silent": silent,
    "wrong": wrong,
    "replay": replay,
    "flash": flash,
    "crowd": crowd,
    "hello": hello,
    "same_hello": same_hello,
    "long_ciphers": long_ciphers,
    "long_algorithms": long_algorithms,
    "half_tls": half_tls,
    "shaken": shaken,
    "queue": queue,
    "row": row,
    "crumbs": crumbs,
    "again": again,
}


def main():
    attack, host, port, source = sys.argv[1:5]
    number = int(sys.argv[5]) if len(sys.argv) > 5 else 10
    print(ATTACKS[attack](lambda: dial(host, int(port), source), number))


if len(sys.argv) == 2 and sys.argv[1] == "list":
    print(*ATTACKS)
elif len(sys.argv) < 5:
    sys.exit(__doc__)
else:
    main()
