#!/bin/sh
# Peers that never log in, and do all the harm they can, beside healthy games:
# these go on, memory stays bounded, no descriptor stays open, and every attack
# is over in time. Attackers come from other loopback addresses than the bots.
#
# ATTACK_CONNECTIONS: how large the crowd is (2000).

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
bots=$(cd "${builddir:-.}/tests/bots" && pwd)
crowd=${ATTACK_CONNECTIONS:-2000}
for tool in python3 openssl; do
    command -v $tool >/dev/null || {
        echo "$tool is missing"
        exit 77
    }
done
python3 -c 'import socket; socket.socket().bind(("127.0.0.9", 0))' \
    2>/dev/null || {
    echo "only one loopback address here"
    exit 77
}
ulimit -n "$(ulimit -Hn)"
if [ "$(ulimit -n)" != unlimited ] && [ "$(ulimit -n)" -lt $((crowd * 2)) ]; then
    crowd=$(($(ulimit -n) / 2))
fi
. "$(dirname "$0")/checks.sh"
shown="log"
preload=$(cd "${builddir:-.}/tests/e2e" && pwd)/turns.so
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
export TURNS_FILE=$work/turns
records='data/records/*/*.rec'

# most WHAT LIMIT GOT
most() {
    count=$((count + 1))
    [ "$3" -le "$2" ] || wrong "$1: $3, more than $2"
}

kib() {
    sed -n "s/^$1:[^0-9]*\([0-9]*\).*/\1/p" "/proc/$daemon/status"
}

descriptors() {
    ls "/proc/$daemon/fd" | wc -l
}

# begin LINE...: the daemon, with these lines in [server], and a game.
begin() {
    cat >ref.ini <<END
[server]
log-level = debug
login-limit = ${login_limit:-60s}
$(printf '%s\n' "$@")
[listen local]
port = 0
[listen world]
kind = tls
port = 0
certificate = cert.pem
private-key = key.pem
[ladder duel]
game = rondo
seats = 2
time = move:5s
END
    rm -rf data
    serve
    bot anna slow:5
    bot bob slow:5
    await log "rondo starts"
    sleep 0.5
    idle_fds=$(descriptors)
    idle_kib=$(kib VmRSS)
}

# attack NAME WANT [NUMBER [PORT]]: each from its own address.
address=1
attack() {
    address=$((address + 1))
    same "$1" "$2" "$(timeout 120 python3 "$src/tests/bots/attacker.py" "$1" \
        127.0.0.1 "${4:-$port}" 127.0.0.$address "${3:-10}" 2>&1 | tail -n 1)"
}

# beside NAME WANT [NUMBER [PORT]]: an attack that goes on beside the next ones,
# until all_over.
beside() {
    address=$((address + 1))
    echo "$2" >"beside.$address.$1"
    timeout 120 python3 "$src/tests/bots/attacker.py" "$1" 127.0.0.1 \
        "${4:-$port}" 127.0.0.$address "${3:-10}" >"got.$address.$1" 2>&1 &
    attackers="$attackers $!"
}

all_over() {
    wait $attackers
    attackers=
    for want in beside.*; do
        name=${want#beside.}
        same "$name" "$(cat "$want")" "$(tail -n 1 "got.$name")"
        rm "$want"
    done
}
attackers=

# healthy WHAT: all games so far are whole, but for the one that runs.
healthy() {
    kill -0 "$daemon" || wrong "$1: the daemon is dead"
    hasnt "$1: a token in the log" log "anna.token|token:"
    for i in $(seq 600); do
        [ "$(descriptors)" -le $((idle_fds + 1)) ] && break
        sleep 0.1
    done
    most "$1: descriptors" $((idle_fds + 1)) "$(descriptors)"
    most "$1: KiB of memory at most" "$2" "$(kib VmHWM)"
    await log "rondo starts" $(($(grep -c "rondo starts" log) + 1))
    kill -TERM "$daemon"
    wait "$daemon"
    same "$1: exit code" 0 $?
    daemon=''
    bots_end
    same "$1: seats that left" 0 "$(cat $records | grep -c '^leave')"
    same "$1: games that were void" 0 "$(cat $records | grep -c 'void')"
    same "$1: finished" "$(cat $records | grep -c '^record ')" \
        "$(cat $records | grep -c '^hash ')"
    "$referee" replay --quiet $records >out 2>&1
    same "$1: replay" 0 $?
}

tokens anna bob
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
    -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost 2>/dev/null
chmod 600 key.pem

# Words: what is wrong is answered by a hang-up.
begin "failed-logins = 5" "connections = 20000" \
    "connections-per-address = 20000" "connections-per-name = 1"
for name in garbage huge lines blanks notes early other_id refused long_name \
    no_proof http; do
    attack $name "closed 10"
    attack $name "closed 10" 10 "$tls_port"
done
attack same_hello "answered 3 of 3" 3 "$tls_port"
attack long_ciphers "answered 0 of 3" 3 "$tls_port"
attack long_algorithms "answered 0 of 3" 3 "$tls_port"

# Six hellos count as much as a wrong login. The last of them may not have been
# seen to go yet when the next one comes.
address=$((address + 1))
answered=$(timeout 120 python3 "$src/tests/bots/attacker.py" hello 127.0.0.1 \
    "$tls_port" 127.0.0.$address 60 | sed -n 's/answered \([0-9]*\) of 60/\1/p')
most "hellos: answered" 40 "$answered"
most "hellos: not answered, of the first 30" 0 $((30 - answered))
attack again "asked 40 of 40" 40 "$tls_port"

# Guessing: five times, then the name is refused to that address for the rest of
# a minute, whatever the proof.
attack wrong "asked 40 of 40" 40
same "wrong: warnings" 5 "$(grep -c "wrong login as anna from 127.0.0.$address" log)"
same "wrong: refused" 35 \
    "$(grep -c "refused anna from 127.0.0.$address: too many wrong logins" log)"
attack replay "closed 3" 3
attack flash "done 3000" 3000
attack flash "done 500" 500 "$tls_port"

grep -q __asan_init "$referee" && room=100000000
healthy "words" "${room:-$((idle_kib + 65536))}"

# What is missing is answered by the limit.
login_limit=5s
begin "connections = 20000" "connections-per-address = 20000"
beside half "closed 1" 1
beside nothing "closed 1" 1
beside silent "closed 100" 100
beside slow "closed 50" 50
beside silent "closed 100" 100 "$tls_port"
beside half_tls "closed 100" 100 "$tls_port"
beside shaken "closed 50" 50 "$tls_port"
all_over

# A crowd: no more than the limit stays, and that not for long.
attack crowd "closed $crowd" "$crowd"
attack crowd "closed 500" 500 "$tls_port"
room=$((idle_kib + 32 * crowd + 65536))
grep -q __asan_init "$referee" && room=100000000
healthy "many at once" "$room"

# With limits most of them get no further than the door.
begin "connections-per-address = 5"
address=1
attack crowd "closed $crowd" "$crowd"
# Five at once; if it takes long, others come in when these had to go.
most "a crowd of one address: let in" $((crowd / 100)) \
    "$(grep -c "127.0.0.2 is gone" log)"
attack silent "closed 100" 100
# Those that have queued up meanwhile come in by the dozen.
for door in $port $tls_port; do
    kill -STOP $daemon
    python3 "$src/tests/bots/attacker.py" queue 127.0.0.1 $door 127.0.0.7 \
        200 >queue.out 2>&1 &
    queue=$!
    await queue.out "queued 200"
    kill -CONT $daemon
    wait $queue
    same "a queue" "closed 200" "$(tail -n 1 queue.out)"
done
[ -z "$preload" ] || same "a queue: let in at once" 16 "$(cat turns)"
grep -q __asan_init "$referee" || room=$((idle_kib + 16384))
healthy "limits" "$room"

# Handshakes are dear, most of all with such a key: whoever stands behind many
# of them is let in before most.
cp key.pem ec.key
cp cert.pem ec.pem
openssl req -x509 -newkey rsa:4096 -nodes -keyout key.pem -out cert.pem \
    -days 2 -subj /CN=localhost 2>/dev/null
chmod 600 key.pem
login_limit=
begin "connections-per-address = 20000"
address=$((address + 1))
DAEMON=$daemon PLAIN_PORT=$port timeout 120 python3 \
    "$src/tests/bots/attacker.py" row 127.0.0.1 "$tls_port" 127.0.0.$address \
    200 >row.out 2>&1
has "a row of hellos" row.out "^[0-9]* before, 200 in all$"
most "a row of hellos: before the last one" 100 \
    "$(sed -n 's/ before.*//p' row.out)"
healthy "a row of hellos" "$room"
mv ec.key key.pem
mv ec.pem cert.pem

# What is for TLS alone does not hold the loop for as long as it comes.
begin
address=$((address + 1))
most "crumbs: percent of their time that another waits" 50 \
    "$(PLAIN_PORT=$port timeout 120 python3 "$src/tests/bots/attacker.py" \
        crumbs 127.0.0.1 "$tls_port" 127.0.0.$address 100000)"
most "new keys: percent of their time that another waits" 50 \
    "$("$bots/new_keys" "$tls_port" "$port" 200000)"
healthy "new keys" "$room"
begin
for i in 1 2 3; do
    "$bots/new_keys" "$tls_port" &
    clients="$clients $!"
done
sleep 1
kill -TERM "$daemon"
for i in $(seq 600); do
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.1
done
same "new keys without end: the daemon" ended \
    "$(kill -0 "$daemon" 2>/dev/null || echo ended)"
kill -9 "$daemon" 2>/dev/null
bots_end
daemon=''
login_limit=5s

# Fewer descriptors than connections that are allowed: the games get theirs.
ulimit -n 200
begin "connections-per-address = 20000" "connections = 20000"
address=1
attack crowd "closed 180" 180
healthy "few descriptors" "$room"

echo "$count checks, $failed failed, a crowd of $crowd"
[ "$failed" = 0 ]
