"""One call of the referee fails, the n-th of its kind: in a short ladder, and in
a short match. Whatever n is, nothing hangs, nothing is left over, no game that
was announced is lost, and none is there twice or wrong.

    failing.py [KIND...]

Without EVERY=yes in the environment only some n of each kind are tried: the
first, the last, and one between. With it, n goes from 1 until a run sees no
failure. BUSY (default: the number of processors) is how many runs go on side by side.
tests/shim/world.c makes the calls fail.
"""
import collections
import concurrent.futures
import errno
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

build = pathlib.Path(os.environ.get("builddir") or ".").resolve()
referee = build / "referee/referee"
bad = build / "tests/bots/bad"
world = str(build / "tests/shim/world.so")
# A sanitizer wants to be the first library.
if b"__asan_init" in referee.read_bytes():
    libasan = subprocess.run([*os.environ.get("CC", "gcc").split(), "-print-file-name=libasan.so"],
                             capture_output=True, text=True, check=True).stdout.strip()
    world = f"{libasan} {world}"
LIMIT = float(os.environ.get("FAILING_LIMIT") or 60)  # seconds; then it hangs
whole = os.environ.get("EVERY") == "yes"
mark = f"failing-{os.getpid()}"

HONEST = "move:30s"  # nobody needs so long
Kind = collections.namedtuple("Kind", "call env sparse time")


def kind(call, error=errno.EIO, sparse=False, time=HONEST, **env):
    return Kind(call, {"SHIM_ERRNO": str(error), **{f"SHIM_{k}": str(v) for k, v in env.items()}}, sparse, time)


# Those that are asked thousands of times go up by a factor.
KINDS = {
    "write": kind("write"),
    "send": kind("send", errno.ENOMEM),
    "pwrite": kind("pwrite"),
    "fsync": kind("fsync"),
    "rename": kind("rename"),
    "open": kind("open"),
    "unlink": kind("unlink"),
    "mkdir": kind("mkdir"),
    "truncate": kind("truncate"),
    "fork": kind("fork", errno.EAGAIN),
    "thread": kind("thread", errno.EAGAIN),
    "pipe": kind("pipe", errno.EMFILE),
    "socketpair": kind("socketpair", errno.EMFILE),
    "accept": kind("accept", errno.EMFILE),
    "epoll_ctl": kind("epoll_ctl", errno.ENOMEM),
    "fcntl": kind("fcntl", errno.EINVAL),
    "mmap": kind("mmap", errno.ENOMEM),
    "full-disk": kind("disk", errno.ENOSPC, FOR=8),
    "eintr-write": kind("write", errno.EINTR),
    "eintr-send": kind("send", errno.EINTR),
    "eintr-read": kind("read", errno.EINTR, sparse=True),
    "eintr-open": kind("open", errno.EINTR),
    "eintr-fsync": kind("fsync", errno.EINTR),
    "eintr-accept": kind("accept", errno.EINTR),
    "eintr-wait": kind("epoll_wait", errno.EINTR, sparse=True),
    # A bot that no longer reads loses on time.
    "sigpipe": kind("send", errno.EPIPE, sparse=True, time="move:1s", SIGNAL=int(signal.SIGPIPE)),
    "clock-back": kind("clock", sparse=True, FOR=1000000000, JUMP_S=-100000),
    "clock-ahead": kind("clock", sparse=True, FOR=1000000000, JUMP_S=100000),
}
QUICK = "write send fsync rename open fork pipe accept epoll_ctl fcntl mmap full-disk sigpipe clock-back".split()

CONFIG = """
[server]
control = control
rate-every = 0
stop-limit = 1s
[listen local]
kind = unix
path = door
[bot a]
command = {bad} none 1
[bot b]
command = {bad} none 2
[ladder main]
game = second-chance
seats = 2
join = none
bots = a, b
time = {time}
games = 2
copies = 2
"""


class Wrong(Exception):
    pass


def run(folder, words, env, log):
    """Until it ends by itself; the exit code."""
    with open(folder / log, "w") as err, open(folder / "out", "w") as out:
        process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   env={**os.environ, "BAD_MARK": mark, **env})
        try:
            return process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Wrong("it hangs") from None


def shim(folder, which, n):
    return {"LD_PRELOAD": world, "SHIM_CALL": which.call, "SHIM_NTH": str(n), "SHIM_HIT": str(folder / "hit"),
            "SHIM_COUNT": str(folder / "count"), **which.env}


def knock(folder, stop):
    """Strangers at the doors, for accept."""
    while not stop.wait(0.02):
        for door in "control", "door":
            with socket.socket(socket.AF_UNIX) as s:
                s.settimeout(0.1)
                try:
                    here = os.open(folder, os.O_PATH)  # paths of sockets are short
                    s.connect(f"/proc/self/fd/{here}/{door}")
                    s.sendall(b"status\n")
                    s.recv(1)
                except OSError:
                    pass
                finally:
                    os.close(here)


def serve(folder, env, log, knocks):
    stop = threading.Event()
    knocker = threading.Thread(target=knock, args=(folder, stop))
    if knocks:
        knocker.start()
    try:
        return run(folder, [referee, "serve", "ref.ini", "--games", "2"], env, log)
    finally:
        stop.set()
        if knocks:
            knocker.join()


def verify(path, folder):
    said = subprocess.run([referee, "replay", "--quiet", path], cwd=folder, capture_output=True, text=True)
    if said.returncode != 0:
        raise Wrong((said.stdout + said.stderr).strip().split("\n")[0])


def no_crash(code, log):
    """Without what it cannot do without (base/alloc.h), it says so and aborts."""
    if code < 0 and not (code == -signal.SIGABRT and re.search(r"^referee: out of .*\n\Z", log, re.M)):
        raise Wrong(f"killed by signal {-code}")


def no_forfeit(text):
    """These bots are honest: what fails here must not cost them a game."""
    late = re.search(r"^.*forfeit.*time.*$", text, re.M)
    if late:
        raise Wrong(late[0])


def ladder(folder, which, n):
    """Play on a ladder; then play what was not played. Was there a failure?"""
    (folder / "keys").touch(0o600)
    (folder / "ref.ini").write_text(CONFIG.format(bad=bad, time=which.time))
    code = serve(folder, shim(folder, which, n), "log", which.call == "accept")
    log = (folder / "log").read_text(errors="replace")
    no_crash(code, log)
    told = re.findall(r"info \[([^]]*)\] second-chance on main: names=\S* result", log)
    if (folder / "data").is_dir():
        code = serve(folder, {}, "log.2", False)
        if code != 0:
            raise Wrong(f"the next start: exit code {code}: {(folder / 'log.2').read_text()[-300:]}")
    records = [p.read_text() for p in folder.glob("data/records/main/*.rec")]
    kept = re.findall(r"^about id=(\S+) ", "".join(records), re.M)
    if len(set(kept)) != len(kept):
        raise Wrong("a game is there twice")
    if not set(told) <= set(kept):
        raise Wrong(f"a game is lost: {' '.join(set(told) - set(kept))}")
    if records:
        verify("data/records", folder)
    if which.time == HONEST:
        no_forfeit("".join(records))
    left = list(folder.glob("data/running/*"))
    if left:
        raise Wrong(f"{left[0].name} is left")
    return (folder / "hit").exists()


def match(folder, which, n):
    words = [referee, "match", "--game", "second-chance", "--games", "3", "--records", "match",
             "--time", which.time, f"{bad} none 1", f"{bad} none 2"]
    code = run(folder, words, shim(folder, which, n), "log")
    no_crash(code, (folder / "log").read_text(errors="replace"))
    if code == 0:
        verify("match", folder)
    if which.time == HONEST:
        no_forfeit("".join(p.read_text() for p in folder.glob("match/*.rec")))
    return (folder / "hit").exists()


def one(what, name, n, top):
    folder = top / f"{what.__name__}-{name}-{n}"
    folder.mkdir()
    try:
        return what(folder, KINDS[name], n), None
    except Wrong as wrong:
        tail = (folder / "log").read_text(errors="replace").strip().split("\n")[-6:]
        return True, f"{what.__name__}, {name} number {n}: {wrong}\n    " + "\n    ".join(tail)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def count(what, name, top):
    """How many there are if none fails."""
    folder = top / f"{what.__name__}-{name}-0"
    folder.mkdir()
    if what(folder, KINDS[name], 0) or not (folder / "count").exists():
        raise SystemExit(f"{what.__name__}, {name}: {(folder / 'log').read_text()}")
    number = int((folder / "count").read_text())
    shutil.rmtree(folder)
    return number


def steps(number, sparse):
    """1, 2, 3, ..., or 1, 2, 3, 5, 7, ..."""
    n = 1
    while n <= number:
        yield n
        n += max(1, n // 4) if sparse else 1


class Tally:
    failed, wrong, out = 0, 0, []


def note(result):
    hit, wrong = result
    Tally.failed += hit
    if wrong:
        Tally.wrong += 1
        print(wrong, flush=True)
    return hit


def try_some(pool, what, name, top):
    number = count(what, name, top)
    for result in pool.map(lambda n: one(what, name, n, top), sorted({1, (number + 1) // 2, number} - {0})):
        note(result)
    return number


def try_all(pool, what, name, top):
    """From 1 on, until a whole handful of runs sees no failure: how many calls
    there are depends on what comes at the same time."""
    number = count(what, name, top)
    for result in pool.map(lambda n: one(what, name, n, top), steps(number, KINDS[name].sparse)):
        note(result)
    n = number + 1
    while note(one(what, name, n, top)):
        n += 1
    return n - 1


def left_over():
    def is_ours(folder):
        try:
            return f"BAD_MARK={mark}".encode() in (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            return False
    for _ in range(50):
        left = [p.name for p in pathlib.Path("/proc").glob("[0-9]*") if is_ours(p)]
        if not left:
            return
        time.sleep(0.1)
    Tally.wrong += 1
    print(f"{len(left)} processes are left over")


def main():
    names = sys.argv[1:] or (list(KINDS) if whole else QUICK)
    unknown = [n for n in names if n not in KINDS]
    if unknown:
        raise SystemExit(f"there is no {unknown[0]}; there are {' '.join(KINDS)}")
    top = pathlib.Path(tempfile.mkdtemp(prefix="failing-"))
    busy = int(os.environ.get("BUSY") or len(os.sched_getaffinity(0)))
    try:
        with concurrent.futures.ThreadPoolExecutor(busy) as pool:
            for name in names:
                for what in ladder, match:
                    if what is match and KINDS[name].call == "accept":
                        continue  # a match has no doors
                    start = time.monotonic()
                    number = (try_all if whole else try_some)(pool, what, name, top)
                    print(f"{what.__name__:6} {name:12} {number:5} calls, "
                          f"{time.monotonic() - start:.0f} s", flush=True)
        left_over()
    finally:
        shutil.rmtree(top, ignore_errors=True)
    print(f"{Tally.failed} runs in which a call failed, {Tally.wrong} wrong")
    return Tally.wrong > 0


sys.exit(main())
