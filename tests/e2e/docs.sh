#!/bin/sh
# Every example in README.md, protocol.md and the guides must be true.
#
# Each document has a folder of its own. A ```record NAME, ```ini NAME or ```csv NAME block
# becomes a file there, and a ```python block becomes the bot mybot.py; a guide
# without one gets the bot of README.md, which must play. In a ```console block
# each line that starts with "$ " is run in that folder, and its output, stderr
# included, must be what stands below it. A line "..." matches any lines, and
# "..." within a line matches any text. The table of record-only lines must name
# exactly those that a record contains. Links between documents must lead
# somewhere, and developer.md knows the functions and folders it names.

src=$(cd "${srcdir:-.}" && pwd)
bin=$(cd "${builddir:-.}/referee" && pwd)
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
PATH=$bin:$PATH
export PATH

split() { # DOCUMENT FOLDER
    awk -v dir="$2" '
        /^```/ && inside { inside = ""; close(file); next }
        /^```(record|ini|csv) / { inside = "record"; file = dir "/" $2; next }
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

# Does the real output match?
same() {
    awk '
        # Does the line match, where "..." matches any text?
        function alike(want, got, n, part, i, at) {
            n = split(want, part, /\.\.\./)
            if (n == 1)
                return want == got
            if (substr(got, 1, length(part[1])) != part[1])
                return 0
            got = substr(got, length(part[1]) + 1)
            for (i = 2; i < n; i++) {
                at = index(got, part[i])
                if (part[i] != "" && at == 0)
                    return 0
                got = substr(got, at + length(part[i]))
            }
            return length(got) >= length(part[n]) &&
                substr(got, length(got) - length(part[n]) + 1) == part[n]
        }
        function fits(i, j, k) {
            for (; i <= n; i++) {
                if (want[i] == "...") {
                    for (k = j; k <= m + 1; k++)
                        if (fits(i + 1, k, 0))
                            return 1
                    return 0
                }
                if (j > m || !alike(want[i], got[j++]))
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
mkdir "$work/README.md"
split "$src/README.md" "$work/README.md"
bot=$work/README.md/mybot.py
referee match --game rondo --games 2 --json "python3 $bot" "python3 $bot" \
    >"$work/out" 2>&1
ran=$((ran + 1))
if [ "$(grep -c '"forfeits": {}' "$work/out")" != 2 ]; then
    echo "README.md: the bot does not play: $(cat "$work/out")"
    failed=$((failed + 1))
fi

cd "$src" || exit 1
for doc in README.md protocol.md referee/doc/*.md; do
    dir=$work/${doc##*/}
    mkdir -p "$dir"
    [ "$doc" = README.md ] || cp "$bot" "$dir/mybot.py"
    split "$src/$doc" "$dir"
    for cmd in "$dir"/example*.cmd; do
        [ -e "$cmd" ] || continue
        want=${cmd%.cmd}.want
        got=${cmd%.cmd}.got
        (cd "$dir" && sh "$cmd") >"$got" 2>&1
        ran=$((ran + 1))
        if ! same "$want" "$got"; then
            echo "$doc: \$ $(cat "$cmd")"
            diff "$want" "$got"
            failed=$((failed + 1))
        fi
    done
done

# GitHub's name of a heading: lower case, no punctuation, blanks become dashes.
anchors() { # DOCUMENT
    sed -n '/^```/,/^```/ d; s/^##* //p' "$1" | tr 'A-Z ' 'a-z-' |
        sed 's/[^a-z0-9_-]//g'
}

for doc in README.md protocol.md referee/doc/*.md sample-bots/*.md \
    sample-bots/*/*.md; do
    for link in $(sed '/^```/,/^```/ d' "$doc" |
        grep -o '](\([^)]*\))' | tr -d '()]'); do
        case $link in
        *://*) continue ;;
        '#'*) file=$doc ;;
        *) file=$(dirname "$doc")/${link%%#*} ;;
        esac
        ran=$((ran + 1))
        if [ ! -e "$file" ]; then
            echo "$doc: there is no $link"
            failed=$((failed + 1))
        elif [ "${link#*#}" != "$link" ] &&
            ! anchors "$file" | grep -qx -- "${link#*#}"; then
            echo "$doc: $file has no heading for $link"
            failed=$((failed + 1))
        fi
    done
done

# The developer's guide: every function on the way of a line is where the guide
# says, and every folder is in the drawing of the layers.
guide=referee/doc/developer.md
sed -n 's|^\([a-z]*/[a-z_]*\.c\) *\([a-z_]*\)().*|\1 \2|p' $guide >"$work/way"
[ "$(wc -l <"$work/way")" -ge 10 ] || echo "$guide: no way of a line" >>"$work/lost"
while read -r file function; do
    grep -qE "^[a-z].*[ *]$function\(" "referee/$file" ||
        echo "$guide: there is no $function() in referee/$file"
done <"$work/way" >>"$work/lost"
for folder in referee/*/; do
    folder=${folder#referee/}
    grep -qE "^[ |]* $folder " $guide || echo "$guide: $folder is missing"
done >>"$work/lost"
ran=$((ran + 1))
if [ -s "$work/lost" ]; then
    cat "$work/lost"
    failed=$((failed + 1))
fi

# What is for the record only.
referee match --game rondo --games 2 --quiet --records "$work/rec" \
    "$bad illegal" "$bad notes" >"$work/out" 2>&1
printf '[match]\n[bot a]\ncommand = referee bot\nponder = no\n' >"$work/a.ini"
referee match --game rondo --games 1 --quiet --records "$work/frozen" \
    --config "$work/a.ini" a "referee bot" >"$work/out" 2>&1
# Where walls do not work, nothing tells of them.
referee match --game rondo --games 1 --quiet --records "$work/walled" \
    --walls landlock "referee bot" \
    "bash -c 'exec 3<>/dev/tcp/127.0.0.1/9; exec referee bot'" \
    >"$work/out" 2>&1 || echo "@- walls
@- stopped" >"$work/rec/no.rec"
# Nor does a single processor tell whose it is.
referee match --game second-chance --games 1 --quiet --records "$work/pinned" \
    --cores 1 "referee bot" >"$work/out" 2>&1 ||
    echo "@- cores" >"$work/rec/single.rec"
told=$(cat "$work"/rec/*.rec "$work"/walled/*.rec \
    "$work"/pinned/*.rec "$work"/frozen/*.rec 2>/dev/null | sed -n 's/^@- \([a-z]*\).*/\1/p' | sort -u | xargs)
said=$(sed -n 's/^| `@- \([^ ]*\) .*/\1/p' "$src/protocol.md" | sort | xargs)
ran=$((ran + 1))
if [ "$told" != "$said" ]; then
    echo "protocol.md: a record has the lines $told, not $said"
    failed=$((failed + 1))
fi
echo "$ran examples, $failed wrong"
[ "$ran" -gt 0 ] && [ "$failed" = 0 ]
