#!/bin/sh
# Every record in tests/records replays exactly, also typed in: without its
# events, from a copy of its moves alone.

dir=${srcdir:-.}/tests/records
referee=${builddir:-.}/referee/referee
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

for record in "$dir"/*.rec; do
    name=$(basename "$record")
    count=$((count + 1))
    want=$(sed -n '/^result /p' "$record")
    "$referee" replay "$record" >"$work/out" 2>&1 || wrong "$(cat "$work/out")"
    grep -qE ": valid(, not closed)?, .*, $want( goal=[a-z]+)?\$" "$work/out" ||
        wrong "$name: not finished with \"$want\": $(cat "$work/out")"

    sed -nE '/^(record|game|set|seats|deal|leave) /p
        s/^(@[0-9]+ )?(play [0-9]+ .*)/\2/p' "$record" >"$work/typed.rec"
    "$referee" replay --final "$record" >"$work/full.out" 2>&1
    "$referee" replay --final "$work/typed.rec" >"$work/typed.out" 2>&1 ||
        wrong "$name, typed in: $(cat "$work/typed.out")"
    cmp -s "$work/full.out" "$work/typed.out" ||
        wrong "$name: typed in, it ends differently"
done
echo "$count records, $failed faults"
[ "$count" -ge 10 ] && [ "$failed" = 0 ]
