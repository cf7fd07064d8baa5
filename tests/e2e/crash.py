#!/usr/bin/env python3
"""Kill the daemon again and again, and look whether anything is lost.

    crash.py REFEREE BAD_BOT KILLS SEED

In the current folder. Local and network bots play on several ladders; the
daemon is killed with SIGKILL at random moments and started again. What must
hold after each start:

  - every game that was over is there once, with the same bytes;
  - every game that was under way is there, with the moves that were recorded;
  - what a bot was told of an end stands in a record.

And when all units are played to their end: every record is right and complete,
no seat has left, no group of duplicate games has a gap, the index knows every
game once, and agrees with one that is made anew.
"""
import glob
import hashlib
import hmac
import json
import os
import random
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time

NETWORK = ["anna", "bob", "carl", "dora", "emil"]
CONFIG = """
[server]
grace = 300s
stop-limit = 120s
rate-every = 1s
[listen local]
port = 0
{bots}
[ladder duel]
game = rondo
seats = 2
time = move:120s
start-limit = 120s
bots = one, two, three
games = 4
[ladder groups]
game = rondo
seats = 3
time = fischer:600s+1s
start-limit = 120s
duplicate = yes
bots = one, two
games = 3
[ladder local]
game = axiom
seats = 2
time = move:120s,cpu
start-limit = 120s
join = none
bots = one, two, three
copies = 2
[ladder quick]
game = rondo
seats = 2
time = move:120s
start-limit = 120s
join = none
bots = four, five
meetings = 0
copies = 2
[ladder crowd]
game = second-chance
seats = 4
time = move:120s
start-limit = 120s
pairing = even
bots = two, three
games = 3
"""
ANSWERS = {"protocol_version": "2", "name": "crash", "new_game": "",
           "legal_moves": "", "game_over": "", "quit": ""}


class Failure(Exception):
    pass


def insist(what, sentence):
    if not what:
        raise Failure(sentence)


class Bot(threading.Thread):
    """Plays at random, and comes back whenever the daemon is there again."""

    def __init__(self, name, token, version, delay):
        super().__init__(daemon=True)
        self.name, self.token, self.version = name, token, version
        self.delay = delay
        self.port = None
        self.told = []  # (match, what stood behind game_over)
        self.done = self.is_asked = False

    def run(self):
        """While the daemon is away somebody else can have its port: who is not
        asked to log in tries again."""
        while not self.done:
            try:
                self.talk(socket.create_connection(("127.0.0.1", self.port), 5))
            except (OSError, TypeError, ValueError):
                time.sleep(0.05)
            finally:
                self.is_asked = False

    def talk(self, sock):
        match, moves = None, []
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with sock, sock.makefile("r", encoding="ascii", newline="\n") as lines:
            for line in lines:
                ident, command, *args = line.split()
                text = ANSWERS.get(command)
                if command == "login":
                    sock.settimeout(None)
                    self.is_asked = True
                    said = f"referee-login-1 {self.name} {args[0]}".encode()
                    proof = hmac.new(self.token.encode(), said, hashlib.sha256)
                    text = f"{self.name} {proof.hexdigest()}"
                elif command == "list_commands":
                    text = "\n".join([*ANSWERS, "version", "genmove"])
                elif command == "version":
                    text = self.version
                elif command == "new_game":
                    match = re.search(r"match=(\S+)", line).group(1)
                elif command == "legal_moves":
                    moves = args
                elif command == "game_over":
                    self.told.append((match, " ".join(args)))
                elif command == "genmove":
                    time.sleep(self.delay)
                    text = random.choice(moves)
                mark = "=" if text is not None else "?"
                sock.sendall(f"{mark}{ident} {text or ''}\n\n".encode())


class Daemon:
    def __init__(self, referee):
        self.referee = referee
        self.process = None
        self.log = open("log", "a+")

    def start(self, *options):
        at = self.log.seek(0, os.SEEK_END)
        self.process = subprocess.Popen(
            [self.referee, "serve", "ref.ini", *options], stderr=self.log,
            stdin=subprocess.DEVNULL)
        deadline = time.time() + 120
        while time.time() < deadline:
            insist(self.process.poll() is None, "the daemon does not start")
            with open("log") as file:
                file.seek(at)
                text = file.read()
            if re.search(r" ready$", text, re.M):
                return int(re.search(r"listening: local on \S+ port (\d+)",
                                     text).group(1))
            time.sleep(0.005)
        raise Failure("the daemon is not ready after two minutes")

    def kill(self):
        self.process.kill()
        self.process.wait()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def records():
    """The records of games that are over, by id."""
    found = {}
    for path in glob.glob("data/records/*/*.rec"):
        for text in re.findall(rb"record 1\n.*?^hash \S{64}\n", read(path),
                               re.M | re.S):
            name = re.search(rb"^about id=(\S+)", text, re.M).group(1).decode()
            insist(name not in found, f"two records of {name}")
            found[name] = text
    return found


def is_closed(text):
    return re.search(rb"^hash [0-9a-f]{64}\n\Z", text, re.M) is not None


def plays(text):
    return re.findall(rb"^play .*\n", text, re.M)


class Snapshot:
    """What lay there when the daemon was killed."""

    def __init__(self):
        self.over = records()
        self.closed, self.running, self.empty = 0, {}, 0
        for path in glob.glob("data/running/*.rec"):
            name, text = os.path.basename(path)[:-4], read(path)
            if is_closed(text):
                insist(self.over.get(name, text) == text,
                       f"{name} is closed twice, in two ways")
                self.over[name] = text
                self.closed += 1
            elif name in self.over:
                continue  # its file is about to be removed
            elif b"\n@" in text or plays(text):
                self.running[name] = text
            else:
                self.empty += 1

    def check(self):
        """The daemon is ready again."""
        now = records()
        for name, text in self.over.items():
            insist(name in now, f"{name} was over, and is lost")
            insist(now[name] == text, f"{name} was over, and has changed")
        for name, text in self.running.items():
            path = f"data/running/{name}.rec"
            try:
                after = read(path)
            except FileNotFoundError:
                now = records()
                insist(name in now, f"{name} was under way, and is lost")
                after = now[name]
            # The moves of one step come together; the last may be cut.
            before = plays(text)[:-6]
            insist(plays(after)[:len(before)] == before,
                   f"{name} does not go on from its last move")
            insist(b"result void" not in after, f"{name} is void")


def tables(path):
    index = sqlite3.connect(path)
    names = [row[0] for row in index.execute(
        "select name from sqlite_master where type = 'table' order by 1")]
    return {name: sorted(map(repr, index.execute(f"select * from {name}")))
            for name in names}


def check_index():
    index = sqlite3.connect("data/index.db")
    known = [row[0] for row in index.execute("select id from games")]
    insist(len(known) == len(set(known)), "a game is in the index twice")
    insist(sorted(known) == sorted(records()), "the index has other games")
    insist(not index.execute("pragma foreign_key_check").fetchall(),
           "the index refers to what it has not")


def check_groups():
    groups = {}
    for name in records():
        if name.count("-") == 4:
            unit, part = name.rsplit("-", 1)
            groups.setdefault(unit, set()).add(int(part))
    insist(groups, "no group was played")
    for unit, parts in groups.items():
        insist(parts == {1, 2, 3}, f"{unit} has the parts {sorted(parts)}")
    return len(groups)


def check_told(bots):
    told = 0
    results = {name: re.search(rb"^result (.*)", text, re.M).group(1)
               for name, text in records().items()}
    for bot in bots:
        insist(len({match for match, _ in bot.told}) == len(bot.told),
               f"{bot.name} heard an end twice")
        for match, text in bot.told:
            insist(match in results, f"{bot.name} was told of {match}")
            said = re.sub(r" seed=\S+", "", text).encode()
            insist(results[match] == said,
                   f"{bot.name} was told another end of {match}")
            told += 1
    return told


def check_reindex(referee):
    done = subprocess.run([referee, "ladder", "ref.ini", "--rate"],
                          capture_output=True, text=True)
    insist(done.returncode == 0, f"ladder: {done.stderr}")
    shutil.rmtree("copy", ignore_errors=True)
    shutil.copytree("data", "copy", ignore=shutil.ignore_patterns(
        "control*", "lock", "index.db*"))
    before = tables("data/index.db")
    done = subprocess.run([referee, "reindex", "copy"], capture_output=True,
                          text=True)
    insist(done.returncode == 0, f"reindex: {done.stderr}")
    after = tables("copy/index.db")
    insist(before["ratings"], "no bot has a rating")
    del before["files"], after["files"]  # the mark of a day can be behind
    for name in sorted(before.keys() | after.keys()):
        insist(before.get(name) == after.get(name),
               f"reindex makes another table {name}")


def check_records(referee):
    over = records()
    insist(not glob.glob("data/running/*"), "something is left in running/")
    insist(not glob.glob("data/damaged/*"), "something is damaged")
    for name, text in over.items():
        insist(b"\nleave " not in text, f"a seat has left in {name}")
        insist(b"\nresult void" not in text, f"{name} is void")
    done = subprocess.run([referee, "replay", "--quiet", "data/records"],
                          capture_output=True, text=True)
    insist(done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:])
    return len(over)


def check_free(bots):
    """Nobody has the connections of a daemon that was killed."""
    deadline = time.time() + 60
    while any(bot.is_asked for bot in bots) and time.time() < deadline:
        time.sleep(0.005)
    held = [bot.name for bot in bots if bot.is_asked]
    insist(not held, f"connections outlive the daemon: {held}")


def prepare(referee, bad):
    local = "\n".join(f"[bot {name}]\ncommand = {bad} slow {seed} {delay}"
                      for name, seed, delay in
                      [("one", 1, 2), ("two", 2, 5), ("three", 3, 1)])
    local += "".join(f"\n[bot {name}]\ncommand = {bad} none {seed}"
                     for name, seed in [("four", 4), ("five", 5)])
    bots = []
    for i, name in enumerate(NETWORK):
        token = subprocess.run([referee, "token", name], text=True,
                               capture_output=True, check=True).stdout.strip()
        bots.append(Bot(name, token, "1", 0.002 * i))
    with open("ref.ini", "w") as file:
        file.write(CONFIG.format(bots=local))
    return bots


def run(daemon, referee, bad, kills, seed):
    chance = random.Random(int(seed))
    bots = prepare(referee, bad)
    totals = {"over": 0, "closed": 0, "running": 0, "empty": 0}
    for bot in bots:
        bot.port = 1
        bot.start()
    for i in range(int(kills)):
        port = daemon.start()
        for bot in bots:
            bot.port = port
        if i:
            shot.check()
        if i == int(kills) // 2:
            bots[0].version = "2"
        time.sleep(chance.choice([0.05, 0.5, 1, 2]) * chance.random())
        daemon.kill()
        check_free(bots)
        shot = Snapshot()
        totals["over"] = len(shot.over)
        totals["closed"] += shot.closed
        totals["running"] += len(shot.running)
        totals["empty"] += shot.empty
    # What is under way is played to its end, and no more.
    port = daemon.start("--games", "1")
    for bot in bots:
        bot.port = port
    shot.check()
    insist(daemon.process.wait(300) == 0, "it does not end well")
    for bot in bots:
        bot.done = True
    games = check_records(referee)
    check_index()
    groups = check_groups()
    told = check_told(bots)
    check_reindex(referee)
    print(f"{kills} kills, seed {seed}: {games} games, {groups} groups, {told} "
          f"ends were told; when it was killed {totals['running']} games were "
          f"under way, {totals['closed']} over but still in running/, "
          f"{totals['empty']} not begun")


def main():
    daemon = Daemon(sys.argv[1])
    try:
        run(daemon, *sys.argv[1:5])
    except Failure as failure:
        print(failure)
        sys.exit(1)
    finally:
        daemon.kill()


main()
