#!/bin/sh
# The power fails: what the index had not yet got to the disk is lost with its
# log. The next start adds the games from their records, and the standings are
# those that reindex makes.

build=$(cd "${builddir:-.}" && pwd)
referee=$build/referee/referee
work=$(mktemp -d) || exit 1
daemon=
trap '[ -n "$daemon" ] && kill -9 $daemon 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

die() {
    echo "$1"
    tail -n 5 log
    exit 1
}

# wait_for WHAT COMMAND...: until it succeeds.
wait_for() {
    what=$1
    shift
    for _ in $(seq 600); do
        "$@" && return
        sleep 0.1
    done
    die "$what never came"
}

records() {
    cat data/records/*/*.rec 2>/dev/null | grep -c '^hash '
}

has_games() {
    [ "$(records)" -ge 10 ]
}

is_ready() {
    grep -q ' ready' log
}

# The log is empty before the daemon is there to write it.
start() {
    : >log
    "$referee" serve referee.ini >out 2>>log &
    daemon=$!
}

standings() {
    "$referee" ladder data --json
}

cat >referee.ini <<END_INI
[server]
data = data
rate-every = 0
[bot greedy]
command = $build/sample-bots/c/greedy_rondo
[bot random]
command = $build/sample-bots/c/random
[ladder main]
game = rondo
seats = 2
bots = greedy, random
join = none
END_INI

start
wait_for "the tenth game" has_games
kill -9 $daemon
wait $daemon 2>/dev/null
rm -f data/index.db-wal data/index.db-shm
moved=$(records)

start
wait_for "the second start" is_ready
grep -q "the last run was cut off: [0-9]* games of records/" log ||
    die "nothing is said of the games that were lost"
kill -TERM $daemon
wait $daemon || die "the daemon failed"
daemon=

standings >before || die "no standings"
"$referee" reindex data --quiet || die "reindex failed"
standings >after
cmp before after || die "the standings are not those of the records"
[ "$("$referee" ladder data --csv --games | cut -d, -f1 | sort -u | wc -l)" \
    -gt "$moved" ] || die "games are missing"

start
wait_for "the third start" is_ready
grep -q "cut off" log && die "a clean end was taken for a failure"
kill -TERM $daemon
wait $daemon
daemon=
