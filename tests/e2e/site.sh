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
keys = keys
http = 127.0.0.1:0
trusted-proxy = 127.0.0.1
tournaments = cups/spring, cups/none
rate-every = 1s
failed-logins = 5
[listen local]
port = 0
[bot random]
command = $build/sample-bots/c/random
[bot slow]
command = $work/slow.sh
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
printf '#!/bin/sh\necho thinking >&2\nexec %s slow 20 1\n' \
    "$build/tests/bots/bad" >slow.sh
chmod +x slow.sh
cat >spring.ini <<END
[tournament]
format = round-robin
game = axiom
seats = 2
[bot random]
command = $build/sample-bots/c/random
[bot other]
command = $build/sample-bots/c/random
END
mkdir cups
"$referee" tournament spring.ini --quiet --records cups/spring >cup.txt ||
    exit 1
sed 's/axiom/rondo/' spring.ini >deals.ini
"$referee" tournament deals.ini --quiet --records cups/deals >cup.txt || exit 1
for name in slow random; do
    (umask 077 && "$referee" token $name --keys keys >$name.token 2>tokens) || exit 1
done
"$referee" serve referee.ini >out 2>log &
daemon=$!
python3 "$src/tests/e2e/site.py" "$referee" || {
    tail -n 5 log
    exit 1
}
