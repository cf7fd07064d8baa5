#!/bin/sh
# Faults under load: workers, the front and PostgreSQL are killed, a worker
# sleeps past its lease, the connection of one is cut or swallows everything.
# No game is lost, none counts twice, all records verify.
#
#     make -C build faults           200 rounds; FAULT_ROUNDS says how many

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
random=$(cd "${builddir:-.}/sample-bots/c" && pwd)/random
proxy_py=$(cd "$(dirname "$0")" && pwd)/proxy.py
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/postgres.sh"
rounds=${FAULT_ROUNDS:-6}
work=$(mktemp -d) || exit 1
mark=faults-$$
proxy=
trap 'kill -9 $proxy $worker_1 $worker_2 $worker_3 $worker_4 2>/dev/null
    pg_end KILL; end' EXIT
cd "$work" || exit 1
shown="log w1.log w4.log pg.log"
PATH=$(dirname "$referee"):$PATH

# worker N: number 4 speaks through the proxy.
worker() {
    url=$pg_url
    [ "$1" = 4 ] && url="postgresql://referee@/postgres?host=$work/proxy"
    BAD_MARK=$mark "$referee" worker "$url" --folder "w$1" --poll 100ms \
        --lease 3s --stop-limit 1s --concurrency 1 2>>"w$1.log" &
    eval "worker_$1=$!"
}

front() {
    cat log >>all.log 2>/dev/null
    serve
}

proxy_start() {
    python3 "$proxy_py" proxy/.s.PGSQL.5432 pg/.s.PGSQL.5432 2>/dev/null &
    proxy=$!
}

played() {
    cat data/records/rondo/*.rec 2>/dev/null | grep -c '^record '
}

# lapsed N: until the lease of this worker is over.
lapsed() {
    for i in $(seq 600); do
        [ "$(sql "SELECT until < now() FROM referee.workers WHERE
            name = '$(cat "w$1/name")'")" = t ] && return
        sleep 0.1
    done
    wrong "the lease of worker $1 does not end"
    exit 1
}

# Until so many more games are in the files.
until_more() { # GAMES
    more=$(($(played) + $1))
    for i in $(seq 600); do
        [ "$(played)" -ge "$more" ] && return
        sleep 0.1
    done
    wrong "no more games after $fault in round $round"
    exit 1
}

pg_make
pg_start
mkdir proxy shipped
cp "$random" shipped
proxy_start
"$referee" db init "$pg_url" >out || exit 1
for n in 1 2 3 4; do
    mkdir -m 700 w$n
    "$referee" key w$n/key
done >workers
cat >ref.ini <<END
[server]
control = control
database = $pg_url
worker-keys = workers
durable = no
stop-limit = 1s
[bot one]
command = referee bot --level 1
[bot two]
command = referee bot
[bot three]
command = ./random
directory = shipped
folder = shipped
[ladder rondo]
game = rondo
seats = 2
join = none
bots = one, two, three
duplicate = yes
games = 8
copies = 8
END
front
for n in 1 2 3 4; do
    worker $n
done
fault=start round=0
until_more 2

for round in $(seq "$rounds"); do
    # In turn, so that few rounds have all; by chance which worker.
    n=$(($(od -An -N1 -tu1 /dev/urandom) % 4 + 1))
    eval "victim=\$worker_$n"
    case $((round % 6)) in
    1)
        fault="kill of worker $n"
        kill -9 "$victim"
        wait "$victim" 2>/dev/null
        worker $n
        ;;
    2)
        fault="kill of the front"
        kill -9 "$daemon"
        wait "$daemon" 2>/dev/null
        front
        ;;
    3)
        fault="kill of PostgreSQL"
        pg_end KILL
        pg_start
        ;;
    4)
        fault="sleep of worker $n"
        kill -STOP "$victim"
        lapsed $n
        kill -CONT "$victim"
        ;;
    5)
        fault="cut"
        cuts=$(grep -c 'the database is unreachable' w4.log)
        kill -9 "$proxy"
        wait "$proxy" 2>/dev/null
        await w4.log 'the database is unreachable' $((cuts + 1))
        proxy_start
        ;;
    0)
        fault="a network that swallows everything"
        kill -STOP "$proxy"
        lapsed 4
        kill -CONT "$proxy"
        ;;
    esac
    until_more 2
    echo "round $round: $fault, $(played) games"
done >rounds
tail -n 6 rounds

# The end: no new games, and what was begun is played.
"$referee" pause --control control >out 2>&1
for i in $(seq 900); do
    [ "$(sql 'SELECT count(*) FROM referee.units')" = 0 ] && break
    sleep 0.1
done
kill "$daemon"
wait "$daemon"
daemon=
kill $worker_1 $worker_2 $worker_3 $worker_4
wait $worker_1 $worker_2 $worker_3 $worker_4
same "what is left" '0|0|0|0' "$(sql 'SELECT (SELECT count(*) FROM
    referee.units), (SELECT count(*) FROM referee.waiting), (SELECT count(*)
    FROM referee.leases), (SELECT count(*) FROM referee.arrivals)')"
games=$(sql 'SELECT count(*) FROM referee.games')
same "each record counts" "$games" "$(sql 'SELECT count(*) FROM referee.records
    JOIN referee.games USING (day, id)')"
same "no record is left over" "$games" \
    "$(sql 'SELECT count(*) FROM referee.records')"
same "records in files" "$games" "$(played)"
same "games in files" "$games" "$(cat data/records/rondo/*.rec |
    sed -n 's/^about id=\([^ ]*\).*/\1/p' | sort -u | wc -l)"
same "games on the ladder" "$games" "$("$referee" ladder ref.ini --json |
    python3 -c 'import json, sys
print(json.load(sys.stdin)[0]["games"])')"
same "refused" 0 "$(sql 'SELECT count(*) FROM referee.refused')"
"$referee" replay --quiet --strict --trust "$("$referee" key data)" \
    data/records/rondo >out 2>&1
same "replay: exit code" 0 $?
has "replay" out "^$games records: $games valid"
"$referee" db export "$pg_url" copy >out
"$referee" replay --quiet --strict copy/records >out 2>&1
has "replay of the records in the database" out "^$games records: $games valid"

echo "$games games, $rounds rounds, $count checks, $failed faults"
[ "$failed" = 0 ]
