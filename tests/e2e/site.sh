#!/bin/sh
# The daemon's pages and streams: every page stands, nothing is inline, and a
# spectator is sent what "replay --seat public" shows, and no more.

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
[bot random]
command = $build/sample-bots/c/random
[bot slow]
command = $build/tests/bots/bad slow 20 1
[ladder pairs]
game = rondo
seats = 2
duplicate = yes
bots = random, slow
join = none
[ladder cubes]
game = axiom
seats = 2
bots = random, slow
join = none
END_INI
"$referee" serve referee.ini >out 2>log &
daemon=$!
python3 "$src/tests/e2e/site.py" "$referee" || {
    tail -n 5 log
    exit 1
}
