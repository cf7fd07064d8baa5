"""The steps of every record are what "replay --seat" says, for every audience.

All events of the steps together are what replay --seat prints, and the view of
a step is what replay --final prints of a record that is cut off there. The
document for all holds the same views and events as the document for each one.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

REFEREE = os.path.join(os.environ["builddir"], "referee", "referee")
RECORDS = os.path.join(os.environ["srcdir"], "tests", "records", "*.rec")
failed = checked = 0


def check(what, found, expected):
    global failed, checked
    checked += 1
    if found != expected:
        failed += 1
        print(f"{what}: found\n  {found}\nexpected\n  {expected}")


def referee(*words):
    run = subprocess.run([REFEREE, *words], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(words)}: {run.stderr}")
    return run.stdout


def steps(path, seat):
    return json.loads(referee("replay", "--steps", "--seat", seat, path))


def pairs(line):
    return dict(pair.split("=", 1) for pair in line.split(" "))


def seen_by(step, who):
    view = dict(step["view"])
    for key, value in step["seen"].get(who, {}).items():
        if value is None:
            view.pop(key)
        else:
            view[key] = value
    return view


def readers(event, seats):
    everyone = [str(k + 1) for k in range(seats)] + ["w"]
    return event["to"].split(",") if "to" in event else everyone


def final_view(path, seat):
    return pairs(referee("replay", "--final", "--seat", seat, path)
                 .splitlines()[0])


# The first `moves` moves of a record, without its events.
def cut(path, moves, folder):
    short = os.path.join(folder, "short.rec")
    count = 0
    with open(path) as record, open(short, "w") as out:
        for line in record:
            words = re.sub("^@[0-9]+ play", "play", line).split()
            if not words or words[0] not in (
                    "record", "game", "set", "seats", "deal", "play"):
                continue
            if words[0] == "play":
                count += 1
                if count > moves:
                    break
            out.write(" ".join(words) + "\n")
    return short


def one_audience(path, everything, seat, folder):
    name = f"{os.path.basename(path)}, {seat}"
    document = steps(path, seat)
    reader = "w" if seat == "public" else seat
    told = [event["text"] for step in document["steps"]
            for event in step["events"]]
    check(f"{name}: the events", told,
          referee("replay", "--seat", seat, path).splitlines()[:-1])
    check(f"{name}: the number of steps", len(document["steps"]),
          len(everything["steps"]))
    for one, whole in zip(document["steps"], everything["steps"]):
        check(f"{name}, step {one['n']}: the view", one["view"],
              seen_by(whole, seat))
        check(f"{name}, step {one['n']}: the events",
              [event["text"] for event in one["events"]],
              [event["text"] for event in whole["events"]
               if reader in readers(event, whole_seats(everything))])
    last = len(document["steps"]) - 1
    check(f"{name}: the last view", document["steps"][last]["view"],
          final_view(path, seat))
    for n in sorted({0, 1, last // 2, last - 1}):
        step = document["steps"][n]
        check(f"{name}, step {n}: against a record that ends there",
              step["view"],
              final_view(cut(path, step["moves"], folder), seat))
    for secret in "seed", "hash":
        check(f"{name}: {secret}", secret in document["end"], False)


def whole_seats(everything):
    return everything["head"]["seats"]


def markers(step, seat):
    return [int(mark) for mark in
            step["view"]["mark"].split(",")[seat - 1].split("/")]


# What a drawing of AXIO rota marks are the points that were scored: the page
# knows no rules.
def the_circles_are_the_points(path, document):
    for before, step in zip(document["steps"], document["steps"][1:]):
        for event in step["events"]:
            words = event["text"].split()
            if words[0] != "play":
                continue
            marks = markers(before, int(words[1]))
            for circle in event["facts"]["circles"].split(";"):
                if circle != "-":
                    _, colour, points = circle.split(":")
                    at = "RGBOP".index(colour)
                    marks[at] = min(12, marks[at] + int(points))
            check(f"{path}, step {step['n']}: the circles",
                  marks, markers(step, int(words[1])))


# A departure is no move, so a record with one cannot be cut by counting them.
def has_departures(everything):
    return any(event["text"].startswith("leave ") for step in everything["steps"]
               for event in step["events"])


paths = sorted(glob.glob(RECORDS))
games = set()
with tempfile.TemporaryDirectory() as folder:
    for path in paths:
        everything = steps(path, "all")
        games.add(everything["head"]["game"])
        if everything["head"]["game"] == "axio-rota":
            the_circles_are_the_points(path, everything)
        if has_departures(everything):
            continue
        seats = whole_seats(everything)
        for seat in ["public"] + [str(k + 1) for k in range(seats)]:
            one_audience(path, everything, seat, folder)
    # "7" is the seventh game of a file, by its name or by its place.
    played = os.path.join(folder, "played")
    referee("match", "--game", "rondo", "--games", "3", "--quiet", "--seed",
            "00" * 32, "--records", played,
            *2 * [os.path.join(os.environ["builddir"],
                               "sample-bots", "c", "random")])
    path = os.path.join(played, "games-001.rec")
    found = json.loads(referee("replay", "--json", "--id", "2", path))
    check("--id 2", found["id"], "game-000002")
    check("--json: names", [player["name"] for player in found["players"]],
          ["random-2", "random"])
    check("--json: clocks", {clock["seat"] for clock in found["clocks"]},
          {1, 2})
    # The walls are for everybody; what they stopped, for its owner.
    walled = os.path.join(folder, "walled")
    referee("match", "--game", "rondo", "--games", "1", "--quiet", "--records", walled, "--walls", "limits",
            *2 * [os.path.join(os.environ["builddir"], "sample-bots", "c", "random")])
    path = os.path.join(walled, "games-001.rec")
    check("walls", steps(path, "public")["steps"][0]["walls"],
          [{"wall": "limits", "seat": 1}, {"wall": "limits", "seat": 2}])
    with open(path) as record:
        text = record.read().split("@- walls 2 limits\n")
    stopped = os.path.join(folder, "stopped.rec")
    with open(stopped, "w") as record:
        record.write("@- walls 2 limits\n@- stopped 2 tried to open a socket\n".join(text).split("hash ")[0])
    told = [steps(stopped, who)["steps"][0].get("stopped") for who in ("1", "2", "public")]
    check("what the walls stopped", told, [None, [{"text": "tried to open a socket", "seat": 2}], None])
check("every game has a record", games,
      {game["name"] for game in json.loads(referee("games", "--json"))})
print(f"{len(paths)} records, {checked} checks, {failed} faults")
sys.exit(failed > 0)
