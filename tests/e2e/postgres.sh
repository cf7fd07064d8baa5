# postgres.sh - a PostgreSQL server of a test's own, in the folder $work/pg, on
# a Unix socket there. Tests source it; the server ends with the shell.

for pg_bin in /usr/lib/postgresql/*/bin "$(dirname "$(command -v postgres)")"; do
    [ -x "$pg_bin/initdb" ] && break
done
[ -x "$pg_bin/initdb" ] && "$referee" db status postgresql:///x 2>&1 |
    grep -qv 'built without libpq' || {
    echo "PostgreSQL or libpq is missing"
    exit 77
}
pg= pg_url= pg_user=

# PostgreSQL refuses to run as root.
if [ "$(id -u)" = 0 ]; then
    pg_user='setpriv --reuid=nobody --regid=nogroup --clear-groups'
fi

pg_as() {
    (cd / && exec $pg_user "$@")
}

# What the disk keeps is not the matter of these tests.
pg_make() {
    chmod 755 "$work"
    mkdir "$work/pg"
    [ -z "$pg_user" ] || chown nobody:nogroup "$work/pg"
    pg_as "$pg_bin/initdb" -D "$work/pg/data" -U referee -A trust --no-sync \
        --no-instructions --locale=C.UTF-8 >"$work/initdb.out" 2>&1 || {
        cat "$work/initdb.out"
        exit 1
    }
    pg_as sh -c "cat >>'$work/pg/data/postgresql.conf'" <<END
listen_addresses = ''
unix_socket_directories = '$work/pg'
fsync = off
full_page_writes = off
max_connections = 50
shared_buffers = 64MB
autovacuum_naptime = 5s
END
    pg_url="postgresql://referee@/postgres?host=$work/pg"
}

# Returns when it answers.
pg_start() {
    (cd / && exec $pg_user setpriv --pdeathsig KILL "$pg_bin/postgres" \
        -D "$work/pg/data" >>"$work/pg.log" 2>&1) &
    pg=$!
    for i in $(seq 600); do
        pg_as "$pg_bin/pg_isready" -q -h "$work/pg" && return
        sleep 0.1
    done
    cat "$work/pg.log"
    wrong "PostgreSQL does not start"
    exit 1
}

# pg_end [SIGNAL]: KILL takes its children too, which otherwise end a moment
# later and would be in the way of the next start.
pg_end() {
    [ -n "$pg" ] || return 0
    pg_children=$(pgrep -P "$pg")
    kill -"${1:-INT}" "$pg" 2>/dev/null
    [ "${1:-}" = KILL ] && kill -KILL $pg_children 2>/dev/null
    wait "$pg" 2>/dev/null
    pg=
}

# sql STATEMENT: what it gives, columns with '|' between them.
sql() {
    "$pg_bin/psql" -X -q -t -A -h "$work/pg" -U referee postgres -c "$1"
}
