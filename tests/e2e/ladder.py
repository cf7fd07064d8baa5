"""Parts of ladder.sh: PART ARGUMENT...; ends with 1 and a reason if it fails."""

import csv
import fcntl
import hashlib
import html.parser
import json
import os
import pathlib
import pty
import re
import sqlite3
import struct
import sys
import termios
import time

HOSTILE = ["=1+1", "<script>alert('x')</script>", "a,b \"c\" & 'd'", "-2+3",
           "'; DROP TABLE games; --", "%s%n {{7*7}}"]


def close(lines):
    text = "".join(line + "\n" for line in lines)
    return text + "hash " + hashlib.sha256(text.encode()).hexdigest() + "\n"


def restate(line, version):
    """The seat line of a network bot: no digest, and whatever it says."""
    seat = re.match(r"seat \d+ name=\S+", line)
    return seat.group() + " version=" + version


def dress(plain, data):
    """Records of `referee match` become those of ladders: six games and a
    void one on main, some on cup, and two that stay as they were."""
    records = sorted(pathlib.Path(plain).glob("*.rec"))
    assert len(records) == 12, records
    data = pathlib.Path(data)
    for i, path in enumerate(records):
        lines = path.read_text().splitlines()[:-1]
        ladder = "main" if i < 7 else "cup"
        name = f"{ladder[0]}-{i:02}"
        if i >= 10:
            (data / "records/loose").mkdir(exist_ok=True)
            with open(data / "records/loose/games-001.rec", "a") as pack:
                pack.write(path.read_text())
            continue
        at = lines.index("seats 3") + 1
        lines[at] = (f"about id={name} event={ladder} unit=u{i} "
                     f"start=2026-11-16T10:{59 - i}:00Z")
        for j, line in enumerate(lines):
            if line.startswith("seat ") and "name=random" in line:
                lines[j] = restate(line, HOSTILE[i % len(HOSTILE)])
            elif line.startswith("seat ") and "name=other" in line:
                lines[j] = restate(line, "new" if i < 3 else "old-version")
        if i == 4:
            lines = [line for line in lines if not line.startswith("seed ")]
            lines[-1] = "result void reason=disk"
        folder = data / "records" / ladder / "20261116"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.rec").write_text(close(lines))
        if i == 6:
            half = "".join(line + "\n" for line in lines[:-3])
            half = half.replace("id=m-06", "id=m-99")
            (data / "running/m-99.rec").write_text(half)


def dump(path):
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    return list(base.iterdump())


def same(one, two):
    a, b = dump(one), dump(two)
    assert len(a) > 100, "the tables are empty"
    for x, y in zip(a, b):
        assert x == y, f"{x}\n{y}"
    assert len(a) == len(b)


def all_records(data):
    """One text each, though a file may hold many."""
    for path in sorted(pathlib.Path(data).rglob("*.rec")):
        yield from re.split(r"^(?=record 1$)", path.read_text(), flags=re.M)


def truth(data):
    """What the records say: a row per game and seat."""
    rows = []
    for text in all_records(data):
        result = re.search(r"^result (.*)$", text, re.M)
        if not result:
            continue
        about = dict(re.findall(r"(\w+)=(\S+)",
                                (re.search(r"^about (.*)$", text, re.M)
                                 or ["", ""])[1]))
        ranks = re.search(r"ranks=(\S+) scores=(\S+)", result[1])
        left = dict(re.findall(r"(\d):(\w+)", result[1].partition("left=")[2]))
        for seat, rest in re.findall(r"^seat (\d) name=(.*)$", text, re.M):
            name, _, rest = rest.partition(" ")
            digest = re.match(r"digest=(\S+)", rest)
            i = int(seat) - 1
            rows.append({
                "id": about.get("id", "loose-" + about.get("match", "")),
                "ladder": about.get("event", "loose"),
                "start": about.get("start", ""),
                "seat": seat,
                "bot": name,
                "version": digest[1] if digest
                else rest.partition("version=")[2],
                "rank": ranks[1].split(",")[i] if ranks else "",
                "score": ranks[2].split(",")[i] if ranks else "",
                "left": left.get(seat, ""),
                "moves": str(text.count("\n@- clock ")),
                "void": "0" if ranks else "1",
            })
    return rows


def safe(text):
    return "'" + text if text[:1] in "=+-@\t\r" and text else text


def games(out, data, ladder=None, bot=None):
    with open(out, newline="") as file:
        got = list(csv.DictReader(file))
    want = truth(data)
    if bot:
        mine = {row["id"] for row in want
                if row["ladder"] == ladder and row["bot"] == bot}
        want = [row for row in want if row["id"] in mine]
    want.sort(key=lambda r: (r["ladder"], r["start"], r["id"], r["seat"]))
    assert list(got[0]) == ("id start ladder game seat bot version rank score "
                            "left moves reason void").split(), list(got[0])
    assert len(got) == len(want) > 0, (len(got), len(want))
    for mine, yours in zip(got, want):
        for key in yours:
            assert mine[key] == safe(yours[key]), (key, mine, yours)
    assert bot or any(row["version"] == "'=1+1" for row in got)
    base = sqlite3.connect(f"file:{data}/index.db?mode=ro", uri=True)
    (seats,) = base.execute("SELECT count(*) FROM results").fetchone()
    assert seats == len(truth(data))


def standings(out, table, data):
    ladders = json.load(open(out))
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    assert [l["ladder"] for l in ladders] == ["cup", "loose", "main"]
    flat = [(l["ladder"], row) for l in ladders for row in l["standings"]]
    assert len(flat) == len(rows)
    for (ladder, row), line in zip(flat, rows):
        assert line["ladder"] == ladder
        assert line["bot"] == row["bot"]
        assert line["version"] == safe(row["version"])
        assert float(line["elo"]) == row["elo"]
        assert row["low"] < row["elo"] < row["high"]
        played = [g for g in truth(data)
                  if g["void"] == "0" and g["ladder"] == ladder
                  and g["bot"] == row["bot"]
                  and g["version"] == row["version"]]
        assert len(played) == row["games"] == int(line["games"]) > 0
        ranks = [int(g["rank"]) for g in played]
        assert abs(row["mean_rank"] - sum(ranks) / len(ranks)) < 1e-9
        assert row["win_share"] <= ranks.count(1) / len(ranks)
        assert row["last"] == max(g["start"] for g in played)
    main = ladders[2]
    assert main["games"] == 6 and main["void"] == 1
    assert main["rating"]["games"] == 6 and main["rating"]["groups"] == 1
    places = [row["place"] for row in main["standings"] if row["current"]]
    assert places == [1, 2, 3], places
    assert {row["version"] for row in main["standings"]} >= set(HOSTILE[:4])


class Checker(html.parser.HTMLParser):
    """Every tag is closed, and none is one that we never write."""
    known = {"html", "head", "title", "style", "body", "h1", "h2", "p",
             "table", "tr", "th", "td", "a"}

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        if tag == "meta":
            return
        assert tag in self.known, tag
        for name, value in attrs:
            assert name in ("lang", "class", "title") or (
                tag == "a" and value.startswith("games.html#game=")), name
            self.text += value + "\n"
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data


def page(out):
    text = open(out).read()
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert not checker.open, checker.open
    for version in HOSTILE[:4]:
        assert version in checker.text, version
    assert "<script" not in text and "http" not in text


def plain(out):
    text = open(out).read()
    assert re.fullmatch(r"[\n -~]*", text), "bytes that a terminal would obey"
    for line in text.splitlines():
        assert len(line) <= 80, line


def bot(out, name):
    (answer,) = json.load(open(out))
    assert answer["bot"] == name and answer["ladder"] == "main"
    assert all(row["bot"] == name for row in answer["standings"])
    assert {o["bot"] for o in answer["opponents"]} == {"greedy", "other"}
    for row in answer["opponents"]:
        assert row["games"] == row["wins"] + row["ties"] + row["losses"] == 6
    ids = [game["id"] for game in answer["played"]]
    assert ids == [f"m-{i:02}" for i in range(7)], ids
    assert [g["void"] for g in answer["played"]].index(True) == 4
    assert all(len(g["seats"]) == 3 for g in answer["played"])


def age(path):
    """As if there had been games since the ratings were computed."""
    base = sqlite3.connect(path)
    base.execute("UPDATE fits SET games = games - 1")
    base.execute("UPDATE ratings SET elo = elo + 1")
    base.commit()
    base.close()


def anchor(path, ladder, elo):
    """One version has the rating, in the middle of its interval."""
    base = sqlite3.connect(path)
    rows = base.execute("SELECT low, high FROM ratings WHERE ladder = ? AND "
                        "elo = ?", (ladder, float(elo))).fetchall()
    middles = [(low + high) / 2 for low, high in rows]
    assert any(abs(middle - float(elo)) < 1e-6 for middle in middles), rows


def lock(file):
    """Be a daemon."""
    fcntl.fcntl(file, 37,  # F_OFD_SETLK
                struct.pack("hhqqhxxxxxx", fcntl.F_WRLCK, 0, 0, 0, 0))


def hold(path, seconds):
    """Be one that runs a little longer."""
    with open(path, "a+") as file:
        lock(file)
        open("held", "w").close()
        for _ in range(400):
            if "main: " in pathlib.Path("out").read_text():
                break
            time.sleep(0.05)
        time.sleep(float(seconds))
        open("released", "w").close()


def read_until(terminal, word):
    """Reads on, to the end if there is no word; what a terminal showed."""
    text = b""
    while not word or word not in text:
        try:
            text += os.read(terminal, 4096)
        except OSError:
            break
    return text.decode()


def watch(referee, path, by_signal=None):
    """On a terminal: again and again, until the daemon or Ctrl-C ends it."""
    with open(path, "a+") as file:
        lock(file)
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(TERM="xterm", NO_COLOR="")
            os.execv(referee, [referee, "ladder", "data", "--watch"])
        first = read_until(terminal, b"random") + \
            read_until(terminal, b"\033[H\033[2J")
        if by_signal:
            os.write(terminal, b"\x03")
            last = read_until(terminal, None)
    if not by_signal:
        last = read_until(terminal, None)
    assert os.waitpid(child, 0)[1] == 0
    assert first.startswith("\033[H\033[2J") and "main" in first, first
    assert "\033[1m" in first, "no colours on a terminal"
    shown = last.rpartition("\033[H\033[2J")[2]
    assert "main" in shown and "cup" in shown, last


def watch_small(referee, path):
    """A terminal of six lines: five are drawn, and the rest is counted."""
    with open(path, "a+") as file:
        lock(file)
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(TERM="xterm", NO_COLOR="1")
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 6, 80, 0, 0))
            os.execv(referee, [referee, "ladder", "data", "--watch"])
        first = read_until(terminal, b" more\r\n")
    whole = read_until(terminal, None).rpartition("\033[H\033[2J")[2]
    assert os.waitpid(child, 0)[1] == 0
    drawn = first.rpartition("\033[H\033[2J")[2].splitlines()
    lines = whole.splitlines()
    assert len(drawn) == 5 and drawn[:4] == lines[:4], first
    assert drawn[4] == f"... and {len(lines) - 4} more", first


globals()[sys.argv[1]](*sys.argv[2:])
