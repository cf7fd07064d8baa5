#!/bin/sh
# Every attack of tests/bots/hostile.c against the walls, as root, as an
# ordinary user, and where user namespaces are off. The rival is honest, and
# must lose nothing by it.

build=$(cd "${builddir:-.}" && pwd)
src=$(cd "${srcdir:-.}" && pwd)
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
bits="/dev/shm/referee-test-bit /tmp/referee-test-bit /var/tmp/referee-test-bit"
trap 'rm -rf "$work" $bits' EXIT
chmod 755 "$work"
cd "$work" || exit 1
mkdir bots rivals secrets
cp "$build/referee/referee" "$build/tests/bots/hostile" bots/
cp "$build/referee/referee" rivals/
echo source >rivals/source
echo secret >secrets/secret
chmod -R a+rX bots rivals
chmod -R a+rwX secrets
shown="err log"

# as USER ARGUMENT...: the referee, with what it says in out and err.
as() {
    user=$1
    shift
    case $user in
    me) timeout 120 "$work/bots/referee" "$@" >out 2>err ;;
    nobody)
        timeout 120 setpriv --reuid=65534 --regid=65534 --clear-groups \
            "$work/bots/referee" "$@" >out 2>err
        ;;
    unspaced) # root of a user namespace in which there can be no other
        timeout 120 setpriv --reuid=65534 --regid=65534 --clear-groups \
            unshare -r sh -c 'echo 0 >/proc/sys/user/max_user_namespaces &&
                exec setpriv --inh-caps=-all --bounding-set=-all "$@"' sh \
            "$work/bots/referee" "$@" >out 2>err
        ;;
    esac
}

# fight USER WALL RIVAL PLAN...: one game; what hostile said is in log.
fight() {
    user=$1 wall=$2 rival=$3
    shift 3
    printf '%s\n' "$@" >bots/plan
    chmod 644 bots/plan
    rm -rf rec
    mkdir rec
    [ "$user" = me ] || chown 65534 rec
    cat >match.ini <<END
[match]
game = rondo
games = 1
quiet = yes
walls = $wall
records = rec
[bot hostile]
command = $work/bots/hostile $work/bots/plan $work/bots/referee bot
memory = 64m
scratch = 8m
processes = 40
ponder = ${ponder:-yes}
[bot rival]
command = $rival
END
    as "$user" match --config match.ini
    same "$user, $wall: exit code" 0 $?
    cat rec/*hostile.log >log 2>/dev/null || : >log
    cat rec/*rival.log >rivals.log 2>/dev/null || : >rivals.log
}

honest="$work/rivals/referee bot"
rival_is_unharmed() {
    hasnt "$1: the rival is out" err 'rival is out'
    has "$1: a result" out '^rival +1 '
}

# Attacks that leave the machine as it was.
alone() {
    user=$1 wall=$2 what="$1, $2"
    fight "$user" "$wall" "$honest" \
        "read=$work/secrets/secret" "list=$work/secrets" \
        "read=$work/rivals/source" "read=$work/rec/match.txt" list=/root \
        "write=$work/secrets/new" "write=$work/bots/new" \
        "truncate=$work/secrets/secret" "touch=$work/secrets/secret" \
        environment memory-of-others command-lines pipe ptrace process-vm \
        signal socket pair io-uring namespaces perf limits-of-others \
        priorities watches descriptors "chmod=$work/secrets/secret"
    same "$what: attacks" 26 "$(grep -c '^attack' log)"
    same "$what: attacks that worked" "" "$(grep ' worked' log)"
    has "$what: the author is told" log 'the walls stopped this bot: it tried'
    has "$what: the record" rec/games-001.rec "^@- walls 1 $wall"
    has "$what: the record" rec/games-001.rec '^@- stopped 1 tried to open a so'
    rival_is_unharmed "$what"
    same "$what: the secret" secret "$(cat secrets/secret)"
    chmod a+rw secrets/secret
}

# Two seats that try to pass a bit.
together() {
    rm -f $bits
    echo take >rivals/plan
    cp bots/hostile rivals/
    chmod -R a+rX rivals
    fight "$1" "$2" \
        "$work/rivals/hostile $work/rivals/plan $work/rivals/referee bot" send
    same "$1, $2: channels" 7 "$(grep -c '^attack channel' rivals.log)"
    same "$1, $2: channels that pass a bit" "" "$(grep ' worked' rivals.log)"
    rm -f $bits
}

# too_much USER WALL ATTACK: it is out for using too much, or plays on.
too_much() {
    what="$1, $2, $3"
    fight "$1" "$2" "$honest" "$3"
    hasnt "$what" log 'worked'
    rival_is_unharmed "$what"
}

exhaust() {
    too_much "$1" "$2" eat-memory=512
    # Where no group counts, memory is refused, and the bot may play on.
    ! grep -q 'groups: memory' err || has "$what: the owner is told" err \
        'hostile is out.*used more than 64 MiB of memory'
    too_much "$1" "$2" fork-bomb
    too_much "$1" "$2" fill-disk=200
    too_much "$1" "$2" fill-inodes=20000
    fight "$1" "$2" "$honest" flood-log=64
    same "$1, $2: a log has an end" yes \
        "$([ "$(cat rec/*hostile.log | wc -c)" -le 1048576 ] && echo yes)"
    rival_is_unharmed "$1, $2, flood-log"
    fight "$1" "$2" "$honest" linger=600
    same "$1, $2: who is left" "" "$(pgrep lingerer)"
}

# While the rival thinks, a bot that is frozen uses next to nothing; that one
# would use as much as the whole game takes.
frozen() {
    ponder=no
    fight "$1" "$2" "$work/rivals/referee bot --level 9" spin
    ponder=yes
    has "$1, $2: frozen" rec/games-001.rec '^@- frozen 1 outside='
    ! grep -q 'CPU (v' err || same "$1, $2: CPU time outside its turns" yes "$(
        sed -n 's/^@- frozen 1 outside=//p' rec/games-001.rec | tail -n 1 |
            awk '{ print $1 < 100000 ? "yes" : $1 }'
    )"
    rival_is_unharmed "$1, $2, frozen"
}

left_behind() {
    same "scratch folders that are left" "" "$(
        find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'referee-????????????????????????'
    )"
    same "control groups that are left" "" "$(
        find /sys/fs/cgroup -name 'referee-[0-9]*' 2>/dev/null |
            while read -r group; do
                pid=${group##*/referee-}
                [ -d "/proc/${pid%-*}" ] || echo "$group"
            done
    )"
}

# What works here, for whom?
users="me"
[ "$(id -u)" = 0 ] && users="me nobody unspaced"
for user in $users; do
    for wall in limits landlock bwrap; do
        printf 'none\n' >bots/plan
        as "$user" match --game rondo --games 1 --quiet --walls $wall \
            "$honest" "$honest" || {
            has "$user, $wall: refused with a reason" err \
                "walls: $wall does not work here \\(.+\\); auto would be"
            echo "$user: $(cat err)"
            continue
        }
        if [ $wall != limits ]; then
            alone $user $wall
            together $user $wall
        fi
        exhaust $user $wall
        frozen $user $wall
    done
done
left_behind

# Interpreters need no list of paths.
mkdir kits
cp -r "$src/sample-bots/." kits/
chmod -R a+rX kits
while read -r program file; do
    command -v "$program" >/dev/null || continue
    # Bash takes seconds to read the longest line, and more on a busy machine.
    as me check --game rondo --games 1 --walls auto --time 120s \
        --start-limit 120s "$program kits/$file"
    same "$program behind walls" 0 $?
done <<END
python3 python/random_bot.py
node node/random.js
perl perl/random.pl
bash bash/random.sh
END

# Refusals.
as me match --game rondo --walls brick "$honest" "$honest"
same "a word that is no wall" 2 $?
has "a word that is no wall" err 'must be one of none, limits, landlock, bwrap'
as me match --game rondo --walls auto --records bots/rec \
    "$work/bots/referee bot" "$honest"
same "records in the folder of a bot" 2 $?
has "records in the folder of a bot" err 'could read bots/rec'

echo "$count checks, $failed wrong"
[ "$failed" = 0 ]
