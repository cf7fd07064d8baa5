#!/bin/sh
# A match whose referee is killed again and again, and goes on each time, ends
# as if nothing had happened: every game is there once, every record replays,
# every result is the one that was due. The bots die with their referee.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
mark=resume-$$-$(date +%s)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
ln -s "$bad" bad

# Three bots whose moves follow from the position; one starts processes that
# run away, one takes its time.
play() {
    BAD_MARK=$mark exec "$referee" match --quiet --csv --time move:30s \
        --start-limit 30s --seed "$(printf '%064d' 8)" "$@" \
        "./bad children 1" "./bad slow 2 1" "./bad none 3" </dev/null
}

# killed GAME GAMES: kill it 15 times, then let it end.
killed() {
    game=$1 games=$2
    rm -rf whole torn
    (play --game "$game" --games "$games" --concurrency 4 --records whole) \
        >whole.csv 2>err
    same "$game, uninterrupted: exit code" 0 $?
    for pause in 00 02 04 06 08 10 12 14 16 18 20 25 30 35 40; do
        play --game "$game" --games "$games" --concurrency 4 --records torn \
            --resume >torn.csv 2>err &
        sleep 0.$pause
        kill -9 $! 2>/dev/null
        wait $! 2>/dev/null
        gone "$game, killed after 0.$pause s"
        heads=$(grep -ls '^deal .' torn/*.rec)
        [ -z "$heads" ] || same "$game, killed after 0.$pause s: replay" 0 \
            "$("$referee" replay --quiet $heads >out 2>&1; echo $?)"
    done
    (play --game "$game" --games "$games" --concurrency 4 --records torn \
        --resume) >torn.csv 2>err
    same "$game, at last: exit code" 0 $?
    same "$game: records" "$games" "$(records torn)"
    same "$game: finished records" "$games" \
        "$(closed torn)"
    same "$game: replay" 0 "$("$referee" replay --quiet torn/*.rec >out 2>&1
        echo $?)"
    events whole >whole.events
    events torn >torn.events
    count=$((count + 1))
    cmp -s whole.events torn.events || wrong "$game: games go otherwise"
    same "$game: the table" "$(cut -d, -f1-14 whole.csv)" \
        "$(cut -d, -f1-14 torn.csv)"
    gone "$game, at last"
}

killed rondo 24
killed second-chance 40

# Once more changes nothing, not even the times of the moves: records have them.
cp torn.csv before.csv
(play --game second-chance --games 40 --records torn --resume) >torn.csv 2>err
same "resumed when all is played" "$(cat before.csv)" "$(cat torn.csv)"
(play --game second-chance --games 40 --records whole --resume) >torn.csv 2>err
same "resumed when all is played at once" "$(cat whole.csv)" "$(cat torn.csv)"

# A record that breaks off at any byte: the game goes on to the same end.
for game in axiom rondo axio-rota second-chance; do
    rm -rf cut
    case $game in
    axiom) set -- "./bad none 1" "./bad none 2" ;;
    *) set -- "./bad none 1" "./bad none 2" "./bad none 3" ;;
    esac
    "$referee" match --quiet --game $game --games 1 --time move:30s \
        --seed "$(printf '%064d' 9)" --records cut "$@" >out 2>err </dev/null
    cp cut/games-001.rec whole.rec
    events cut >whole.events
    bytes=$(wc -c <whole.rec)
    # Most of them near the beginning, where the lines differ most.
    for at in 0 1 20 90 150 200 260 300 330 390 450 520 600 $((bytes / 5)) \
        $((bytes / 3)) $((bytes / 2)) $((bytes - 200)) $((bytes - 140)) \
        $((bytes - 80)) $((bytes - 70)) $((bytes - 2)); do
        head -c "$at" whole.rec >cut/games-001.rec
        "$referee" match --quiet --game $game --games 1 --time move:30s \
            --resume --records cut "$@" >out 2>err </dev/null
        same "$game, cut at byte $at: exit code" 0 $?
        events cut >cut.events
        count=$((count + 1))
        cmp -s whole.events cut.events || wrong "$game, cut at byte $at: differs"
        same "$game, cut at byte $at: replay" "" \
            "$("$referee" replay --quiet cut/*.rec 2>&1)"
    done
done

# Bots that hang, with children that hide: they die with the referee too, and
# in good order when it is told to stop.
for way in 9 15 15--csv 15--json 2; do
    signal=${way%--*}
    rm -rf cut
    BAD_MARK=$mark "$referee" match --quiet --game rondo --games 3 ${way#$signal} \
        --concurrency 3 --time move:300s --records cut "./bad children_hang 1" \
        "./bad stop 2" "./bad hang_first 3" >out$way 2>err </dev/null &
    tries=0
    while [ "$(left_over)" -lt 10 ] && [ $((tries += 1)) -lt 100 ]; do
        sleep 0.1
    done
    sleep 0.2
    kill -$signal $!
    wait $! 2>/dev/null
    same "signal $signal: exit code" $((128 + signal)) $?
    gone "signal $signal"
done
same "no game is over: no means" "0 0.0 - - -" \
    "$(awk '$1 == "bad" { print $2, $3, $4, $5, $6 }' out2)"
has "no game is over: no means" out15--csv "^bad,0,0,,,0,"
same "no game is over: no means" 6 "$(grep -c '"mean_.*": null' out15--json)"
same "told to stop, it says how to go on" 1 "$(grep -c -- --resume err)"

# A record of another match in the folder is not taken for one of this.
rm -rf cut
"$referee" match --quiet --game rondo --games 2 --records cut "./bad none 1" \
    "./bad none 2" >out 2>err </dev/null
"$referee" selfplay --game rondo --quiet --records other
apart cut
sed '/^result/,$d; s/^seats .*/&\nabout match=game-000002/' other/rondo-1.rec |
    cat cut.apart/game-000001.rec - >cut/games-001.rec
"$referee" match --quiet --game rondo --games 2 --records cut --resume \
    "./bad none 1" "./bad none 2" >out 2>err </dev/null
same "the record of another match: exit code" 2 $?
same "the record of another match: told" 1 \
    "$(grep -c 'cut/games-001.rec:[0-9]*: game-000002 is the record of another match' err)"

# Nor is one that is damaged thrown away; the game is played again without it.
sed '/^play/s/.*/play 1 x/' cut.apart/game-000001.rec >damaged
cp damaged cut/games-001.rec
"$referee" match --quiet --game rondo --games 2 --records cut --resume \
    "./bad none 1" "./bad none 2" >out 2>err </dev/null
same "a damaged record: exit code" 2 $?
has "a damaged record" err "games-001.rec:[0-9]*: .*; take this record out of the file, and its game is played again"
same "a damaged record stays" 0 "$(cmp -s damaged cut/games-001.rec; echo $?)"
cp cut.apart/game-000002.rec cut/games-001.rec
"$referee" match --quiet --game rondo --games 2 --records cut --resume \
    "./bad none 1" "./bad none 2" >out 2>err </dev/null
same "without the damaged record: exit code" 0 $?
same "without the damaged record: said" "" "$(cat err)"

# Another version of a bot must not go on with what its forerunner began: the
# table would tell of neither.
rm -rf cut
printf '#!/bin/sh\nexec ./bad none 1\n' >script
two() {
    "$referee" match --quiet --config two.ini --games "$1" \
        --records cut --resume >out 2>err </dev/null
}
printf '%s\n' '[match]' 'game = rondo' 'bots = a, b' '[bot a]' 'command = sh script 2>&1' \
    'environment = LEVEL=1' '[bot b]' \
    "command = cat 'my file' >>written; exec ./bad none 2 2>>'my log'" >two.ini
echo text >'my file'
# file CHANGE: where; a blank is written as _.
file() {
    echo "${1##* }" | tr _ ' '
}
two 2
same "a version: exit code" 0 $?
two 4
same "the same version: exit code" 0 $?
for change in "s/^#!.*/& -u/ script" "s/LEVEL=1/LEVEL=2/ two.ini" \
    "s/none 2/none 3/ two.ini" "s/text/more/ my_file"; do
    cp "$(file "$change")" before
    sed -i "${change% *}" "$(file "$change")"
    two 6
    same "another version ($change): exit code" 2 $?
    has "another version ($change)" err "cut/games-001.rec:[0-9]*: game-00000[1-4] was played by another version of [ab]: "
    cp before "$(file "$change")"
done
for rule in "--illegal retry:2" "--lenience 1s" "--move-cap 9s"; do
    "$referee" match --quiet --config two.ini --games 6 --records cut --resume \
        $rule >out 2>err </dev/null
    same "other rules ($rule): exit code" 2 $?
    word=${rule#--}
    has "other rules ($rule)" err "but this command has \"${word%% *} "
done
two 6
same "the old version again: exit code" 0 $?
same "the old version again: records" 6 "$(closed cut)"

# Where there is nothing to go on with, this is said.
"$referee" match --quiet --game rondo --games 1 --records fresh --resume \
    "./bad none 1" "./bad none 2" >out 2>err </dev/null
same "nothing to resume: exit code" 0 $?
same "nothing to resume" "referee: fresh contains no match yet; starting a new one" \
    "$(cat err)"

# Two at once would write the same records: the second is told so.
rm -rf cut
BAD_MARK=$mark "$referee" match --quiet --game rondo --games 2 --records cut \
    --time move:300s "./bad hang_first 1" "./bad none 2" >out 2>err </dev/null &
first=$!
await cut/games-001.rec "^deal "
timeout 20 "$referee" match --quiet --game rondo --games 2 --records cut --resume \
    --time move:300s "./bad hang_first 1" "./bad none 2" >out 2>err </dev/null
same "two at once: exit code" 1 $?
has "two at once" err "another referee uses cut"
kill -9 $first
wait $first 2>/dev/null
gone "two at once"

# A record that cannot be written ends the match, and --resume goes on with it.
rm -rf cut
three() {
    "$referee" match --quiet --game rondo --games 3 --json --records cut \
        --seed "$(printf '%064d' 0)" "$@" "./bad none 1" "./bad none 2"
}
(
    ulimit -f 7
    three
) >out 2>err </dev/null
same "no room for a record: exit code" 1 $?
same "no room for a record: said once" "1 cut/games-001.rec" \
    "$(sed -n 's/referee: \(.*\) cannot be written: File too large; .*/1 \1/p' \
        err)"
same "no room for a record: no result" "" "$(cat out)"
three --resume >out 2>err </dev/null
same "room again: exit code" 0 $?
same "room again: no game is void" "3 0" "$(tr -d ' "' <out |
    awk -F '[:,]' '$1 == "games" { g = $2 } $1 == "void" { v = $2 }
        END { print g, v }')"
"$referee" replay --quiet cut/*.rec >out 2>&1
same "room again: replay" 0 $?

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
