#!/bin/sh
# People at the tables of a daemon, over HTTP: what their pages send and get.

src=$(cd "${srcdir:-.}" && pwd)
build=$(cd "${builddir:-.}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >referee.ini <<END_INI
[server]
data = data
http = 127.0.0.1:0
rate-every = 1s
stop-limit = 0
[bot random]
command = $build/sample-bots/c/random
[play]
bots = random
tables = 3
tables-per-address = 2
away = 2s
END_INI
python3 "$src/tests/e2e/people.py" "$build/referee/referee" || {
    tail -n 5 log
    exit 1
}
