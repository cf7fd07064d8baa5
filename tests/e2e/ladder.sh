#!/bin/sh
# referee reindex and referee ladder: the same records give the same tables,
# damage is named, and nothing that a bot calls itself gets out of its cell.

src=$(cd "${srcdir:-.}" && pwd)
build=$(cd "${builddir:-.}" && pwd)
referee=$build/referee/referee
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# expect CODE COMMAND...: its exit code; what it says is in out and err.
expect() {
    want=$1
    shift
    count=$((count + 1))
    "$@" >out 2>err
    code=$?
    [ "$code" = "$want" ] ||
        wrong "\"$*\" ends with $code, not $want: $(cat err)"
}

# says FILE WORDS: a line of out or err has these words.
says() {
    count=$((count + 1))
    grep -qF -- "$2" "$1" || wrong "no \"$2\" in: $(cat "$1")"
}

# python NAME ARGUMENT...: a part of ladder.py.
python() {
    count=$((count + 1))
    python3 "$src/tests/e2e/ladder.py" "$@" 2>&1 || wrong "ladder.py $*"
}

# Games of three bots, then dressed as those of two ladders.
cat >bots.ini <<END
[bot greedy]
command = $build/sample-bots/c/greedy_second_chance
[bot random]
command = $build/sample-bots/c/random
[bot other]
command = $referee bot
END
"$referee" match --config bots.ini --game second-chance --games 12 \
    --concurrency 2 --records plain greedy random other >out 2>&1 ||
    wrong "$(cat out)"
mkdir -p data/records data/running
apart plain
python dress plain.apart data
printf '[server]\ndata = %s/data\n' "$work" >referee.ini

# Nothing is there until reindex has made it.
expect 2 "$referee" ladder data
says err 'index.db does not exist; "referee reindex" creates it'
same "it is said once" 1 "$(wc -l <err)"
expect 0 "$referee" reindex referee.ini
says out "games on 3 ladders"
says out "1 not over"
[ -s err ] && wrong "reindex says: $(cat err)"

# The same tables again, from files that lie in another order.
cp data/index.db first.db
expect 0 "$referee" reindex --quiet data
[ -s out ] && wrong "reindex --quiet says: $(cat out)"
python same first.db data/index.db
mkdir -p mixed
(cd data && find records running -name '*.rec' | sort -r) |
    while read -r file; do
        mkdir -p "mixed/$(dirname "$file")"
        cp "data/$file" "mixed/$file"
    done
expect 0 "$referee" reindex mixed
python same first.db mixed/index.db

# What the tables say is what the records say.
expect 0 "$referee" ladder data --csv --games
python games out data
expect 0 "$referee" ladder data --csv
cp out standings.csv
expect 0 "$referee" ladder data --json
python standings out standings.csv data
expect 0 "$referee" ladder data --html
python page out
says out "second-chance, 6 games, 1 void. Ratings of 6 games with"
expect 0 "$referee" ladder data --html --replays games.html
python page out
grep -o 'href="games.html#game=[^"]*"' out | sed 's/.*=//; s/"//' >linked
[ "$(wc -l <linked)" -ge 9 ] || wrong "--replays: $(wc -l <linked) links"
while read -r id; do
    says games.html "\"file\":\"$id\""
done <linked
expect 2 "$referee" ladder data --replays games.html
mkdir -p one/records
cp data/records/cup/*/*-07.rec one/records
expect 0 "$referee" reindex --quiet one
expect 0 "$referee" ladder one --html
says out "second-chance, 1 game, 0 void. Ratings of 1 game with"
expect 0 "$referee" ladder data
python plain out
says out "main: second-chance, 6 games and 1 void"
says out "ratings of 6 games, mean 0"
grep -q 'old-version' out && wrong "an old version without --versions"
expect 0 "$referee" ladder referee.ini --versions --ladder main
says out "old-versi~"
grep -q 'cup' out && wrong "--ladder main shows more"

expect 0 "$referee" ladder data --bot greedy --limit 2
python plain out
says out "greedy on cup"
says out "greedy on main"
[ "$(grep -c '^2026-11-16T10:5[0-9]  1/3 ' out)" = 4 ] || wrong "not 4 games: $(cat out)"
expect 0 "$referee" ladder data --ladder main --bot random --json
python bot out random
expect 0 "$referee" ladder data --ladder main --bot random --html
python page out
expect 0 "$referee" ladder data --ladder main --bot random --csv --games
python games out data main random

# Ratings that are out of date are computed again, to the same bits.
python age data/index.db
expect 0 "$referee" ladder data --rate
[ -s out ] && wrong "--rate says: $(cat out)"
python same first.db data/index.db
python age data/index.db
expect 0 "$referee" ladder data
python same first.db data/index.db

# The file has anchors; who asks the folder sees the same.
cat >anchor.ini <<END
[server]
data = $work/data
[ladder main]
anchor = other 1500
[ladder cup]
anchor = stranger 1500
END
expect 0 "$referee" ladder anchor.ini
says out "ratings of 6 games, other has 1500"
says out "ratings of 3 games, mean 0"
python anchor data/index.db main 1500
expect 0 "$referee" ladder data
says out "ratings of 6 games, other has 1500"
cp data/index.db anchored.db
expect 0 "$referee" reindex data
python same anchored.db data/index.db
expect 0 "$referee" reindex anchor.ini
python same anchored.db data/index.db
expect 0 "$referee" ladder anchor.ini --rate
python same anchored.db data/index.db

# Anchors can be handed over, for a file that is not the daemon's any more.
printf 'main other 700\ncup\n' >anchors
expect 0 "$referee" ladder anchor.ini --anchors anchors
says out "ratings of 6 games, other has 700"
expect 0 "$referee" ladder data --anchors - <anchors
says out "ratings of 6 games, other has 700"
says out "ratings of 3 games, mean 0"
for line in "main other" "main other x" "main other 1 2" " "; do
    printf '%s\n' "$line" >anchors
    expect 2 "$referee" ladder data --anchors anchors
    says err "should be LADDER NAME ELO, or LADDER for none"
done
expect 2 "$referee" ladder data --anchors nothing
says err "nothing cannot be opened"
expect 0 "$referee" ladder anchor.ini --rate
python same anchored.db data/index.db

# A daemon that runs: no reindex, and --watch waits for its end.
python hold data/lock 1 &
holder=$!
while ! [ -e held ]; do sleep 0.05; done
expect 1 "$referee" reindex data
says err "another referee uses data"
expect 0 "$referee" ladder data --ladder main
expect 0 "$referee" ladder data --ladder main --watch
says out "main: second-chance"
[ -e released ] || wrong "--watch did not wait"
wait $holder
python watch "$referee" data/lock
python watch "$referee" data/lock ctrl-c
python watch_small "$referee" data/lock

# Damage is named, and costs nobody else a game.
printf 'x' | dd of=mixed/records/main/20261116/m-03.rec bs=1 seek=60 \
    conv=notrunc 2>/dev/null
cp data/records/main/20261116/m-02.rec mixed/records/copy.rec
expect 1 "$referee" reindex mixed
says err "mixed/records/main/20261116/m-03.rec"
says err "mixed/records/main/20261116/m-02.rec:1: a copy of game m-02, which is already in "
says out "2 records left out"
expect 0 "$referee" ladder mixed --ladder main
says out "5 games"
printf 'no database at all, but long enough to be taken for one: %s\n' \
    "$(seq 100 | tr '\n' ' ')" >mixed/index.db
expect 2 "$referee" ladder mixed
says err "\"referee reindex\" rebuilds it from the records"
expect 1 "$referee" reindex mixed
expect 0 "$referee" ladder mixed

# One that must not be read is there nevertheless.
chmod 0 data/index.db
chmod 711 "$work" data
them=
[ "$(id -u)" = 0 ] &&
    them="setpriv --reuid=65534 --regid=65534 --clear-groups"
if $them test -x "$referee"; then
    expect 2 $them "$referee" ladder data
    says err "data/index.db cannot be opened: Permission denied"
    same "it is said once" 1 "$(wc -l <err)"
fi
chmod 600 data/index.db
chmod 700 "$work" data

# Wrong use.
printf 'main gredy 1500\n' >anchors
expect 2 "$referee" ladder data --anchors anchors
says err '--anchors: main: there is no bot "gredy"; did you mean "greedy"?'
printf 'mian greedy 1500\n' >anchors
expect 2 "$referee" ladder data --anchors - <anchors
says err '--anchors: there is no ladder "mian"; did you mean "main"?'
expect 0 "$referee" ladder data --rate --anchors anchors
expect 2 "$referee" ladder data --ladder mian
says err 'there is no ladder "mian"; did you mean "main"?'
expect 2 "$referee" ladder data --bot gredy
says err 'there is no bot "gredy"; did you mean "greedy"?'
expect 2 "$referee" ladder data --json --csv
says err "choose one"
expect 2 "$referee" ladder data --games
says err "--games goes with --csv"
expect 2 "$referee" ladder data --limit 5
says err "--limit goes with --bot"
expect 2 "$referee" ladder
says err "one file or folder"
expect 2 "$referee" ladder nothing.ini
says err "nothing.ini"
printf '[server]\ndata = nowhere\n' >no.ini
expect 2 "$referee" reindex no.ini
says err "its data folder nowhere does not exist"

echo "$count checks, $failed faults"
[ "$failed" = 0 ]
