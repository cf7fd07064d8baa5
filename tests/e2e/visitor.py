"""visitor.py - what scripts share that visit the daemon of referee.ini, whose log
is `log`."""

import http.client
import pathlib
import re
import sys
import time

count = failed = 0
door = None  # the port of its pages


def check(what, ok, seen=""):
    global failed, count
    count += 1
    if not ok:
        failed += 1
        print(what, "is wrong:", str(seen)[:400])


def wait_for(what, seconds=300):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    sys.exit(f"{what.__name__} never happened")


def port():
    log = pathlib.Path("log").read_text()
    found = re.search(r"http on 127.0.0.1 port (\d+)", log)
    return " ready" in log and found and int(found[1])


def arrive():
    """Wait for the daemon; returns its port."""
    global door
    door = wait_for(port)
    return door


def ask(path, headers=None, method="GET"):
    """A response and its text. Who asks for too much is told to come again."""
    for _ in range(100):
        c = http.client.HTTPConnection("127.0.0.1", door, timeout=60)
        c.request(method, path, headers=headers or {})
        r = c.getresponse()
        text = r.read().decode()
        c.close()
        if r.status != 503:
            break
        time.sleep(0.2)
    return r, text


def leave(more=""):
    print(f"{count} checks, {failed} failed{more}")
    sys.exit(failed > 0)
