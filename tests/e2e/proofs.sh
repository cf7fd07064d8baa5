#!/bin/sh
# What a record proves: who has signed it, that none is missing or was added,
# and that nobody could choose the deal. Each part is an attack.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
src=$(cd "${srcdir:-.}" && pwd)
command -v python3 >/dev/null || {
    echo "python3 is missing"
    exit 77
}
. "$(dirname "$0")/checks.sh"
shown="out log"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1

# configure FOLDER GAMES [LINE...]: two local bots that play so many games.
configure() {
    cat >ref.ini <<END
[server]
control = control
rate-every = 0
data = $1
http = 127.0.0.1:0
[bot a]
command = $bad none 1
[bot b]
command = $bad none 2
END
    games=$2
    shift 2
    ladder main axiom 2 "join = none" "bots = a, b" "meetings = $games" \
        "set = maxplies=4" "$@"
}

# run UNTIL: serve, wait, stop.
run() {
    serve
    until_true "$1"
    stop
}

stop() {
    kill "$daemon"
    wait "$daemon"
    daemon=
}

# replays WHAT CODE OPTION...
replays() {
    what=$1 code=$2
    shift 2
    "$referee" replay "$@" >out 2>&1
    same "$what" $code $?
}

# reindexes WHAT CODE OPTION...
reindexes() {
    what=$1 code=$2
    shift 2
    "$referee" reindex "$@" >out 2>&1
    same "$what" $code $?
}

# attack: a fresh copy of the data, as `x`; the file of the day is in `day`.
attack() {
    rm -rf x
    cp -r data x
    day=$(echo x/records/main/*.rec)
}

# number N FILE: the record with this number, from its first line on.
number() {
    awk -v n="$1" '/^record / { text = "" } { text = text $0 "\n" }
        /^seal / && $3 == n { printf "%s", text }' "$2"
}

# without N FILE: all others.
without() {
    awk -v n="$1" '/^record / { text = "" } { text = text $0 "\n" }
        /^seal / { if ($3 != n) printf "%s", text }' "$2"
}

# close_again: a record from stdin with its hash computed anew, and its seal.
close_again() {
    cat >changed
    grep -vE '^(hash|seal) ' changed >body
    cat body
    echo "hash $(sha256sum body | cut -d' ' -f1)"
    grep '^seal ' changed
}

# Six games, in two runs: a chain of six.
configure data 3
run "s['ladders'][0]['exhausted']"
same "the key is its owner's" 600 "$(stat -c %a data/key)"
cp -r data early
early=$("$referee" head data)
configure data 6
serve
until_true "s['ladders'][0]['exhausted']"
python3 - "$http_port" >head.json <<'END'
import sys, urllib.request
url = f"http://127.0.0.1:{sys.argv[1]}/api/ladders/main/head"
print(urllib.request.urlopen(url).read().decode())
END
stop
key=$("$referee" key data)
same "the key, by the file" "$key" "$("$referee" key ref.ini)"
head=$("$referee" head data main)
set -- $head
same "six records" "main 6 $key" "$1 $2 $4"
has "the head over HTTP" head.json "\"link\": *\"$3\""
has "its key" head.json "\"key\": *\"$key\""
replays "the chain" 0 --trust "$key" data/records
has "its end" out "^chain main: 6 records, the last link is $3$"
replays "a head that was written down" 0 --trust "$key" --head "$early" \
    data/records
reindexes "all is well" 0 data
has "all are there" out '6 games on 1 ladder;'

# A stranger with the file changes a name, or whatever it is.
attack
number 2 "$day" | sed 's/^seat 1 name=./seat 1 name=x/' | close_again >forged.rec
replays "a name was changed" 1 forged.rec
has "it is said" out 'expected a signature of this record'
attack
{ without 2 "$day"; cat forged.rec; } >all && mv all "$day"
reindexes "a name was changed, reindex" 1 x
has "who says so" out 'it was changed: [0-9a-f]* has not signed this'
has "one is missing" out 'its record number 2 is missing'
has "five count" out '5 games on'

# ... takes the seal off.
attack
sed -i '0,/^seal /{/^seal /d}' "$day"
replays "one is unsigned" 1 --trust "$key" "$day"
has "it is named" out ':1: .*: it is unsigned'
reindexes "one is unsigned, reindex" 1 x
has "it does not count" out '5 games on .*, 2 records left out'
reindexes "unless it is wanted" 1 --unsigned x
has "then it counts" out '6 games on .*, 1 unsigned'

# ... takes a record away.
attack
without 3 "$day" >all && mv all "$day"
replays "a gap" 1 --trust "$key" x/records
has "it is named" out 'the chain main has a gap: its record number 3 is missing'
reindexes "a gap, reindex" 1 x
has "it is named there" out 'its record number 3 is missing'
attack
without 6 "$day" >all && mv all "$day"
replays "the end is cut off" 0 --trust "$key" x/records
replays "the head knows" 1 --trust "$key" --head "$head" x/records
has "it says so" out 'number 6 of the chain main is missing'

# ... or puts one there twice, under another id.
attack
number 4 "$day" >>"$day"
replays "a twin" 1 --trust "$key" x/records
has "it is named" out 'it is a duplicate: number 4 of the chain main is already in'
reindexes "a twin, reindex" 1 x
has "it counts once" out '6 games on'

# A stranger has a key of its own.
"$referee" match --game axiom --games 3 --concurrency 2 --set maxplies=4 \
    --records foreign --key foreign.key "$bad none 1" "$bad none 2" >out 2>&1
foreign=$("$referee" key foreign.key)
replays "a match has a chain" 0 --trust "$foreign" foreign
has "it is one" out '^chain match-[0-9a-f]*: 3 records'
replays "of another" 1 --trust "$key" foreign
has "it is said" out 'it is signed with another key'
attack
cp foreign/games-*.rec x/records/main/
reindexes "a stranger's records" 1 x
has "they do not count" out '6 games on'
has "they are named" out "it is signed with another key: $foreign"
reindexes "who is trusted" 0 --trust "$foreign" x
hasnt "is no stranger" out 'signed with another key'

# A match that is killed goes on in its chain.
"$referee" match --game axiom --games 5 --concurrency 2 --set maxplies=4 \
    --records foreign --key foreign.key --resume "$bad none 1" \
    "$bad none 2" >out 2>&1
replays "it went on" 0 --trust "$foreign" --strict foreign
has "there, too" out ': 5 records'

# A record of another ladder, by the same referee.
attack
mkdir x/records/other
sed 's/ event=main / event=other /' "$day" | number 1 - | close_again \
    >x/records/other/20260101.rec
reindexes "a record of another ladder" 1 x
has "it does not count" out '6 games on 1 ladder'

# Into running/, and behind the last record of a day: nothing comes of it.
attack
number 1 data/records/main/*.rec | grep -v '^seal' |
    sed 's/id=[^ ]*/id=20260101-000000-000001/' | close_again >dropped
cp dropped x/running/20260101-000000-000001.rec
sed '/^result/,$d; s/-000001/-000003/' dropped >x/running/20260101-000000-000003.rec
sed 's/-000001/-000002/' dropped | close_again >>"$day"
configure x 6
run "s['ladders'][0]['exhausted']"
has "dropped there" log 'this referee has not begun it'
same "three are put aside" 3 "$(ls x/damaged | wc -l)"
reindexes "they do not count" 0 x
has "six as before" out '6 games on'
same "a part of the file that nobody knows" 0 \
    "$(cat x/records/main/*.rec | grep -c 20260101)"

# ... nor of one there that has the seal of another.
attack
number 1 data/records/main/*.rec | sed 's/id=[^ ]*/id=20260101-000000-000004/' |
    close_again >>"$day"
configure x 6
run "s['ladders'][0]['exhausted']"
has "a seal that is not right" log 'it is not signed by this referee for main'
reindexes "it does not count" 1 x
has "six as before" out '6 games on'

# Somebody writes into the index: a game without a record, and nonsense.
attack
cat >touch_index.py <<'END'
import sqlite3
db = sqlite3.connect("x/index.db")
db.execute("update standings set games = 0, wins = 7")
row = list(db.execute("select * from games limit 1").fetchone())
for id, path in (("invented", "records/main/nowhere.rec@0+10"),
                 ("borrowed", row[-1]), ("stolen", "../keys")):
    row[0], row[-1] = id, path
    db.execute(f"insert into games values ({','.join('?' * len(row))})", row)
db.commit()
END
python3 touch_index.py
configure x 6
serve
for game in invented borrowed stolen; do
    has "$game" log "\[$game\] it is dropped from the index: "
done
python3 - "$http_port" >ladder.json <<'END'
import sys, urllib.request
url = f"http://127.0.0.1:{sys.argv[1]}/api/ladders/main"
print(urllib.request.urlopen(url).read().decode())
END
stop
has "six games, as before" ladder.json '"games": *6[,}]'
attack
python3 - <<'END'
import sqlite3
db = sqlite3.connect("x/index.db")
db.execute("update standings set games = 0, wins = 7")
db.commit()
END
serve
python3 - "$http_port" >ladder.json <<'END'
import sys, urllib.request
url = f"http://127.0.0.1:{sys.argv[1]}/api/ladders/main"
print(urllib.request.urlopen(url).read().decode())
END
has "no games at all do no harm" ladder.json '"standings"'
same "the daemon lives" SERVER_RUNNING "$(kill -0 "$daemon" && echo SERVER_RUNNING)"
stop

# The organiser plays history again with the same key: the old head knows.
mkdir again
cp -p data/key again/key
configure again 6
run "s['ladders'][0]['exhausted']"
replays "in itself it is well" 0 --trust "$key" again/records
replays "whoever wrote down the head knows" 1 --trust "$key" \
    --head "$head" again/records
has "history was changed" out 'history was changed'

# A receipt for a bot.
tokens anna bob
cat >ref.ini <<END
[server]
control = control
rate-every = 0
data = net
[listen local]
port = 0
END
ladder net axiom 2 "join = all" "meetings = 1" "set = maxplies=4"
serve
NET_BOT_LISTS=receipt bot anna
bot bob
until_true "s['games']['done'] == 1"
await anna.out '^receipt '
bots_end
stop
hasnt "who did not list it" bob.out 'receipt'
replays "a receipt" 0 --receipt anna.out net/records
has "is accepted" out '^receipt accepted: number 1 of the chain net$'
"$referee" key net >net.pub
replays "with its key" 0 --receipt anna.out --trust net.pub net/records
replays "with another key" 2 --receipt anna.out --trust "$key" net/records
sed 's/ name=anna/ name=emma/' net/records/net/*.rec | close_again \
    >forged.rec
replays "what was changed" 1 --receipt anna.out forged.rec
sed 's/ name=anna/ name=emma/' net/records/net/*.rec | close_again |
    grep -v '^seal' >forged.rec
replays "without its seal" 1 --receipt anna.out forged.rec
has "is refuted" out 'the record that anna.out describes, number 1 .*is missing'
sed 's/receipt ./receipt 0/' anna.out >forged
replays "a forged receipt" 2 --receipt forged net/records

# Clocks: an hourglass, too, and nobody leaves for a time that it had.
"$referee" match --game axiom --games 1 --set maxplies=4 --time hourglass:9s \
    --records sand "$bad none 1" "$bad none 2" >out 2>&1
replays "an hourglass" 0 --strict sand
# forge EXPRESSION: of sed, on that record, closed again.
forge() {
    sed "$1" sand/games-001.rec | close_again >forged.rec
}
forge '0,/^@- clock 2 [0-9]*/s//@- clock 2 9000077/'
replays "what others got was changed" 1 forged.rec
has "it is said" out 'forged.rec:[0-9]*: .*expected [0-9]* on the clock, by hourglass:9s'
forge '/^@- clock/d'
replays "clocks are missing" 0 forged.rec
has "that is said always" out 'moves, result .*; but its clocks are missing$'
replays "and refused" 1 --strict forged.rec
late='@- fault 2 time did not answer in time: it took 3.000 ms of 2.000'
leave="leave 2 time\\nresult ranks=1,2 scores=1,0 reason=forfeit left=2:time"
forge '/^play 1/q'
{ sed '/^hash/d' forged.rec; printf "$leave\n"; } | close_again >left.rec
replays "somebody was made to leave" 0 left.rec
has "that is said" out '; but nothing shows that the seat'
replays "and refused" 1 --strict left.rec
{ sed '/^hash/d' forged.rec; printf "$late\n$leave\n"; } | close_again >left.rec
replays "or did it have less time?" 1 left.rec
has "it had more" out 'expected a move that took longer than the [0-9.]* ms that the clock had'

# Shuffles that nobody can choose: a bot adds to the seed, or not.
cat >chance.py <<'END'
import sys
moves = []
for line in sys.stdin:
    ident, command, *args = line.split()
    text = {"protocol_version": "2", "entropy": sys.argv[1],
            "list_commands": "legal_moves\nentropy\ngame_over\n"}.get(command, "")
    if command == "legal_moves":
        moves = args
    if command == "genmove":
        text = moves[0]
    if command in ("entropy", "game_over"):
        print(command, *args, file=sys.stderr)
    mark = "?" if text == "refuse" else "="
    print(f"{mark}{ident} {text}", flush=True)
END
# shuffle FOLDER WORD GAMES OPTION...: the first bot adds WORD, the other nothing.
shuffle() {
    folder=$1 word=$2 games=$3
    shift 3
    "$referee" match --game rondo --games $games --records $folder "$@" \
        "python3 $work/chance.py $word" "$bad none 2" >out 2>&1
}
# deal_of OPTION...: of the seed in cards/.
deal_of() {
    "$referee" deal --game rondo "$@" --seed \
        "$(sed -n 's/^seed //p' cards/games-001.rec)" | grep '^deal'
}
shuffle cards 6a09e667 1
replays "a seed that was added to" 0 --strict cards
has "what was added" cards/games-001.rec '^entropy 6a09e667 -$'
has "it is told" cards/*.log 'game_over .* seed=[0-9a-f]* entropy=6a09e667,-$'
same "the deal follows" "$(grep '^deal' cards/games-001.rec)" \
    "$(deal_of --entropy '6a09e667 -')"
count=$((count + 1))
[ "$(deal_of)" != "$(deal_of --entropy '6a09e667 -')" ] || wrong "it adds nothing"
sed 's/^entropy 6a/entropy 6b/' cards/games-001.rec | close_again >forged.rec
replays "something else was added" 1 forged.rec
has "it is said" out 'expected the seed that gives this deal'
sed '/^entropy/d' cards/games-001.rec | close_again >forged.rec
replays "nothing was added" 1 forged.rec
sed 's/^entropy.*/entropy 6A09 - -/' cards/games-001.rec | close_again >forged.rec
replays "no entropy" 1 forged.rec
has "what it is" out 'a word per seat: up to 64 hex digits, or -'
for word in refuse xyz 6a0 $(printf '%066d' 1); do
    rm -rf cards
    shuffle cards $word 1
    hasnt "who adds $word" cards/games-001.rec '^entropy'
    same "changes nothing" "$(grep '^deal' cards/games-001.rec)" "$(deal_of)"
done
rm -rf cards
shuffle cards 6a09e667 1 --seed chosen
hasnt "a seed that was chosen" cards/games-001.rec '^entropy'
rm -rf cards
shuffle cards 6a09e667 2 --duplicate
replays "a deal that is played twice" 0 --strict cards
same "it is added to once" 1 "$(cat cards/*.log | grep -c '^entropy')"
same "for both" 2 "$(cat cards/games-*.rec | grep -c '^entropy 6a09e667 -$')"
same "one deal" 1 "$(cat cards/games-*.rec | grep '^deal' | sort -u | wc -l)"

# The same on a server that is killed in between.
cat >ref.ini <<END
[server]
control = control
rate-every = 0
data = killed
[listen local]
port = 0
END
ladder net rondo 2 "join = all" "meetings = 2" "duplicate = yes"
serve
NET_BOT_LISTS=entropy:beef bot anna slow:20
bot bob slow:20
for i in $(seq 600); do
    grep -qs '^play' killed/running/*.rec && break
    sleep 0.1
done
kill -9 "$daemon"
wait "$daemon" 2>/dev/null
daemon=
bots_end
serve
NET_BOT_LISTS=entropy:cafe bot anna play again
bot bob
until_true "s['ladders'][0]['exhausted']"
bots_end
stop
replays "it went on" 0 --trust "$("$referee" key killed)" killed/records
same "what was added holds" 2 "$(cat killed/records/net/*.rec | grep -c '^entropy.* beef\|^entropy beef ')"
same "it is one deal" 1 "$(cat killed/records/net/*.rec | grep '^deal' | sort -u | wc -l)"

# Wrong use.
replays "no key" 2 --trust nobody data/records
has "is explained" out 'is not a key: give 64 hex digits'
replays "a head without a key" 2 --head "$head" data/records
chmod 644 x/key
"$referee" key x >out 2>&1
same "a key that others can read" 2 $?
has "what to do" out 'chmod 600'

[ "$failed" = 0 ] && echo "$count checks of proofs"
exit $((failed > 0))
