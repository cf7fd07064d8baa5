"""play.py: sit down at each game on a pseudo-terminal, and play it to its end."""

import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

referee = str(pathlib.Path(os.environ.get("builddir", "."), "referee/referee").resolve())
makefile = pathlib.Path(os.environ.get("builddir", "."), "Makefile").read_text()
has_libedit = "\nEDIT_LIBS = -ledit" in makefile
failed = 0


def check(what, ok, seen=""):
    global failed
    if not ok:
        failed += 1
        print(what, "is wrong:", str(seen)[-600:])


def play(game, answers, *more):
    """Type these answers, then the first move always; what was on the screen."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(referee, ["referee", "play", "--game", game, *more])
    screen, seen, end = b"", 0, time.monotonic() + 300
    while time.monotonic() < end:
        if select.select([fd], [], [], 1)[0]:
            try:
                screen += os.read(fd, 65536)
            except OSError:
                break
        if screen.endswith(b"resign): ") and len(screen) > seen:
            seen = len(screen)
            os.write(fd, (answers.pop(0) if answers else "1").encode() + b"\n")
    os.close(fd)
    return screen.decode(errors="replace"), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for game, seat in [("rondo", "2"), ("second-chance", "1"), ("axio-rota", "2"), ("go", "1")]:
        screen, code = play(game, ["help", "hint", "no such move"], "--seat", seat, f"{referee} bot")
        check(game + ", its code", code == 0, (code, screen))
        check(game + ", its end", "The game is over: ranks=" in screen, screen)
        check(game + ", a hint", "Perhaps " in screen, screen)
        check(game + ", help", "give up" in screen, screen)
        check(game + ", a wrong move", 'No legal move begins with "no such move"' in screen, screen)
    screen, code = play("rondo", ["pa\t", "resi\t"], f"{referee} bot")
    check("Tab completes", not has_libedit or "play 1 pass" in screen and "left=1:resign" in screen, screen)
    screen, code = play("axiom", ["resign"], f"{referee} bot")
    check("resigning", "left=1:resign" in screen, screen)
    # Walls stand around the bots; the person keeps the terminal.
    screen, code = play("rondo", ["resign"], "--walls", "limits", "--records", "walled", f"{referee} bot")
    record = "".join(p.read_text() for p in pathlib.Path("walled").rglob("*.rec"))
    check("play --walls", code == 0 and "left=1:resign" in screen, (code, screen))
    check("the record of play --walls", "@- walls 2 limits" in record and "@- walls 1" not in record, record)
    replay = subprocess.run([referee, "replay", "--quiet", "referee-games"], capture_output=True, text=True)
    check("the records", replay.returncode == 0, replay)
    for words, said in [(["play"], "which game"), (["play", "--game", "rondo"], "needs a terminal"),
                        (["play", "--game", "rondo", "--seat", "5"], "must be 1 to 2")]:
        wrong = subprocess.run([referee, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        check(" ".join(words), wrong.returncode == 2 and said in wrong.stderr, wrong)
    # The page of one person: its address is printed, and it ends with the daemon.
    web = subprocess.Popen([referee, "play", "--web", "--game", "rondo", "--records", "web", "--walls", "limits",
                            f"{referee} bot"],
                           stdout=subprocess.PIPE, text=True, start_new_session=True)
    said = web.stdout.readline() + web.stdout.readline()
    found = re.search(r"http://127.0.0.1:\d+/play", said)
    page = urllib.request.urlopen(found[0]).read().decode() if found else ""
    check("play --web", "Rondo" in page and "Axiom" not in page and "bot-1" in page, (said, page))
    os.killpg(web.pid, signal.SIGINT)
    said = pathlib.Path("web").rglob("*.ini")
    check("the walls of its bots", any("walls = limits" in p.read_text() for p in said))
    check("its end", web.wait(60) == 0, web.returncode)
    os.chdir("/")
sys.exit(failed > 0)
