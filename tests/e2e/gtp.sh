#!/bin/sh
# Engines that speak plain GTP play as bots: one that only logs what it is
# asked, and GNU Go, whose scores are compared with ours.

src=$(cd "${srcdir:-.}" && pwd)
referee=$(cd "${builddir:-.}/referee" && pwd)/referee
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

wrong() {
    echo "$*"
    failed=1
}

# A fake engine that knows some commands and plays some moves.
fake() { # LOG KNOWS MOVES
    echo "$referee gtp $options -- $src/tests/bots/fake_engine.sh $1 '$2' '$3'"
}

# The engine was asked this; how much time is left depends on the machine.
asked() { # LOG LINES
    echo "$2" >want
    sed '/^list_commands$/d; /^name$/d; /^version$/d; /^time_left/d' "$1" >got
    diff want got >difference || {
        wrong "$1 differs:"
        cat difference
    }
}

options=
"$referee" match --quiet --game go --set size=5 --set handicap=C3,A1 --games 1 \
    --time canadian:60s+10s/5 --records fake \
    "$(fake black "set_free_handicap time_settings time_left undo" "B2 d4")" \
    "$(fake white "time_settings" "E5 pass")" >out 2>&1 || wrong "$(cat out)"
asked black "boardsize 5
clear_board
komi 7.5
time_settings 60 10 5
set_free_handicap C3 A1
play w E5
genmove b
play w pass
genmove b
play w pass
genmove b
quit"
grep -q '^time_left b 60 0$' black || wrong "canadian: time left"
asked white "boardsize 5
clear_board
komi 7.5
time_settings 60 10 5
play b C3
play b A1
genmove w
play b B2
genmove w
play b D4
genmove w
quit"
grep -q '^@- note 1 thinking about move 2$' fake/*.rec || wrong "no note"
grep -q '^seat 2 .*version=7$' fake/*.rec || wrong "no version"
"$referee" replay --quiet fake || wrong "fake: not valid"

# Periods of byoyomi, a limit per move, and what is asked after a move.
options="--analyze analyze"
"$referee" match --quiet --game go --set size=5 --games 1 --records byoyomi \
    --time byoyomi:0s+3x20s "$(fake black "time_settings time_left" "B2")" \
    "$(fake white "time_settings time_left kgs-time_settings" "")" \
    >out 2>&1 || wrong "$(cat out)"
grep -q '^time_settings 0 20 1$' black || wrong "byoyomi as one move a period"
grep -q '^time_left b 20 1$' black || wrong "byoyomi: time left"
grep -q '^kgs-time_settings byoyomi 0 20 3$' white || wrong "byoyomi by KGS"
grep -q '^time_left w 20 3$' white || wrong "byoyomi by KGS: time left"
grep -q '^@- note 1 analyze: second line$' byoyomi/*.rec || wrong "no analysis"
options=--no-notes
"$referee" match --quiet --game go --set size=5 --games 1 --records move \
    --time move:1500ms "$(fake black "time_settings time_left" "B2")" \
    "$(fake white "time_settings" "")" >out 2>&1 || wrong "$(cat out)"
grep -q '^time_settings 0 1 1$' black || wrong "a limit per move"
grep -q '^time_left b 1 1$' black || wrong "a limit per move: time left"
! grep -q '^@- note' move/*.rec || wrong "a note that nobody wanted"

# An engine that can be told the rules is told them, before the komi.
"$referee" match --quiet --game go --set size=5 --set superko=situational \
    --games 1 "$(fake black "kata-set-rules" "B2")" \
    "$(fake white "" "")" >out 2>&1 || wrong "$(cat out)"
grep -q '^kata-set-rules {"ko":"SITUATIONAL",.*"suicide":false,' black ||
    wrong "not told the rules: $(cat black)"
! grep -q kata white || wrong "told the rules, which it does not know"

# What is not legal is taken back; an engine that dies, or refuses, leaves.
options=
"$referee" match --quiet --game go --set size=5 --games 1 --records illegal \
    "$(fake black "undo" "B2 B2")" "$(fake white "" "")" >out 2>&1 ||
    wrong "$(cat out)"
grep -q '^@- note 1 the engine wants to play B2, which is illegal' \
    illegal/*.rec || wrong "no note about what is not legal"
grep -q 'reason=passes$' illegal/*.rec || wrong "not legal: another end"
grep -q '^undo$' black || wrong "not taken back"
"$referee" match --quiet --game go --set size=5 --games 1 --records dies \
    "$(fake black "" "B2 die")" "$(fake white "" "C3 C4")" >out 2>&1
grep -q '^result .*left=1:' dies/*.rec || wrong "an engine that dies plays on"
"$referee" match --quiet --game go --set size=25 --games 1 --records refuses \
    "$(fake black "" "")" "$referee bot" >out 2>&1
grep -q '^result .*left=1:refuse' refuses/*.rec || wrong "size 25 is not refused"
"$referee" gtp >out 2>&1 && wrong "gtp without an engine"
grep -q 'gtp needs the engine.s command after --' out || wrong "$(cat out)"
"$referee" gtp -- ./no-such-engine </dev/null >out 2>&1 && wrong "no engine"
grep -q 'no-such-engine cannot be run: ' out || wrong "$(cat out)"

gnugo=$(PATH=$PATH:/usr/games command -v gnugo) || {
    echo "gnugo is not installed; only the fake engine was tried"
    exit $failed
}
# The example ladder names it where Debian installs it.
mkdir data && : >keys && chmod 600 keys
cp "$src/referee/doc/go/referee.ini" . || wrong "no example ladder"
if [ -x /usr/games/gnugo ]; then
    PATH=$(dirname "$referee"):$PATH "$referee" serve --check referee.ini \
        >out 2>&1 || wrong "the example ladder: $(cat out)"
fi

rules="--chinese-rules --positional-superko --forbid-suicide"

# Where GNU Go finds neither dead stones nor a seki, its score must be ours: by
# our rules an eye in a seki counts, and GNU Go calls it neutral.
compared=0
compare() { # DIR SIZE
    for id in $("$referee" replay "$1" | sed -n 's/.*\(game-[0-9]*\): valid.*/\1/p'); do
        "$referee" replay "$1" --id "$id" --seat public >game
        {
            printf 'boardsize %d\nkomi 7.5\n' "$2"
            sed -n 's/^play 1/play b/p; s/^play 2/play w/p' game
            printf '1 final_status_list dead\n3 final_status_list seki\n'
            printf '2 final_score\n'
        } | "$gnugo" --mode gtp $rules >scored
        grep -q '^=1 *$' scored && grep -q '^=3 *$' scored || continue
        ours=$(sed -n 's/^result .*scores=\([0-9,]*\) .*/\1/p' game | awk -F, '{
            d = ($1 - $2) / 2
            printf "%s+%.1f", (d > 0 ? "B" : "W"), (d > 0 ? d : -d) }')
        [ "$(sed -n 's/^=2 //p' scored)" = "$ours" ] ||
            wrong "$1 $id: we say $ours, GNU Go $(sed -n 's/^=2 //p' scored)"
        compared=$((compared + 1))
    done
}

engine="$referee gtp -- $gnugo --mode gtp $rules --capture-all-dead"
"$referee" match --quiet --game go --set size=7 --games ${GTP_GAMES:-6} \
    --records gnugo --time move:60s "$engine --level 1" "$engine --level 2" \
    >out 2>err || wrong "$(cat out err)"
"$referee" replay --quiet gnugo || wrong "gnugo: not valid"
! grep -h '^leave\|^result void' gnugo/*.rec || wrong "gnugo: a forfeit"
compare gnugo 7
[ "$compared" -gt 0 ] || wrong "no game without dead stones"
echo "$compared games of GNU Go have the same score as GNU Go gives"
exit $failed
