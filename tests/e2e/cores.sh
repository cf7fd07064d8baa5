#!/bin/sh
# cores = N: a bot has processors that nobody else uses, not even the referee;
# what does not fit is refused. Works with two processors, too: in a game of
# one seat.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
shown="out err"
game="--game second-chance --quiet"

# It tells which processors it and the referee may use: the parent of its
# parent, if there are no walls.
cat >bot.sh <<END
#!/bin/sh
parent() { awk '/^PPid/ { print \$2 }' "/proc/\$1/status"; }
allowed() { awk '/^Cpus_allowed_list/ { print \$2 }' "/proc/\$1/status"; }
echo "bot \$(allowed self) referee \$(allowed "\$(parent \$PPID)")" >&2
exec "$referee" bot
END
chmod +x bot.sh

"$referee" match $game --games 3 --cores 1000 ./bot.sh >out 2>err
same "a number that is none: exit code" 2 $?
"$referee" match --game rondo --concurrency 4000 --games 4000 --cores 60 \
    ./bot.sh ./bot.sh >out 2>err
same "too many cores: exit code" 2 $?
has "too many cores" err 'cores: 480000 for bots and 1 for the referee make '
has "too many cores" err 'let fewer games run at once, or say fewer cores'

cat >serve.ini <<END
[server]
cores = 60
[bot a]
command = ./bot.sh
[bot b]
command = ./bot.sh
[ladder rondo]
game = rondo
seats = 2
games = 100
copies = 100
bots = a b
join = none
END
"$referee" serve --check serve.ini >out 2>err
same "a server with too many: exit code" 2 $?
has "a server with too many" err 'cores: 12000 for bots and 1 for the referee'

[ "$(nproc)" -ge 2 ] || {
    echo "one processor: pinning was not tested"
    echo "$count checks, $failed wrong"
    exit $((failed > 0))
}

# Every game anew, by a guard that waits for the next one, and once more.
for restart in no yes; do
    cat >match.ini <<END
[match]
games = 3
[bot pinned]
command = ./bot.sh
cores = 1
restart = $restart
END
    rm -rf rec
    "$referee" match $game --config match.ini --records rec >out 2>err
    same "restart = $restart: exit code" 0 $?
    cat rec/*.log >log
    has "the bot tells" log '^bot [0-9]+ referee [0-9]+'
    same "nobody shares with the referee" "" "$(awk '/^bot/ && $2 == $4' log)"
    mine=$(awk '/^bot/ { print $2; exit }' log)
    same "each game's record says which processor" 3 \
        "$(cat rec/*.rec | grep -c "^@- cores 1 $mine\$")"
done
same "each start is pinned" 3 "$(grep -c '^bot [0-9]* ref' log)"

# Behind walls nobody can leave his processors.
"$referee" match $game --games 1 --cores 1 --walls auto --records walled \
    "$referee bot" >out 2>err
same "with walls: exit code" 0 $?
has "with walls" walled/games-001.rec '^@- cores 1 [0-9]'

# A server pins its local bots, too.
cat >serve.ini <<END
[server]
data = data
[bot a]
command = ./bot.sh
cores = 1
[ladder alone]
game = second-chance
seats = 1
games = 1
bots = a
join = none
END
timeout 120 "$referee" serve --games 3 serve.ini >out 2>err
same "serve: exit code" 0 $?
same "serve: records say which processor" 3 \
    "$(grep -r "^@- cores 1 " data | wc -l)"

# Without cores nothing changes.
rm -rf rec
"$referee" match $game --games 1 --records rec ./bot.sh >out 2>err
hasnt "without cores" rec/games-001.rec '^@- cores'
same "without cores all may use all" "" \
    "$(awk '/^bot/ && $2 != $4' rec/*.log)"

echo "$count checks, $failed wrong"
[ "$failed" = 0 ]
