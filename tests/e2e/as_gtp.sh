#!/bin/sh
# Bots of ours as GTP engines: by hand, and back again as bots.

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

# What a controller says, and what it hears; "..." is any answer.
talk() { # COMMAND...; pairs of lines in the file talk
    sed -n 's/^> //p' talk | "$referee" as-gtp -- "$@" 2>err | grep . >heard
    grep -v '^>' talk >want
    awk 'NR == FNR { want[FNR] = $0; n = FNR; next }
         want[FNR] != "= ..." && want[FNR] != $0 {
             print "wanted " want[FNR] ", heard " $0; bad = 1 }
         END { exit bad || FNR != n }' want heard ||
        wrong "the talk with $* went wrong: $(cat err)"
}

cat >talk <<'END'
> 1 protocol_version
=1 2
> name # a comment
= referee bot
> 17 known_command genmove
=17 true
> known_command loadsgf
= false
> boardsize 5
= 
> komi 6.50
= 
> play B C3
= 
> play black d4
= 
> genmove w
= ...
> undo
= 
> undo
= 
> final_score
= B+18.5
> set_free_handicap A1 B2
? board not empty
> clear_board
= 
> set_free_handicap A1 B2
= 
> play w A1
? illegal move: there is already a stone on A1: play on an empty point, or pass
> boardsize 99
? unacceptable size
> 5 nonsense
?5 unknown command
> boardsize 9
= 
> fixed_handicap 3
= C3 G7 C7
> play w pass
= 
> play b pass
= 
> genmove w
= pass
> quit
= 
END
talk "$referee" bot

# The bot hears of every change as of a game that goes on.
printf '%s\n' 'boardsize 5' 'time_settings 60 10 5' 'time_left b 60 0' \
    'genmove b' 'play w A1' 'time_left b 8 4' 'genmove b' 'undo' 'genmove b' |
    "$referee" as-gtp -- "$referee" gtp -- "$src/tests/bots/fake_engine.sh" \
        asked "time_settings time_left" "C3 D4 E5" >heard 2>err
[ "$(grep . heard | tail -n 1)" = "= E5" ] || wrong "heard $(cat heard err)"
sed '/^list_commands$/d; /^name$/d; /^version$/d' asked >got
cat >want <<'END'
boardsize 5
clear_board
komi 7.5
time_settings 60 10 5
time_left b 60 0
genmove b
play w A1
time_left b 8 4
genmove b
boardsize 5
clear_board
komi 7.5
time_settings 60 10 5
play b C3
play w A1
time_left b 8 4
genmove b
quit
END
diff want got || wrong "the bot was asked other things"

# A bot as an engine, and that as a bot again, plays like any other.
"$referee" match --quiet --game go --set size=7 --set handicap=2 --games 4 \
    --records again --time move:60s \
    "$referee gtp -- $referee as-gtp -- $referee bot" "$referee bot" \
    >out 2>&1 || wrong "$(cat out)"
"$referee" replay --quiet again || wrong "not valid"
! grep -h '^leave\|^result void' again/*.rec || wrong "a forfeit"
grep -q '^seat 1 .*version=' again/*.rec || wrong "no version"

"$referee" as-gtp --game rondo -- "$referee" bot >out 2>&1 && wrong "rondo"
grep -q 'as-gtp plays go, not "rondo"' out || wrong "rondo: $(cat out)"
"$referee" as-gtp -- false </dev/null >out 2>&1 && wrong "a bot that ends"
grep -q 'the bot has exited' out || wrong "a bot that ends: $(cat out)"
exit $failed
