#!/bin/sh
# A front and four workers as processes, with a PostgreSQL server of the test's
# own: a ladder is played to its end, the tables are those of the same records
# on one machine, and a worker that lies is found out.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
resign=$(cd "${builddir:-.}/tests/e2e" && pwd)/resign
random=$(cd "${builddir:-.}/sample-bots/c" && pwd)/random
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/postgres.sh"
work=${KEEP:-$(mktemp -d)} || exit 1
mark=workers-$$
workers=
trap 'kill -9 $workers 2>/dev/null; pg_end KILL; end' EXIT
cd "$work" || exit 1
shown="log w1.log"
PATH=$(dirname "$referee"):$PATH

# worker N [OPTION...]: its number is in worker_N.
worker() {
    n=$1
    shift
    BAD_MARK=$mark "$referee" worker ref.ini --folder "w$n" --poll 200ms \
        --lease 5s --stop-limit 1s "$@" 2>>"w$n.log" &
    eval "worker_$n=$!"
    workers="$workers $!"
}

workers_end() {
    kill $workers 2>/dev/null
    wait $workers 2>/dev/null
    workers=
}

# key N: make the folder of a worker, and print its public key.
key() {
    mkdir -m 700 "w$1"
    echo "$("$referee" key "w$1/key") worker $1"
}

# config LADDER_LINE...
config() {
    cat >ref.ini <<END
[server]
control = control
http = 127.0.0.1:0
database = $pg_url
worker-keys = workers
rate-every = 1s
recheck = 0
[bot level1]
command = referee bot --level 1
[bot level2]
command = referee bot --level 2
[bot shipped]
command = ./random
directory = shipped
folder = shipped
[ladder rondo]
game = rondo
seats = 2
join = none
bots = level1, level2, shipped
duplicate = yes
games = 8
copies = 8
time = fischer:30s+100ms
$(printf '%s\n' "$@")
END
}

pg_make
pg_start
"$referee" db init "$pg_url" >out || exit 1
mkdir shipped
cp "$random" shipped
{
    echo '# who plays here'
    key 1
    key 2
    key 3
    key 4
} >workers
config

# A front without its keys is refused; so is a worker with another's name.
sed '/worker-keys/d' ref.ini >bad.ini
"$referee" serve --check bad.ini >out 2>err
has "no keys" err 'bad.ini:4: .*name the keys of the workers with worker-keys = FILE'
echo "12ab anna" >none
sed 's/= workers/= none/' ref.ini >bad.ini
"$referee" serve --check bad.ini >out 2>err
has "no key" err 'bad.ini:5: .*none:1: must be a public key, 64 hex digits'

# All is played by the workers, and each of them plays.
for n in 1 2 3 4; do
    worker $n --concurrency 1
done
serve --games 24
wait "$daemon"
same "front: exit code" 0 $?
daemon=
same "records" 24 "$(cat data/records/rondo/*.rec | grep -c '^record ')"
same "by workers" 24 "$(cat data/records/rondo/*.rec |
    grep -c '^about .* worker=[^ ]* speed=[0-9]*$')"
"$referee" replay --quiet --strict --trust "$("$referee" key data)" \
    data/records/rondo >out 2>&1
same "replay: exit code" 0 $?
has "replay" out '^24 records: 24 valid'
same "games that count" 24 "$(sql 'SELECT count(*) FROM referee.games')"
same "what is left" '0|0|0|0' "$(sql 'SELECT (SELECT count(*) FROM
    referee.units), (SELECT count(*) FROM referee.waiting), (SELECT count(*)
    FROM referee.leases), (SELECT count(*) FROM referee.arrivals)')"
same "one pack" 1 "$(sql 'SELECT count(*) FROM referee.bots')"
same "workers that played" 4 "$(sql 'SELECT count(DISTINCT worker) FROM
    referee.games')"

# Who is there.
"$referee" workers ref.ini >out 2>err
same "workers: exit code" 0 $?
has "workers" out '^worker +state +games +speed'
same "workers: rows" 4 "$(grep -cE ' (waits|plays|drains|away) ' out)"
"$referee" workers "$pg_url" --json >out
same "workers: games" 24 "$(python3 -c 'import json
print(sum(w["games"] for w in json.load(open("out"))))')"
"$referee" workers ref.ini --drain nobody 2>err
has "drain nobody" err 'there is no worker "nobody"'
name=$(cat w4/name)
"$referee" workers ref.ini --drain "$name" >out
has "drain" out "^$name takes no more work"
await w4.log 'takes no more work: it is being drained'
"$referee" workers ref.ini --resume "$name" >out

curl() { # PATH
    python3 -c 'import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1]).read().decode())' \
        "http://127.0.0.1:$http_port$1"
}

# The same tables from the same records: in the index that the front wrote, in
# a new one, and from the records as they stand in PostgreSQL.
"$referee" ladder ref.ini --csv >front.csv
"$referee" reindex data >out 2>&1
"$referee" ladder ref.ini --csv >again.csv
cmp -s front.csv again.csv || wrong "another table: $(diff front.csv again.csv)"
count=$((count + 1))

# The front's disk is lost: what is left is its key, of a backup, and the
# database, in which a delivered unit that does not count is no record yet. The
# table is the same, and play goes on.
cp data/key backup
rm -r data
sql "INSERT INTO referee.units (id, client, day, min_speed, orders)
    VALUES ('other', 'other', '2026-01-01', 0, '{}');
    INSERT INTO referee.records
        (day, unit, part, id, client, worker, hash, bytes)
    VALUES ('2026-01-01', 'other', 1, 'other-1', 'other', 'w', '', 'x')" >out
"$referee" db export ref.ini data --key backup >out 2>err
has "lost disk: export" out '^24 records written; "referee reindex data"'
cp backup data/key
"$referee" reindex data >out 2>&1
same "lost disk: reindex" 0 $?
has "lost disk: all count" out '^data: 24 games on 1 ladder; '
"$referee" ladder ref.ini --csv >again.csv
cmp -s front.csv again.csv ||
    wrong "lost disk: another table: $(diff front.csv again.csv)"
count=$((count + 1))
sql "SELECT referee.drop_unit('other');
    UPDATE referee.records SET day = day - 1" >out
"$referee" db import ref.ini data >out 2>&1
has "handed out before midnight" out '^0 records added, 24 were there already$'
sql "UPDATE referee.records SET day = day + 1" >out

# A worker that is killed: others play what it had. One that is stopped for
# longer than its lease comes too late, and is told so.
serve --games 24
await log 'finished by'
kill -STOP "$worker_1"
kill -9 "$worker_2"
wait "$daemon"
same "front, faults: exit code" 0 $?
daemon=
same "records, faults" 48 \
    "$(cat data/records/rondo/*.rec | grep -c '^record ')"
"$referee" reindex data >out 2>&1
has "lost disk: one chain" out '^data: 48 games on 1 ladder; '
same "games, faults" 48 "$(sql 'SELECT count(DISTINCT id) FROM referee.games')"
kill -CONT "$worker_1"
workers_end
"$referee" replay --quiet --strict data/records/rondo >out 2>&1
has "replay, faults" out '^48 records: 48 valid'

# Liars. The front is not there while a worker plays; what it delivered is
# changed as a liar with that key would, and then the front starts.
ladder=rondo

# lie WHAT PATTERN SED [KEY]
lie() {
    sql "DELETE FROM referee.workers; DELETE FROM referee.refused" >out
    serve
    await log 'the database is there'
    until [ "$(sql 'SELECT count(*) FROM referee.waiting')" -gt 0 ]; do
        sleep 0.1
    done
    kill -9 "$daemon"
    wait "$daemon" 2>/dev/null
    daemon=
    worker 3 --concurrency 1
    until [ "$(sql 'SELECT count(*) FROM referee.arrivals')" -gt 0 ]; do
        sleep 0.1
    done
    workers_end
    unit=$(sql 'SELECT unit FROM referee.arrivals ORDER BY seq LIMIT 1')
    sql "SELECT encode(bytes, 'escape') FROM referee.records WHERE
        unit = '$unit' AND part = 1" >record
    sed "$3" record | "$resign" "${4:-w3/key}" >lie
    grep -v '^seal\|^hash' record >before
    grep -v '^seal\|^hash' lie | cmp -s - before && [ -z "$4" ] &&
        wrong "$1: nothing was changed"
    sql "UPDATE referee.records SET bytes = decode('$(od -An -v -tx1 lie |
        tr -d ' \n')', 'hex') WHERE unit = '$unit' AND part = 1"
    serve
    await log "$unit. refused what worker .* gets no more work: "
    has "$1" log "$unit. refused .*$2"
    curl /metrics >out
    has "$1: metrics" out '^referee_database_up 1$'
    has "$1: metrics" out '^referee_units_refused_total 1$'
    same "$1: it is blocked" 1 \
        "$(sql "SELECT count(*) FROM referee.workers WHERE blocked IS NOT NULL
        AND refused = 1")"
    same "$1: its record is put aside" 1 "$(sql "SELECT count(*) FROM
        referee.refused WHERE unit = '$unit' AND id LIKE '%-1'")"
    same "$1: it does not count" 0 \
        "$(cat data/records/$ladder/*.rec 2>&1 | grep -c "unit=$unit ")"
    # An honest worker plays it.
    worker 4 --concurrency 2
    await log "$unit-1. $ladder on $ladder: finished"
    "$referee" workers ref.ini >out
    has "$1: workers" out ' is blocked: '
    kill "$daemon"
    wait "$daemon"
    daemon=
    workers_end
    sql "DELETE FROM referee.units; DELETE FROM referee.waiting;
        DELETE FROM referee.leases; DELETE FROM referee.arrivals" >out
}

lie "a move" 'expected|found|legal|stone|field' \
    's/^play [12] .*/play 1 a1:1/'
lie "a result" 'result|expected' 's/^result ranks=1,2/result ranks=2,1/
    t
    s/^result ranks=2,1/result ranks=1,2/
    t
    s/^result ranks=1,1/result ranks=1,2/'
lie "a clock" 'clock' 's/^\(@- clock 1 .*used=\)[0-9]*/\17/'
lie "a digest" 'another digest' 's/^\(seat 1 .*digest=\)..../\1beef/'
lie "another game" 'not the record of game' \
    's/^about id=\([^ ]*\)-1 /about id=\1-2 /'
lie "another deal" 'its deal is not|expected' \
    's/^deal \(.\)\(\1*\)\(.\)/deal \3\2\1/'
mkdir -m 700 w9
"$referee" key w9/key >out
lie "another key" "not the key of a known worker" '' w9/key

# A game without chance has no deal that would give it away.
ladder=axiom
sed 's/^.ladder rondo./[ladder axiom]/
    s/^game = rondo/game = axiom\nset = maxplies=4/' ref.ini >axiom.ini
mv axiom.ini ref.ini
lie "another entropy" 'it has another entropy than the first game' \
    's/^time 2.*/&\ncommit none\nentropy 6a09e667 -/'

# What another worker leased, nobody else can deliver.
sql "INSERT INTO referee.workers (name, key, host, program, slots, speed, until)
    VALUES ('liar', 'aa', 'x', '1', 1, 100, now() + interval '1 hour'),
    ('honest', 'bb', 'x', '1', 1, 100, now() + interval '1 hour');
    SELECT referee.put_unit('t', 'u1', '2026-01-01', 0, '{}')" >out
sql "SELECT referee.claim('honest', 1)" >out
token=$(sql "SELECT token FROM referee.leases WHERE unit = 'u1'")
same "a stranger's unit" late "$(sql "SELECT referee.deliver('liar', 'u1',
    $token, '2026-01-01', '{g1}', '{h1}', '{2}', 'xx', 2, 0)")"
same "with another lease" late "$(sql "SELECT referee.deliver('honest', 'u1',
    $token + 1, '2026-01-01', '{g1}', '{h1}', '{2}', 'xx', 2, 0)")"
same "its own" taken "$(sql "SELECT referee.deliver('honest', 'u1', $token,
    '2026-01-01', '{g1}', '{h1}', '{2}', 'xx', 2, 0)")"
same "its own, again" known "$(sql "SELECT referee.deliver('honest', 'u1',
    $token, '2026-01-01', '{g1}', '{h1}', '{2}', 'xx', 2, 0)")"
same "put again" f "$(sql "SELECT referee.put_unit('t', 'u1', '2026-01-01', 0,
    '{}')")"
"$referee" worker "$pg_url" --folder w4 --name honest --idle 1s 2>err
has "another's name" err 'another worker is called honest: say --name'

echo "$count checks, $failed faults"
[ "$failed" = 0 ]
