#!/bin/sh
# The daemon: bots from the network and local ones at its tables, connections
# that break, its signals, its orders, its end. All on loopback.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bots=$(cd "${builddir:-.}/sample-bots/c" && pwd)
src=$(cd "${srcdir:-.}" && pwd)
for tool in python3 openssl; do
    command -v $tool >/dev/null || {
        echo "$tool is missing"
        exit 77
    }
done
. "$(dirname "$0")/checks.sh"
shown="log"
work=$(mktemp -d) || exit 1
mark=serve-$$-$(date +%s)
trap end EXIT
cd "$work" || exit 1
records='games/*/*.rec'

# ended WHAT [SIGNAL]: it ends, in time, with code 0, and leaves nothing.
ended() {
    [ -n "$2" ] && kill -"$2" "$daemon"
    for i in $(seq 300); do
        kill -0 "$daemon" 2>/dev/null || break
        sleep 0.1
    done
    kill -9 "$daemon" 2>/dev/null && wrong "$1: it does not end"
    wait "$daemon"
    same "$1: exit code" 0 $?
    daemon=''
    has "$1" log " stopped$"
    games_apart
    same "$1: processes left" 0 "$(left_over)"
    same "$1: sockets left" "" "$(ls | grep -xE 'control|door')"
    bots_end
    for token in $(cat ./*.token); do
        hasnt "$1: a token in the log" log "$token"
    done
}

# dial FILE ARGUMENT...: referee connect.
dial() {
    out=$1
    shift
    : >"$out.out"
    "$referee" connect "$@" 2>"$out.out" &
    client=$!
    clients="$clients $client"
}

order() {
    "$referee" "$@" --control control >order.out 2>&1
    same "referee $*" 0 $?
}

# one WHAT: the only record, which is whole and right.
one() {
    games_apart
    same "$1: records" 1 "$(ls $records 2>/dev/null | wc -l)"
    record=$(ls $records | head -n 1)
    same "$1: replay" "" "$("$referee" replay --quiet "$record" 2>&1)"
    has "$1" "$record" "^hash "
}

tokens anna bob carl dora
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
    -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>/dev/null
chmod 600 key.pem

# config LINE...: these lines go into [server].
config() {
    cat >ref.ini <<END
[server]
data = data
keys = keys
control = control
http = 127.0.0.1:0
$(printf '%s\n' "$@")
[listen local]
port = 0
[listen world]
kind = tls
port = 0
certificate = cert.pem
private-key = key.pem
[listen door]
kind = unix
path = door
END
}

# local NAME...: bots of this machine.
local_bots() {
    for name; do
        printf '[bot %s]\ncommand = %s\nenvironment = BAD_MARK\n' "$name" "$bots/greedy_rondo"
    done >>ref.ini
}

# Four ways to a table: connect over TCP and TLS, a bot that speaks TCP itself,
# a local program.
config "lag-cap = 20ms"
local_bots greedy
ladder four rondo 4 "bots = greedy" "local-games = no" "time = move:30s"
serve
order pause
dial anna 127.0.0.1:$port --name anna --token-file anna.token -- "$bots/random"
dial bob 127.0.0.1:$tls_port --tls --ca cert.pem --name bob \
    --token-file bob.token -- "$bots/greedy_rondo"
python3 "$src/sample-bots/python/tcp_bot.py" 127.0.0.1 $port carl carl.token \
    >carl.out 2>&1 &
clients="$clients $!"
until_true "sum(c['state'] == 'idle' for c in s['connections']) == 3"
same "kinds" "tcp tcp tls" \
    "$(status "' '.join(sorted(c['kind'] for c in s['connections']))")"
same "who waits" "anna bob carl" \
    "$(status "' '.join(sorted(s['ladders'][0]['waiting']))")"
same "paused" paused "$(status "s['state']")"
same "no game yet" 0 "$(status "s['games']['running']")"
order resume
until_true "s['games']['done'] >= 1"
ended "four ways" TERM
for record in $records; do
    same "four ways: replay" "" "$("$referee" replay --quiet $record 2>&1)"
    has "four ways" "$record" "^hash "
    hasnt "four ways" "$record" "^leave"
    same "four ways: names" "anna bob carl greedy" \
        "$(sed -n 's/^seat . name=\([a-z]*\).*/\1/p' $record | sort | xargs)"
    has "four ways: lag is compensated" "$record" "^@- clock .* travel=[0-9]"
done
has "four ways: the log of a game" log "\[$(basename "$record" .rec)\] rondo"
rm -rf data

# A connection is cut in mid-game, and taken up again.
config "grace = 20s"
ladder duel rondo 2 "time = move:30s"
serve
bot anna cut:3
bot bob play
await anna.out "game_over"
has "cut" anna.out "hangs up"
has "cut" anna.out "^new_game .*resume=yes"
has "cut" log "anna is back"
hasnt "cut" log "info anna from .* is gone: taken up"
ended "cut" TERM
record=$(ls $records | head -n 1)
same "cut: replay" "" "$("$referee" replay --quiet $record 2>&1)"
hasnt "cut" "$record" "^leave"
has "cut" "$record" "^result ranks"
rm -rf data

# The same over TLS, with connect killed and started again; the game waits.
serve
dial anna 127.0.0.1:$tls_port --tls --ca cert.pem --name anna \
    --token-file anna.token -- "$bots/random"
bot bob slow:150
await bob.out "new_game"
sleep 1
kill -9 $client
until_true "any(c['state'] == 'away' for c in s['connections'])"
dial again 127.0.0.1:$port --name anna --token-file anna.token -- \
    "$bots/random"
await log "anna is back"
await bob.out "game_over" 1
ended "connect killed" TERM
record=$(ls $records | head -n 1)
same "connect killed: replay" "" "$("$referee" replay --quiet $record 2>&1)"
hasnt "connect killed" "$record" "^leave"
rm -rf data

# Stopping waits for who is away, and lets him in.
serve
bot anna cut:2
bot bob slow:150
await bob.out "new_game"
kill -STOP $(echo $clients | cut -d' ' -f1)
sleep 0.5
kill -TERM $daemon
await log "stopping"
kill -CONT $(echo $clients | cut -d' ' -f1)
ended "back while it stops"
one "back while it stops"
hasnt "back while it stops" "$record" "^leave"
has "back while it stops" anna.out "resume=yes"
rm -rf data

# The grace is over.
config "grace = 1s"
ladder three rondo 3 "time = move:30s"
serve
bot anna leave:2
bot bob
bot carl
await bob.out "game_over"
ended "grace" TERM
one "grace"
same "grace: who left" 1 "$(grep -c '^leave . exit$' $record)"
has "grace: why" log "anna left \(exit\): lost its connection and did not"
has "grace: the others play to the end" "$record" "^result ranks="
rm -rf data

# SIGTERM: the game ends by itself.
config
ladder duel rondo 2 "time = move:30s"
serve
bot anna slow:50
bot bob slow:50
await anna.out "new_game"
ended "SIGTERM" TERM
one "SIGTERM"
has "SIGTERM" "$record" "^result ranks"
has "SIGTERM" anna.out "game_over"
rm -rf data

# SIGINT, with a bot that never answers, and local ones: broken off. After the
# next start it goes on, when that bot is there again.
config "stop-limit = 1s"
local_bots greedy modest
ladder three rondo 3 "time = move:300s" "bots = greedy, modest" \
    "local-games = no"
serve
bot anna mute
await anna.out "mute"
ended "SIGINT" INT
same "SIGINT: finished" "" "$(ls $records 2>/dev/null)"
same "SIGINT: running" 1 "$(ls data/running/*.rec | wc -l)"
"$referee" replay data/running/*.rec >out 2>&1
same "SIGINT: replay" 0 $?
has "SIGINT" log "broken off; it continues when"
whole=$(cat data/running/*.rec)
serve
has "SIGINT: again" log "rondo continues on three"
bot anna
await anna.out "game_over"
ended "SIGINT: again" TERM
record=$(ls $records | head -n 1)
same "SIGINT: again: the beginning" "$whole" \
    "$(head -c ${#whole} "$record")"
has "SIGINT: again" anna.out "^new_game .*resume=yes"
hasnt "SIGINT: again" "$record" "^leave"
has "SIGINT: again" "$record" "^result ranks"
"$referee" replay --quiet $records >out 2>&1
same "SIGINT: again: replay" 0 $?
rm -rf data

# Orders. A game that runs, one bot kicked from it, one that waits.
config "grace = 20s"
ladder duel rondo 2 "time = move:300s" "join = anna, bob"
ladder other rondo 2 "time = move:30s" "join = carl, dora"
serve
bot anna mute
bot carl
until_true "len(s['connections']) == 2"
same "join: nobody plays" 0 "$(status "s['games']['running']")"
same "join: who waits where" "['anna'] ['carl']" \
    "$(status "*(l['waiting'] for l in s['ladders'])")"
bot bob slow:100
until_true "s['games']['running'] == 1"
"$referee" status --control control --games >out 2>&1
has "status" out "duel"
has "status --games" out "anna"
order pause --json
has "pause --json" order.out '"state": ?"paused"'
bot dora
until_true "len(s['connections']) == 4"
same "paused: no game for carl and dora" 1 "$(status "s['games']['running']")"
order kick anna --json
has "kick --json" order.out '"kicked": ?1'
await bob.out "game_over"
has "kicked" log "anna left \(exit\): kicked by the organiser"
one "kicked"
has "kicked" "$record" "reason=forfeit left=[12]:exit"
await anna.out "lost|end"
"$referee" kick nobody --control control >out 2>&1
has "kick nobody" out "nobody called nobody is connected"

# Over http.
cat >get.py <<'END'
import sys, urllib.error, urllib.request
try:
    with urllib.request.urlopen(sys.argv[1], timeout=10) as answer:
        print(answer.status)
        print(answer.read().decode())
except urllib.error.HTTPError as error:
    print(error.code)
    print(error.read().decode())
END
get() {
    python3 get.py "http://127.0.0.1:$http_port$1" >get.out 2>&1
}
get /healthz
same "healthz" 200 "$(head -n 1 get.out)"
get /nothing
same "another path" 404 "$(head -n 1 get.out)"
has "another path: a page says so" get.out "There is no such page"
get /metrics
moves=$(sed -n 's/^referee_moves_total //p' get.out)
for line in "paused 1" "games_running 0" "games_done_total 1" \
    "games_void_total 0" 'faults_total\{why="exit"\} 1' "logins_total 4" \
    "logins_failed_total 0" 'ladder_bots_waiting\{ladder="other"\} 2' \
    "loop_lag_seconds_count $moves" "received_bytes_total [1-9]" \
    'connections_accepted_total\{listener="tcp"\} 4' \
    "sent_bytes_total [1-9]" "connections 3"; do
    has "metrics" get.out "^referee_$line"
done
order resume
await carl.out "game_over"
order stop --json
has "stop --json" order.out '"state": ?"stopping"'
ended "stop"
rm -rf data

# SIGHUP: ladders come and go, a wrong file changes nothing, a key is removed.
config
ladder old rondo 2 "time = move:30s" "join = anna, bob"
serve
bot anna slow:100
bot bob slow:100
until_true "s['games']['running'] == 1"
config "data2 = wrong"
kill -HUP $daemon
await log "the old one stays"
has "a wrong file" log "data2"
same "a wrong file: ladders" old "$(status "*(l['name'] for l in s['ladders'])")"
"$referee" reload --control control >out 2>&1
same "a wrong file: reload" 1 $?
config
ladder new rondo 2 "time = move:30s" "join = carl, dora"
kill -HUP $daemon
await log "configuration read again"
bot carl slow:50
bot dora slow:50
await carl.out "game_over"
await anna.out "game_over"
until_true "[l['name'] for l in s['ladders']] == ['new']"
same "a removed ladder: no new game" 1 "$(grep -c new_game anna.out)"
games_apart
same "a removed ladder: its game was finished" 1 \
    "$(grep -lE '^seat . name=anna' $records | wc -l)"
cp keys keys.all
grep -v '^anna ' keys.all >keys
order reload
hasnt "the same doors" order.out "restart"
await log "anna from 127.0.0.1 is gone: its key was removed"
bot anna play late
await log "wrong login as anna"
cp keys.all keys
printf '[listen more]\nport = 0\n' >>ref.ini
order reload
has "another door" order.out "need a restart"
has "another door" log "warning.*need a restart"
order reload
has "another door, still" order.out "need a restart"
sed -i '/^.listen more.$/,$d' ref.ini
order reload
hasnt "the first doors again" order.out "restart"
"$referee" connect 127.0.0.1:$port --once --name bob --token-file bob.token \
    --plain-token -- "$referee" bot >out 2>&1
same "a plain token: refused" 1 $?
has "a plain token" out "or takes no --plain-token"
has "a plain token" log "wrong login as bob.*plain-tokens is off"
ended "SIGHUP" TERM
for record in $records; do
    same "SIGHUP: replay" "" "$("$referee" replay --quiet $record 2>&1)"
    hasnt "SIGHUP" "$record" "^leave"
done
rm -rf data

# The referee is held up, and an answer lies there in time, over TCP or TLS: it is
# read before anybody is called late. Both are asked at once.
config
ladder both second-chance 2 "time = move:3s"
serve
bot anna slow_told:500
: >bob.out
python3 "$src/tests/bots/net_bot.py" tls:127.0.0.1:$tls_port bob bob.token \
    slow_told:500 >bob.out 2>&1 &
clients="$clients $!"
until [ "$(tail -qn 1 anna.out bob.out | xargs)" = "asked asked" ]; do
    kill -CONT $daemon
    sleep 0.05
    kill -STOP $daemon
done
sleep 3.1
await anna.out "answers" "$(grep -c asked anna.out)"
await bob.out "answers" "$(grep -c asked bob.out)"
sleep 0.5
kill -CONT $daemon
await bob.out "game_over"
ended "held up" TERM
hasnt "held up" log " left \\("
rm -rf data

# Killed: the next one takes the sockets over, and the game goes on. Who is away
# takes no connection from who comes back.
config "connections = 2"
ladder duel rondo 2 "time = move:30s"
serve
bot anna slow:100
: >bob.out
python3 "$src/tests/bots/net_bot.py" unix:door bob bob.token slow:100 \
    >bob.out 2>&1 &
clients="$clients $!"
await bob.out "new_game"
sleep 1
kill -9 $daemon
wait $daemon 2>/dev/null
await anna.out "end|lost"
"$referee" replay data/running/*.rec >out 2>&1
same "killed: replay" 0 $?
has "killed: replay" out "unfinished|not finished|ends before"
same "killed: sockets" "control door" "$(ls -d control door | xargs)"
id=$(basename data/running/*.rec .rec)
whole=$(cat data/running/*.rec)
serve
has "killed" log "\[$id\] rondo continues on duel"
same "killed: who is away" "anna bob" \
    "$(status "' '.join(sorted(c['name'] for c in s['connections']))")"
# The login by which one comes back is over then, and takes nobody's place.
same "two come back at once" "login" "$(python3 - $daemon $port <<'END'
import hashlib, hmac, os, signal, socket, sys

daemon, port = map(int, sys.argv[1:])
bob = socket.socket(socket.AF_UNIX)
bob.connect("door")
nonce = bob.makefile().readline().split()[2]
key = open("bob.token").read().strip().encode()
words = f"referee-login-1 bob {nonce}".encode()
os.kill(daemon, signal.SIGSTOP)
bob.sendall(f"=1 bob {hmac.new(key, words, hashlib.sha256).hexdigest()}\n\n".encode())
anna = socket.create_connection(("127.0.0.1", port))
os.kill(daemon, signal.SIGCONT)
print((anna.makefile().readline().split() or [0, "refused"])[1])
END
)"
await log "bob is back"
bot anna
: >bob.out
python3 "$src/tests/bots/net_bot.py" unix:door bob bob.token >bob.out 2>&1 &
clients="$clients $!"
await bob.out "game_over"
BAD_MARK=$mark timeout 20 "$referee" serve ref.ini >out 2>&1
same "a second daemon" 1 $?
has "a second daemon" out "another referee uses"
same "a second daemon: still there" running "$(status "s['state']")"
sed 's/^control = .*/control = other/' ref.ini >other.ini
BAD_MARK=$mark timeout 20 "$referee" serve other.ini >out 2>&1
same "a second daemon, by another control socket" 1 $?
has "a second daemon, by another control socket" out "another referee uses"
same "a second daemon leaves the control socket of the first" running \
    "$(status "s['state']")"
same "a second daemon leaves the door of the first" open "$(python3 -c '
import socket
socket.socket(socket.AF_UNIX).connect("door")
print("open")' 2>&1 | tail -n 1)"
same "a second daemon leaves no socket" "" "$(ls | grep -x other)"
printf '[server]\ndata = data3\n[listen a]\nport = %s\n' "$port" >other.ini
BAD_MARK=$mark timeout 20 "$referee" serve other.ini >out 2>&1
same "a port that is taken, but may be free again" 1 $?
has "a port that is taken" out "no listener on .* port $port: Address already in use"
printf '[server]\ndata = /proc/x\n[listen a]\nport = 0\n' >other.ini
BAD_MARK=$mark timeout 20 "$referee" serve other.ini >out 2>&1
same "a data folder that cannot be made" 2 $?
has "a data folder that cannot be made" out "/proc/x cannot be created"
ended "killed and started again" TERM
same "mode of the records" 600 "$(stat -c %a data/records/*/*.rec | sort -u)"
record=games/duel/$id.rec
hasnt "killed and started again" "$record" "^leave"
has "killed and started again" "$record" "^result ranks"
"$referee" replay --quiet $records >out 2>&1
same "killed and started again: replay" 0 $?
same "killed and started again: the beginning" "$whole" \
    "$(head -c ${#whole} "$record")"
rm -rf data

# Killed, and one does not come back: it forfeits when the grace is over.
config "grace = 2s"
ladder duel rondo 2 "time = move:30s"
serve
bot anna slow:100
bot bob slow:100
await bob.out "new_game"
sleep 1
kill -9 $daemon
wait $daemon 2>/dev/null
serve
bot anna
await anna.out "game_over"
ended "one comes back" TERM
one "one comes back"
has "one comes back" "$record" "reason=forfeit left=[12]:exit"
has "one comes back" log "bob left \(exit\): lost its connection and did not"
rm -rf data

# One name, several connections: several games, up to a limit.
config "connections-per-name = 2"
ladder duel rondo 2 "time = move:30s"
serve
dial anna 127.0.0.1:$port --name anna --token-file anna.token --count 2 -- \
    "$bots/random"
bot bob slow:200
bot bob slow:200 bob2
until_true "s['games']['running'] == 2"
bot bob play bob3
await log "bob from 127.0.0.1 is gone: too many connections of this name"
await bob3.out "end|lost"
same "one too many: games go on" 2 "$(status "s['games']['running']")"
ended "one name" TERM
same "one name: records" 2 "$(ls $records | wc -l)"
same "one name: leaves" 0 "$(cat $records | grep -c '^leave')"
rm -rf data
serve
bot anna
await log "anna is here"
bot anna play anna2
await log "anna is here" 2
bot anna play anna3
await log "anna from 127.0.0.1 is gone: replaced by a newer login"
await anna.out "end|lost"
same "replaced: who is there" 2 "$(status "len(s['connections'])")"
same "nobody plays against itself" 0 "$(status "s['games']['running']")"
ended "replaced" TERM

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
