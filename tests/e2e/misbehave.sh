#!/bin/sh
# Bots with one fault each, beside healthy ones: the right seat must leave for
# the right reason after the right number of moves, the others must play on,
# the record must replay, nothing may be left over, and nobody may have to wait.
#
# Nothing here depends on luck with the time: who must be late never answers,
# who must be in time has many times what it needs.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
no_counter=$(cd "${builddir:-.}/tests/e2e" && pwd)/no_counter
self=$(cd "$(dirname "$0")" && pwd)/misbehave.sh
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
mark=misbehave-$$-$(date +%s)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
ln -s "$bad" bad
seed=0 under=

# The mark is in the environment of every process that a match starts.
match() {
    BAD_MARK=$mark timeout 120 $under "$referee" match --quiet --keep-going "$@" </dev/null
}

# verdict MODE SEAT WORD MOVES: is this what rec/ and out.json say?
verdict() {
    record=rec/games-001.rec
    leaves=$(grep '^leave' $record | tr '\n' ' ')
    ranks=$(sed -n 's/^result ranks=\([0-9,]*\) .*/\1/p' $record)
    json=$(tr -d ' \n' <out.json)
    if [ "$3" = plays ]; then
        same "$1: leaves" "" "$leaves"
        same "$1: forfeits in the table" 3 \
            "$(echo "$json" | grep -oF '"forfeits":{}' | wc -l)"
    else
        same "$1: leaves" "leave $2 $3 " "$leaves"
        same "$1: its rank" 3 "$(echo "$ranks" | cut -d, -f"$2")"
        same "$1: forfeits in the table" 2 \
            "$(echo "$json" | grep -oF '"forfeits":{}' | wc -l)"
        same "$1: its forfeit in the table" 1 \
            "$(echo "$json" | grep -oF "\"forfeits\":{\"$3\":1}" | wc -l)"
    fi
    [ "$4" = - ] || same "$1: its moves" "$4" \
        "$(grep -cE "^(@$2 )?play $2 " $record)"
    same "$1: void games" 1 "$(echo "$json" | grep -cF '"games":1,"void":0')"
    same "$1: the game ends by its own rules" 0 "$(grep -c forfeit $record)"
    same "$1: replay" "" "$("$referee" replay --quiet $record 2>&1)"
    same "$1: finished" 1 "$(grep -c '^hash ' $record)"
    same "$1: processes left over" 0 "$(left_over)"
}

# expect MODE WORD MOVES [OPTION...]: a game of one bad and two healthy bots.
# Games and seats take turns.
expect() {
    mode=$1 word=$2 moves=$3
    shift 3
    seed=$((seed + 1))
    case $((seed % 3)) in
    0) game=second-chance seat=1 ;;
    1) game=rondo seat=3 ;;
    2) game=axio-rota seat=2 ;;
    esac
    rm -rf rec
    set -- --game $game --games 1 --records rec --json "$@"
    case $seat in
    1) set -- "$@" "./bad $mode $seed" "./bad none 2" "./bad none 3" ;;
    2) set -- "$@" "./bad none 2" "./bad $mode $seed" "./bad none 3" ;;
    3) set -- "$@" "./bad none 2" "./bad none 3" "./bad $mode $seed" ;;
    esac
    match --seed "$(printf '%064d' $seed)" "$@" >out.json 2>err
    same "$mode: exit code" 0 $?
    verdict "$mode" $seat "$word" "$moves"
}

free="--time move:30s --start-limit 30s"
late="--time move:1s --start-limit 30s"
unready="--time move:30s --start-limit 2s"
cpu="--time move:500ms,cpu --start-limit 30s"

# The start.
expect none plays - $free
expect hang_start start 0 $unready
expect hang_new_game start 0 $unready
expect exit_start exit 0 $free
expect flood_start flood 0 $free
expect answers_start protocol 0 $free
expect old_version protocol 0 $free
expect list_long flood 0 $free
expect list_refused resign 0 $free
expect name_refused plays - $free
expect name_long plays - $free
expect refuse refuse 0 $free
expect early protocol 0 $free

# Silence and slowness.
expect silent time 1 $late
expect hang time 1 $late
expect hang_first time 0 $late
expect stop time 1 $late
expect half time 1 $late
expect close_input time 2 $late
expect late time 1 $late
expect close_output exit 1 $free
expect slow plays - $free
expect drip plays - $free
expect burn time 1 $cpu
expect burn_children time 1 $cpu
expect burn_orphan time 1 $cpu
expect late plays - $cpu

# CPU time of what nobody waits for: where the kernel lets us count it, and
# where somebody has to look, which cannot see what lives for a moment only.
may_count=no
"$no_counter" && may_count=yes
for under in "" "$no_counter"; do
    expect burn_wait time 1 $cpu
    expect burn_ignored time 1 $cpu
    expect burn_unwaited time 1 $cpu
    expect burn_daemon time 1 $cpu
    expect burn_threads time 1 $cpu
done
under=
[ $may_count = no ] || expect burn_briefly time 1 $cpu

# charged MODE LEAST: what was charged, in percent of what the bot says it used.
charged() {
    rm -rf rec
    match --game axiom --games 1 --records rec --time move:30s,cpu \
        "./bad $1 1 400" "./bad none 2" >out 2>err
    percent=$(awk '
        /^@- note 1 / && / used / { used = $NF }
        /^@- clock 1 / && used { sub("used=", "", $5)
                                 print int(100 * $5 / used); exit }
    ' rec/games-001.rec)
    count=$((count + 1))
    [ "${percent:-0}" -ge "$2" ] && [ "${percent:-0}" -le 150 ] ||
        wrong "$1 ${under:+without a counter}: $percent % were charged"
}
for mode in burn_wait burn_ignored burn_unwaited burn_daemon burn_threads; do
    under=
    charged $mode 60
    under=$no_counter
    charged $mode 60
done
under=
[ $may_count = no ] || charged burn_briefly 80

# Too much.
expect endless_line flood 1 $free
expect endless_lines protocol 1 $free
expect endless_answer flood 1 $free
expect endless_blanks flood 1 $free
expect endless_notes flood 1 $free
expect endless_answers illegal 1 $free
expect notes flood 1 $free
expect long_notes flood 1 $free
expect line_1024 plays - $free
expect line_1025 flood 1 $free
expect endless_stderr time 1 $late
same "endless stderr: bytes kept" 1048576 "$(cat rec/*.log | wc -c)"
expect stderr plays - $free
same "stderr: bytes kept" 1048576 "$(cat rec/*.log | wc -c)"

# Ends. A move that was printed counts, whatever comes behind it.
expect exit exit 1 $free
expect exit_first exit 0 $free
expect exit_half exit 1 $free
expect exit_later exit - $free
expect exit_over plays - $free
expect move_exit exit 2 $free
expect notes_move_exit exit 2 $free
expect crash exit 1 $free
same "a crash: its signal" 1 "$(grep -c 'killed by signal 11' err)"

# Company.
expect children plays - $free
expect children_hang time 1 $late
expect children_exit exit 1 $free
expect never_end plays - $free
expect stop_parent plays - $free
expect stop_always plays - $free
expect kill_parent exit 1 $free
same "a killed guard: told" 1 "$(grep -c 'guards it was killed' err)"
expect orphans exit 1 $free
expect orphans_fork exit 1 $free

# A child that the referee has from before, from the shell that it was.
sh -c 'sleep 100 & echo $! >older; exec "$@"' sh "$referee" match --quiet \
    --game rondo --games 1 "./bad orphans 1" "./bad none 2" \
    >out 2>err </dev/null
same "a killed guard: an older child lives" yes \
    "$(kill "$(cat older)" && echo yes)"

# The same in an examination.
BAD_MARK=$mark timeout 120 "$referee" check --game rondo \
    "./bad orphans 1" >out 2>err </dev/null
same "check: exit code" 1 $?
same "check: told" 1 "$(cat out err | grep -c 'it was killed')"
same "check: processes left over" 0 "$(left_over)"

# Nobody can keep a bot from killing the referee; the guards end all bots.
BAD_MARK=$mark "$referee" match --quiet --game rondo --games 1 $free \
    "./bad kill_referee 1" "./bad children 2" "./bad never_end 3" \
    >out 2>err </dev/null
same "kill_referee: exit code" 137 $?
tries=0
while [ "$(left_over)" != 0 ] && [ $tries -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
same "kill_referee: processes left over" 0 "$(left_over)"

# Words.
expect wrong_id protocol 1 $free
expect twice protocol 2 $free
expect unasked protocol 2 $free
expect fail illegal 1 $free
expect illegal illegal 1 $free
expect two_words illegal 1 $free
expect empty illegal 1 $free
expect resign resign 1 $free
expect glued protocol 1 $free
expect not_ascii protocol 1 $free
expect note_not_ascii plays - $free
expect control plays - $free
expect crlf plays - $free
expect no_ids plays - $free
expect no_empty_line plays - $free
expect remarks plays - $free

# With retries a bot that errs once plays on, asked again on the same clock.
expect illegal plays - $free --illegal retry:1
expect fail plays - $free --illegal retry:1

# Every mode of the bot was tried.
./bad >modes
for mode in $(cat modes); do
    count=$((count + 1))
    grep -qE "^(    |\[.*\|\| )?expect $mode |\"./bad $mode " "$self" ||
        wrong "no test for the mode $mode"
done

# What cannot be run: said before the match, or a lost game.
match --game rondo ./nothing "./bad none 1" >out 2>&1
same "no such program: exit code" 2 $?
same "no such program: one sentence" 1 "$(wc -l <out)"
printf '#!/nowhere/interpreter\n' >script
chmod +x script
rm -rf rec
match --game rondo --games 1 --records rec --json $free ./script \
    "./bad none 2" "./bad none 3" >out.json 2>err
verdict "no such interpreter" 1 exit 0
same "no such interpreter: told" 1 "$(grep -c 'cannot be run' err)"

# Alone against one bad bot: forfeit.
rm -rf rec
match --game axiom --games 2 --records rec --csv $free "./bad crash 1" \
    "./bad none 2" >out 2>err
same "two seats: both games are a forfeit" 2 \
    "$(grep -c '^result .* reason=forfeit left=[12]:exit$' rec/games-001.rec)"
same "two seats: all points to the healthy bot" bad-2,2,2,1 \
    "$(sed -n 3p out | cut -d, -f1-4)"

# Many games in one run, most bots crash: memory and descriptors stay flat.
rm -rf rec
BAD_MARK=$mark "$referee" match --quiet --keep-going --game second-chance --games 400 \
    --concurrency 2 --records rec $free "./bad crash 1" "./bad endless_line 2" \
    "./bad children_exit 3" "./bad none 4" >out 2>err </dev/null &
pid=$!
: >samples
while kill -0 $pid 2>/dev/null; do
    games=$(records rec 2>/dev/null)
    fds=$(ls /proc/$pid/fd 2>/dev/null | wc -l)
    rss=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' /proc/$pid/status \
        2>/dev/null)
    [ "$fds" -gt 0 ] && [ -n "$rss" ] && echo "$games $fds $rss" >>samples
    sleep 0.05
done
wait $pid
same "many games: exit code" 0 $?
same "many games: finished records" 400 "$(closed rec)"
same "many games: processes left over" 0 "$(left_over)"
# The most in the games 50 to 150 against the most from 250 on.
flat() {
    count=$((count + 1))
    awk -v column="$1" -v room="$2" '
        $1 >= 50 && $1 < 150 && $column > early { early = $column }
        $1 >= 250 && $column > late { late = $column }
        END { print early + 0, late + 0; exit late > early + room }
    ' samples >flat.out || wrong "$3 grow: $(cat flat.out)"
}
flat 2 40 "descriptors"
grep -q __asan_init "$referee" || flat 3 2048 "KiB of memory"

# Many bad bots at once, in one process: each game goes as it does alone.
for at_once in 1 8; do
    rm -rf rec-$at_once
    match --game rondo --games 16 --concurrency $at_once --records rec-$at_once \
        --seed "$(printf '%064d' 5)" --csv $free "./bad endless_notes 1" \
        "./bad children_exit 2" "./bad none 3" "./bad none 4" >out 2>err
    same "$at_once at once: exit code" 0 $?
    events rec-$at_once >events-$at_once
    same "$at_once at once: healthy seats that left" \
        "bad-3,0,0,0,0,0,0,0,0,0 bad-4,0,0,0,0,0,0,0,0,0" \
        "$(grep '^bad-[34]' out | cut -d, -f1,6-14 | xargs)"
done
count=$((count + 1))
cmp -s events-1 events-8 || wrong "8 games at once go otherwise than alone"

# The same with bots that kill their guards: those of others live on.
for at_once in 1 8; do
    rm -rf rec-$at_once
    match --game rondo --games 16 --concurrency $at_once --records rec-$at_once \
        --seed "$(printf '%064d' 5)" --csv $free "./bad orphans 1" \
        "./bad orphans_fork 2" "./bad none 3" "./bad none 4" >out 2>err
    same "killed guards, $at_once at once: exit code" 0 $?
    events rec-$at_once >events-$at_once
    same "killed guards, $at_once at once: healthy seats that left" \
        "bad-3,0,0,0,0,0,0,0,0,0 bad-4,0,0,0,0,0,0,0,0,0" \
        "$(grep '^bad-[34]' out | cut -d, -f1,6-14 | xargs)"
    same "killed guards, $at_once at once: processes left over" 0 \
        "$(left_over)"
done
count=$((count + 1))
cmp -s events-1 events-8 || wrong "8 games at once go otherwise than alone"

# A bot that exits after every game is started anew, and loses none.
match --game rondo --games 20 --csv $free "./bad exit_over 1" "./bad none 2" \
    "./bad none 3" >over.csv 2>over.err
same "a bot that exits between games: what was told" "" "$(cat over.err)"
same "a bot that exits between games: games" 20 \
    "$(awk -F, 'NR == 2 { print $2 }' over.csv)"

# Healthy games beside others that burn, flood and fork.
healthy() {
    match --game rondo --games 24 --concurrency 4 --records "$1" \
        --seed "$(printf '%064d' 6)" $free --csv "./bad none 1" \
        "./bad none 2" "./bad none 3" >"$1.csv" 2>"$1.err"
}
healthy quiet
same "healthy games: exit code" 0 $?
for mode in endless_lines endless_stderr children_hang endless_answers burn \
    orphans_fork; do
    match --game second-chance --games 8 --concurrency 8 $late \
        "./bad $mode 1" "./bad none 2" "./bad none 3" \
        >noise-$mode 2>&1 &
done
healthy noisy
same "healthy games beside bad ones: exit code" 0 $?
wait
events quiet >quiet.events
events noisy >noisy.events
count=$((count + 1))
cmp -s quiet.events noisy.events || wrong "bad bots change healthy games"
same "healthy games beside bad ones: leaves" 0 \
    "$(grep -hc '^leave' noisy/*.rec | grep -vc '^0$')"
same "their tables" "$(cut -d, -f1-14 quiet.csv)" "$(cut -d, -f1-14 noisy.csv)"
same "all together: processes left over" 0 "$(left_over)"

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
