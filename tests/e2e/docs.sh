#!/bin/sh
# Every example in README.md and protocol.md must be true.
#
# A ```record NAME or ```ini NAME block becomes a file, a ```python block the
# bot mybot.py, which must play. In a ```console block each line that starts
# with "$ " is run in that folder, and what it prints, stderr included, must be
# what stands below it. A line "..." stands for any lines. And the table of lines
# that are for the record only has those which are found there.

src=$(cd "${srcdir:-.}" && pwd)
bin=$(cd "${builddir:-.}/referee" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
PATH=$bin:$PATH
export PATH

split() {
    awk -v dir="$work" '
        /^```/ && inside { inside = ""; close(file); next }
        /^```(record|ini) / { inside = "record"; file = dir "/" $2; next }
        /^```python/ { inside = "record"; file = dir "/mybot.py"; next }
        /^```console/ { inside = "console"; next }
        /^```/ { inside = "other"; next }
        inside == "record" { print > file }
        inside == "console" && /^\$ / {
            n++; close(file)
            file = sprintf("%s/example%03d", dir, n)
            print substr($0, 3) > (file ".cmd"); close(file ".cmd")
            file = file ".want"; printf "" > file; next
        }
        inside == "console" { print > file }
    ' "$1"
}

# Does the real output match, where "..." matches any number of lines?
same() {
    awk '
        function fits(i, j, k) {
            for (; i <= n; i++) {
                if (want[i] == "...") {
                    for (k = j; k <= m + 1; k++)
                        if (fits(i + 1, k, 0))
                            return 1
                    return 0
                }
                if (j > m || want[i] != got[j++])
                    return 0
            }
            return j == m + 1
        }
        NR == FNR { want[++n] = $0; next }
        { got[++m] = $0 }
        END { exit !fits(1, 1, 0) }
    ' "$1" "$2"
}

failed=0 ran=0
for doc in README.md protocol.md; do
    rm -f "$work"/example*
    split "$src/$doc"
    for cmd in "$work"/example*.cmd; do
        [ -e "$cmd" ] || continue
        want=${cmd%.cmd}.want
        got=${cmd%.cmd}.got
        (cd "$work" && sh "$cmd") >"$got" 2>&1
        ran=$((ran + 1))
        if ! same "$want" "$got"; then
            echo "$doc: \$ $(cat "$cmd")"
            diff "$want" "$got"
            failed=$((failed + 1))
        fi
    done
done
rm -f "$work"/example*
split "$src/README.md"
referee match --game rondo --games 2 --json "python3 $work/mybot.py" \
    "python3 $work/mybot.py" >"$work/out" 2>&1
ran=$((ran + 1))
if [ "$(grep -c '"forfeits": {}' "$work/out")" != 2 ]; then
    echo "README.md: the bot does not play: $(cat "$work/out")"
    failed=$((failed + 1))
fi

# What is for the record only.
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
referee match --game rondo --games 2 --quiet --records "$work/rec" \
    "$bad illegal" "$bad notes" >"$work/out" 2>&1
told=$(cat "$work"/rec/*.rec | sed -n 's/^@- \([a-z]*\).*/\1/p' | sort -u | xargs)
said=$(sed -n 's/^| `@- \([^ ]*\) .*/\1/p' "$src/protocol.md" | sort | xargs)
ran=$((ran + 1))
if [ "$told" != "$said" ]; then
    echo "protocol.md: a record has the lines $told, not $said"
    failed=$((failed + 1))
fi
echo "$ran examples, $failed wrong"
[ "$ran" -gt 0 ] && [ "$failed" = 0 ]
