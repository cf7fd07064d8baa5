#!/bin/sh
# bench_queue.sh [SECONDS]: how much work one PostgreSQL server hands out. Workers
# are simulated: no bots, only what they ask the database. Each of 10
# connections claims a unit in the name of one of N workers, delivers two
# records of 9,000 bytes, and every third time sends a heartbeat; the front
# accepts. The second half of each run has a transaction held open that is
# older than all of it, so no dead row can be removed.
#
#     make -C build bench-queue         20 s for each N, and with that N held

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
here=$(cd "$(dirname "$0")/../e2e" && pwd)
. "$here/checks.sh"
. "$here/postgres.sh"
seconds=${1:-20}
work=$(mktemp -d) || exit 1
trap 'pg_end KILL; rm -rf "$work"' EXIT
cd "$work" || exit 1
chmod 777 .
pg_make
pg_start
"$referee" db init "$pg_url" >out || exit 1

# One unit from the claim to the table of games. There is always one that
# waits, for each puts another one.
cat >unit.sql <<'END'
\set who random(1, :workers)
\set third random(1, 3)
SELECT unit AS unit, token AS token FROM referee.claim('w' || :who, 1) \gset
SELECT referee.deliver('w' || :who, ':unit', :token, current_date,
    ARRAY[':unit' || '-1', ':unit' || '-2'], ARRAY['a', 'b'],
    ARRAY[9000, 9000], (SELECT bytes FROM sample), 4, 0);
\if :third = 1
SELECT * FROM referee.beat('w' || :who, 1, 100, 3600);
\endif
SELECT referee.accept(':unit', 'rondo', ARRAY[':unit' || '-1', ':unit' || '-2'],
    ARRAY['ranks=1,2', 'ranks=2,1']);
SELECT referee.put_unit('bench', 'u' || nextval('numbers'), current_date, 0,
    repeat('x', 2000));
END
sql "CREATE SEQUENCE numbers; CREATE TABLE sample AS SELECT
    string_agg(sha256(i::text::bytea), '')::bytea || repeat('x', 900)::bytea
    AS bytes FROM generate_series(1, 535) i" >out

# run WORKERS LABEL
run() {
    pg_as "$pg_bin/pgbench" -n -h "$work/pg" -U referee -D workers="$1" \
        -f "$work/unit.sql" -c 10 -j 2 -T "$seconds" -r postgres >run.out \
        2>run.err || tail -n 3 run.err
    awk -v workers="$1" -v label="$2" '
        /^tps/ { units = $3 }
        /referee.claim/ { claim = $1 } /referee.deliver/ { deliver = $1 }
        /referee.beat/ { beat = $1 }
        END { printf "%6d  %-22s %8.0f %10.0f %10.2f %10.2f", workers, label,
            units, 2 * units, claim, deliver }' run.out
}

# p99 of 500 claims, one after the other, in milliseconds; each is undone.
p99() {
    for i in $(seq 500); do
        echo "BEGIN; SELECT unit FROM referee.claim('w1', 1); ROLLBACK;"
    done >claims.sql
    { printf '%s\n' '\timing on'; cat claims.sql; } | "$pg_bin/psql" -X -q -t -A \
        -h "$work/pg" -U referee postgres 2>/dev/null |
        awk '/^Time:/ { n++; if (n % 3 == 2) print $2 }' | sort -n |
        awk '{ v[NR] = $1 } END { printf " %8.2f %8.2f", v[int(NR / 2)],
            v[int(NR * 0.99)] }'
    printf ' %9s\n' "$(sql "SELECT sum(n_dead_tup) FROM pg_stat_user_tables
        WHERE schemaname = 'referee' AND relname IN ('waiting', 'leases')")"
}

echo 'workers  state                  units/s  records/s   claim ms deliver ms  p50 ms   p99 ms dead rows'
for workers in 10 100 1000; do
    sql "TRUNCATE referee.workers, referee.units, referee.waiting,
        referee.leases, referee.arrivals, referee.records, referee.games;
        INSERT INTO referee.workers (name, key, host, program, slots, speed,
        until) SELECT 'w' || i, 'k', 'h', '1', 1, 100, now() + interval '1 day'
        FROM generate_series(1, $workers) i;
        SELECT count(referee.put_unit('bench', 'u' || nextval('numbers'),
        current_date, 0, repeat('x', 2000))) FROM generate_series(1, 2000);
        SELECT referee.expire()" >out
    # The front, which moves the low mark on.
    while sleep 1; do sql 'SELECT referee.expire()' >expire.out; done &
    front=$!
    run $workers 'no old transaction'
    p99
    { echo 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM sample;'
        sleep $((2 * seconds + 60)); } | "$pg_bin/psql" -X -q -h "$work/pg" \
        -U referee postgres >/dev/null 2>&1 &
    old=$!
    run $workers 'an old one held open'
    p99
    pkill -P $old 2>/dev/null
    kill $old $front 2>/dev/null
    sql "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE
        pid <> pg_backend_pid() AND backend_type = 'client backend'" >out
done
