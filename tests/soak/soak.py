"""soak.py: a server under fire for MINUTES (environment; default 1).

Local bots that are honest, moody (they crash, hang, flood, err, at random) and
hostile (tests/bots/hostile.c) play on ladders behind walls, with network bots
that break off, fall silent or leave, strangers at the doors, readers of the
pages, and reloads. Meanwhile memory, descriptors and processes of the server
are looked at. At the end it is stopped, every record is replayed, and nothing
may be left over. The report has a line a minute, and the verdict.

WALLS (default auto) is the wall; FOLDER keeps what it wrote.
"""
import collections
import glob
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

MINUTES = float(os.environ.get("MINUTES") or 1)
WALLS = os.environ.get("WALLS") or "auto"
PAUSE = 2  # seconds between two looks
LONG = 5  # minutes, from which on it must be flat
build = pathlib.Path(os.environ.get("builddir") or ".").resolve()
src = pathlib.Path(os.environ.get("srcdir") or ".").resolve()
folder = pathlib.Path(os.environ.get("FOLDER") or tempfile.mkdtemp(prefix="referee-soak-"))
referee = build / "referee/referee"
mark = f"soak-{os.getpid()}"

MOODS = """none none none none crash exit exit_first hang stop half close_output late slow drip
endless_line endless_stderr endless_notes notes illegal two_words twice wrong_id refuse early
children_exit children_hang orphans kill_parent stop_parent never_end move_exit""".split()
PLANS = """
environment memory-of-others command-lines signal
socket pair io-uring namespaces perf keys
fork-bomb
eat-memory=512
fill-disk=200
fill-unlinked=200
fill-inodes=20000
fill-memfd=512
descriptors watches
flood-log=8
linger=lingerer
spin
send
take
none
none
none""".strip().split("\n")
PEERS = ["play", "play", "cut:3", "leave:4", "mute", "rubbish_over", "resign", "slow:20", "cut_new"]
INTRUDERS = ["garbage", "huge", "flash", "wrong"]

CONFIG = """
[server]
data = {folder}/data
keys = {folder}/keys
control = {folder}/control
http = 127.0.0.1:0
walls = {walls}
rate-every = 20s
failed-logins = 100000
connections-per-address = 500
[listen local]
kind = tcp
address = 127.0.0.1
port = 0
"""
LADDERS = {"rondo": "rondo", "quick": "axio-rota", "cards": "second-chance"}


def write(path, text, mode=0o644):
    path.write_text(text)
    path.chmod(mode)


def make_bots():
    """Each in a folder of its own; what it does is a matter of chance at each start."""
    bots = {}
    for name in ["honest-a", "honest-b", "moody-a", "moody-b", "hostile-a", "hostile-b"]:
        home = folder / "bots" / name
        home.mkdir(parents=True)
        shutil.copy(referee, home)
        shutil.copy(build / "tests/bots/bad", home)
        shutil.copy(build / "tests/bots/hostile", home)
        for i, plan in enumerate(PLANS):
            write(home / f"plan-{i}", plan.replace(" ", "\n") + "\n")
        pick = "#!/bin/bash\ncd " + str(home) + "\n"
        if name.startswith("honest"):
            pick += "exec ./referee bot\n"
        elif name.startswith("moody"):
            pick += f"moods=({' '.join(MOODS)})\nexec ./bad ${{moods[RANDOM % {len(MOODS)}]}} $RANDOM\n"
        else:
            pick += f"exec ./hostile plan-$((RANDOM % {len(PLANS)})) ./referee bot\n"
        write(home / "start", pick, 0o755)
        bots[name] = home
    return bots


def configure(bots):
    text = CONFIG.format(folder=folder, walls=WALLS)
    for name, home in bots.items():
        text += f"[bot {name}]\ncommand = {home}/start\nfolder = {home}\nmemory = 64m\nscratch = 8m\n"
        text += "processes = 40\nquit-limit = 500ms\nenvironment = BAD_MARK\n" + ("ponder = no\n" if name.endswith("b") else "")
    for ladder, game in LADDERS.items():
        text += f"[ladder {ladder}]\ngame = {game}\nseats = 2\ntime = move:1s\nstart-limit = 10s\n"
        text += f"bots = {' '.join(bots)}\ngames = 3\njoin = all\nlocal-games = yes\n"
    write(folder / "referee.ini", text)


def start_server():
    log = open(folder / "log", "w")
    return subprocess.Popen([referee, "serve", folder / "referee.ini"], stderr=log, stdin=subprocess.DEVNULL,
                            env={**os.environ, "BAD_MARK": mark, "TMPDIR": str(folder / "tmp")})


def logged(pattern):
    """What the log says, when it does."""
    for _ in range(600):
        found = re.search(pattern, (folder / "log").read_text(errors="replace"))
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"the log never said {pattern}: {(folder / 'log').read_text()[-500:]}")


class Peers:
    """Network bots and strangers; who ends is started anew."""

    names = [f"peer-{i}" for i in range(6)]

    def __init__(self):
        self.port, self.running = 0, {}
        for name in self.names:
            token = subprocess.run([referee, "token", "--keys", folder / "keys", name],
                                   capture_output=True, text=True, check=True).stdout
            write(folder / f"{name}.token", token, 0o600)

    def start(self, slot):
        where = f"127.0.0.1:{self.port}"
        if slot in self.names:
            args = ["net_bot.py", where, slot, str(folder / f"{slot}.token"), random.choice(PEERS)]
        else:
            args = ["attacker.py", random.choice(INTRUDERS), "127.0.0.1", str(self.port), "127.0.0.9", "5"]
        return subprocess.Popen([sys.executable, src / "tests/bots" / args[0], *args[1:]],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def look(self):
        for slot in [*self.names, "intruder"]:
            if slot not in self.running or self.running[slot].poll() is not None:
                self.running[slot] = self.start(slot)
        slot = random.choice(self.names)  # some are cut off in the middle of anything
        if random.random() < 0.1:
            self.running[slot].kill()

    def end(self):
        for peer in self.running.values():
            peer.kill()
            peer.wait()


def read_pages(http):
    """As monitors and watchers do; a page that fails counts as a fault."""
    wrong = 0
    for page in ["/healthz", "/metrics", "/", "/api/v1/status", "/nothing/here"]:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{http}{page}", timeout=30).read()
        except urllib.error.HTTPError as e:
            wrong += e.code >= 500 and page != "/healthz"
        except OSError:
            wrong += 1
    return wrong


def figures(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    children = subprocess.run(["pgrep", "-cP", str(pid)], capture_output=True, text=True).stdout
    log = (folder / "log").read_text(errors="replace")
    return {
        "rss_kib": int(re.search(r"VmRSS:\s+(\d+)", status)[1]),
        "fds": len(os.listdir(f"/proc/{pid}/fd")),
        "guards": int(children or 0),
        "games": log.count(" result ranks="),
        "faults": log.count(" is out ") + log.count(" why="),
        "groups": len(glob.glob(f"/sys/fs/cgroup/**/referee-{pid}-*", recursive=True)),
        "scratch": len(os.listdir(folder / "tmp")),
    }


def left_over():
    """Processes that the server has started, or was."""
    found = 0
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            found += f"BAD_MARK={mark}".encode() in pathlib.Path(path).read_bytes()
        except OSError:
            pass
    return found


def is_flat(looks, key, slack):
    """The second half needs no more than the first, once all has been seen."""
    looks = looks[len(looks) // 5:]
    half = len(looks) // 2
    first, second = max(x[key] for x in looks[:half]), max(x[key] for x in looks[half:])
    return first, second, second <= first + slack(first)


def run():
    (folder / "tmp").mkdir(parents=True)
    os.chmod(folder, 0o755)
    os.chmod(folder / "tmp", 0o777)
    configure(make_bots())
    peers, looks, pages, told = Peers(), [], 0, 0
    server = start_server()
    peers.port = int(logged(r"listening: local on .* port (\d+)")[1])
    http = int(logged(r"http on 127.0.0.1 port (\d+)")[1])
    logged(" ready\n")
    print(logged(r"walls: .*")[0])
    begin = time.monotonic()
    print("minute   games   memory KiB   descriptors   guards   control groups   scratch folders")
    try:
        while time.monotonic() < begin + 60 * MINUTES and server.poll() is None:
            peers.look()
            pages += read_pages(http)
            if random.random() < 0.03:
                server.send_signal(signal.SIGHUP)
            try:
                looks.append(figures(server.pid))
            except (OSError, TypeError):
                break
            now = (time.monotonic() - begin) / 60
            if now >= told:
                told += 1 if MINUTES > 3 else 0.25
                x = looks[-1]
                print(f"{now:6.1f} {x['games']:7} {x['rss_kib']:12} {x['fds']:13} {x['guards']:8} "
                      f"{x['groups']:16} {x['scratch']:17}", flush=True)
            time.sleep(PAUSE)
    finally:
        peers.end()
        if server.poll() is None:
            server.send_signal(signal.SIGTERM)
    code = server.wait(180)
    return server.pid, code, looks, pages


def records():
    return "".join(p.read_text(errors="replace") for p in (folder / "data/records").rglob("*.rec"))


def count(pattern, text):
    """How often each thing was said; of "1:exit,2:time" each part."""
    said = collections.Counter()
    for found in re.findall(pattern, text):
        said.update(re.findall(r"\d:(\w+)", found) or [found])
    return dict(said.most_common())


def judge(pid, code, looks, pages):
    verdicts = [("the server ended as asked", code == 0, f"exit code {code}"),
                ("pages", pages == 0, f"{pages} failed")]
    # A guard may wait for its next bot, so it takes a while until there are as many as ever.
    for key, slack in [("rss_kib", lambda x: 2048 + x // 10), ("fds", lambda x: 32 + x // 4),
                       ("guards", lambda x: 16 + x // 4)]:
        first, second, flat = is_flat(looks, key, slack)
        if MINUTES < LONG:
            print(f"not judged in so short a time: {key}: at most {first}, then {second}")
        else:
            verdicts.append((f"{key} is flat", flat, f"at most {first}, then {second}"))
    replay = subprocess.run([referee, "replay", "--quiet", folder / "data/records"], capture_output=True, text=True)
    verdicts.append(("records", replay.returncode == 0, (replay.stdout + replay.stderr).strip()[-200:]))
    games = looks[-1]["games"]
    verdicts.append(("games", games > 0, f"{games} in {MINUTES:g} minutes"))
    for _ in range(100):
        if not left_over():
            break
        time.sleep(0.1)
    groups = glob.glob(f"/sys/fs/cgroup/**/referee-{pid}-*", recursive=True)
    verdicts.append(("processes that are left", left_over() == 0, str(left_over())))
    verdicts.append(("control groups that are left", not groups, str(len(groups))))
    scratch = os.listdir(folder / "tmp")
    verdicts.append(("scratch folders that are left", not scratch, str(len(scratch))))
    log = (folder / "log").read_text(errors="replace")
    void = log.count(" void ")
    print(json.dumps({"minutes": MINUTES, "games": games, "void": void, "looks": len(looks),
                      "left": count(r"left=(\S+)", log), "stopped": count(r"(?m)^@- stopped \d (.*)", records())}, indent=1))
    for what, good, found in verdicts:
        print(f"{'ok  ' if good else 'FAIL'}  {what}: {found}")
    return all(good for _, good, _ in verdicts)


good = judge(*run())
if good and not os.environ.get("FOLDER"):
    shutil.rmtree(folder)
else:
    print("see", folder)
sys.exit(not good)
