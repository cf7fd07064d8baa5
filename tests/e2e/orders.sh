#!/bin/sh
# What the organiser orders: strikes, retirements, bans; kept over a restart,
# and written down with who, when and why.

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

order() { # CODE ARGUMENT...
    code=$1
    shift
    run "$code" "$@" --control control
}

api() { # PATH EXPRESSION: of its JSON `a`
    curl -s "http://127.0.0.1:$http_port/api/$1" | python3 -c "
import json, sys
a = json.load(sys.stdin)
print($2)"
}

# until_api PATH EXPRESSION
until_api() {
    for i in $(seq 600); do
        [ "$(api "$1" "$2" 2>/dev/null)" = True ] && return
        sleep 0.1
    done
    wrong "waited in vain until $2 in $1: $(api "$1" a)"
    exit 1
}

cat >ref.ini <<END
[server]
data = data
control = control
http = 127.0.0.1:0
rate-every = 100ms
[listen local]
port = 0
END
for name in abe ben cal; do
    printf '[bot %s]\ncommand = %s bot --level 1\n' $name "$referee" >>ref.ini
done
ladder main second-chance 2 'bots = abe, ben, cal' 'games = 2' 'time = move:60s'
tokens nina
serve
until_true "s['ladders'][0]['done'] >= 20"
until_api ladders/main "len(a['standings']) == 3 and a['rating'] is not None"

# What is wrong is said in one sentence.
order 2 strike cal
has "a reason is needed" err 'strike: the reason is missing; add --why TEXT$'
order 2 strike 'no bot' --why x
has "a name" err '"no bot" is not the name of a bot$'
order 1 strike dan --why x
has "an unknown bot" err 'there is no bot called dan: no key, no \[bot dan\], no games$'
order 1 strike cal --ladder none --why x
has "an unknown ladder" err 'there is no ladder called none$'
order 1 retire cal --undo
has "nothing to undo" err 'there is no retire of cal to undo; "referee log" shows'
order 2 ban cal --ladder main --why x
has "a ban has no ladder" err 'no option.*--ladder|--ladder.*no option'
run 0 log data
has "nothing is written down" out '^no order was given$'

# A strike: no more games, and those that were count for nobody.
order 0 strike cal --why 'a copy of “ben”'
has "strike" out '^cal is struck: its games do not count, and it plays no more$'
until_api ladders/main "sorted(r['bot'] for r in a['standings']) == ['abe', 'ben'] and a['rating'] is not None and all(r['games'] == a['games'] for r in a['standings'])"
same "games are marked" True "$(api 'ladders/main/games?bot=cal' "all(g['struck'] and g['void'] for g in (a if isinstance(a, list) else a['games']))")"
games=$(status "s['ladders'][0]['done']")
until_true "s['ladders'][0]['done'] > $games + 5"
same "it plays no more" True "$(api 'ladders/main/games?limit=3' "not any(s['bot'] == 'cal' for g in (a if isinstance(a, list) else a['games']) for s in g['seats'])")"
order 0 retire ben --ladder main --why 'it is old'
order 0 ban nina --why 'three warnings'
"$referee" connect "127.0.0.1:$port" --name nina --token-file nina.token \
    -- "$referee" bot >nina.out 2>&1 &
clients="$clients $!"
await nina.out 'the organiser has banned nina: three warnings'

# The records know nothing of it; a new index, and another process, do. Nobody is
# left to play with, and the last games have to be in the index.
until_true "s['games']['running'] == 0 and s['games']['closing'] == 0"
before=$("$referee" ladder data --csv | cut -d, -f 1-6)
kill -9 "$daemon"
wait "$daemon" 2>/dev/null
cp -r data copy
run 0 reindex copy
hasnt "a new index leaves it out" out 'cal'
same "its standings" "$("$referee" ladder data --json | python3 -c 'import json,sys; print([[r["bot"], r["games"], r["elo"]] for l in json.load(sys.stdin) for r in l["standings"]])')" \
    "$("$referee" ladder copy --json | python3 -c 'import json,sys; print([[r["bot"], r["games"], r["elo"]] for l in json.load(sys.stdin) for r in l["standings"]])')"
run 0 replay --quiet data/records
has "all records are as they were" out 'valid, 0 not valid'

# A restart remembers, and a line that was cut off does no harm.
printf '{"what": "ban", "na' >>data/orders.jsonl
serve
sleep 0.3
same "nobody can play" 0 "$(status "s['ladders'][0]['running']")"
order 0 strike cal --undo --why 'it was not'
order 0 retire ben --ladder main --undo --why 'not so old'
until_api ladders/main "len(a['standings']) == 3 and all(r['elo'] is not None for r in a['standings'])"
same "its games count again" True "$(api 'ladders/main/games?bot=cal' "not any(g['struck'] for g in (a if isinstance(a, list) else a['games']))")"
order 0 pause
kill "$daemon"
wait "$daemon"
serve
same "still paused" paused "$(status "s['state']")"
order 0 resume
printf '[ladder other]\ngame = rondo\nseats = 2\nbots = abe, ben\njoin = none\n' >>ref.ini
order 0 reload
run 0 log data
same "the log" 8 "$(wc -l <out)"
has "who, when, what and why" out '^20..-..-..T..:..:..Z  [^ ]*: strike cal: a copy of “ben”$'
has "where" out ': retire ben on main: it is old$'
has "undone" out ': undo strike cal: it was not$'
has "reloads" out ': reload: 1 change$'
run 0 log ref.ini --in-force
same "in force" 1 "$(wc -l <out)"
has "a ban" out ': ban nina: three warnings$'
run 0 log data --csv
has "as CSV" out '^20.*,strike,cal,,,a copy of “ben”,0$'
run 0 log data --json
python3 -c 'import json; assert len(json.load(open("out"))) == 8' || wrong "JSON"

# A new season begins with nothing, and the last one stays as it was.
sed -i 's/^\[ladder main\]/&\nseason = spring\nmin-games = 10/; s/^\[ladder other\]/&\ngames-until = 2026-01-01T00:00:00Z/' ref.ini
order 0 reload
until_api ladders/main.spring "sum(r['place'] is not None for r in a['standings']) >= 2"
same "few games, no place" True "$(api ladders/main.spring "all((r['place'] is not None) == (r['elo'] is not None) for r in a['standings'])")"
until_true "[l['name'] for l in s['ladders'] if l['frozen']] == ['other']"
same "the old one stays" True "$(api ladders/main "a['games'] > 0 and len(a['standings']) == 3")"
games=$(api ladders/main "a['games']")
until_api ladders/main.spring "a['games'] >= 60"
same "nothing is added to it" "$games" "$(api ladders/main "a['games']")"
sed -i 's/^season = spring/season = no such word/' ref.ini
order 1 reload
has "the log says why" log 'season: main.no such word must be 1 to 32 letters'
sed -i 's/^season = .*/season = spring/; s/^games-until.*/games-until = tomorrow/' ref.ini
order 1 reload
has "a time" log 'games-until: must be a time in UTC such as'
kill "$daemon"
wait "$daemon"
same "the server ends" 0 $?
daemon=
echo "$count checks"
[ $failed = 0 ]
