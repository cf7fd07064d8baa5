#!/bin/sh
# Many network bots in one daemon, on loopback, with HMAC logins. First flat
# out, then with bots that think: lag is what the referee adds to that.
# BENCH_BOTS, BENCH_PAUSES (ms) and BENCH_SECONDS may say otherwise.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
load=$(cd "${builddir:-.}/tests/bench" && pwd)/load
names=16
ulimit -n "$(ulimit -Hn)"
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 1
daemon=''
trap 'kill -9 $daemon 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
for i in $(seq $names); do
    "$referee" token bot$i 2>/dev/null >bot$i.token || exit 1
done
cat >ref.ini <<END
[server]
http = 127.0.0.1:0
connections = 20000
connections-per-address = 20000
connections-per-name = 20000
stop-limit = 1s
[listen local]
port = 0
[ladder bench]
game = rondo
seats = 2
games = 10000
time = move:60s
start-limit = 60s
END

run() {
    rm -rf data
    "$referee" serve ref.ini 2>log &
    daemon=$!
    for i in $(seq 50); do
        "$referee" pause >/dev/null 2>&1 && break
        sleep 0.1
    done
    port=$(sed -n 's/.*listening: local on .* port //p' log)
    http_port=$(sed -n 's/.*http on .* port //p' log)
    $load $port $http_port $daemon "$1" $names "$2" "${BENCH_SECONDS:-8}" \
        "'$referee' resume >/dev/null" || echo "  failed: $(tail -n 2 log)"
    kill -TERM $daemon
    wait $daemon
}

echo "  bots  pause  games/s  moves/s  lag us: p50  p99    p99.9  KiB per bot:"
echo "          ms                                             idle  playing  lost"
for bots in ${BENCH_BOTS:-1000 5000}; do
    for pause in ${BENCH_PAUSES:-0 500}; do
        run "$bots" "$pause"
    done
done
