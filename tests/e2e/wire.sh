#!/bin/sh
# The law of hidden information, on the wire: for every step of games with
# secrets, no stream, no steps, no record, no page and no owner of another bot
# gets a byte that the audience may not know. tests/laws/test_steps shows it for
# the documents of "replay --steps"; here all that the daemon sends has to be
# what stands in them.

src=$(cd "${srcdir:-.}" && pwd)
build=$(cd "${builddir:-.}" && pwd)
referee=$build/referee/referee
work=$(mktemp -d) || exit 1
trap 'kill $daemon 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >referee.ini <<END
[server]
data = data
keys = keys
http = 127.0.0.1:0
stop-limit = 1s
[listen local]
port = 0
[bot one]
command = $build/tests/bots/bad slow 1 40
[bot two]
command = $build/tests/bots/bad slow 2 40
END
for game in rondo axio-rota second-chance; do
    cat >>referee.ini <<END
[ladder $game]
game = $game
seats = 2
bots = one, two
join = none
games = 1
meetings = 0
END
done
for name in one two; do
    (umask 077 && "$referee" token $name --keys keys >$name.token 2>tokens) ||
        exit 1
done
"$referee" serve referee.ini >out 2>log &
daemon=$!
python3 "$src/tests/e2e/wire.py" "$referee" || {
    tail -n 5 log
    exit 1
}
