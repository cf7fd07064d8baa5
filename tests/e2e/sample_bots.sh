#!/bin/sh
# The sample bots of all languages at one table: every game, every number of
# seats, every bot with others. And the sensible ones must beat the random one.

src=$(cd "${srcdir:-.}" && pwd)/sample-bots
build=$(cd "${builddir:-.}" && pwd)
referee=$build/referee/referee
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
matches=0

mkdir -p "$build/sample-bots/rust" "$build/sample-bots/java"
rustc --edition 2021 -O -o "$build/sample-bots/rust/random" \
    "$src/rust/random.rs" || wrong "the Rust bot does not compile"
javac -d "$build/sample-bots/java" "$src/java/RandomBot.java" ||
    wrong "the Java bot does not compile"

cat >"$work/bots.ini" <<END
[bot c]
command = $build/sample-bots/c/random
[bot python]
command = python3 $src/python/random_bot.py
[bot node]
command = node $src/node/random.js
[bot perl]
command = perl $src/perl/random.pl
[bot bash]
command = bash $src/bash/random.sh
[bot awk]
command = mawk -W interactive -f $src/awk/random.awk
[bot java]
command = java -XX:TieredStopAtLevel=1 -cp $build/sample-bots/java RandomBot
[bot rust]
command = $build/sample-bots/rust/random
END
for game in axiom axio_rota rondo second_chance; do
    cat >>"$work/bots.ini" <<END
[bot greedy-c-$game]
command = $build/sample-bots/c/greedy_$game
[bot greedy-python-$game]
command = python3 $src/python/greedy_$game.py
END
done

# play GAME BOT...: two games, and nobody may fail.
play() {
    game=$1
    shift
    matches=$((matches + 1))
    rm -rf "$work/records"
    "$referee" match --config "$work/bots.ini" --game "$game" --games 2 \
        --time move:20s --start-limit 60s --records "$work/records" --json \
        "$@" >"$work/out" 2>"$work/err" || {
        wrong "$game $*: $(cat "$work/err")"
        return
    }
    [ "$(grep -c '"forfeits": {}' "$work/out")" = $# ] ||
        wrong "$game $*: a bot failed: $(cat "$work/err")"
    "$referee" replay --quiet "$work"/records/*.rec >"$work/out" 2>&1 ||
        wrong "$game $*: $(cat "$work/out")"
}

# Everybody in turn, N at a time: "windows GAME N BOT...".
windows() {
    game=$1 n=$2
    shift 2
    count=$#
    at=0
    while [ $at -lt "$count" ]; do
        window=$(for i in $(seq 0 $((n - 1))); do
            eval "echo \${$(((at + i) % count + 1))}"
        done)
        play "$game" $window
        at=$((at + n))
    done
}

languages="c python node perl bash awk java rust"
windows axiom 2 $languages greedy-c-axiom greedy-python-axiom
for n in 1 2 3 4; do
    windows axio-rota $n $languages greedy-c-axio_rota greedy-python-axio_rota
done
for n in 2 3 4; do
    windows rondo $n greedy-c-rondo $languages greedy-python-rondo
done
for n in 1 2 3 4 5 6; do
    windows second-chance $n $languages greedy-c-second_chance \
        greedy-python-second_chance
done

# Wins of the first of two bots in duplicate games, in percent.
share() {
    "$referee" match --config "$work/bots.ini" --game "$1" --games "$2" \
        --duplicate --concurrency 2 --time move:20s --csv "$3" c 2>"$work/err" |
        awk -F, 'NR == 2 { printf "%d", 100 * $3 / $2 }'
}

for game in axiom axio-rota rondo second-chance; do
    name=$(echo "$game" | tr - _)
    for bot in "greedy-c-$name 100" "greedy-python-$name 40"; do
        set -- $bot
        won=$(share "$game" "$2" "$1")
        echo "$1 wins $won % of $2 duplicate games against random"
        [ "${won:-0}" -ge 95 ] || wrong "$1 wins only $won %"
    done
done
echo "$matches matches, $failed faults"
[ "$failed" = 0 ]
