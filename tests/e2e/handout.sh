#!/bin/sh
# match, tournament and grade, played by two workers: the tables are those of
# one machine, nothing is lost or doubled when it is killed, and a worker that
# lies is found out.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
random=$(cd "${builddir:-.}/sample-bots/c" && pwd)/random
resign=$(cd "${builddir:-.}/tests/e2e" && pwd)/resign
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/postgres.sh"
work=$(mktemp -d) || exit 1
mark=handout-$$
workers=
trap 'kill -9 $workers $contest 2>/dev/null; pg_end KILL; end' EXIT
cd "$work" || exit 1
shown="err w1.log w2.log"
PATH=$(dirname "$referee"):$PATH

worker() { # N
    BAD_MARK=$mark "$referee" worker "$pg_url" --folder "w$1" --poll 50ms \
        --lease 10s --stop-limit 1s --concurrency 1 2>>"w$1.log" &
    workers="$workers $!"
}

workers_end() {
    kill $workers 2>/dev/null
    wait $workers 2>/dev/null
    workers=
}

# Bots that leave nothing to chance: each game of the same deal is the same.
cat >match.ini <<'INI'
[bot a]
command = referee bot --level 2 --seed a
restart = yes
[bot b]
command = referee bot --seed b
restart = yes
INI
words="match --config match.ini --game rondo --games 8 --duplicate --seed deals"
match() {
    "$referee" $words "$@"
}

on_workers() {
    match --workers "$pg_url" --worker-keys workers "$@"
}

# The same, which can be killed.
begin() {
    "$referee" $words --workers "$pg_url" --worker-keys workers "$@" &
    contest=$!
}

queue() {
    sql 'SELECT (SELECT count(*) FROM referee.units), (SELECT count(*) FROM
        referee.waiting), (SELECT count(*) FROM referee.leases), (SELECT
        count(*) FROM referee.arrivals)'
}

# until_sql WANT QUERY
until_sql() {
    for i in $(seq 1200); do
        [ "$(sql "$2")" = "$1" ] && return
        sleep 0.05
    done
    wrong "waited in vain until \"$1\": $2"
    exit 1
}

# The table without its times, of which no two runs have the same.
untimed() {
    python3 -c '
import json, sys
def clean(x):
    if isinstance(x, dict):
        return {k: clean(v) for k, v in x.items() if k != "move_us"}
    return [clean(v) for v in x] if isinstance(x, list) else x
print(json.dumps(clean(json.load(sys.stdin))))'
}

pg_make
mkdir -m 700 w1 w2 w9
for n in 1 2 9; do "$referee" key w$n/key; done >keys
head -n 2 keys >workers

# What cannot work is said before anything is written.
on_workers --records no 2>err
has "no database" err '^referee: PostgreSQL: .*connection to server'
pg_start
on_workers 2>err
has "no tables" err 'no tables of the referee yet: run "referee db init"'
"$referee" db init "$pg_url" >out || exit 1
match --workers "$pg_url" 2>err
has "no keys" err 'say whose records count with --worker-keys FILE'
: >none
match --workers "$pg_url" --worker-keys none 2>err
has "no key" err 'none has no keys yet, so no game that a worker plays'
on_workers --log-talk talk 2>err
has "talk" err 'log-talk shows games of this machine'
echo 'referee bot' >bot.sh
mkdir in
(cd in && "$referee" match --game rondo --workers "$pg_url" \
    --worker-keys ../workers a="sh ../bot.sh" b="referee bot") 2>err
has "a bot that lies elsewhere" err 'bot a: ../bot.sh is outside of the folder'

# Nobody is there: that is said, and once somebody is, it goes on.
begin --records away --json >away.json 2>err
await err 'no worker is there: waiting until somebody starts one'
worker 1
worker 2
wait "$contest"
same "match: exit code" 0 $?
contest=
same "match: what is left" '0|0|0|0' "$(queue)"
same "match: records by workers" 8 \
    "$(cat away/games-*.rec | grep -c '^about .* worker=[^ ]* speed=[0-9]*$')"
match --records here --json >here.json 2>err
same "match: the same table" "$(untimed <here.json)" "$(untimed <away.json)"
events away | sed '/^about/s/ worker=.*//; /^seal /d' | sort >away.events
events here | sort >here.events
cmp -s away.events here.events ||
    wrong "other games: $(diff away.events here.events | head -n 4)"
count=$((count + 1))
match --records away --resume --json >again.json 2>err
cmp -s again.json away.json || wrong "the same records, another table"
count=$((count + 1))
"$referee" replay --quiet --strict away >out 2>&1
has "match: replay" out '^8 records: 8 valid'

# Killed, and delivered meanwhile: nothing is played twice.
played="SELECT count(*) FROM referee.records"
before=$(sql "$played")
begin --records killed --key key --concurrency 4 --json >out 2>err
until_sql t "SELECT ($played) > $before"
kill -9 "$contest"
wait "$contest" 2>/dev/null
contest=
until_sql 0 'SELECT (SELECT count(*) FROM referee.waiting) +
    (SELECT count(*) FROM referee.leases)'
on_workers --records killed --key key --concurrency 4 --resume --json \
    >killed.json 2>err
same "killed: exit code" 0 $?
same "killed: the same table" "$(untimed <here.json)" "$(untimed <killed.json)"
same "killed: no game twice" 8 "$(($(sql "$played") - before))"
same "killed: what is left" '0|0|0|0' "$(queue)"
"$referee" replay --quiet --strict --trust "$("$referee" key key)" killed \
    >out 2>&1 || cat out
has "killed: signed again here" out '^8 records: 8 valid'

# Half of a unit is there already, and its first game is not.
split_into parts killed/games-*.rec
mkdir part
cp killed/match.txt part
cat parts/game-000001.rec parts/game-000004.rec >part/games-001.rec
on_workers --records part --resume --json >part.json 2>err
same "part: the same table" "$(untimed <here.json)" "$(untimed <part.json)"

# A liar: what it delivered is changed while nobody is there to take it.
workers_end
begin --records said --concurrency 1 --json >out 2>said.err
until_sql 1 'SELECT count(*) FROM referee.waiting'
kill -9 "$contest"
wait "$contest" 2>/dev/null
worker 1
until_sql 1 'SELECT count(*) FROM referee.arrivals'
name=$(sql "SELECT orders::json->'members'->0->>'name' FROM referee.units")
sql "INSERT INTO referee.said SELECT unit, json_build_array(json_build_object(
    '$name', chr(27) || '[2J' || repeat('x', 100000))) FROM referee.arrivals"
on_workers --records said --concurrency 1 --resume --json >out 2>said.err
same "words of no bot: exit code" 0 $?
same "words of no bot: plain, and not too many" "16384 ?[2Jxx" \
    "$(wc -c <"said/game-000001.$name.log") $(cut -c 1-6 "said/game-000001.$name.log")"
workers_end
begin --records lie --concurrency 1 --json >out 2>lie.err
until_sql 1 'SELECT count(*) FROM referee.waiting'
kill -9 "$contest"
wait "$contest" 2>/dev/null
worker 1
until_sql 1 'SELECT count(*) FROM referee.arrivals'
workers_end
unit=$(sql 'SELECT unit FROM referee.arrivals')
sql "SELECT encode(bytes, 'escape') FROM referee.records WHERE
    unit = '$unit' AND part = 1" | sed 's/^\(seat 1 .*digest=\)..../\1beef/' |
    "$resign" w1/key | od -An -v -tx1 | tr -d ' \n' >lie.hex
sql "UPDATE referee.records SET bytes = decode('$(cat lie.hex)', 'hex') WHERE
    unit = '$unit' AND part = 1"
worker 2
on_workers --records lie --concurrency 1 --resume --json >lie.json 2>lie.err
same "lie: exit code" 0 $?
has "lie" lie.err "refused what worker .* delivered for game-000001, which gets no more work: .*another digest"
same "lie: the same table" "$(untimed <here.json)" "$(untimed <lie.json)"
same "lie: put aside" 2 "$(sql 'SELECT count(*) FROM referee.refused')"
"$referee" workers "$pg_url" --resume "$(cat w1/name)" >out

# Ctrl-C gives back what nobody has begun; a second one everything.
"$referee" workers "$pg_url" --drain "$(cat w2/name)" >out
await w2.log 'takes no more work'
begin --records stop >out 2>err
until_sql 4 'SELECT count(*) FROM referee.waiting'
unit=$(sql 'SELECT unit FROM referee.waiting ORDER BY place LIMIT 1')
sql "WITH x AS (DELETE FROM referee.waiting WHERE unit = '$unit')
    INSERT INTO referee.leases (unit, worker)
    VALUES ('$unit', '$(cat w2/name)')"
kill -INT "$contest"
await err 'those that workers play now go on to their end'
until_sql 1 'SELECT count(*) FROM referee.units'
kill -INT "$contest"
wait "$contest"
same "Ctrl-C: exit code" 130 $?
contest=
has "Ctrl-C" err 'stopped after 0 of 8 games; --resume continues the match'
same "Ctrl-C: what is left" '0|0|0|0' "$(queue)"
workers_end
worker 1
worker 2
on_workers --records stop --resume --json >stop.json 2>err
same "Ctrl-C: the same table" "$(untimed <here.json)" "$(untimed <stop.json)"

# A program that only this machine has: after some tries that is said.
mkdir bin
cp "$random" bin/only-here
(
    PATH=$PWD/bin:$PATH
    "$referee" match --game rondo a="referee bot" b=only-here \
        --workers "$pg_url" --worker-keys workers
) >out 2>err
same "no such program: exit code" 1 $?
has "no such program" err \
    'no worker could play game-00000[12]: .*there is no program "only-here"'
same "no such program: what is left" '0|0|0|0' "$(queue)"

# A bot that ends at once: why, and what it wrote, comes back.
printf 'echo out of luck >&2\nexit 3\n' >luck.sh
"$referee" match --game rondo --records luck a="referee bot" b="sh luck.sh" \
    --workers "$pg_url" --worker-keys workers >out 2>err
has "a fault is told" err '^game 1: b is out \(exit\): exited with code 3'
has "with what it wrote" err '^    stderr: out of luck'
same "and kept" 'out of luck' "$(cat luck/game-000002.b.log)"

# A tournament, and a course.
cat >cup.ini <<'INI'
[tournament]
game = second-chance
seats = 2
duplicate = yes
seed = 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881
format = swiss
rounds = 2
[bot a]
command = referee bot --level 2 --seed a
restart = yes
[bot b]
command = referee bot --seed b
restart = yes
[bot c]
command = referee bot --seed c
restart = yes
[bot d]
command = referee bot --level 3 --seed d
restart = yes
INI
cat >front.ini <<INI
[server]
database = $pg_url
worker-keys = workers
INI
"$referee" tournament cup.ini --records cup1 --csv >here.csv 2>err
"$referee" tournament cup.ini --records cup2 --csv --workers front.ini \
    >away.csv 2>err
same "tournament: exit code" 0 $?
cmp -s here.csv away.csv ||
    wrong "another table: $(diff here.csv away.csv | head -n 6)"
count=$((count + 1))
same "tournament: by workers" 8 \
    "$(cat cup2/games-*.rec | grep -c '^about .* worker=')"
"$referee" tournament cup.ini --records cup2 --resume --json >one.json 2>err
"$referee" tournament cup.ini --records cup2 --resume --json \
    --workers front.ini >two.json 2>err
cmp -s one.json two.json || wrong "the same records, another table"
count=$((count + 1))

for name in strong weak; do
    mkdir -p src/$name
    printf '[bot]\ncommand = referee bot --level %d --seed %s\n' \
        $([ $name = weak ] && echo 1 || echo 4) $name >src/$name/bot.ini
    "$referee" admit --game second-chance --name $name src/$name >out 2>&1 ||
        wrong "$name is not admitted"
done
cat >course.ini <<'INI'
[course]
game = second-chance
budget = 12
time = move:5s
[level one]
command = referee bot --seed one
INI
"$referee" grade course.ini --quiet --out here --csv >here.csv 2>err
rm -rf grading
"$referee" grade course.ini --quiet --out away --csv --workers front.ini \
    >away.csv 2>err
same "grade: exit code" 0 $?
cmp -s here.csv away.csv ||
    wrong "other grades: $(diff here.csv away.csv | head -n 6)"
count=$((count + 1))
has "grade: by workers" grading/games-001.rec '^about .* worker='
same "what is left" '0|0|0|0' "$(queue)"
workers_end
gone "workers"

echo "$count checks, $failed faults"
[ "$failed" = 0 ]
