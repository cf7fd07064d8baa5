"""people.py REFEREE: start the daemon of referee.ini, and sit down at its
tables as the pages of visitors do."""

import http.client
import json
import pathlib
import random
import re
import subprocess
import sys
import time

referee = sys.argv[1]
failed = 0
count = 0
daemon = None
door = None
busy = []  # answers that were asked for again


def check(what, ok, seen=""):
    global failed, count
    count += 1
    if not ok:
        failed += 1
        print(what, "is wrong:", str(seen)[:400])


def start():
    global daemon, door
    with open("log", "w") as log:
        daemon = subprocess.Popen([referee, "serve", "referee.ini"], stderr=log)
    end = time.monotonic() + 60
    while " ready" not in pathlib.Path("log").read_text():
        if time.monotonic() > end or daemon.poll() is not None:
            sys.exit("the daemon does not start: " + pathlib.Path("log").read_text())
        time.sleep(0.05)
    door = int(re.search(r"http on .* port (\d+)", pathlib.Path("log").read_text())[1])


def stop():
    daemon.terminate()
    daemon.wait()


def ask(method, path, body=None, **headers):
    """The status, and the answer as JSON or text; busy is asked again."""
    text = None if body is None else json.dumps(body)
    for _ in range(100):
        c = http.client.HTTPConnection("127.0.0.1", door, timeout=60)
        c.request(method, path, text, {k.replace("_", "-"): v for k, v in headers.items()})
        r = c.getresponse()
        answer = r.read().decode()
        c.close()
        if r.status != 503 or "busy" not in answer:
            break
        busy.append(answer)
        time.sleep(0.2)
    try:
        return r.status, json.loads(answer)
    except ValueError:
        return r.status, answer


class Seat:
    """A table, and the stream of its seat as one text."""

    def __init__(self, game, seat=0):
        self.status, answer = ask("POST", "/api/play", {"game": game, "bot": "random", "seat": seat})
        self.error = answer.get("error")
        if self.status == 200:
            self.id, self.seat, self.key = answer["id"], answer["seat"], answer["key"]
            self.bytes, self.steps, self.head, self.end, self.now, self.moved = "", [], None, None, None, -1
            self.open()

    def open(self):
        self.link = http.client.HTTPConnection("127.0.0.1", door, timeout=120)
        after = f"?after={len(self.steps) - 1}" if self.steps else ""
        self.link.request("GET", f"/api/play/{self.id}/stream{after}", headers={"Referee-Key": self.key})
        self.stream = self.link.getresponse()
        check("the stream", self.stream.status == 200, self.stream.status)

    def next(self):
        event = {}
        while True:
            line = self.stream.readline().decode()
            self.bytes += line
            if line.startswith("event: "):
                event["name"] = line[7:-1]
            elif line.startswith("data: "):
                event["data"] = json.loads(line[6:])
            elif line == "\n" and event:
                if event["name"] == "head":
                    self.head = event["data"]
                elif event["name"] == "step":
                    self.steps.append(event["data"])
                elif event["name"] == "now":
                    self.now = event["data"]
                elif event["name"] == "end":
                    self.end = event["data"]
                return event["name"]
            elif line == "":
                return None

    def do(self, what, body=None, **headers):
        return ask("GET" if body is None else "POST", f"/api/play/{self.id}/{what}", body,
                   **{"Referee_Key": self.key, **headers})

    def wait_for_turn(self):
        """False when the game is over."""
        while self.next() and not self.end:
            if self.now and self.moved < self.now["moves"] == self.steps[-1]["moves"] and \
                    self.now["seats"][self.seat - 1]["asked"]:
                return True
        return False


start()

# What is offered.
status, offer = ask("GET", "/api/play")
check("all games", len(offer["games"]) >= 4 and offer["bots"] == ["random"], offer)

# A whole game of each, by moves that were offered.
for one in offer["games"]:
    game, moves, rest = one["game"], 0, 12 if one["game"] == "go" else 1000
    seat = Seat(game)
    check(f"{game}: a seat", seat.status == 200, seat.error)
    while seat.wait_for_turn():
        status, legal = seat.do("moves")
        check(f"{game}: asked", status == 200 and legal["asked"] and legal["moves"], legal)
        move = random.choice(legal["moves"])
        if moves == 1:
            status, hint = seat.do("hint", {})
            while status == 200 and hint["move"] is None or status == 503 and "busy" in str(hint):
                time.sleep(0.05)
                status, hint = seat.do("hint", {})
            check(f"{game}: a hint is a legal move", status == 200 and hint["at"] == legal["at"]
                  and hint["move"] in legal["moves"], hint)
            check(f"{game}: a hint needs the key", seat.do("hint", {}, Referee_Key="1-00")[0] == 403)
            check(f"{game}: a hint is asked for by POST", seat.do("hint")[0] == 405)
        if moves in (3, 4):  # the search of turn 3 still runs when turn 4 comes
            check(f"{game}: a hint of turn {moves}", seat.do("hint", {})[0] == 200)
            check(f"{game}: nobody else is in the way", not any("somebody" in answer for answer in busy), busy)
        if moves == 2:
            begun = seat.do("moves?begins=" + move[:2].replace("/", "%2F"))[1]["moves"]
            check(f"{game}: a beginning", begun == [m for m in legal["moves"] if m.startswith(move[:2])][:5000], begun)
            heads = seat.do("moves?until=,&begins=" + move[:1].replace("/", "%2F"))[1]["moves"]
            cuts = {m.split(",")[0] + ("," if "," in m else "") for m in legal["moves"] if m[0] == move[0]}
            check(f"{game}: cut at a comma", move[0] == "," or set(heads) == cuts, heads)
            seat.link.close()
            seat.open()
            public = "".join(str(ask("GET", path)[1]) for path in [
                "/", "/live", "/games", f"/game/{seat.id}", f"/play/{seat.id}", "/bot/random", "/bot/guest",
                "/api/games", f"/api/games/{seat.id}", f"/api/games/{seat.id}/record", f"/api/games/{seat.id}/steps"])
        if moves == rest:
            check(f"{game}: leaving", seat.do("leave", {})[0] == 200)
            seat.moved = 1000000
            continue
        status, answer = seat.do("move", {"at": legal["at"], "move": move})
        check(f"{game}: {move}", status == 200 and answer["move"] == move, answer)
        seat.moved = legal["at"]
        moves += 1
    check(f"{game}: the end", seat.end and seat.end["result"], seat.end)
    # Nothing but what replay shows this seat, so nothing that the laws forbid.
    record = ask("GET", f"/api/games/{seat.id}/record")
    while record[0] != 200 or "\nresult" not in record[1]:
        time.sleep(0.1)
        record = ask("GET", f"/api/games/{seat.id}/record")
    pathlib.Path("game.rec").write_text(record[1])
    shown = subprocess.run([referee, "replay", "--steps", "--seat", str(seat.seat), "game.rec"],
                           capture_output=True, text=True).stdout
    check(f"{game}: the steps of the seat", json.loads(shown)["steps"] == seat.steps)
    deal = re.search(r"^deal (.+)", record[1], re.M)
    check(f"{game}: the deal", not deal or deal[1] not in seat.bytes)
    # What only others were told, by this time or later, is nowhere.
    told = [line.split(" ", 1) for line in record[1].split("\n") if line.startswith("@")]
    mine = {text for to, text in told if str(seat.seat) in to.strip("@").split(",")}
    for to, text in told:
        if text not in mine:
            check(f"{game}: {text} for others", f'"{text}"' not in seat.bytes, text)
        if "w" not in to:
            check(f"{game}: {text} for one seat", text + "\n" not in public and f"'{text}'" not in public, text)
    check(f"{game}: the deal on public pages", not deal or deal[1] not in public)
    check(f"{game}: verifies", subprocess.run([referee, "replay", "--quiet", "game.rec"]).returncode == 0)

# Whose seat it is.
seat = Seat("rondo", 1)
seat.wait_for_turn()
move = {"at": 0, "move": "pass"}
other = seat.key[:-1] + ("0" if seat.key[-1] != "0" else "1")
for what, key, origin, expected in [
        ("a wrong key", other, None, 403), ("no key", "", None, 403),
        ("the key of another seat", "2" + seat.key[1:], None, 403),
        ("a foreign page", seat.key, "http://evil.example", 403),
        ("a page without an address", seat.key, "null", 403),
        ("the own page", seat.key, f"http://127.0.0.1:{door}", 200)]:
    headers = {"Referee_Key": key, **({"Origin": origin} if origin else {})}
    status, answer = seat.do("move", move, **headers)
    seat.moved = 0
    check(what, status == expected, (status, answer))
check("the same again", seat.do("move", move)[0] == 409)
seat.wait_for_turn()
status, answer = seat.do("move", {"at": seat.now["moves"], "move": "z9:1"})
check("an illegal move", status == 400 and "z9" in answer["error"], answer)
check("no move", seat.do("move", {})[0] == 400)
check("the stream of another", ask("GET", f"/api/play/{seat.id}/stream", Referee_Key=other)[0] == 403)
check("the moves of another", ask("GET", f"/api/play/{seat.id}/moves")[0] == 403)
check("POST elsewhere", ask("POST", "/api/games", {})[0] == 405 and ask("POST", "/", {})[0] == 405)
check("GET of a move", seat.do("move")[0] == 405)
check("a foreign page sits down",
      ask("POST", "/api/play", {"game": "go", "bot": "random"}, Origin="http://evil.example")[0] == 403)

# Limits.
check("no such game", Seat("chess").status == 400)
second = Seat("rondo")
check("a second table", second.status == 200)
check("a third", Seat("rondo").status == 409)
second.do("leave", {})
while not second.end:
    second.next()
second.link.close()

# The daemon starts again: the table is there, and so is its guest.
before = len(seat.steps)
stop()
start()
seat.open()
seat.now = None
seat.wait_for_turn()
check("after a restart", seat.now and len(seat.steps) == before, (before, len(seat.steps)))
status, legal = seat.do("moves")
check("moves after it", status == 200 and legal["moves"], legal)
check("a move after it", seat.do("move", {"at": legal["at"], "move": legal["moves"][0]})[0] == 200)

# A page that is closed for long frees the table.
seat.link.close()
end = time.monotonic() + 60
while ask("GET", "/api/play")[1]["taken"] and time.monotonic() < end:
    time.sleep(0.1)
check("who is away leaves", ask("GET", "/api/play")[1]["taken"] == 0)

# People are not rated, and theirs are no ladders.
check("no ladder", ask("GET", "/api/ladders")[1] == [])
stop()
subprocess.run([referee, "ladder", "data", "--rate"])
rated = json.loads(subprocess.run([referee, "ladder", "data", "--json"], capture_output=True, text=True).stdout)
check("not rated", all(row["elo"] is None for one in rated for row in one["standings"]), rated)
print(f"{count} checks, {failed} failed")
sys.exit(failed > 0)
