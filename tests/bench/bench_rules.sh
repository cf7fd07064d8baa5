#!/bin/sh
# bench_rules.sh - what the rules of each game cost, in time and in instructions.
#
# Nanoseconds move with the machine and the minute. Instructions, counted by
# callgrind over fewer games, do not.

bench=${builddir:-.}/tests/bench/bench_games
referee=${builddir:-.}/referee/referee
valgrind=${VALGRIND:-valgrind}

instructions() { # GAME GAMES MODE
    out=$("$valgrind" --tool=callgrind --callgrind-out-file=/dev/null \
        --toggle-collect=measured "$bench" "$1" "$2" "$3" 2>&1) || {
        echo "-"
        return
    }
    count=$(echo "$out" | awk 'NF == 3 && !/==/ { print $1 }')
    echo "$out" | awk -v n="$count" '/Collected :/ { printf "%.0f", $4 / n }'
}

printf '%-14s %9s  %-24s  %s\n' "" "random" "parse + apply per move" \
    "list per position"
printf '%-14s %9s  %12s %12s  %12s %12s\n' game games/s ns instructions ns \
    instructions
for game in $("$referee" games | awk 'NR > 1 && NF > 2 && !/^"/ { print $1 }'); do
    set -- $("$bench" "$game" 200 apply)
    apply_ns=$2 rate=$3
    set -- $("$bench" "$game" 200 list)
    list_ns=$2
    printf '%-14s %9s  %12s %12s  %12s %12s\n' "$game" "$rate" "$apply_ns" \
        "$(instructions "$game" 12 apply)" "$list_ns" \
        "$(instructions "$game" 12 list)"
done
