#!/bin/sh
# Every attack of tests/bots/hostile.c against the walls, as root, as an
# ordinary user, and where user namespaces are off. The rival is honest, and
# must lose nothing by it. What comes of each attack is noted in `seen`, and
# the table in security.md is held against that.

build=$(cd "${builddir:-.}" && pwd)
src=$(cd "${srcdir:-.}" && pwd)
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
bits="/dev/shm/referee-test-bit /tmp/referee-test-bit /var/tmp/referee-test-bit"
trap 'rm -rf "$work" $bits' EXIT
chmod 755 "$work"
cd "$work" || exit 1
mkdir bots rivals secrets tmp
cp "$build/referee/referee" "$build/tests/bots/hostile" bots/
cp "$build/referee/referee" rivals/
# Who was started, to know whose control groups are left.
cat >start <<END
#!/bin/sh
echo \$\$ >>"$work/started"
exec "$work/bots/referee" "\$@"
END
chmod +x start
: >started
chmod a+w started
# Scratch folders are here, and only ours.
chmod 1777 tmp
export TMPDIR="$work/tmp"
echo source >rivals/source
echo secret >secrets/secret
chmod -R a+rX bots rivals
chmod -R a+rwX secrets
echo mine >bots/owned # by who attacks as an ordinary user
chmod 644 bots/owned
[ "$(id -u)" != 0 ] || chown 65534 bots/owned
shown="err log"

# as USER ARGUMENT...: the referee, with what it says in out and err.
as() {
    user=$1
    shift
    case $user in
    me) timeout 120 "$work/start" "$@" >out 2>err ;;
    nobody)
        timeout 120 setpriv --reuid=65534 --regid=65534 --clear-groups \
            "$work/start" "$@" >out 2>err
        ;;
    unspaced) # root of a user namespace in which there can be no other
        timeout 120 setpriv --reuid=65534 --regid=65534 --clear-groups \
            unshare -r sh -c 'echo 0 >/proc/sys/user/max_user_namespaces &&
                exec setpriv --inh-caps=-all --bounding-set=-all "$@"' sh \
            "$work/start" "$@" >out 2>err
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
    sed -n "s/^attack \([a-z-]*\).* \(worked\|stopped\)\$/$wall \1 \2/p" \
        log rivals.log >>seen
    sed -n "s/^referee: the walls stopped this bot: it /$wall /p" log >>told
    sed -n "s/.*hostile is out ([a-z]*): /$wall /p" err >>told
}

# note WALL ATTACK RESULT: what shows itself otherwise.
note() {
    echo "$@" >>seen
}

honest="$work/rivals/referee bot"
rival_is_unharmed() {
    hasnt "$1: the rival is out" err 'rival is out'
    has "$1: a result" out '^rival +1 '
}

# attacks USER WALL COUNT ATTACK...: none of so many works.
attacks() {
    user=$1 wall=$2 what="$1, $2" number=$3
    shift 3
    fight "$user" "$wall" "$honest" "$@"
    same "$what: attacks" "$number" "$(grep -c '^attack' log)"
    same "$what: attacks that worked" "" "$(grep ' worked' log)"
    has "$what: the record" rec/games-001.rec "^@- walls 1 $wall"
    rival_is_unharmed "$what"
}

# Attacks that leave the machine as it was. After 32 refusals nobody listens
# any more, so they come in two parts.
alone() {
    attacks "$1" "$2" 18 inherited \
        "read=$work/secrets/secret" "list=$work/secrets" \
        "read=$work/rivals/source" "read=$work/rec/match.txt" list=/root \
        "write=$work/secrets/new" "write=$work/bots/new" \
        "truncate=$work/secrets/secret" "touch=$work/secrets/secret" \
        "hard-link=$work/secrets/secret" "lure=$work/secrets/secret" \
        environment memory-of-others command-lines pipe groups \
        "chmod=$work/secrets/secret"
    attacks "$1" "$2" 9 clocks-of-others descriptor-of-others \
        groups-of-others signal-by-file aio huge-pages sync \
        "flags=$work/bots/owned" core-of-its-own
    attacks "$1" "$2" 20 ptrace process-vm perf limits-of-others signal socket \
        pair io-uring namespaces mounts kernel-tools keyrings terminal \
        network-of-others work-of-others priorities raise-limits watches \
        descriptors send
    has "$1, $2: the author is told" log 'the walls stopped this bot: it tried'
    has "$1, $2: the record" rec/games-001.rec '^@- stopped 1 tried to open a so'
    same "$1, $2: the secret" secret "$(cat secrets/secret)"
    chmod a+rw secrets/secret
}

# What limits do not stop, by way of example.
without_walls() {
    fight "$1" limits "$honest" inherited "read=$work/secrets/secret" \
        "touch=$work/secrets/secret" environment command-lines pipe \
        limits-of-others signal socket pair keyrings network-of-others \
        work-of-others priorities watches descriptors namespaces groups \
        io-uring clocks-of-others descriptor-of-others groups-of-others \
        signal-by-file aio sync "flags=$work/bots/owned"
    rival_is_unharmed "$1, limits"
}

# Two seats that try to pass a bit.
together() {
    rm -f $bits
    echo take >rivals/plan
    cp bots/hostile rivals/
    chmod -R a+rX rivals
    fight "$1" "$2" \
        "$work/rivals/hostile $work/rivals/plan $work/rivals/referee bot" send
    same "$1, $2: channels" 14 "$(grep -c '^attack channel' rivals.log)"
    same "$1, $2: channels that pass a bit" "" "$(grep ' worked' rivals.log)"
    rm -f $bits
}

# too_much USER WALL ATTACK: it is out for using too much, or plays on.
too_much() {
    what="$1, $2, $3"
    fight "$1" "$2" "$honest" "$3"
    hasnt "$what" log 'worked'
    rival_is_unharmed "$what"
    grep -q worked log || note "$2" "${3%=*}" stopped
}

exhaust() {
    too_much "$1" "$2" eat-memory=512
    # Where no group counts, memory is refused, and the bot may play on.
    ! grep -q 'groups: memory' err || has "$what: the owner is told" err \
        'hostile is out.*used more than 64 MiB of memory'
    too_much "$1" "$2" fork-bomb
    too_much "$1" "$2" fill-memfd=300
    too_much "$1" "$2" fill-sockets=300
    for fill in undumpable in-thread posted shared headless; do
        too_much "$1" "$2" fill-$fill=300
    done
    too_much "$1" "$2" fill-unreadable=200
    too_much "$1" "$2" fill-disk=200
    too_much "$1" "$2" fill-unlinked=200
    too_much "$1" "$2" fill-mapped=200
    too_much "$1" "$2" fill-inodes=20000
    fight "$1" "$2" "$honest" flood-log=64
    if [ "$(cat rec/*hostile.log | wc -c)" -le 1048576 ]; then
        note "$2" flood-log stopped
    else
        note "$2" flood-log worked
    fi
    same "$1, $2: a log has an end" "$2 flood-log stopped" "$(tail -n 1 seen)"
    rival_is_unharmed "$1, $2, flood-log"
    fight "$1" "$2" "$honest" "linger=linger-$$"
    note "$2" linger "$(pgrep "linger-$$" >/dev/null && echo worked || echo stopped)"
    same "$1, $2: who is left" "$2 linger stopped" "$(tail -n 1 seen)"
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
    sed -n 's/^@- frozen 1 outside=//p' rec/games-001.rec | tail -n 1 |
        awk -v wall="$2" '$1 ~ /^[0-9]/ {
            print wall, "spin", $1 < 100000 ? "stopped" : "worked" }' >>seen
    rival_is_unharmed "$1, $2, frozen"
}

# Whose guard is killed leaves processes for a moment, and its group with them.
killed_guard() {
    as me match --game rondo --games 2 --quiet --walls limits \
        "$build/tests/bots/bad kill_parent" "$honest"
    same "killed guards: exit code" 0 $?
    has "killed guards" err 'bad is out .*the process that guards it was killed'
}

left_behind() {
    same "scratch folders that are left" "" "$(
        find tmp -mindepth 1 -maxdepth 1
    )"
    same "control groups that are left" "" "$(
        while read -r pid; do
            find /sys/fs/cgroup -name "referee-$pid-*" 2>/dev/null
        done <started
    )"
}

# What works here, for whom?
users="me"
[ "$(id -u)" = 0 ] && users="me nobody unspaced"
users=${WALLS_USERS:-$users}
: >seen
: >told
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
        elif [ $user = nobody ]; then
            without_walls $user
        fi
        exhaust $user $wall
        frozen $user $wall
    done
done
killed_guard
left_behind

# The table says what was seen, where root saw it all.
if [ "$users" != me ] && [ -z "$WALLS_USERS" ]; then
    python3 "$src/tests/e2e/walls_table.py" "$src/referee/doc/security.md" \
        seen told >out 2>&1
    same "security.md" "" "$(cat out)"
fi

# Interpreters need no list of paths.
mkdir kits
cp -r "$src/sample-bots/." kits/
cc -O1 -o kits/c/random kits/c/random.c 2>/dev/null
c++ -x c++ -O1 -o kits/c/random++ - 2>/dev/null <<END
#include <cstdlib>
#include <unistd.h>
int main() { execl("$work/kits/c/random", "random", nullptr); return 1; }
END
command -v javac >/dev/null && javac -d kits/java kits/java/RandomBot.java
command -v rustc >/dev/null &&
    rustc -O -o kits/rust/random kits/rust/random.rs 2>/dev/null
# A virtual environment, and Python as pyenv installs it: a script that starts
# another, which starts the one of the right version.
python3 -m venv --without-pip kits/venv
mkdir -p kits/.pyenv/shims kits/.pyenv/libexec kits/.pyenv/versions/3/bin
cat >kits/.pyenv/shims/python3 <<END
#!/usr/bin/env bash
export PYENV_ROOT="$work/kits/.pyenv"
exec "$work/kits/.pyenv/libexec/pyenv" exec python3 "\$@"
END
cat >kits/.pyenv/libexec/pyenv <<'END'
#!/usr/bin/env bash
shift 2
exec "$PYENV_ROOT/versions/3/bin/python3" "$@"
END
ln -s "$(command -v python3)" kits/.pyenv/versions/3/bin/python3
chmod +x kits/.pyenv/shims/python3 kits/.pyenv/libexec/pyenv
cp -r kits/java java # a folder with the name of a program
chmod -R a+rX kits java
tried=0
while read -r program args; do
    command -v "$program" >/dev/null || continue
    tried=$((tried + 1))
    # Bash takes seconds to read the longest line, and more on a busy machine.
    as me check --game rondo --games 1 --walls auto --time 120s \
        --start-limit 120s "$program $args"
    code=$?
    same "$program behind walls" 0 $code
done <<END
python3 kits/python/random_bot.py
kits/venv/bin/python kits/python/random_bot.py
kits/.pyenv/shims/python3 kits/python/random_bot.py
node kits/node/random.js
perl kits/perl/random.pl
bash kits/bash/random.sh
java -cp kits/java RandomBot
java -cp java RandomBot
kits/rust/random
kits/c/random
kits/c/random++
END
echo "$tried interpreters and languages were tried"

# An author who tries at home learns what the walls would stop, in words.
printf '%s\n' socket ptrace keyrings kernel-tools namespaces priorities >bots/plan
as me check --game rondo --games 1 --walls auto --time 120s \
    --start-limit 120s "$work/bots/hostile $work/bots/plan $work/bots/referee bot"
tr -s ' \n' '  ' <out >flat
auto=$(sed -n 's/.*remark walls \([a-z]*\) stopped the bot.*/\1/p' flat)
case $auto in
landlock | bwrap)
    for words in 'open a socket: bots have no network' \
        'look into another process: a bot is alone' \
        "use the kernel's keyrings, which bots would share" \
        'make or join namespaces, or to mount' \
        'change priorities or processors: the organiser sets them'; do
        has "check tells" flat "it tried to $words"
    done
    ;;
*) has "check behind limits" flat 'ok walls limits, and nothing was stopped' ;;
esac

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
