#!/bin/sh
# Clocks that cannot be cheated: every time system, wall and CPU, charges in a
# match and in the daemon alike; a bot that thinks before it reads, or while it
# is away, pays for it; and a loop that waits does nothing.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
libraries=$(cd "${builddir:-.}/tests/e2e" && pwd)
shims=$(cd "${builddir:-.}/tests/shim" && pwd)
src=$(cd "${srcdir:-.}" && pwd)
command -v python3 >/dev/null || {
    echo "python3 is missing"
    exit 77
}
. "$(dirname "$0")/checks.sh"
shown="log"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1

# A move of the slow bot takes 2 s on the wall, or 200 ms of CPU time; the
# limits are half of that.
cat >cases <<END
move wall move:1s
bank wall bank:1s
fischer wall fischer:1s+1ms
delay wall delay:500ms+500ms
bronstein wall bronstein:1s+1ms
byoyomi wall byoyomi:500ms+2x250ms
canadian wall canadian:500ms+500ms/5
hourglass wall hourglass:1s
move cpu move:100ms
bank cpu bank:100ms
fischer cpu fischer:100ms+1ms
delay cpu delay:50ms+50ms
bronstein cpu bronstein:100ms+1ms
byoyomi cpu byoyomi:50ms+2x25ms
canadian cpu canadian:50ms+50ms/5
hourglass cpu hourglass:100ms
END

# is_late WHAT FILE: the slow bot lost on time, in the record.
is_late() {
    seat=$(sed -n 's/^seat \(.\) name=slow.*/\1/p' "$2")
    has "$1" "$2" "^leave $seat time$"
}

bots() {
    printf '[bot slow-wall]\ncommand = %s late 1 2000\n' "$bad"
    printf '[bot slow-cpu]\ncommand = %s burn 1 200\n' "$bad"
    printf '[bot quick]\ncommand = %s none 2\n' "$bad"
}

bots >bots.ini
while read -r system kind control; do
    [ $kind = cpu ] && control=$control,cpu
    "$referee" match --config bots.ini --game rondo --games 1 --time $control \
        --records match-$system-$kind slow-$kind quick >out.$system.$kind \
        2>&1 &
done <cases
wait
while read -r system kind control; do
    is_late "match, $control $kind" match-$system-$kind/games-*.rec
done <cases

printf '[server]\ncontrol = control\nrate-every = 0\n' >ref.ini
bots >>ref.ini
while read -r system kind control; do
    [ $kind = cpu ] && control=$control,cpu
    ladder $system-$kind rondo 2 "join = none" "bots = slow-$kind, quick" \
        "meetings = 1" "time = $control"
done <cases
serve
until_true "all(l['exhausted'] for l in s['ladders'])"
kill "$daemon"
wait "$daemon"
daemon=
games_apart
while read -r system kind control; do
    is_late "serve, $control $kind" games/$system-$kind/*.rec
done <cases

# Turns of more than 4 KiB in a pipe of 4 KiB.
thief() {
    rm -rf thief
    "$referee" match --game axiom --games 1 --records thief --time "$2" \
        "python3 $src/tests/bots/thief.py $1 1" "$bad none 2" >out 2>&1
}
thief 2 move:1s
has "who thinks before it reads" thief/games-*.rec '^leave 1 time$'
thief 0 move:30s
hasnt "who reads slowly" thief/games-*.rec '^leave'

# Who plays one deal again is another process, and the commits differ.
cat >staying.sh <<END
echo \$\$ >>"$work/pids"
exec "$bad" none 1
END
: >pids
"$referee" match --game rondo --games 4 --duplicate --records duplicate \
    "sh staying.sh" "$bad none 2" >out 2>&1
same "anew between the parts of a deal" 3 "$(sort -u pids | wc -l)"
same "deals" 2 "$(grep -h '^deal' duplicate/*.rec | sort -u | wc -l)"
same "commits" 4 "$(grep -h '^commit' duplicate/*.rec | sort -u | wc -l)"
"$referee" replay --quiet duplicate >out 2>&1
same "replay" 0 $?

# Whoever holds a record and computes its hash anew changes no clock.
# forge EXPRESSION: of sed, on the first record.
forge() {
    sed '/^hash/q' duplicate/games-001.rec | sed "$1" | grep -v '^hash' >forged.rec
    echo "hash $(sha256sum forged.rec | cut -d' ' -f1)" >>forged.rec
    "$referee" replay $2 forged.rec >out 2>&1
}
forge ''
same "nothing changed" 0 $?
forge '0,/^@- clock 1 [0-9]*/s//@- clock 1 77/'
same "a clock was changed" 1 $?
has "it is said" out 'forged.rec:[0-9]*: .*expected 10000000 on the clock'
forge '/^@- clock/d'
same "clocks were dropped" 0 $?
forge '/^@- clock/d' --strict
same "clocks were dropped, strictly" 1 $?
has "that is said" out 'its clocks are missing'
"$referee" match --game rondo --games 1 --records single "$bad none 1" \
    "$bad none 2" >out 2>&1
"$referee" replay --strict --quiet single >out 2>&1
same "a whole record, strictly" 0 $?
cp single/games-001.rec duplicate/games-001.rec
forge '/^seed/d' --strict
same "the seed was dropped, strictly" 1 $?
has "that is said as well" out 'the seed that it committed to is missing'

# Who is away when it is asked thinks on its own time.
tokens anna bob
cat >ref.ini <<END
[server]
control = control
rate-every = 0
data = away
grace = 60s
[listen local]
port = 0
END
ladder main rondo 2 "join = all" "time = move:3s" "meetings = 1"
serve
NET_BOT_AWAY=6 bot anna away:1
bot bob
until_true "s['games']['done'] == 1"
has "who thinks while it is away" away/records/main/*.rec '^leave . time$'
bots_end
kill "$daemon"
wait "$daemon"
daemon=

# A network bot stays connected: other games come between the parts of a deal,
# their commits differ, and that holds over a kill in the middle.
cat >ref.ini <<END
[server]
control = control
rate-every = 0
data = turn
grace = 60s
http = 127.0.0.1:0
[listen local]
port = 0
END
ladder main second-chance 2 "join = all" "duplicate = yes" "time = move:60s"
serve
bot anna slow:300
bot bob
until_true "s['games']['done'] >= 1"
until_true "s['games']['running'] == 1"
first=$(sed -n 's/^about id=\([^ ]*\).*/\1/p' turn/records/main/*.rec | head -1)
python3 - "$http_port" "$first" >held 2>&1 <<'END'
import sys, urllib.request
print(urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}"
                             f"/api/games/{sys.argv[2]}/record").read().decode())
END
hasnt "a deal that is still in play is told to nobody" held '^(deal|seed) '
kill -9 "$daemon"
wait "$daemon" 2>/dev/null
bots_end
serve
bot anna slow:5
bot bob
until_true "s['games']['done'] >= 9"
kill -9 "$daemon"
wait "$daemon" 2>/dev/null
bots_end
daemon=
sed -n 's/^about id=\([^ ]*\) .* unit=\([^ ]*\) part=\(.\).*/\2 \3/p' \
    turn/records/main/*.rec >parts
same "nobody was lost on the way" 0 \
    "$(grep -c ' left ' log)"
same "no part follows another of its deal" "" \
    "$(cut -d' ' -f1 parts | uniq -d)"
count=$((count + 1))
[ "$(cut -d' ' -f1 parts | sort | uniq -d | wc -l)" -ge 4 ] ||
    wrong "four deals are whole: $(xargs <parts)"
same "commits of parts" "$(wc -l <parts)" \
    "$(grep -h '^commit' turn/records/main/*.rec | sort -u | wc -l)"
same "deals" "$(cut -d' ' -f1 parts | sort -u | wc -l)" \
    "$(grep -h '^deal' turn/records/main/*.rec | sort -u | wc -l)"
"$referee" replay --quiet turn/records >out 2>&1
same "records of hands in turn" 0 $?

# Over a long way an answer may be on the road when the limit has passed: a
# move that took 1.5 s, of a way of 10 s, is charged with nothing.
cat >ref.ini <<END
[server]
control = control
rate-every = 0
data = way
lag-cap = 10s
[listen local]
port = 0
END
ladder main second-chance 2 "join = all" "time = move:1s" "meetings = 1"
preload="$shims/world.so"
export SHIM_RTT_US=10000000
serve
bot anna slow_once:1500
bot bob
until_true "s['games']['done'] == 1"
hasnt "nobody is late whose answer is on its way" way/records/main/*.rec \
    '^leave . time$'
has "it was charged with nothing" way/records/main/*.rec \
    '^@- clock .* used=0 .* travel=10000000'
bots_end
kill "$daemon"
wait "$daemon"
daemon= preload=
unset SHIM_RTT_US

# turns SECONDS: of the loop, meanwhile.
turns() {
    before=$(od -An -td8 count | tr -d ' ')
    sleep $1
    echo $(($(od -An -td8 count | tr -d ' ') - before))
}

# A loop that waits, for nothing or for a slow disk, does not turn.
cat >ref.ini <<END
[server]
control = control
rate-every = 0
data = waits
durable = yes
[bot a]
command = $bad slow 1
[bot b]
command = $bad slow 2
END
ladder main rondo 2 "join = none" "bots = a, b" "meetings = 1"
preload="$libraries/turns.so $libraries/faults.so"
export TURNS_COUNT="$work/count" FAULT_UNDER="$work/waits" \
    FAULT_FILE="$work/stall"
serve
echo 0 stall >stall
for i in $(seq 600); do
    grep -qs '^hash' waits/records/main/*.rec && break
    sleep 0.1
done
has "over" waits/records/main/*.rec '^hash'
same "not told while the disk waits" 0 "$(status "s['games']['done']")"
n=$(turns 2)
count=$((count + 1))
[ "$n" -lt 200 ] || wrong "a loop that waits for a disk turned $n times in 2 s"
: >stall
until_true "s['games']['done'] == 1"
n=$(turns 2)
count=$((count + 1))
[ "$n" -lt 200 ] || wrong "an idle loop turned $n times in 2 s"

[ "$failed" = 0 ] && echo "$count checks of clocks"
exit $((failed > 0))
