#!/bin/sh
# What the owner of a network bot is told: opponents, results, ratings, faults,
# and why the bot waits; by "referee connect" and by sample-bots/python.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
for tool in python3 openssl curl; do
    command -v $tool >/dev/null || {
        echo "$tool is missing"
        exit 77
    }
done
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
shown="log anna.err out"
python=$src/sample-bots/python
umask 077

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
    -keyout key.pem -out good.pem -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost 2>/dev/null

config() {
    cat >ref.ini <<END
[server]
data = data
keys = keys
control = control
http = 0
durable = no
rate-every = 1s
[listen local]
port = 0
[listen world]
kind = tls
port = 0
certificate = good.pem
private-key = key.pem
[bot house]
command = $referee bot
END
}

tiny="set = board=rondo-board,1;name,tiny;centre,m;field,a1,R,2,grey;link,m,a1"

# told NAME COMMAND...: "referee connect"; what it says is in NAME.err.
told() {
    name=$1
    shift
    : >$name.err
    "$referee" connect 127.0.0.1:$port --name $name --token-file $name.token \
        -- "$@" 2>$name.err &
    clients="$clients $!"
}

# leaves WHAT: the last client, after its game, with code 0.
leaves() {
    pid=${clients##* }
    kill -TERM $pid
    wait $pid
    same "$1: exit code" 0 $?
    clients=${clients% *}
}

stops() {
    [ -z "$clients" ] || bots_end
    kill -TERM "$daemon"
    wait "$daemon"
    same "the daemon" 0 $?
    daemon=
    rm -rf data
}

tokens anna bob carl
echo wrong >wrong.token

# A game, its result, the rating; then why it waits, wherever one looks.
config
ladder main rondo 2 "bots = house" "max-games-per-pair = 2"
serve
told anna "$referee" bot
await anna.err 'logged in as anna, version ".*"; it plays on: main$'
await anna.err "game [-0-9a-z]+-000001: rondo on main, seat [12] against house$"
await anna.err "game .*: (won|lost|drew) [0-9]+ to [0-9]+ against house \([a-z]+\)$" 2
await anna.err "rating on main: .*, 95 % between .* and .*, place [12] after 2 games"
why="waits on main: it has met everybody here 2 times, and max-games-per-pair"
await anna.err "$why"
"$referee" status --control control >out
has "status says why" out "^anna $why"
curl -s "http://127.0.0.1:$http_port/bot/anna" >out
has "so does the page" out "exhausted"
has "the page says why" out "it has met everybody here 2 times"
leaves "connect"
same "each reason once" 1 "$(grep -c "waits on main: it has met" anna.err)"
has "the end" anna.err "the server has closed the connection: it has left"

# The same with one file of Python.
: >bob.err
python3 "$python/connect.py" 127.0.0.1 $port bob bob.token -- \
    python3 "$python/random_bot.py" 2>bob.err &
clients="$clients $!"
await bob.err "game .*: rondo on main, seat [12] against house$"
await bob.err "(won|lost|drew) [0-9]+ to [0-9]+ against house"
await bob.err "rating on main: "
await bob.err "$why"
leaves "connect.py"
has "connect.py: the end" bob.err "the server has closed the connection: it has left"

# Nobody is there who may play with it.
"$referee" pause --control control >out
told anna "$referee" bot
await anna.err "waits: the organiser has paused the games"
leaves "paused"
"$referee" resume --control control >out

# A wrong token is a sentence and an exit code, whatever logs in.
refusal="wrong login: no such name here, or not with this token"
python3 "$python/tcp_bot.py" 127.0.0.1 $port anna wrong.token >out 2>&1
same "tcp_bot.py: wrong token" 1 $?
has "tcp_bot.py: wrong token" out "$refusal"
python3 "$python/connect.py" 127.0.0.1 $port anna wrong.token --once -- cat \
    >out 2>&1
same "connect.py: wrong token" 1 $?
has "connect.py: wrong token" out "the server refuses: $refusal"
for where in "127.0.0.1:$port" "localhost:$tls_port --tls --ca good.pem"; do
    "$referee" connect $where --once --name anna --token-file wrong.token -- \
        cat >out 2>&1
    same "connect $where: wrong token" 1 $?
    has "connect $where: wrong token" out "the server refuses: $refusal"
done
python3 "$python/connect.py" 127.0.0.1 $port anna anna.token --once -- \
    ./nowhere >out 2>&1
same "connect.py: no program" 2 $?
python3 "$python/connect.py" localhost $tls_port carl carl.token --tls \
    --ca good.pem --once -- python3 -c 'input(); raise SystemExit(3)' >out 2>&1
same "connect.py: the bot fails" 1 $?
has "connect.py: the bot fails" out "the bot exited with code 3"
stops

# Who does not ask is told nothing.
config
ladder main rondo 2 "bots = house" "max-games-per-pair = 1" "$tiny"
serve
python3 - $port carl.token >out <<'END'
import hashlib, hmac, random, socket, sys
token = open(sys.argv[2]).readline().strip()
sock = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
for line in sock.makefile("r"):
    print(line, end="", flush=True)
    number, command, *args = line.split()
    if command == "legal_moves":
        moves = args
    text = {"login": lambda: "carl " + hmac.new(
                token.encode(), f"referee-login-1 carl {args[0]}".encode(),
                hashlib.sha256).hexdigest(),
            "protocol_version": lambda: "2",
            "list_commands": lambda: "legal_moves\ngame_over",
            "genmove": lambda: random.choice(moves)}.get(command, str)()
    sock.sendall(f"={number} {text}\n\n".encode())
    if command == "game_over":
        break
END
has "an old bot" out "game_over ranks="
hasnt "an old bot" out "^#"
stops

# Faults, and the rest that follows them.
config
ladder main rondo 2 "bots = house"
serve
cat >illegal.py <<'END'
import sys
for line in sys.stdin:
    number, command, *_ = line.split()
    print({"protocol_version": f"={number} 2", "genmove": f"={number} z9:1"}
          .get(command, f"={number}"), "\n", sep="", flush=True)
    if command == "quit":
        break
END
told anna python3 illegal.py
await anna.err "fault: game .*: illegal: .*z9"
await anna.err "game .*: lost 0 to 0 against house \(forfeit\)"
await anna.err "waits on main: it rests for [0-9]+ s, because it failed in [0-9]+ games in a row"
stops

# A game under way is played to its end.
config
ladder main rondo 2 "bots = house"
serve
cat >slow.py <<'END'
import sys, time
moves = [""]
for line in sys.stdin:
    number, command, *args = line.split()
    if command == "legal_moves":
        moves = args
    if command == "genmove":
        time.sleep(0.2)
    print({"protocol_version": f"={number} 2", "genmove": f"={number} {moves[0]}",
           "list_commands": f"={number} legal_moves"}
          .get(command, f"={number}"), "\n", sep="", flush=True)
    if command == "quit":
        break
END
told anna python3 slow.py
until_true "s['moves'] > 2"
leaves "drain"
has "drain" anna.err "game .*-000001: (won|lost|drew) "
hasnt "drain: only one" anna.err "-000002: (won|lost|drew)"
cat data/records/main/*.rec >out
hasnt "drain: nobody left" out "^leave"
stops

# Two who are alone do not grind.
config
ladder main rondo 2 "bots = house" "$tiny" "rematch-pause = 1h"
serve
told anna "$referee" bot
await anna.err "waits on main: it has played that often, so the next game begins in [0-9]+ s \(rematch-pause\)"
same "games before the pause" 100 "$(grep -cE ": (won|lost|drew) " anna.err)"
stops

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
