#!/bin/sh
# People and pseudonyms: tokens for a whole class, and no real name anywhere but
# in people.csv.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
for tool in python3 curl; do
    command -v $tool >/dev/null || {
        echo "$tool is missing"
        exit 77
    }
done
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
shown="out err log"
PATH=$(dirname "$referee"):$PATH

# bot_of PERSON: the bot's name of a person.
bot_of() {
    grep -F "$1" office/people.csv | head -n 1 | cut -d, -f 1
}

# Every real name begins with a word that is nowhere else.
real='Zebedee|Xanthippe|Quillon|Yseult|zq@|xv@|qm@|yt@'
mkdir office handins
cat >office/class.csv <<'END'
Full name,Email
"Zebedee Quark, Jr.",zq@example.org
Xanthippe Vole,xv@example.org
Quillon Mbeki,qm@example.org
Yseult "Bo" Tam,yt@example.org
END
cat >ref.ini <<END
[server]
data = data
control = control
http = 127.0.0.1:0
rate-every = 100ms
log-level = debug
[listen local]
port = 0
[bot house]
command = $referee bot
END
ladder main second-chance 2 'bots = house' 'handins = handins' 'local-games = yes' 'time = move:60s'
people="--people office/people.csv --tokens office/tokens --config ref.ini"

# The class gets names and tokens, once.
run 0 people import office/class.csv $people
has "import" out '^office/people.csv: 4 bots, 4 of them new$'
run 0 people import office/class.csv $people
has "again" out '^office/people.csv: 4 bots, 0 of them new$'
same "keys" 4 "$(wc -l <keys)"
same "tokens" 4 "$(ls office/tokens | wc -l)"
run 0 people list $people
has "list" out "^$(bot_of Zebedee) .* yes +Zebedee Quark, Jr., zq@example.org\$"
for token in office/tokens/*; do
    hasnt "no token is shown" out "$(cat "$token")"
done
printf 'Full name,Email,bot\nXanthippe Vole,xv@example.org,tiger lion\n' >office/more.csv
run 0 people import office/more.csv $people
has "two bots more" out '6 bots, 2 of them new'
same "one owner" 3 "$(grep -c " $(bot_of Xanthippe)\$" keys)"
printf 'Full name,Email,bot\nNew Person,n@x,tiger\n' >office/wrong.csv
run 2 people import office/wrong.csv $people
has "a bot has one owner" err 'wrong.csv:2: there are two bots called tiger$'
same "nothing changed" 6 "$(wc -l <keys)"
run 2 people revoke 'Nobody' $people
has "nobody" err 'nobody in office/people.csv is called "Nobody"$'
run 0 people revoke qm@example.org lion $people
has "two tokens are gone" out '^2 tokens revoked'
run 0 people list --csv $people
has "no token" out "^$(bot_of Quillon),.*,0,Quillon Mbeki,qm@example.org\$"
before=$(cat "office/tokens/$(bot_of Quillon).token")
run 0 people token "Quillon Mbeki" $people
has "a new token" out '^1 token written'
[ "$before" != "$(cat "office/tokens/$(bot_of Quillon).token")" ] ||
    wrong "the token is the old one"

# Real names stay out of the data folder, by any path.
mkdir -p data/sub
run 2 people list --people data/sub/people.csv --config ref.ini
has "not there" err 'people.csv is in the data folder /.*/data, which is shown'
ln -s data/sub link
run 2 people import office/class.csv --people link/people.csv --config ref.ini
has "not by a link" err 'is in the data folder'
[ ! -e data/sub/people.csv ] || wrong "people in the data folder"

# All play: two over the network, two that were handed in.
for person in Quillon Yseult; do
    mkdir -p "src/$person"
    printf '[bot]\ncommand = %s bot --level 2\n' "$referee" >"src/$person/bot.ini"
    run 0 admit --game second-chance --name "$(bot_of $person)" "src/$person"
    cat out err >>public
done
rm -r src
serve
for person in Zebedee Xanthippe; do
    "$referee" connect "127.0.0.1:$port" --name "$(bot_of $person)" \
        --token-file "office/tokens/$(bot_of $person).token" \
        -- "$referee" bot >"connect.$person" 2>&1 &
    clients="$clients $!"
done
for person in Zebedee Xanthippe Quillon Yseult; do
    await log "main: names=.*$(bot_of $person).* result" 2
done
run 0 ban "$(bot_of Xanthippe)" --why 'too many games' --control control
for i in 1 2 3 4 5 6 7 8 9 10; do
    curl -s "http://127.0.0.1:$http_port/api/ladders/main" | grep -q '"elo":-\?[0-9]' && break
    sleep 0.5
done
mkdir pages
python3 - "http://127.0.0.1:$http_port" >crawled <<'END' || wrong "the site cannot be read: $(tail -n 3 crawled)"
import re, sys, urllib.error, urllib.parse, urllib.request
top = sys.argv[1]
todo, seen = ["/", "/metrics", "/healthz", "/api/ladders", "/api/games", "/api/bots", "/api/connections",
              "/api/ladders/main", "/api/ladders/main/games", "/api/ladders/main/head"], set()
while todo and len(seen) < 200:
    path = todo.pop(0)
    if path in seen:
        continue
    seen.add(path)
    try:
        with urllib.request.urlopen(top + path, timeout=20) as answer:
            text = answer.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        text = error.read().decode("utf-8", "replace")
    open(f"pages/{len(seen)}", "w").write(path + "\n" + text)
    for link in re.findall(r'href="(/[^"#]*)', text):
        if "stream" not in link and "live" not in link:
            todo.append(link)
    for game in re.findall(r'"id": ?"([^"]+)"', text)[:2]:
        todo += [f"/api/games/{game}", f"/api/games/{game}/record", f"/api/games/{game}/steps"]
    for bot in re.findall(r'"bot": ?"([^"]+)"', text)[:6]:
        todo += [f"/api/bots/{bot}", f"/bots/{bot}"]
print(len(seen), "pages")
END
[ "$(ls pages | wc -l)" -gt 15 ] || wrong "only $(cat crawled)"
grep -lq "$(bot_of Zebedee)" pages/* || wrong "the pages show no bot"
for order in status 'status --games' 'status --json' reload; do
    "$referee" $order --control control >>public 2>&1
done
bots_end
kill "$daemon"
wait "$daemon"
daemon=
for way in '' --json --csv '--csv --games' --html '--versions'; do
    "$referee" ladder data $way >>public 2>&1
done
"$referee" ladder data --bot "$(bot_of Zebedee)" >>public 2>&1
"$referee" audit data --json >>public 2>&1
"$referee" log data >>public 2>&1
"$referee" submissions >>public 2>&1
"$referee" replay data/records --step >>public 2>&1
cat >course.ini <<END
[course]
game = second-chance
time = move:60s
budget = 4
[level one]
command = referee bot --level 1 --seed one
END
"$referee" grade course.ini --quiet >>public 2>&1 ||
    wrong "no grades: $(tail -n 2 public)"
printf 'Name,Mail,Grade\n"Quillon Mbeki",qm@example.org,\n' >office/platform.csv
run 0 grade course.ini --quiet --fill office/platform.csv --roster office/people.csv
has "grades find their way back" out '^"Quillon Mbeki",qm@example.org,[0-9]+$'

# Not in a file, not in a page, not in a line of the handshake.
count=$((count + 1))
grep -q "$(bot_of Zebedee)" -r data log public grades || wrong "nothing was played"
found=$(grep -rlaE "$real" . --exclude-dir=office --exclude=err --exclude=out)
[ -z "$found" ] || wrong "a real name is in $found: $(grep -ahrE "$real" $found | head -n 3)"
same "no path has one" 0 "$(find data grades handins | grep -cE "$real")"
has "the grep would find one" office/people.csv "$real"
echo "$count checks"
[ $failed = 0 ]
