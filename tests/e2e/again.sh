#!/bin/sh
# What the machine did to a hand-in is not its owner's fault: it is tried again,
# or there is no verdict.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
shims=$(cd "${builddir:-.}/tests/shim" && pwd)
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
shown="out err"
PATH=$(dirname "$referee"):$PATH

mkdir bot
printf '[bot]\nbuild = true\ncommand = referee bot\n' >bot/bot.ini
cat >ref.ini <<END
[server]
data = data
[handins]
folder = handins
build-limit = 60s
[ladder quick]
game = second-chance
seats = 2
time = move:60s
start-limit = 120s
join = none
handins = yes
END

# in_world CODES VARIABLE...: one of these exit codes.
in_world() {
    codes=$1
    shift
    rm -rf handins hit
    count=$((count + 1))
    env LD_PRELOAD="$first $shims/world.so" "$@" \
        "$referee" admit --config ref.ini --build-freely bot >out 2>err
    got=$?
    case " $codes " in
    *" $got "*) ;;
    *) wrong "$*: exit code $got, not $codes" ;;
    esac
}

# no_verdict WHAT: nothing that would count.
no_verdict() {
    count=$((count + 1))
    ! cat handins/bot/history.jsonl 2>/dev/null | grep -q . ||
        wrong "$1: it counts: $(cat handins/bot/history.jsonl)"
}

# One of the calls fails, each in its turn: it is accepted or does not count.
each() { # CALL ERRNO
    n=0
    while
        n=$((n + 1))
        in_world "0 2" SHIM_CALL="$1" SHIM_NTH=$n SHIM_ERRNO="$2" SHIM_HIT="$work/hit"
        [ -e hit ]
    do
        case $got in
        0)
            again=$((again + 1))
            has "$1 $n" out '^bot: accepted: '
            ;;
        *) no_verdict "$1 $n" ;;
        esac
    done
    [ $n -ge 4 ] || wrong "$1: only $((n - 1)) calls"
    [ $got = 0 ] || wrong "$1: without a failure it is not accepted"
}

again=0
each exec 11 # EAGAIN
same "build, check and game are tried again" true \
    "$([ $again -ge 3 ] && echo true || echo "$again")"
each exec 12 # ENOMEM
each fork 11

# It never gets a process: no verdict, and nothing that counts.
for n in 1 2 3 4; do
    in_world 2 SHIM_CALL=exec SHIM_NTH=$n SHIM_FOR=1000 SHIM_ERRNO=11
    no_verdict "from $n on"
done

# A busy machine takes longer, and so may a build.
sed -i "s/^build-limit.*/build-limit = 2s/" ref.ini
sed -i 's/^build.*/build = sleep 3/' bot/bot.ini
in_world 0 SHIM_LOAD=1000000
sed -i 's/^build.*/build = sleep 1000/' bot/bot.ini
in_world 1 SHIM_LOAD=1000000
has "but not for ever" out 'refused: the build took more than 2 s'
in_world 1 SHIM_LOAD=0
has "on an idle machine" out 'refused: the build took more than 2 s'

# And so may an answer, in the second try.
sed -e 's/^moves = \[\]/import time\nlate = True\n&/' \
    -e 's/^\( *\)words = line.split()/&\n\1if late and "genmove" in line: late = time.sleep(1.5)/' \
    "$src/sample-bots/python/random_bot.py" >bot/late.py
printf '[bot]\ncommand = python3 late.py\n' >bot/bot.ini
sed -i 's/^time.*/time = move:1s/' ref.ini
in_world 1 SHIM_LOAD=0
has "late" out 'refused: failed in a game on ladder quick: time'
in_world 0 SHIM_LOAD=1000000
has "late but honest" out '^bot: played: quick: '
echo "$count checks"
[ $failed = 0 ]
