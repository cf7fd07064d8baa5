#!/bin/sh
# The disk is full, or read-only, or broken, or the database is locked, in the
# middle of games: the daemon says so, starts no more games, tells no end that
# is not stored, and goes on when it can. Nothing is lost.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
src=$(cd "${srcdir:-.}" && pwd)
python3 -c 'import sqlite3' 2>/dev/null || {
    echo "python3 with sqlite3 is missing"
    exit 77
}
. "$(dirname "$0")/checks.sh"
shown="log"
preload=$(cd "${builddir:-.}/tests/e2e" && pwd)/faults.so
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
lanes=
trap 'kill $lanes 2>/dev/null; wait; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

tokens anna bob
# server_head STOP_LIMIT: how every ref.ini here begins.
server_head() {
    cat <<END
[server]
control = control
log-level = debug
rate-every = 0
stop-limit = $1
[listen local]
port = 0
END
}

long_games() {
    server_head 120s >ref.ini
    cat >>ref.ini <<END
[bot one]
command = $bad slow 1 1
[bot two]
command = $bad slow 2 3
[bot three]
command = $bad slow 3 2
[ladder net]
game = rondo
seats = 2
time = move:60s
[ladder local]
game = rondo
seats = 3
time = move:60s
join = none
bots = one, two, three
duplicate = yes
meetings = 0
END
}

# begin: the daemon, with bots, and games that run.
begin() {
    : >fault
    serve
    bot anna slow:5
    bot bob slow:5
    await anna.out "game_over" 2
    await log "starts on local" 4
}

ends_told() {
    grep -c game_over anna.out
}

# paused WHAT TROUBLE: it says why, and starts no game.
paused() {
    until_true "s['state'] == 'paused' and any(t in s['trouble'] for t in '$2'.split('|'))"
    await log "error .*($2)"
    same "$1: said twice" "" "$(sed -n 's/.* error \([a-z]* [a-z]* be\).*/\1/p' \
        log | sort | uniq -d)"
    "$referee" status --control control >out
    has "$1: status" out "^paused: .*($2)"
    sleep 1.5
    started=$(grep -c " starts on " log)
    told=$(ends_told)
    sleep 1.5
    same "$1: games that start" "$started" "$(grep -c " starts on " log)"
    same "$1: ends that are told" "$told" "$(ends_told)"
}

# goes_on WHAT: games are played again; then it ends, and all is there.
goes_on() {
    until_true "s['state'] == 'running'"
    await anna.out "game_over" $(($(ends_told) + 2))
    until_true "s['games']['closing'] == 0"
    kill -TERM "$daemon"
    wait "$daemon"
    same "$1: exit code" 0 $?
    daemon=''
    bots_end
    games_apart
    "$referee" replay --quiet data/records >out 2>&1
    same "$1: replay" 0 $?
    same "$1: void" 0 "$(cat games/*/*.rec | grep -c '^result void')"
    same "$1: left" 0 "$(cat games/*/*.rec | grep -c '^leave')"
    same "$1: damaged" 0 "$(ls data/damaged | wc -l)"
    # A group that was broken off by the stop has an empty file.
    same "$1: running" 0 "$(find data/running -type f -size +0 | wc -l)"
    same "$1: ends without a record" 0 "$(grep -h -B1 game_over ./*.out |
        sed -n 's/.*match=\([^ ]*\).*/\1/p' | while read -r id; do
        ls games/*/"$id.rec" >/dev/null 2>&1 || echo "$id"
    done | wc -l)"
    same "$1: in the index" "$(ls games/*/*.rec | wc -l)" \
        "$(python3 -c 'import sqlite3
for row in sqlite3.connect("data/index.db").execute(
        "select count(distinct id) from games"): print(row[0])')"
}

# Errors of every kind, in what is written for running games and after them.
error_in_games() { # FAULT TROUBLE
    long_games
    begin
    echo "$1" >fault
    paused "$1" "$2"
    : >fault
    goes_on "$1"
    has "$1" log "info .* again$"
}

# No new file can be made: a game is kept in memory, and then in the file of
# the day, which is there.
no_new_file() {
    long_games
    begin
    echo "28 create" >fault
    await log "error records cannot be written: No space left"
    await log "records can be written again"
    : >fault
    goes_on "create"
}

# The database is locked.
lock_index() {
    python3 - <<'END' &
import os, sqlite3, time
index = sqlite3.connect("data/index.db", isolation_level=None)
index.execute("begin immediate")
while not os.path.exists("unlock"):
    time.sleep(0.1)
END
    locker=$!
}

# get PATH: the status, and what is answered.
get() {
    python3 -c 'import sys, urllib.error, urllib.request
try:
    answer = urllib.request.urlopen(sys.argv[1], timeout=20)
except urllib.error.HTTPError as error:
    answer = error
print(answer.status, answer.read().decode())' "http://127.0.0.1:$http_port$1"
}

with_http() {
    sed -i 's/^control = control$/&\nhttp = 127.0.0.1:0/' ref.ini
}

locked() {
    long_games
    with_http
    begin
    lock_index
    paused "locked" "locked by another program"
    get "/api/games/$(sed -n 's/.* \[\([^]]*\)\] .* result .*/\1/p' log |
        tail -n 1)" >out
    has "locked: a game that is over" out \
        "^503 .*is over, but not in the index yet"
    : >unlock
    wait $locker
    goes_on "locked"
}

# Killed while the disk is full: what was stored goes on.
killed() {
    long_games
    begin
    echo "28 write create" >fault
    paused "killed" "No space left"
    kill -9 "$daemon"
    wait "$daemon" 2>/dev/null
    bots_end
    begin
    goes_on "killed"
}

# A part of a group cannot go on after the start: the part before it, which was
# played on the same deal, shows no more than a spectator may see.
stuck_group() {
    long_games
    with_http
    begin
    first=''
    while [ -z "$first" ]; do
        kill -CONT "$daemon"
        sleep 0.03
        kill -STOP "$daemon"
        for second in $(grep -l '^play ' data/running/*-2.rec 2>/dev/null); do
            id=$(basename "$second" 2.rec)1
            grep -q "^about id=$id " data/records/local/*.rec 2>/dev/null &&
                ! grep -q '^result ' "$second" && first=$id
        done
    done
    kill -9 "$daemon"
    wait "$daemon" 2>/dev/null
    bots_end
    echo "5 create" >fault
    FAULT_UNDER=$PWD/data/running/
    serve
    FAULT_UNDER=$PWD/data
    has "stuck group" log "\[${first%1}2\] cannot continue before the next start"
    get "/api/games/$first/record" >out
    has "stuck group: the part before" out "^result "
    same "stuck group: lines that tell of its deal" 0 \
        "$(grep -cE '^(deal|seed|@)' out)"
    kill -9 "$daemon"
    wait "$daemon" 2>/dev/null
    daemon=''
}

# A disk that is really full.
full_disk() {
    long_games
    mkdir data
    if ! mount -t tmpfs -o size=1m none data 2>/dev/null; then
        echo "no tmpfs could be mounted: a really full disk was not tried"
        return
    fi
    mounted=yes
    begin
    dd if=/dev/zero of=data/filler bs=4k >/dev/null 2>&1
    paused "full" "No space left"
    rm data/filler
    goes_on "full"
}

# Short games, which have no file in running/; and the daemon
# has to stop while nothing can be stored.
begin_short() {
    server_head 1s >ref.ini
    cat >>ref.ini <<END
[ladder net]
game = axiom
set = maxplies=6
seats = 2
time = move:60s
meetings = 0
END
    : >fault
    serve
    bot anna
    bot bob
    await anna.out "game_over" 2
}

stopped_short() {
    kill -TERM "$daemon"
    wait "$daemon"
    same "$1: stopped" 0 $?
    daemon=''
    bots_end
    cp anna.out before.out
}

# Whichever comes first, the record or the index, says that the disk is full.
error_in_short_games() { # FAULT TROUBLE|TROUBLE
    begin_short
    echo "$1" >fault
    paused "short, $1" "$2"
    stopped_short "short, $1"
    begin_short
    goes_on "short, $1"
}

locked_short() {
    begin_short
    lock_index
    paused "short, locked" "locked by another program"
    stopped_short "short, locked"
    : >unlock
    wait $locker
    begin_short
    goes_on "short, locked"
}

# part FUNCTION ARGUMENT...: in a folder of its own. What it has counted is
# left there in `result`; nothing, if it broke off.
part() (
    mkdir "$work/$lane.$1" && cd "$work/$lane.$1" || exit 1
    cp "$work/keys" "$work"/*.token .
    export FAULT_UNDER=$PWD/data FAULT_FILE=$PWD/fault
    failed=0 count=0 mounted=
    trap 'kill $clients 2>/dev/null
        [ -z "$daemon" ] || kill -9 "$daemon" 2>/dev/null
        [ -z "$mounted" ] || umount data' EXIT
    trap 'exit 1' TERM
    "$@" >said 2>&1
    echo "$count $failed" >result
)

# Each spends most of its time waiting, so several go side by side.
lane() {
    while read -r line; do
        lane=$((lane + 1))
        eval "part $line" </dev/null
    done
}
lane=0
lane <<END &
locked
error_in_games "28 write create" "No space left"
error_in_short_games "28 write" "No space left|the disk is full"
END
lanes="$lanes $!"
lane=10
lane <<END &
stuck_group
error_in_games "30 write create" "Read-only file system"
error_in_short_games "28 write create" "No space left|the disk is full"
END
lanes="$lanes $!"
lane=20
lane <<END &
killed
error_in_games "5 sync" "Input/output error"
error_in_short_games "5 sync" "Input/output error"
END
lanes="$lanes $!"
lane=30
lane <<END &
full_disk
no_new_file
locked_short
END
lanes="$lanes $!"
wait $lanes
lanes=

for part in "$work"/*.*/; do
    cat "${part}said"
    read -r more wrong <"${part}result" 2>/dev/null || more=0 wrong=1
    count=$((count + more)) failed=$((failed + wrong))
done
echo "$count checks, $failed failed"
[ "$failed" = 0 ]
