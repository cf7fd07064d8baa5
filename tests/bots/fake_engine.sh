#!/bin/sh
# An engine that speaks plain GTP and understands nothing of Go: it writes what
# it is asked to the file LOG, plays MOVES one after the other, then passes.
#
#     fake_engine.sh LOG KNOWS MOVES

log=$1 knows=$2 moves=$3 n=0
: >"$log"

answer() { # TEXT
    printf '= %s\n\n' "$1"
}

while read -r word rest; do
    echo "$word${rest:+ $rest}" >>"$log"
    case $word in
    list_commands) answer "$(printf '%s\n' genmove play $knows)" ;;
    name) answer Fake ;;
    version) answer 7 ;;
    analyze) answer "$(printf 'first line\nsecond line')" ;;
    boardsize)
        if [ "$rest" -gt 19 ]; then
            printf '? unacceptable size\n\n'
        else
            answer
        fi
        ;;
    genmove)
        n=$((n + 1))
        echo "thinking about move $n" >&2
        move=${moves%% *}
        moves=${moves#"$move"}
        moves=${moves# }
        [ "$move" != die ] || exit 3
        answer "${move:-PASS}"
        ;;
    *) answer ;;
    esac
    [ "$word" != quit ] || exit 0
done
