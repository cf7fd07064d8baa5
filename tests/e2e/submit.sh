#!/bin/sh
# Bots are handed in over the network, and by files that an organiser puts on
# the shelf. HANDINS=200 lets so many come at once.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
command -v python3 >/dev/null || {
    echo "python3 is missing"
    exit 77
}
. "$(dirname "$0")/checks.sh"
shown="out err log"
mark=submit-$$
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
PATH=$(dirname "$referee"):$PATH

cat >base.ini <<EOF
[server]
data = data
keys = keys
control = control
http = 127.0.0.1:0
stop-limit = 1s
[listen local]
port = 0
[listen hole]
kind = unix
path = $work/hole
[bot house]
command = referee bot
[ladder cards]
game = second-chance
seats = 2
time = move:60s
bots = house
handins = yes
[ladder alone]
game = second-chance
seats = 1
time = move:60s
join = bob
handins = yes
EOF
# handins LINE...: the section.
handins() {
    cp base.ini ref.ini
    printf '[handins]\nfolder = shelf\narchive-limit = 1\n' >>ref.ini
    printf '%s\n' "$@" >>ref.ini
}

# A bot that starts as bot.ini says; SEED makes another version of it.
folder() { # NAME SEED [LINE...]
    mkdir -p "src/$1"
    printf '[bot]\ncommand = referee bot --level 1 --seed %s\n' "$2" \
        >"src/$1/bot.ini"
    name=$1
    shift 2
    [ $# = 0 ] || printf '%s\n' "$@" >>"src/$name/bot.ini"
}

# submit CODE NAME ARGUMENT...
submit() {
    want=$1 who=$2
    shift 2
    timeout 300 "$referee" submit "127.0.0.1:$port" --name "$who" \
        --token-file "$who.token" "$@" >out 2>err
    same "submit as $who $*" "$want" $?
}

# plays NAME: the version.
plays() {
    "$referee" submissions --handins shelf "$1" | sed -n 's/.*plays version //p'
}

handins "per-owner = 1"
tokens anna bob carl newcomer
serve

# From the folder to the ladder.
folder anna one
submit 0 anna src/anna
has "the queue" out '^queued    1$'
has "unpacked" out '^unpacked  1 file, 1 KiB; version [0-9a-f]{16}$'
has "recipe" out '^recipe    bot.ini: "referee bot .*" starts it$'
has "checked" out '^checked   second-chance$'
same "a game is checked once" 1 "$(grep -c ^checked out)"
has "a game" out '^played    cards: [-0-9]+ to [-0-9]+ against a bot that'
has "a game of one" out '^played    alone: score [-0-9]+$'
has "verdict" out '^accepted  version [0-9a-f]{16} plays from now on$'
has "it plays" out '^playing   on cards, alone$'
await log 'names=(anna,house|house,anna)'
first=$(plays anna)
same "a version" 16 "$(printf %s "$first" | wc -c)"

# The same again, over the Unix socket; and what came of it.
"$referee" submit "unix:$work/hole" --name anna --token-file anna.token \
    --json src/anna >out 2>err
same "again" 0 $?
has "nothing is done again" out '^\{"stage":"accepted","text":"version .* plays already; nothing was done again"\}$'
same "nothing else is told" 2 "$(wc -l <out)"
submit 0 anna --watch
has "all of it is told again" out '^unpacked '
has "with the verdict" out '^accepted  version'
submit 2 bob --watch
has "nothing to watch" err 'nothing was handed in as bob'

# A version that fails replaces none that works.
mkdir -p src/anna && printf 'import sys\nprint("a mistake", file=sys.stderr)\n' >src/anna/bot.py
rm src/anna/bot.ini
submit 1 anna src/anna
has "refused" out '^refused   the check of second-chance: .*exited with code 0'
has "with its own words" out '^    .*a mistake$'
same "the first one plays on" "$first" "$(plays anna)"
submit 1 anna --watch
has "refused, later" out '^refused '
rm src/anna/bot.py

# Most people call it something else at first.
mkdir -p src/newcomer
echo 'print()' >src/newcomer/mybot.py
submit 1 newcomer src/newcomer
has "what to call it" out 'start the bot: rename mybot.py to bot.py, or add .*"command = python3 mybot.py"$'
rm -r src/newcomer

# Ladders.
folder anna two "ladders = cards, chess"
submit 1 anna src/anna
has "no such ladder" out 'no ladder "chess" accepts hand-ins; there are cards, alone'
folder anna two "ladders = cards"
submit 0 anna src/anna
has "only where it wants to" out '^playing   on cards$'
hasnt "not elsewhere" out 'alone'
second=$(plays anna)
"$referee" submissions --handins shelf anna --choose "$first" >out
same "back to the first" "$first" "$(plays anna)"
"$referee" submissions --handins shelf anna --withdraw "$first" >out
same "and taken back" "$second" "$(plays anna)"

# The same by its owner, from far away.
mine() { # CODE NAME ARGUMENT...
    want=$1 who=$2
    shift 2
    timeout 120 "$referee" submissions "127.0.0.1:$port" --name "$who" \
        --token-file "$who.token" "$@" >out 2>err
    same "submissions of $who $*" "$want" $?
}
short=$(printf %.8s "$first")
mine 0 anna
has "what plays" out "^anna: plays version $second, on cards\$"
has "a refusal, with its reason" out '^  .* refused .* check: .*exited with'
mine 0 anna --choose "$short"
has "the first again, on its ladders" out \
    "^anna: plays version $first, on cards, alone\$"
same "it is written down" "$first" "$(plays anna)"
has "in the log" log "anna has chosen version $first"
"$referee" submissions --handins shelf --json anna >out
has "who has chosen" out '"by": "owner"'
mine 0 anna --withdraw "$short" --json
has "as JSON" out '"event": "withdrawn"'
same "the second again" "$second" "$(plays anna)"
mine 2 anna --choose 00000000
has "no such version" err 'no accepted version begins with "00000000"'
mine 2 bob
has "nothing to show" err 'nothing was handed in as bob'
mine 2 anna --choose x --withdraw y
has "one of them" err 'cannot be combined'
"$referee" submissions "127.0.0.1:$port" --name anna --token-file bob.token \
    --withdraw "$second" >out 2>err
same "not with another token" 2 $?
has "not with another token" err 'wrong login'
same "nothing has changed" "$second" "$(plays anna)"
"$referee" submissions anna --name anna >out 2>err
same "a name without a server" 2 $?
client() { # CODE ARGUMENT...
    want=$1
    shift
    python3 "$src/sample-bots/python/connect.py" 127.0.0.1 "$port" anna \
        anna.token "$@" >out 2>err
    same "connect.py $*" "$want" $?
}
client 0 --choose "$first"
has "the Python client, too" out "^plays     $first\$"
client 0 --withdraw "$first"
client 0 --versions
has "and shows it" out "^plays     $second\$"
client 2 --withdraw "$second$second"
has "with the reason" err 'no accepted version'

# Over HTTP: what was refused, and what programs printed, is for the owner.
ask() { # PATH [TOKEN]
    python3 - "$http_port" "$@" >out 2>&1 <<'EOF'
import http.client, sys
port, path, *token = sys.argv[1:]
c = http.client.HTTPConnection("127.0.0.1", int(port))
c.request("GET", path, headers={"Referee-Token": token[0]} if token else {})
r = c.getresponse()
print(r.status, r.read().decode())
EOF
}
ask /api/bots/anna/submissions
has "the version that plays" out "^200 .*\"playing\": *\"$second\""
has "the history" out '"event": *"withdrawn"'
hasnt "what was refused" out 'refused'
ask /api/owner/anna/submissions
has "without a token" out '^403 .*Referee-Token is missing'
ask /api/owner/anna/submissions "$(cat bob.token)"
has "with another token" out '^403'
ask /api/owner/anna/submissions "$(cat anna.token)"
has "what was refused" out '^200 .*"event": *"refused"'
has "the verdict" out '"stage": *"accepted"'
ask /api/bots/..%2Fanna/submissions
has "no way out" out '^404'

# Wrong use.
use() { # TEXT ARGUMENT...
    text=$1
    shift
    "$referee" submit "$@" >out 2>err
    same "submit $*" 2 $?
    has "submit $*" err "$text"
}
use "submit needs a server"
use "name is missing" localhost:1
use "submit needs one folder" localhost:1 --name anna --token-file anna.token
use "hands in nothing" localhost:1 --name anna --token-file anna.token --watch x
use "nowhere: No such file" localhost:1 --name anna --token-file anna.token nowhere
mkdir -p src/links src/void && ln -s /etc/passwd src/links/bot.py
use "links and devices cannot be handed in" localhost:1 --name anna \
    --token-file anna.token src/links
use "src/void contains no files" localhost:1 --name anna --token-file anna.token \
    src/void
mkdir -p src/large && head -c 3000000 /dev/urandom >src/large/bot
use "this server accepts at most 1048576" "127.0.0.1:$port" --name bob \
    --token-file bob.token src/large
tokens ..
"$referee" reload --control control >out 2>err
use "begins with a dot cannot hand in" "127.0.0.1:$port" --name .. \
    --token-file ...token src/anna
use "wrong login" "127.0.0.1:$port" --name bob --token-file anna.token src/anna

# What strangers send: every sentence, and nothing is left.
python3 "$src/tests/e2e/submit.py" "127.0.0.1:$port" "$work" bob >out 2>&1
same "raw lines" 0 $?
[ "$failed" = 0 ] || cat out
same "nothing is left" "" "$(find shelf/bob -name '.sending*' -o -name 'sent-*')"

# The client in Python.
folder bob three
python3 "$src/sample-bots/python/connect.py" 127.0.0.1 "$port" bob bob.token \
    --submit src/bob >out 2>err
same "the Python client" 0 $?
has "its verdict" out '^accepted  version'
has "where it plays" out '^playing   on cards, alone'
python3 "$src/sample-bots/python/connect.py" 127.0.0.1 "$port" bob bob.token \
    --submit src/links >out 2>err
same "a link" 2 $?
printf 'all:\n\techo no such compiler; exit 1\n' >src/bob/Makefile
rm src/bob/bot.ini
python3 "$src/sample-bots/python/connect.py" 127.0.0.1 "$port" bob bob.token \
    --submit src/bob >out 2>err
same "a build that fails" 1 $?
has "its words" out 'no such compiler'

# An organiser puts files there.
folder dora four
mkdir -p shelf/dora shelf/emil
(cd src && tar czf ../shelf/dora/work.tgz dora)
cp -r src/links shelf/emil/mine
"$referee" reload --control control >out 2>err
await log 'dora handed in: accepted'
await log 'emil handed in: refused .*neither a file nor a folder'
await log 'names=(dora,|[^ ]*,dora)'
same "taken away" "shelf/dora/taken/work.tgz shelf/emil/taken/mine" \
    "$(echo shelf/*/taken/*)"
"$referee" submissions --handins shelf --json dora >out
has "who handed it in" out '"by": "organiser"'

# The daemon is killed while a build runs: it goes on with it.
mkdir -p src/carl && cat >src/carl/Makefile <<'EOF'
all:
	while ! [ -e go ]; do sleep 0.1; done
	cp random_bot.py bot
	chmod +x bot
EOF
cp "$src/sample-bots/python/random_bot.py" src/carl
timeout 300 "$referee" submit "127.0.0.1:$port" --name carl --token-file \
    carl.token src/carl >carl.out 2>carl.err &
client=$!
await carl.out '^recipe'
submit 2 carl src/anna
has "one at a time" err '1 hand-in of yours waits for a verdict already'
submit 0 carl --detach src/carl
has "the same one" out '^(queued|unpacked)'
kill -9 $daemon
wait $daemon 2>/dev/null
sed -i "s/^port = 0/port = $port/" base.ini
handins "per-day = 3"
serve
for i in $(seq 600); do
    for fresh in shelf/carl/.new-*; do
        [ -d "$fresh" ] && : >"$fresh/go"
    done
    kill -0 $client 2>/dev/null || break
    sleep 0.1
done
wait $client
same "the verdict comes all the same" 0 $?
has "after a new login" carl.err 'next try in'
has "accepted" carl.out '^accepted'
has "it plays" carl.out '^playing   on cards, alone'
same "the archive is gone" "" "$(find shelf/carl -name 'sent-*')"

"$referee" status --control control >out 2>err
has "the status" out '^hand-ins: 0 waiting, 0 in progress; 1 accepted, 0 refused, 0 '

# Quotas. What was handed in by others does not count, nor what is our fault.
rm -r src/carl
folder carl five
submit 0 carl src/carl
mv ref.ini hidden.ini # referee admit cannot read it: that is our fault
folder carl six
submit 2 carl src/carl
has "our fault" out '^failed    the server could not finish; that is not your fault'
mv hidden.ini ref.ini
submit 0 carl src/carl
has "what lay there is taken" out '^accepted'
folder carl seven
submit 2 carl src/carl
has "the quota" err 'you have had 3 verdicts within 24 hours, which is the limit'

# A bot chooses its ladders at its login, too.
timeout 120 "$referee" connect "127.0.0.1:$port" --once --name bob --token-file \
    bob.token --ladders nowhere -- referee bot >out 2>err
has "no such ladder" err 'bob cannot play on ladder "nowhere": there is none'
timeout 120 "$referee" connect "127.0.0.1:$port" --once --name carl --token-file \
    carl.token --ladders alone -- referee bot >out 2>err
has "not admitted" err 'carl cannot play on ladder "alone": it does not admit'

timeout 300 "$referee" connect "127.0.0.1:$port" --name bob --token-file \
    bob.token --ladders alone -- referee bot >connected.out 2>connected.err &
clients="$clients $!"
await connected.err 'game .*: second-chance on alone, seat 1' 2
await connected.err 'game [^ ]*: score [0-9]+' 2
hasnt "only there" connected.err 'on cards'
bots_end

# Many at once.
many=${HANDINS:-8}
handins "queue = 1000" "per-owner = 2"
"$referee" reload --control control >out 2>err
for i in $(seq "$many"); do
    tokens "m$i"
    folder "m$i" "$i" "ladders = cards"
done
"$referee" reload --control control >out 2>err
began=$(date +%s)
pids=
for i in $(seq "$many"); do
    "$referee" submit "127.0.0.1:$port" --name "m$i" --token-file "m$i.token" \
        "src/m$i" >"m$i.out" 2>"m$i.err" &
    pids="$pids $!"
done
accepted=0
for pid in $pids; do
    wait $pid && accepted=$((accepted + 1))
done
same "all of them" "$many" "$accepted"
same "and play" "$many" "$(cat m*.out | grep -c '^playing   on cards$')"
[ -z "$HANDINS" ] || echo "$many hand-ins in $(($(date +%s) - began)) s"

# A bot for which there is no ladder is not taken and put aside for nothing.
sed -i '/^handins = yes/d' ref.ini
"$referee" reload --control control >out 2>err
folder bob three
submit 2 bob src/bob
has "no ladder" err 'no ladder of this server accepts hand-ins at the moment'

# SIGTERM ends it.
kill $daemon
wait $daemon
same "the end" 0 $?
daemon=
gone "after the end"
echo "$count checks"
[ "$failed" = 0 ]
