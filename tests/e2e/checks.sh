# checks.sh - what the end-to-end tests share; they source it before they go to
# a folder of their own.
#
# `shown` may name files there whose last lines explain a failure. `mark` is in
# the environment of every process that a test starts, as BAD_MARK.

failed=0 count=0 shown=

wrong() {
    echo "$*"
    for file in $shown; do
        [ -s "$file" ] && tail -n 8 "$file" | sed "s/^/    $file: /"
    done
    failed=$((failed + 1))
}

# same WHAT WANT GOT
same() {
    count=$((count + 1))
    [ "$2" = "$3" ] || wrong "$1: expected \"$2\", found \"$3\""
}

# has WHAT FILE PATTERN
has() {
    count=$((count + 1))
    grep -qE -- "$3" "$2" || wrong "$1: no \"$3\" in $2"
}

left_over() {
    grep -las "BAD_MARK=$mark" /proc/[0-9]*/environ | wc -l
}
