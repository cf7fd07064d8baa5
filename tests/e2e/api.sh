#!/bin/sh
# The daemon's /api/...: what it says agrees with the index and the records,
# and a game under way shows no more than a spectator may see.

src=$(cd "${srcdir:-.}" && pwd)
build=$(cd "${builddir:-.}" && pwd)
referee=$build/referee/referee
work=$(mktemp -d) || exit 1
trap 'kill $daemon 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >referee.ini <<END_INI
[server]
data = data
http = 127.0.0.1:0
rate-every = 1s
[bot greedy]
command = $build/sample-bots/c/greedy_rondo
[bot random]
command = $build/sample-bots/c/random
[bot slow]
command = $build/tests/bots/bad slow 20 1
[handins]
folder = handins
[ladder pairs]
game = rondo
seats = 2
duplicate = yes
bots = greedy, random, slow
join = none
games = 2
[ladder once]
game = axiom
seats = 2
bots = random, slow
join = none
pairing = even
meetings = 1
END_INI
"$referee" serve referee.ini >out 2>log &
daemon=$!
python3 "$src/tests/e2e/api.py" "$referee" || {
    tail -n 5 log
    exit 1
}
