#!/bin/sh
# A sample of units is played by two workers: one that invents moves stands out,
# honest ones do not. What bots write to standard error on a worker comes to the
# front. The report of results, forfeits and times is tried on made-up games.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/postgres.sh"
work=$(mktemp -d) || exit 1
mark=twins-$$
workers=
trap 'kill -9 $workers 2>/dev/null; pg_end KILL; end' EXIT
cd "$work" || exit 1
shown="log w1.log w4.log"
PATH=$(dirname "$referee"):$PATH

# A program that is not in the bot's folder: each machine has its own.
program() { # FOLDER ARGUMENT...
    mkdir "$1"
    folder=$1
    shift
    printf '#!/bin/sh\nexec referee bot %s\n' "$*" >"$folder/steady"
    chmod +x "$folder/steady"
}

pg_make
pg_start
"$referee" db init "$pg_url" >out || exit 1
for n in 1 2 3 4; do
    mkdir -m 700 w$n
    "$referee" key w$n/key
done >workers
program honest --seed s
program liar --seed other
printf 'echo thinking hard >&2\nexec referee bot --seed l\n' >loud.sh
cat >ref.ini <<END
[server]
control = control
http = 127.0.0.1:0
database = $pg_url
worker-keys = workers
recheck = 100
[bot steady]
command = steady
[bot loud]
command = sh loud.sh
files = loud.sh
[bot chance]
command = referee bot
[ladder rondo]
game = rondo
seats = 2
join = none
bots = steady, loud, chance
games = 8
copies = 8
END
for n in 1 2 3 4; do
    bin=$PWD/honest
    [ $n = 4 ] && bin=$PWD/liar
    PATH=$bin:$PATH BAD_MARK=$mark "$referee" worker "$pg_url" --folder "w$n" \
        --poll 50ms --lease 10s --stop-limit 1s --concurrency 1 \
        2>>"w$n.log" &
    workers="$workers $!"
done
PATH=$PWD/honest:$PATH
serve

# Until the liar is found out, and the others have been compared as well.
await w4.log " ready$"
liar=$(cat w4/name)
cat >found.py <<'PY'
import json, sys
report = {w["name"]: w for w in json.load(open("report.json"))}
odd = [n for n, w in report.items() if w["odd"]]
print(odd, report, file=sys.stderr)
assert odd == [sys.argv[1]], odd
assert all(w["compared"] > 5 for w in report.values())
PY
for i in $(seq 300); do
    "$referee" workers "$pg_url" --report --json >report.json
    code=$?
    python3 found.py "$liar" 2>found.err && break
    sleep 0.2
done
tail -n 1 found.err | grep Assert
same "exit code" 1 $code
"$referee" workers ref.ini --report >out
has "report" out "^worker +compared +differ +seats"
has "report" out "^$liar is odd: moves: [0-9]+ of [0-9]+ units .* such as steady\$"
same "nobody else" 0 "$(grep ' is odd: ' out | grep -vc "^$liar ")"
has "differences in the log" log 'and again by .*, with other moves: game 1, move'
python3 -c 'import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1]).read().decode())' \
    "http://127.0.0.1:$http_port/metrics" >out
has "metrics" out '^referee_units_rechecked_total [0-9]+$'
same "metrics: differences" yes "$(awk '
    $1 == "referee_units_rechecked_total" { all = $2 }
    $1 == "referee_units_rechecked_different_total" { different = $2 }
    END { print 0 < different && different < all ? "yes" : "no" }' out)"

"$referee" pause --control control >out 2>&1
until_true 's["games"]["running"] == 0'
kill "$daemon"
wait "$daemon"
daemon=
kill $workers
wait $workers
workers=
counted=$(cat data/records/rondo/*.rec | grep -c '^record ')
same "twins do not count" "$counted" "$(sql 'SELECT count(*) FROM referee.games')"
same "no twin in the files" 0 "$(sql 'SELECT unit FROM referee.twins' |
    sed 's/.*/ id=& /' | grep -Fcf - data/records/rondo/*.rec)"

# A log for each game of the loud bot, and for no other.
cat data/logs/rondo/*/*.loud.log | sort | uniq -c >out
games=$(cat data/records/rondo/*.rec | grep -c '^seat . name=loud ')
same "logs" " $games thinking hard" "$(sed "s/^ */ /" out)"
for log in data/logs/rondo/*/*.steady.log data/logs/rondo/*/*.chance.log; do
    [ ! -e "$log" ] || wrong "another log: $log: $(cat "$log"; id=$(basename "$log" | cut -d. -f1); grep -h -A4 "^about id=$id " data/records/rondo/*.rec)"
done
count=$((count + 1))

# What cannot be made here: enough games. 4 workers of 100 games; on "late" bots
# lose on time, on "slow" they take long, on "friend" one of them wins.
sql "TRUNCATE referee.games, referee.workers, referee.twins;
    INSERT INTO referee.workers (name, key, host, program, slots, speed, until)
    SELECT n, n, 'h', '1', 1, 100, now() FROM
        unnest(ARRAY['fair', 'late', 'slow', 'friend']) n;
    INSERT INTO referee.games (day, id, client, event, worker, summary)
    SELECT current_date, w || i, 'c', 'rondo', w, format(
        'ranks=%s names=a,b left=%s,- moves=20,20 used_ms=%s,%s',
        CASE WHEN w = 'friend' OR i % 2 = 0 THEN '1,2' ELSE '2,1' END,
        CASE WHEN i % 50 = 0 OR w = 'late' AND i % 5 = 0 THEN 'time'
            ELSE '-' END,
        CASE WHEN w = 'slow' THEN 900 ELSE 290 + i % 20 END,
        CASE WHEN w = 'slow' THEN 800 ELSE 290 + i % 20 END)
    FROM unnest(ARRAY['fair', 'late', 'slow', 'friend']) w,
        generate_series(1, 100) i" >out
"$referee" workers "$pg_url" --report >out
same "made up: exit code" 1 $?
hasnt "a fair one" out '^fair is odd'
has "late" out '^late is odd: time: 20 of 200 seats were lost on time, where 2\.0 would'
has "slow" out '^slow is odd: pace: bots take 2\.[0-9]* times as long'
has "friend" out '^friend is odd: points: a has 100 % on rondo here \(100 games\), and 50 %'
same "as many" 4 "$(grep -c ' is odd: ' out)"
"$referee" workers "$pg_url" --report --drain x 2>err
same "two at once: exit code" 2 $?

echo "$count checks, $failed faults"
[ "$failed" = 0 ]
