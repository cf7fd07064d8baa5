"""spectators.py BUILD [COUNT [SECONDS]]: what do spectators cost the games?

Starts a daemon with games of bots that answer after some 20 ms, and
compares how long their lines wait for the referee in three parts of one run:
without spectators, with COUNT of them, and without again. Of the spectators a
tenth reads slowly, and a tenth not at all. Writes one JSON object; fails if a
reader that stalls is not dropped, if one that reads is, or if a step is missing.
GAMES is the number of games, PREFIX goes before the daemon's command.
"""

import http.client
import json
import os
import pathlib
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

build = pathlib.Path(sys.argv[1]).resolve()
count = int(sys.argv[2]) if len(sys.argv) > 2 else 500
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 20
GAMES = int(os.environ.get("GAMES", 8))
PAUSE_MS = 20
SLOW_BYTES = 2000  # a second, for a reader that is slow

CONFIG = f"""[server]
data = data
http = 127.0.0.1:0
stop-limit = 1s
[bot one]
command = {build}/tests/bots/bad slow 1 {PAUSE_MS}
[bot two]
command = {build}/tests/bots/bad slow 2 {PAUSE_MS}
[ladder games]
game = go
seats = 2
bots = one, two
join = none
pairing = even
meetings = 0
games = {GAMES}
copies = {GAMES}
"""


def port():
    for _ in range(600):
        log = pathlib.Path("log").read_text()
        found = re.search(r"http on 127.0.0.1 port (\d+)", log)
        if " ready" in log and found:
            return int(found[1])
        time.sleep(0.05)
    sys.exit("the daemon did not start: " + log[-500:])


def get(path):
    c = http.client.HTTPConnection("127.0.0.1", door, timeout=60)
    c.request("GET", path)
    text = c.getresponse().read().decode()
    c.close()
    return text


def metrics():
    found = {}
    for line in get("/metrics").splitlines():
        if not line.startswith("#"):
            name, number = line.rsplit(" ", 1)
            found[name] = float(number)
    return found


def histogram(found):
    return [(float(name.split('"')[1]), number) for name, number in found.items()
            if name.startswith("referee_loop_lag_seconds_bucket")]


def quantile(before, after, share):
    """Of the lags between two looks, within its bucket by a straight line; in microseconds."""
    bounds = [(high, b - a) for (high, a), (_, b) in zip(histogram(before), histogram(after))]
    wanted, low, below = share * bounds[-1][1], 0.0, 0.0
    for high, total in bounds:
        if total >= wanted and total > below:
            if high == float("inf"):
                return round(low * 1e6)
            return round((low + (high - low) * (wanted - below) / (total - below)) * 1e6)
        low, below = high, total
    return 0


def memory(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1])


def cpu(pid):
    return int(pathlib.Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


class Spectator:
    """One stream. How fast it reads depends on its kind."""

    def __init__(self, kind, path):
        self.kind, self.got, self.closed = kind, 0, False
        self.next_at = 0
        self.rest, self.head = b"", b""
        self.steps = []
        self.s = socket.socket()
        if kind != "quick":
            self.s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.s.connect(("127.0.0.1", door))
        self.s.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        self.s.setblocking(False)

    def read(self, now):
        if self.kind == "slow" and now < self.next_at:
            return
        try:
            part = self.s.recv(SLOW_BYTES // 4 if self.kind == "slow" else 1 << 16)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        self.next_at = now + 0.25
        self.got += len(part)
        self.closed = not part
        self.head = (self.head + part)[:20]
        if self.kind == "quick":
            self.note(part)

    def note(self, part):
        *lines, self.rest = (self.rest + part).split(b"\n")
        self.steps += [int(line[4:]) for line in lines if line.startswith(b"id: ")]


def watch(spectators, until):
    """Let them read until then; who stalls does not."""
    selector = selectors.DefaultSelector()
    for s in spectators:
        if s.kind == "quick":
            selector.register(s.s, selectors.EVENT_READ, s)
    while time.monotonic() < until:
        for key, _ in selector.select(0.1):
            key.data.read(time.monotonic())
            if key.data.closed:
                selector.unregister(key.data.s)
        for s in spectators:
            if s.kind == "slow" and not s.closed:
                s.read(time.monotonic())
    selector.close()


def part(what, spectators):
    before, cpu_before, began = metrics(), cpu(daemon.pid), time.monotonic()
    watch(spectators, began + seconds)
    after, lasted = metrics(), time.monotonic() - began
    moves = after["referee_moves_total"] - before["referee_moves_total"]
    return {"spectators": len(spectators), "seconds": round(lasted, 1), "moves": int(moves),
            "lag_p50_us": quantile(before, after, 0.5), "lag_p90_us": quantile(before, after, 0.9),
            "lag_p99_us": quantile(before, after, 0.99), "cpu_share": round((cpu(daemon.pid) - cpu_before) / lasted, 3),
            "streams": int(after["referee_http_streams"]), "memory_kib": memory(daemon.pid),
            "late_readers": int(after['referee_http_refused_total{why="late-reader"}'])}


def kind_of(number):
    return "stalled" if number % 10 == 0 else "slow" if number % 10 == 1 else "quick"


def running():
    return [game["id"] for game in json.loads(get("/api/games"))["games"]]


def come():
    """Half of them look at all games, the others at one each; those that stall at all of them."""
    spectators = []
    for number in range(count):
        if number % 20 == 0:
            games = running()
        kind = kind_of(number)
        one = number % 2 == 1 and kind == "quick"
        path = f"/api/games/{games[number % len(games)]}/stream" if one else "/api/live"
        spectators.append(Spectator(kind, path))
        if number % 20 == 19:
            watch(spectators, time.monotonic() + 0.05)
    return spectators


work = tempfile.mkdtemp()
os.chdir(work)
pathlib.Path("referee.ini").write_text(CONFIG)
daemon = subprocess.Popen(os.environ.get("PREFIX", "").split() +
                          [build / "referee" / "referee", "serve", "referee.ini"],
                          stdout=subprocess.DEVNULL, stderr=open("log", "w"))
wrong = []
try:
    door = port()
    while len(running()) < GAMES:
        time.sleep(0.1)
    time.sleep(1)
    alone = part("alone", [])
    spectators = come()
    crowd = part("crowd", spectators)
    end = time.monotonic() + 120
    stalled = sum(s.kind == "stalled" for s in spectators)
    while metrics()['referee_http_refused_total{why="late-reader"}'] < stalled and time.monotonic() < end:
        watch(spectators, time.monotonic() + 1)
    dropped = int(metrics()['referee_http_refused_total{why="late-reader"}'])
    for s in spectators:
        if s.kind == "stalled":
            s.s.setblocking(True)
            s.s.settimeout(30)
            try:
                while s.s.recv(1 << 16):
                    pass
                s.closed = True
            except OSError:
                s.closed = True
    if not all(s.closed for s in spectators if s.kind == "stalled"):
        wrong.append("a reader that stalls was not dropped")
    # A game may have ended before its spectator came.
    quick = [s for s in spectators if s.kind == "quick" and b" 200 " in s.head]
    if len(quick) < count // 2:
        wrong.append(f"only {len(quick)} readers have got a stream")
    if any(s.closed for s in quick):
        wrong.append(f"{sum(s.closed for s in quick)} readers that read were dropped")
    for s in quick:
        if s.steps != list(range(s.steps[0], s.steps[0] + len(s.steps))) if s.steps else False:
            wrong.append(f"steps are missing: {s.steps[:20]}")
            break
    for s in spectators:
        s.s.close()
    while metrics()["referee_http_streams"] > 0:
        time.sleep(0.1)
    again = part("again", [])
    print(json.dumps({"alone": alone, "crowd": crowd, "again": again, "stalled": stalled, "dropped": dropped,
                      "kib_per_spectator": round((crowd["memory_kib"] - alone["memory_kib"]) / count, 1)}, indent=1))
finally:
    daemon.send_signal(signal.SIGTERM)
    daemon.wait(30)
    shutil.rmtree(work)
for sentence in wrong:
    print("wrong:", sentence)
sys.exit(bool(wrong))
