#!/bin/sh
# referee db: the tables are made and brought up to date, and a program that
# does not fit them is refused with a sentence.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
sqls=$(cd "${srcdir:-.}/referee/many/sql" && pwd)
. "$(dirname "$0")/checks.sh"
. "$(dirname "$0")/postgres.sh"
work=$(mktemp -d) || exit 1
trap 'pg_end KILL; rm -rf "$work"' EXIT
cd "$work" || exit 1
shown="err"

# db CODE ARGUMENT...: what it says is in out and err.
db() {
    want=$1
    shift
    "$referee" db "$@" >out 2>err
    same "db $*: exit code" "$want" $?
}

pg_make
db 1 status "$pg_url"
has "nobody is there" err "^referee: PostgreSQL: .*$work/pg"
pg_start
printf '[server]\ndatabase = %s\n' "$pg_url" >ref.ini

db 2 status "$pg_url"
has "no tables" err 'no tables of the referee yet: run "referee db init"'
db 2 migrate "$pg_url"
has "nothing to migrate" err 'run "referee db init"'
db 0 init "$pg_url"
has "init" out '^the tables exist, version [0-9]+$'
db 2 init "$pg_url"
has "init again" err 'tables: run "referee db migrate"'
db 0 migrate ref.ini
has "migrate" out '^nothing to do: the tables have version [0-9]+$'
db 0 status ref.ini
has "status" out '^waiting units  *0$'
db 0 status ref.ini --json
version=$(python3 -c 'import json; s = json.load(open("out"))
print(s["version"] if s["waiting"] == 0 and s["bytes"] > 0 else s)')
newest=$(ls "$sqls" | sed -n '$s/^0*\([0-9]*\)_.*/\1/p')
same "status --json" "$newest" "$version"
same "partitions" 2 "$(sql "SELECT count(*) FROM pg_class WHERE relname IN
    ('records_' || to_char(now(), 'YYYYMM'),
    'games_' || to_char(now(), 'YYYYMM'))")"

# One of every older program: it is refused with a sentence, and migrated.
has_tables() {
    "$pg_bin/pg_dump" -s -h "$work/pg" -U referee -n referee postgres |
        grep -v '^--\|^SET\|restrict' >"$1"
}
has_tables made
for old in $(seq $((newest - 1))); do
    sql 'DROP SCHEMA referee CASCADE; CREATE SCHEMA referee;
        CREATE TABLE referee.versions (version int PRIMARY KEY,
        made timestamptz NOT NULL DEFAULT now())' >out 2>&1
    for number in $(seq "$old"); do
        "$pg_bin/psql" -X -q -h "$work/pg" -U referee postgres \
            -f "$sqls/$(printf '%03d' "$number")"_*.sql >out 2>&1
        sql "INSERT INTO referee.versions (version) VALUES ($number)"
    done
    db 2 status "$pg_url"
    has "version $old" err "has version $old of the tables, but this program needs version $newest: run .referee db migrate"
    "$referee" worker "$pg_url" --folder old --idle 1s 2>err &
    worker=$!
    await err "the database is unreachable: .* has version $old of the tables"
    db 0 migrate "$pg_url"
    has "migrated" out "^the tables are upgraded from version $old to version $newest$"
    await err 'ready'
    wait "$worker"
    same "the worker goes on: exit code" 0 $?
    has_tables migrated
    cmp -s made migrated || wrong "version $old: other tables: $(diff made migrated)"
    count=$((count + 1))
done

# One that a newer program made.
sql "INSERT INTO referee.versions (version) VALUES (99)" >out
db 2 status "$pg_url"
has "newer" err 'version 99 of the tables, but this program supports only version'
db 2 migrate "$pg_url"
has "newer" err 'install the newer referee'

# Moving house: from a folder into the database and back, byte for byte. What
# is there already stays.
sql "DELETE FROM referee.versions WHERE version = 99"
cat >spring.ini <<END
[tournament]
game = rondo
seats = 2
duplicate = yes
[bot a]
command = $referee bot
[bot b]
command = $referee bot
END
"$referee" tournament spring.ini --quiet --records house --key key >out 2>&1
mkdir -p house/records/spring
cat house/games-*.rec >house/records/spring/20260101.rec
db 0 import "$pg_url" house
has "import" out '^2 records added, 0 were there already$'
db 0 import "$pg_url" house
has "import again" out '^0 records added, 2 were there already$'
db 0 export "$pg_url" moved
has "export" out '^2 records written; "referee reindex moved" builds their index$'
split_into was house/records/spring/*.rec
split_into is moved/records/spring/*.rec
same "games" 2 "$(ls is | wc -l)"
diff -r was is >out || wrong "moving house: $(head -n 4 out)"
count=$((count + 1))
"$referee" reindex moved >out 2>&1
same "reindex: exit code" 0 $?
"$referee" replay --quiet --strict moved/records >out 2>&1
has "replay" out '^2 records: 2 valid'
db 2 export "$pg_url" moved
has "export again" err 'exists already, or cannot be created: export into a new'
mkdir empty
db 2 import "$pg_url" empty
has "nothing to import" err 'empty/records has no files of records'

# Wrong use.
db 2 status
has "no database" err 'referee db init\|migrate\|status\|export\|import CONFIG'
db 2 destroy "$pg_url"
has "no verb" err 'there is no "destroy"; use init, migrate, status, export'
db 2 export "$pg_url"
has "no folder" err 'db export takes a folder after the database'
db 2 export "$pg_url" again --key nokey
has "no key" err 'nokey'
[ ! -e again ] || wrong "no key: a folder was made"
db 2 import "$pg_url" house --key key
has "a key for import" err '^referee: --key is for db export$'
db 2 status "$pg_url" x
has "a folder" err 'db status takes nothing after the database'
printf '[server]\n' >none.ini
db 2 status none.ini
has "no key" err 'none.ini: \[server\] names no database; for example'
printf '[server]\ndatabase = sqlite:x\n' >none.ini
"$referee" serve --check none.ini >out 2>err
has "no address" err 'none.ini:2: .*must be an address such as postgresql://'
db 1 status "postgresql://referee:geheim@/nobody?host=$work/pg"
hasnt "no password is told" err geheim

echo "$count checks, $failed faults"
[ "$failed" = 0 ]
