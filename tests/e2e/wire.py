"""wire.py REFEREE: hold everything that the daemon of referee.ini sends about its
running games against what their audiences may know. WIRE_GAMES is the number of
games of each kind."""

import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

from visitor import arrive, ask, check, leave, wait_for

referee = sys.argv[1]
GAMES = int(os.environ.get("WIRE_GAMES", 2))
KINDS = ["rondo", "axio-rota", "second-chance"]
sums = {"steps": 0, "latest": 0, "snapshots": 0, "pages": 0, "secrets": 0}


def get(path, headers=None):
    r, text = ask(path, headers=headers)
    return r.status, text


def events(path):
    for _ in range(100):
        c = http.client.HTTPConnection("127.0.0.1", door, timeout=120)
        c.request("GET", path)
        r = c.getresponse()
        if r.status != 503:
            break
        time.sleep(0.1)
    check(path, r.status == 200, r.status)
    event = {}
    while r.status == 200:
        line = r.readline().decode().rstrip("\n")
        if line.startswith(":"):
            continue
        if line:
            key, value = line.split(": ", 1)
            event[key] = value
        elif event:
            yield event["event"], json.loads(event["data"])
            event = {}


class Game:
    def __init__(self, number, kind):
        self.id, self.kind = number, kind
        self.steps, self.latest, self.snapshots, self.records, self.pages = [], [], [], [], []
        self.over = False


def follow(game):
    for name, data in events(f"/api/games/{game.id}/stream"):
        if name == "step":
            game.steps.append(data)
        if name == "end":
            check(game.kind + ": an end tells no seed", "seed" not in data and "hash" not in data, data)
            game.over = True
            return


def look(game):
    """All else that anybody can ask for while the game runs."""
    while not game.over:
        status, text = get(f"/api/games/{game.id}/steps")
        if status == 200:
            game.snapshots.append(json.loads(text))
        status, text = get(f"/api/games/{game.id}/record")
        if status == 200:
            game.records.append(text)
        for page in [f"/game/{game.id}", "/", "/live", "/bot/one", "/bot/two", f"/ladder/{game.kind}",
                     f"/api/games/{game.id}", "/api/games", "/api/bots/one"]:
            game.pages.append(get(page)[1])
        for seat in ["1", "2", "all"]:
            status, text = get(f"/api/games/{game.id}/steps?seat={seat}")
            if not game.over and status == 200:  # it may have ended meanwhile
                time.sleep(3)
                check(game.kind + ": only for watchers", game.over, seat)
        for bot in ["one", "two"]:
            for token in ["one", "two"]:
                status, text = get(f"/api/owner/{bot}/{game.id}/steps", {"Referee-Token": tokens[token]})
                if bot != token:
                    check("an owner of another bot", status == 403, text)
                game.pages.append(text if bot != token else "")
        time.sleep(0.3)


def watch_all(games):
    """The small boards of all running games."""
    for name, data in events("/api/live"):
        if all(game.over for game in games.values()):
            return
        if name == "latest" and data["id"] in games:
            games[data["id"]].latest.append(data["step"])


def running():
    found = json.loads(get("/api/games")[1])["games"]
    return {game["ladder"]: game["id"] for game in found if game["moves"] < 4}


def secrets(document):
    """Words of views that a watcher has not been told: hands, stacks, cards."""
    shown, hidden = set(), set()
    for step in document["steps"]:
        shown |= set(step["view"].values()) | {e["text"] for e in step["events"] if "to" not in e}
        for viewer in step.get("seen", {}).values():
            hidden |= {text for text in viewer.values() if text and len(text) > 7}
    told = "\n".join(shown)
    return [text for text in hidden if text not in told]


def whole(game):
    status, text = get(f"/api/games/{game.id}/record")
    return "\nhash " in text and text


def judge(game):
    record = wait_for(lambda: whole(game))
    pathlib.Path("game.rec").write_text(record)
    public = json.loads(subprocess.run([referee, "replay", "--steps", "--seat", "public", "game.rec"],
                                       capture_output=True, text=True, check=True).stdout)
    open_steps = json.loads(subprocess.run([referee, "replay", "--steps", "game.rec"],
                                           capture_output=True, text=True, check=True).stdout)
    right = public["steps"]
    check(game.kind + ": the stream", game.steps == right[:len(game.steps)] and len(game.steps) == len(right),
          (len(game.steps), len(right)))
    for step in game.latest:
        check(game.kind + ": a small board", step == right[step["n"]], step)
    for document in game.snapshots:
        known = document["steps"]
        check(game.kind + ": steps", known == right[:len(known)], len(known))
        check(game.kind + ": their head", document["head"]["audience"] == "public", document["head"])
    told = [re.sub(r"^@\S+ ", "", line) for line in record.split("\n")
            if not line.startswith("@") or "w" in line.split(" ")[0]]
    for text in game.records:
        if "\nhash " not in text:
            lines = [re.sub(r"^@\S+ ", "", line) for line in text.split("\n") if line]
            check(game.kind + ": no deal in a record", not any(line.startswith("deal ") and line != "deal ??"
                                                               for line in lines), text[:300])
            check(game.kind + ": a record for watchers", all(line in told or line.startswith(("#", "deal"))
                  for line in lines), [line for line in lines if line not in told][:3])
    words = secrets(open_steps)
    for text in game.pages:
        for word in words:
            if word in text:
                check(game.kind + ": a page", False, (word, text[:200]))
                break
    sums["steps"] += len(game.steps)
    sums["latest"] += len(game.latest)
    sums["snapshots"] += len(game.snapshots) + len(game.records)
    sums["pages"] += len(game.pages)
    sums["secrets"] += len(words)
    check(game.kind + ": there were secrets", game.kind == "axio-rota" or len(words) > 0, words[:3])


door = arrive()
tokens = {name: pathlib.Path(name + ".token").read_text().strip() for name in ["one", "two"]}
for _ in range(GAMES):
    games = {}
    for kind in KINDS:
        number = wait_for(lambda: running().get(kind))
        games[number] = Game(number, kind)
        for act in (follow, look):
            threading.Thread(target=act, args=(games[number],), daemon=True).start()
    threading.Thread(target=watch_all, args=(games,), daemon=True).start()
    wait_for(lambda: all(game.over for game in games.values()))
    for game in games.values():
        judge(game)
for what, number in sums.items():
    check(what + " were compared", number > 0, number)
leave("; " + ", ".join(f"{number} {what}" for what, number in sums.items()))
