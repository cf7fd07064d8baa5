"""api.py REFEREE: ask the daemon of referee.ini, whose log is `log`."""

import http.client
import json
import pathlib
import re
import subprocess
import sys

import visitor
from visitor import arrive, check, leave, wait_for

referee = sys.argv[1]
answered = {"/healthz", "/metrics"}  # as doors.py finds
answered |= {"/api/examples/GAME", "/api/tournaments", "/api/tournaments/*"}
answered |= {f"/api/tournaments/*/MATCH/{what}" for what in ("steps", "record")}  # as site.py does


def ask(path, method="GET"):
    r, text = visitor.ask("/api/" + path, method=method)
    if r.status == 200:
        answered.add("/api/" + re.sub("^([a-z]+)/[^/?]+", r"\1/*", path).split("?")[0])
    return r.status, r.getheader("Content-Type"), text


def get(path):
    code, kind, text = ask(path)
    check(path, code == 200 and kind == "application/json", (code, kind, text))
    check("one line", text.endswith("\n") and text.count("\n") == 1, text[-20:])
    return json.loads(text)


def command(*args):
    return subprocess.run([referee, *args], capture_output=True, text=True)


def running():
    return [game for game in get("games")["games"] if game["ladder"] == "pairs"]


def secrets_in(text):
    """What a spectator may not see."""
    return re.findall(r"^(?:deal|seed|hash|@).*", text, re.M)


def a_game_under_way():
    """Its record, if it was under way before and after it was read."""
    for game in running():
        code, kind, text = ask(f"games/{game['id']}/record")
        if game["id"] in [g["id"] for g in running()] and "\nplay " in text:
            return game, code, kind, text
    return None


def the_other_half():
    """A game that is over, while its deal is played with other seats."""
    for game in running():
        if not game["id"].endswith("-2"):
            continue
        first = game["id"][:-1] + "1"
        code, kind, text = ask(f"games/{first}/record")
        if game["id"] in [g["id"] for g in running()]:
            return first, code, kind, text
    return None


def some_games():
    return get("ladders/pairs")["games"] >= 12


def nothing_under_way():
    games = json.loads(command("status", "--json").stdout)["games"]
    return games["running"] == 0 and games["closing"] == 0


def rated():
    ladder = get("ladders/pairs")
    head = get("ladders/pairs/head")
    check("head", head["chain"] == "pairs" and head["number"] >= ladder["games"] and
          len(head["link"]) == len(head["key"]) == 64, head)
    return ladder["rating"] and ladder["rating"]["games"] == ladder["games"]


def spectators():
    game, code, kind, text = wait_for(a_game_under_way)
    check("type of a record", kind == "text/plain; charset=utf-8", kind)
    check("head", text.startswith("record 1\ngame rondo\nseats 2\nabout id=" + game["id"]), text)
    check("commit", re.search(r"^commit [0-9a-f]{64}$", text, re.M), text)
    check("a game under way", secrets_in(text) == [], secrets_in(text))
    one = get("games/" + game["id"])
    check("its bots", sorted(one.get("bots", [])) == sorted(game["bots"]) or "seats" in one, one)
    first, code, kind, text = wait_for(the_other_half)
    check("the other half", code == 200 and "\nresult " in text, (code, text))
    check("a deal in play", secrets_in(text) == [], secrets_in(text))


def pages():
    """All games, once each, newest first."""
    seen, before = [], ""
    while True:
        page = get("ladders/pairs/games?limit=5" + before)
        if not page:
            break
        check("limit", len(page) <= 5, len(page))
        seen += page
        before = "&before=" + page[-1]["id"]
    ids = [game["id"] for game in seen]
    check("each once", len(set(ids)) == len(ids), ids)
    check("all", len(ids) == get("ladders/pairs")["games"], len(ids))
    check("newest first", ids == sorted(ids, reverse=True), ids)
    return seen


def records(games):
    """Whole where no part of the deal is still to be played."""
    over = [game["unit"] for game in games if game["part"] == game["parts"]]
    for game in [game for game in games if game["unit"] in over][:6]:
        code, kind, text = ask(f"games/{game['id']}/record")
        path, part = game["record"].rsplit("@", 1)
        offset, length = map(int, part.split("+"))
        whole = (pathlib.Path("data") / path).read_text()
        check("whole record", code == 200 and text == whole[offset:offset + length], game)
        check("game", get("games/" + game["id"]) == game, game)
    told = command("replay", "--quiet", "data/records")
    check("replay", told.returncode == 0, told.stderr)


def tables():
    ladder = get("ladders/pairs")
    mine = json.loads(command("ladder", "referee.ini", "--ladder", "pairs", "--json").stdout)
    check("as referee ladder says", mine[0]["standings"] == ladder["standings"], mine)
    check("seats and time", (ladder["seats"], ladder["time"]) == (2, "move:10s"), ladder)
    check("three bots", len(ladder["standings"]) == 3, ladder)
    names = {row["ladder"] for row in get("ladders")}
    check("ladders", names == {"pairs", "once"}, names)
    bots = get("bots")
    check("bots", set(bots) == {"greedy", "random", "slow"} and "pairs" in bots["greedy"], bots)
    greedy = [row for row in get("bots/greedy?limit=3") if row["ladder"] == "pairs"][0]
    check("its games", len(greedy["played"]) == 3, greedy)
    won = sum(row["games"] for row in greedy["opponents"])
    check("head to head", won == greedy["standings"][0]["games"], greedy)


def parts():
    """What is told in pages, put together, is the whole."""
    whole = get("ladders/pairs")["standings"]
    rows = [get(f"ladders/pairs?limit=1&after={i}")["standings"] for i in range(4)]
    check("standings in pages", sum(rows, []) == whole and rows[3] == [], rows)
    bots, after = {}, ""
    while True:
        page = get("bots?limit=2&after=" + after)
        if not page:
            break
        check("bots in pages", len(page) <= 2 and min(page) > after, page)
        bots.update(page)
        after = max(page)
    check("all bots", bots == get("bots"), bots)
    both = get("bots/random?limit=2")
    check("ladders of a bot", [row["ladder"] for row in both] == ["once", "pairs"], both)
    check("behind one", get("bots/random?limit=2&after=once") == both[1:], both)
    check("behind all", get("bots/random?after=pairs") == [])
    check("only one", get("bots/random?limit=2&ladder=once") == both[:1], both)
    check("not there", ask("bots/greedy?ladder=once")[0] == 404)
    places = {row["bot"]: row["place"] for row in whole}
    check("its place", both[1]["standings"][0]["place"] == places["random"], both)


def mistakes():
    for path in ("", "x", "ladders/nix", "ladders/nix/head", "ladders/", "/ladders", "bots/nix", "games/nix",
                 "games/nix/record", "ladders/pairs/x", "ladders/pairs/games/x/y",
                 "games/..%2f..%2fsecret/record", "games/%2e%2e/record", "a" * 2000,
                 "ladders/%ff", "bots/%ff%fe", "games/%c3", "games/%ff/record", "%01/%7f"):
        code, _, text = ask(path)
        check(path, code == 404 and "error" in json.loads(text), (code, text))
    check("POST", ask("ladders", "POST")[0] == 405)
    check("games of no ladder", ask("ladders/nix/games")[0] == 404)
    for limit in ("0", "-1", "x", "201", "99999999999", "5x", "", "%ff"):
        for path in ("ladders/pairs/games", "ladders/pairs", "bots", "bots/greedy"):
            code, _, text = ask(f"{path}?limit={limit}")
            check(path + " limit " + limit, code == 400 and
                  json.loads(text)["error"].startswith("limit must be 1 to 200, not \""), text)
    check("after", ask("ladders/pairs?after=x")[0] == 400)


def another():
    """Someone at another address asks."""
    c = http.client.HTTPConnection("127.0.0.1", door, timeout=20,
                                   source_address=("127.0.0.2", 0))
    c.request("GET", "/api/ladders")
    code = c.getresponse().status
    c.close()
    return code


def crowds():
    """Who asks much gets an excuse, others do not, and the daemon stays well."""
    c = http.client.HTTPConnection("127.0.0.1", door, timeout=20)
    codes = set()
    for _ in range(300):
        c.request("GET", "/api/bots/greedy?limit=200")
        r = c.getresponse()
        r.read()
        if r.status == 503 and 503 not in codes:
            check("someone else", another() == 200)
        codes.add(r.status)
    c.request("GET", "/healthz")
    check("crowds", codes <= {200, 503} and c.getresponse().status == 200, codes)
    c.close()


def documented():
    """The table in protocol.md has the paths that were answered."""
    text = (pathlib.Path(__file__).parents[2] / "protocol.md").read_text()
    table = {re.sub("NAME|ID", "*", path) for path in re.findall(r"^\| `(/\S+)` \|", text, re.M)}
    check("protocol.md", table == answered, table ^ answered)


door = arrive()
spectators()
wait_for(some_games)
get("workers")
check("pause", command("pause").returncode == 0)
wait_for(nothing_under_way)
wait_for(rated)
records(pages())
tables()
parts()
mistakes()
check("nothing was handed in", get("bots/greedy/submissions")
      == {"bot": "greedy", "playing": None, "history": []})
crowds()
documented()
check("stop", command("stop").returncode == 0)
leave()
