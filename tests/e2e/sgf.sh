#!/bin/sh
# Games of Go go to SGF and come back as the same games.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

wrong() {
    echo "$*"
    failed=1
}

# Random games of every size; a seat that leaves; clocks and notes.
n=0
for set in size=2 size=5 "size=9 handicap=C3,G7" size=13 "size=19 handicap=5" \
    "size=25 komi=-3.5"; do
    n=$((n + 1))
    words=
    for word in $set; do
        words="$words --set $word"
    done
    # shellcheck disable=SC2086
    "$referee" selfplay --quiet --game go $words --games 2 --records "g$n" ||
        wrong "selfplay $set"
done
"$referee" replay g? --sgf >games.sgf || wrong "no SGF"
"$referee" sgf games.sgf >back.rec || wrong "SGF that we wrote is not read"
moves() { # FILE...
    "$referee" replay "$@" | sed -n 's/.*: valid, \(unsigned, \)*//p'
}
moves g? >here
moves back.rec >there
[ "$(wc -l <here)" = 12 ] || wrong "not twelve games"
diff here there || wrong "other games came back"

cat >left.rec <<END
record 1
game go
set size=9
seats 2
seat 1 name=anna
seat 2 name=bob
play 1 D4
@- note 2  a [b\\] c
@- clock 2 59500000 used=500000 lag=0
play 2 pass
leave 1 resign
END
"$referee" replay --sgf left.rec >left.sgf || wrong "left.rec: no SGF"
grep -q 'SZ\[9\]KM\[7.5\].*PB\[anna\]PW\[bob\]RE\[W+R\]$' left.sgf ||
    wrong "left.sgf: the head is $(head -1 left.sgf)"
grep -q '^;B\[df\]$' left.sgf || wrong "left.sgf: the first move"
grep -qF ';W[]WL[59.500]C[White: a [b\\\] c])' left.sgf ||
    wrong "left.sgf: $(tail -1 left.sgf)"
"$referee" sgf left.sgf | "$referee" replay - >out || wrong "left.sgf: $(cat out)"
grep -q 'left=1:resign' out || wrong "left.sgf: $(cat out)"

# A file as others write it: variations, comments, a move out of turn.
cat >other.sgf <<'END'
(;GM[1]FF[4]SZ[9]KM[6.50]HA[0]PB[A. N. Other]C[brackets: (;[\] ]
;B[ee](;W[cc];W[gg](;B[tt])(;B[aa]))(;W[aa];B[bb]))
END
"$referee" sgf other.sgf >other.rec || wrong "other.sgf is not read"
cat >want <<'END'
record 1
game go
set size=9
set komi=6.5
seats 2
seat 1 name=A.-N.-Other
play 1 E5
play 2 C7
play 1 pass
play 2 G3
play 1 pass
END
diff want other.rec || wrong "other.rec"
"$referee" replay --quiet other.rec || wrong "other.rec is not valid"

refused() { # SGF WORDS
    echo "$1" >bad.sgf
    "$referee" sgf bad.sgf >out 2>&1 && wrong "accepted: $1"
    grep -qF "$2" out || wrong "$1: $(cat out)"
}
refused 'nothing' 'this is not SGF'
refused '(;GM[2])' 'bad.sgf: game 1: GM: this is not a game of Go'
refused '(;GM[1]SZ[13:9])' 'SZ: the board must be square'
refused '(;SZ[26])' 'SZ: the board must be square, of size 2 to 25'
refused '(;SZ[9];B[jj])' 'game 1: B: no such point'
refused '(;SZ[9]AW[aa])' 'AW: only black stones can be set up'
refused '(;SZ[9];B[aa]' 'its last ) is missing'
refused '(;SZ[9];B)' 'B: a value in [ ] is missing'
refused '(;SZ[9];B[aa]?)' 'is not a property'
"$referee" replay --sgf --json left.rec >out 2>&1 && wrong "--sgf --json"
printf 'record 1\ngame axiom\nseats 2\n' >axiom.rec
"$referee" replay --sgf axiom.rec >out 2>&1 && wrong "axiom as SGF"
grep -q 'writes games of go, not of axiom' out || wrong "axiom: $(cat out)"
exit $failed
