#!/bin/sh
# One call of the referee fails, the n-th of its kind: a short ladder, and a
# short match. Whatever n is, nothing hangs, nothing is left over, no game that
# was announced is lost, and none is there twice or wrong.
#
# Here, a few of each kind that has ever hung. All kinds are write pwrite fsync
# rename open fork pipe epoll_ctl mmap fcntl truncate unlink thread; every n of
# some of them:
#
#     FAILING="write epoll_ctl" FAILING_STEP=1 failing.sh

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
world=$(cd "${builddir:-.}/tests/shim" && pwd)/world.so
kinds=${FAILING:-write epoll_ctl fcntl fsync}
. "$(dirname "$0")/checks.sh"
shown="log"
mark=failing-$$
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
case $(nm -D "$referee" 2>/dev/null) in
*__asan_* | *__ubsan_*) exit 77 ;;
esac

cat >ref.ini <<END
[server]
control = control
rate-every = 0
stop-limit = 1s
[bot a]
command = $bad none 1
[bot b]
command = $bad none 2
END
ladder main second-chance 2 "join = none" "bots = a, b" "games = 2" \
    "copies = 2"

# ladder_run: until its three games are played; at most a minute, or it hangs.
ladder_run() {
    BAD_MARK=$mark timeout -k 1 ${FAILING_LIMIT:-60} env LD_PRELOAD=$world \
        "$referee" serve ref.ini --games 3 >out 2>log
}

match_run() {
    BAD_MARK=$mark timeout -k 1 ${FAILING_LIMIT:-60} env LD_PRELOAD=$world "$referee" match \
        --game second-chance --games 3 --records match "$bad none 1" \
        "$bad none 2" >out 2>log
}

# calls RUN KIND: how many there are if none fails.
calls() {
    rm -rf data match
    SHIM_CALL=$2 SHIM_COUNT=$work/number $1
    cat number
}

# What the log has announced must be in the records, once.
announced() {
    sed -n 's/.*info \[\([^]]*\)\] second-chance on main: names=[^ ]* result.*/\1/p' \
        "$@" | sort
}

# one_ladder KIND N
one_ladder() {
    rm -rf data hit
    SHIM_CALL=$1 SHIM_NTH=$2 SHIM_HIT=$work/hit ladder_run
    code=$?
    count=$((count + 1))
    [ $code != 124 ] && [ $code != 137 ] ||
        wrong "ladder, $1 number $2 fails: it hangs"
    announced log >told
    mv log log.1
    # What was not played then is played now.
    if ! [ -d data ] || ladder_run; then :; else
        wrong "ladder, after $1 number $2 failed: exit code $?"
    fi
    cat data/records/main/*.rec 2>/dev/null |
        sed -n 's/^about id=\([^ ]*\) .*/\1/p' | sort >kept
    [ -z "$(uniq -d kept)" ] ||
        wrong "ladder, $1 number $2 fails: a game is there twice"
    [ -z "$(comm -23 told kept)" ] ||
        wrong "ladder, $1 number $2 fails: a game is lost"
    ! [ -d data/records/main ] || "$referee" replay --quiet data/records >out 2>&1 ||
        wrong "ladder, $1 number $2 fails: $(head -n 1 out)"
    [ -z "$(ls data/running 2>/dev/null)" ] ||
        wrong "ladder, $1 number $2 fails: $(ls data/running | head -n 1) is left"
}

# one_match KIND N
one_match() {
    rm -rf match hit
    SHIM_CALL=$1 SHIM_NTH=$2 SHIM_HIT=$work/hit match_run
    code=$?
    count=$((count + 1))
    [ $code != 124 ] && [ $code != 137 ] ||
        wrong "match, $1 number $2 fails: it hangs"
    [ $code -lt 128 ] || wrong "match, $1 number $2 fails: exit code $code"
    [ $code != 0 ] || "$referee" replay --quiet match >out 2>&1 ||
        wrong "match, $1 number $2 fails: $(head -n 1 out)"
}

# every RUN CHECK KIND: in steps, so that a handful is enough in a hurry.
every() {
    all=$(calls $1 $3)
    step=${FAILING_STEP:-$((all / 2 + 1))}
    n=1
    while [ $n -le "${all:-0}" ]; do
        $2 $3 $n
        n=$((n + step))
    done
}

for kind in $kinds; do
    every ladder_run one_ladder $kind
    every match_run one_match $kind
done
gone "all"

[ "$failed" = 0 ] && echo "$count calls failed, and all was well"
exit $((failed > 0))
