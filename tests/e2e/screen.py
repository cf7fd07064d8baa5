"""screen.py REFEREE FOLDER: step through a record on a terminal of 80 x 24.

Every page must fit: no row wider, none scrolled away, the title on top, the keys at
the bottom; and all of the drawing can be reached.
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios

ROWS, COLUMNS = 24, 80
CLEAR = "\x1b[H\x1b[2J"
HELP = re.compile(r"^(\d+) of (\d+): space next, b back")


def wrong(what, page):
    print(f"{sys.argv[2]}: {what}:", *page, sep="\n    ")
    sys.exit(1)


def read_page(fd):
    """What is on the screen when the keys are there."""
    text = ""
    while True:
        if not select.select([fd], [], [], 60)[0]:
            wrong("nothing comes", text.splitlines())
        text += os.read(fd, 65536).decode()
        page = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text.rsplit(CLEAR, 1)[-1]).split("\n")
        page = [row.rstrip("\r") for row in page]
        if CLEAR in text and HELP.match(page[-1]) and re.search(r"(q quit|rows \d+-\d+ of \d+)$", page[-1]):
            return page


def check_page(page):
    if len(page) > ROWS:
        wrong(f"{len(page)} rows", page)
    for row in page:
        if len(row) > COLUMNS:
            wrong(f"a row of {len(row)} columns", page)
    if not page[0].startswith(sys.argv[2]) or " step " not in page[0]:
        wrong("no title", page)
    if "1 a-very-long-name-of-a-bot-012345" not in "".join(page[1:3]):
        wrong("no name", page)


def main():
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(sys.argv[1], ["referee", "replay", "--step", sys.argv[2]])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    page = read_page(fd)
    steps = int(HELP.match(page[-1])[2])
    os.write(fd, b" ")  # the size is known for sure from here on
    clocks = notes = 0
    for step in range(1, steps + 1):
        page = read_page(fd)
        check_page(page)
        clocks += any(" s left, used " in row for row in page)
        notes += any(row.startswith("  note ") for row in page)
        if step < steps:
            os.write(fd, b"n")
    if clocks < steps or notes == 0:
        wrong("no clocks, or no notes", page)
    shown = re.search(r"rows \d+-(\d+) of (\d+)$", page[-1])
    while shown and shown[1] != shown[2]:
        os.write(fd, b"\x1b[B")
        page = read_page(fd)
        check_page(page)
        shown = re.search(r"rows \d+-(\d+) of (\d+)$", page[-1])
    if "ranks=" not in "".join(page):
        wrong("no result at the end", page)
    os.write(fd, b"q")
    while True:
        try:
            if not os.read(fd, 65536):
                break
        except OSError:
            break
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


main()
