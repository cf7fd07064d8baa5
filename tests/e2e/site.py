"""site.py REFEREE: read the pages of the daemon of referee.ini, whose log is
`log`, and follow its streams."""

import http.client
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

from visitor import arrive, ask as get, check, leave, wait_for

referee = sys.argv[1]


def events(path, last=None):
    """The events of a stream: (name, id, data)."""
    c = http.client.HTTPConnection("127.0.0.1", door, timeout=120)
    c.request("GET", path, headers={"Last-Event-ID": str(last)} if last is not None else {})
    r = c.getresponse()
    check(path + ", its type", r.getheader("Content-Type") == "text/event-stream", r.status)
    check(path + ", unbuffered", r.getheader("X-Accel-Buffering") == "no")
    event = {}
    while True:
        line = r.readline().decode().rstrip("\n")
        if line.startswith(":"):
            continue
        if line:
            key, value = line.split(": ", 1)
            event[key] = value
        elif event:
            yield event["event"], event.get("id"), json.loads(event["data"])
            event = {}


def running():
    games = json.loads(get("/api/games")[1]).get("games", [])
    return [game for game in games if game["ladder"] == "pairs"]


def finished():
    games = json.loads(get("/api/ladders/pairs/games")[1])
    done = {}
    for game in games:
        done.setdefault(game["unit"], []).append(game["id"])
    return [ids[0] for ids in done.values() if len(ids) == 2]


door = arrive()

# A whole game as a spectator sees it.
game = wait_for(running)[0]["id"]
status = get(f"/api/games/{game}/steps?seat=all")[0].status
check("everything of a running game", status == 400, status)
head, steps, end = None, [], None
for name, number, data in events(f"/api/games/{game}/stream"):
    if name == "head":
        head = data
    elif name == "step":
        check("the number of a step", int(number) == data["n"] == len(steps), data["n"])
        steps.append(data)
    elif name == "end":
        end = data
        break
check("the head's audience", head["audience"] == "public", head)
check("a stream of steps", len(steps) > 10, len(steps))
check("the end", end["result"] is not None and "seed" not in end, end)


def is_over():
    return get(f"/api/games/{game}")[0].status == 200 and get(f"/game/{game}")[0].status == 200


wait_for(is_over)
r, text = get(f"/api/games/{game}/steps")
document = json.loads(text)
check("the stream's steps", document["steps"] == steps, "")

# Returning, it is sent what it has not had.
for name, number, data in events(f"/api/games/{game}/stream", last=len(steps) - 3):
    check("the step after the last", (name, number) == ("step", str(len(steps) - 2)), (name, number))
    break

# What is over is shown to all, as replay writes it.
wait_for(finished)
over = finished()[0]
text = get(f"/api/games/{over}/record")[1]
pathlib.Path("over.rec").write_text(text)
for seat in ["1", "2", "public", "all"]:
    shown = json.loads(get(f"/api/games/{over}/steps?seat={seat}")[1])
    own = subprocess.run([referee, "replay", "--steps", "--seat", seat, "over.rec"],
                         capture_output=True, text=True).stdout
    check("steps for " + seat, shown == json.loads(own), "")
r, text = get(f"/api/games/{over}/steps?seat=9")
check("a seat that is not there", r.status in (400, 503), r.status)
check("a game that is not there", get("/api/games/nobody/steps")[0].status == 404)
check("a stream of it", get("/api/games/nobody/stream")[0].status == 404)

# All running games at once.
seen = set()
for name, number, data in events("/api/live"):
    seen.add(name)
    if name == "latest":
        check("its audience", data["head"]["audience"] == "public")
    if seen == {"games", "latest"}:
        break

# Pages.
scripts = set()
for path in ["/", "/live", "/games", "/games?ladder=pairs&bot=slow", "/join", "/rules/rondo", "/rules/axiom",
             "/ladder/pairs", "/ladder/cubes", "/bot/slow", f"/game/{over}"]:
    r, text = get(path)
    check(path, r.status == 200 and text.endswith("</html>\n"), (r.status, text[-200:]))
    policy = r.getheader("Content-Security-Policy") or ""
    check(path + ", policy", "default-src 'none'" in policy and "unsafe" not in policy, policy)
    check(path + ", sniffing", r.getheader("X-Content-Type-Options") == "nosniff")
    check(path + ", inline", not re.search(r"<script>| style=|<style| on[a-z]+=", text), path)
    scripts |= set(re.findall(r'(?:src|href)="(/web/[^"]+)"', text))
    if path == "/join":  # it repeats the host of the one who asks: nobody may keep it
        check("/join is nobody else's", r.getheader("Cache-Control") == "no-store" and not r.getheader("ETag"))
        check("/join says where", re.search(r"referee connect 127.0.0.1:\d+ --name", text), text)
        long = ".".join(["a" * 60] * 4)  # the host may be as long as DNS allows, and is only text
        for host, shown in [(long, long), ("<b>", "&lt;b&gt;")]:
            text = get(path, {"Host": host + ":80"})[1]
            check("/join names the host", f"referee connect {shown}:" in text and "<b>" not in text, text)
        continue
    again = get(path, {"If-None-Match": r.getheader("ETag")})[0].status
    check(path + ", asked again", again in (200, 304), again)
for game in json.loads(subprocess.run([referee, "games", "--json"], capture_output=True).stdout):
    r, text = get("/rules/" + game["name"])
    check(f"the rules of {game['name']}", r.status == 200 and "<strong>Rules.</strong>" in text
          and "<noscript><pre" in text and "```" not in text and "**" not in text, text[:600])
    r, text = get("/api/examples/" + game["name"])
    example = json.loads(text)
    check(f"an example of {game['name']}", example["head"]["game"] == game["name"] and len(example["steps"]) > 10,
          text[:300])
check("no example of nothing", get("/api/examples/none")[0].status == 404)
check("the ladder's table", "random" in get("/ladder/pairs")[1])
check("a tab for tables where there are none", 'href="/play"' not in get("/")[1])
check("a bot that plays", re.search(r'class="state (playing|waiting)"', get("/bot/slow")[1]), "")
check("a bot that was never here", "neither a key" in get("/bot/nobody")[1], "")
check("time used", "Time used per move" in get("/bot/slow")[1])
check("results by seat", "Results by seat" in get("/bot/slow")[1])
check("a chart that needs no scripts", "<polyline" in wait_for(lambda: "<polyline" in (t := get("/bot/slow")[1]) and t))

# Tournaments.
check("a tab for tournaments", 'href="/tournaments"' in get("/")[1])
check("the list of tournaments", 'href="/tournament/spring"' in get("/tournaments")[1])
text = get("/tournament/spring")[1]
check("a tournament", "Pairings" in text and ">over<" in text and "other" in text, text[-600:])
matches = re.findall(r'href="/tournament/spring/([^"]+)"', text)
check("its games", matches == ["r01-t01-1", "r01-t01-2"], matches)
check("the page of one", 'data-path="/api/tournaments/spring/r01-t01-1"' in get("/tournament/spring/r01-t01-1")[1])
listed_cups = json.loads(get("/api/tournaments")[1])["tournaments"]
check("tournaments as JSON", [c["folder"] for c in listed_cups] == ["spring"] and "pairings" not in listed_cups[0])
cup = json.loads(get("/api/tournaments/spring")[1])
check("one as JSON", cup["pairings"][0]["matches"] == matches, cup)
record = get("/api/tournaments/spring/r01-t01-2/record")[1]
check("its record is in the file", record and record in pathlib.Path("cups/spring/games-001.rec").read_text(), record)
steps = json.loads(get("/api/tournaments/spring/r01-t01-2/steps?seat=all")[1])
check("its steps", steps["end"]["closed"] and steps["head"]["about"]["match"] == "r01-t01-2", steps["head"])
check("no other match", get("/api/tournaments/spring/r09-t01-1/steps")[0].status == 404)

# While a tournament is under way, nobody is told what a deal hides.
autumn = pathlib.Path("cups/none")
shutil.copytree("cups/deals", autumn)
state = json.loads((autumn / "standings.json").read_text())
state["finished"] = False
(autumn / "standings.json").write_text(json.dumps(state))
path = "/api/tournaments/none/r01-t01-1"
deal = re.search(r"^deal (.*)$", (autumn / "games-001.rec").read_text(), re.M)[1]
for part in ["/steps", "/steps?seat=public", "/record"]:
    r, text = get(path + part)
    check(part + " under way", r.status == 200 and deal not in text and not re.search('draw . [RGBYP]', text), text[:400])
check("no seat is shown", get(path + "/steps?seat=1")[0].status == get(path + "/steps?seat=all")[0].status == 400)
shutil.rmtree(autumn)
check("no other tournament", get("/tournament/none")[0].status == get("/tournament/..%2fdata")[0].status == 404)

# Numbers lead to the games that they count.
def counted(page, folder):
    """(the number, the address of its games) of every link of a page"""
    return re.findall(r'<a class="count" href="(/games\?[^"]*)"[^>]*>(\d+)<', get(page)[1])


def listed(path):
    """ids of all games, page after page"""
    ids = []
    while path:
        r, text = get(path.replace("&amp;", "&"))
        check(path, r.status == 200, r.status)
        ids += re.findall(r'<td role="cell" class="t"><a href="/game/([^"]+)"', text)
        more = re.search(r'rel="next" href="([^"]+)"', text)
        path = more and more[1]
    return ids


for result in ["won", "tied", "lost", "void"]:
    ids = listed(f"/games?ladder=pairs&bot=slow&result={result}")
    for number in ids[:3]:
        seats = json.loads(get(f"/api/games/{number}")[1])["seats"]
        own = [s["rank"] for s in seats if s["bot"] == "slow"]
        best = [s["rank"] for s in seats].count(1)
        is_so = {"won": own == [1] and best == 1, "tied": own == [1] and best > 1, "lost": own == [2],
                 "void": own == [None]}
        check(f"a game {result}", is_so[result], seats)
links = counted("/ladder/pairs", "")
check("numbers with games", len(links) > 2, links)
path, number = links[0]
check("as many games as the number says", len(listed(path)) >= int(number), (path, number))
all_games = listed("/games?ladder=pairs")
check("each game once", len(all_games) == len(set(all_games)), all_games)
check("one ladder", all(json.loads(get("/api/games/" + i)[1])["ladder"] == "pairs" for i in all_games[:3]))
for path in ["/games?seat=1", "/games?bot=slow&result=great", "/games?fault=luck", "/games?ladder=none"]:
    check(path + " says what is wrong", 'role="alert"' in get(path)[1], "")
check("files", len(scripts) > 5, scripts)
for path in scripts:
    r, text = get(path)
    check(path, r.status == 200 and "immutable" in r.getheader("Cache-Control"), r.status)
    check(path + ", known", get(path, {"If-None-Match": r.getheader("ETag")})[0].status == 304)
for path in ["/nothing", "/ladder/none", "/game/none", "/web/1/secret", "/web/../keys", "/rules/none"]:
    r, text = get(path)
    check(path, r.status == 404, r.status)
r, text = get("/ladder/%3Cscript%3Ealert(1)%3C/script%3E")
check("a name that is a script", "<script>alert" not in text, text[:300])

# The owner of a bot sees more of its own games that are over: with its token alone.
tokens = {bot: pathlib.Path(bot + ".token").read_text().strip() for bot in ["slow", "random"]}


def own(path, token, address="203.0.113.1"):
    """The status, the answer as JSON, its headers, and all of it as text."""
    headers = {"X-Forwarded-For": address}
    if token:
        headers["Referee-Token"] = token
    r, text = get("/api/owner/" + path, headers)
    return r.status, json.loads(text), r


status, it, r = own("slow", tokens["slow"])
check("an owner's games", status == 200 and len(it["games"]) > 0, (status, it))
check("nobody keeps them", r.getheader("Cache-Control") == "no-store", r.getheaders())
for mine in it["games"][:4]:
    own_seat = [s["bot"] for s in mine["seats"]].index("slow") + 1
    check("the seat", mine["seat"] == own_seat, mine)
    status, document, r = own(f"slow/{mine['id']}/steps", tokens["slow"])
    check("its view", status == 200 and document["head"]["audience"] == own_seat, (status, document))
    check("no seed", "seed" not in document["end"], document["end"])
    record = get(f"/api/games/{mine['id']}/record")[1]
    if "\nhash " in record:  # nobody plays on its deal any more
        pathlib.Path("mine.rec").write_text(record)
        shown = subprocess.run([referee, "replay", "--steps", "--seat", str(own_seat), "mine.rec"],
                               capture_output=True, text=True).stdout
        check("its view is that of replay", document == json.loads(shown), "")
logged = next(g for g in it["games"] if g["log"])
status, log, r = own(f"slow/{logged['id']}/log", tokens["slow"])
check("its log", status == 200 and log["bytes"] == logged["log"] and "thinking" in log["log"], log)
check("not the log of another", own(f"random/{logged['id']}/log", tokens["slow"])[0] == 403)
check("not with no token", own("slow", None)[0] == 403)
check("not a running game", own(f"slow/{wait_for(running)[0]['id']}/steps", tokens["slow"])[0] == 404)
check("not a token in the address", get("/api/owner/slow?token=" + tokens["slow"])[0].status == 403)
check("nobody", own("nobody", tokens["slow"], "203.0.113.2")[0] == 403)

# Guessing is limited as logins are, for one address behind the proxy and one name.
for _ in range(5):
    check("a wrong token", own("random", "x" * 43, "203.0.113.7")[0] == 403)
status, it, r = own("random", tokens["random"], "203.0.113.7")
check("locked out", status == 403 and "try again" in it["error"], it)
check("not the others", own("random", tokens["random"], "203.0.113.8")[0] == 200)
check("not the other names", own("slow", tokens["slow"], "203.0.113.7")[0] == 200)
check("refusals of tokens are counted",
      re.search(r'referee_http_refused_total{why="key"} [1-9]', get("/metrics")[1]))

# Twenty visitors of one address, three calls a second each: nobody is sent away.
visited = ["/", "/ladder/pairs", "/bot/slow", "/games?ladder=pairs", "/api/ladders/pairs"]
for path in visited:
    check(path + " before the crowd", get(path)[0].status == 200)
crowd = []


def visit(number):
    c = http.client.HTTPConnection("127.0.0.1", door, timeout=60)
    for call in range(9):
        began = time.monotonic()
        while True:  # as a browser does: a connection that was silent may be closed
            try:
                c.request("GET", visited[(number + call) % len(visited)])
                r = c.getresponse()
                r.read()
                break
            except (http.client.HTTPException, ConnectionError):
                c.close()
        crowd.append(r.status)
        time.sleep(max(0, began + 1 / 3 - time.monotonic()))
    c.close()


visitors = [threading.Thread(target=visit, args=(n,)) for n in range(20)]
for v in visitors:
    v.start()
for v in visitors:
    v.join()
check("a crowd", crowd.count(200) == len(crowd) == 180, {code: crowd.count(code) for code in set(crowd)})
counted_refusals = re.findall(r'referee_http_refused_total{why="(\S+)"} (\d+)', get("/metrics")[1])
check("refusals are counted", len(counted_refusals) == 8, counted_refusals)
check("answers are counted", re.search(r'referee_http_answers_total{code="2xx"} [1-9]', get("/metrics")[1]))

# A reader that never reads is dropped, and the daemon goes on.
lazy = []
for _ in range(50):
    s = socket.create_connection(("127.0.0.1", door))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.sendall(b"GET /api/live HTTP/1.1\r\nHost: x\r\n\r\n")
    lazy.append(s)
check("healthy beside lazy readers", get("/healthz")[0].status == 200)
for s in lazy:
    s.close()
check("healthy after they left", get("/healthz")[0].status == 200)

leave()
