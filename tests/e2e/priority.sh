#!/bin/sh
# The referee comes before its bots: those of a crowd run as batch processes,
# all of them; those of a few games as everybody does.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
chrt --other -p 0 $$ || exit 1

# A bot that says on stderr how it is scheduled.
cat >bot <<EOF
#!/bin/sh
chrt -p \$\$ >&2
"$referee" bot
EOF
chmod +x bot

# play WHAT GAMES_AT_ONCE POLICY [COMMAND...]
play() {
    what=$1 at_once=$2 policy=$3
    shift 3
    rm -rf rec
    timeout 120 "$@" "$referee" match --quiet --game rondo --games 6 \
        --concurrency "$at_once" --records rec ./bot ./bot >out 2>err \
        </dev/null
    same "$what: exit code" 0 $?
    same "$what: games with a result" 6 \
        "$(cat rec/*.rec | grep -c '^result ranks')"
    same "$what: policy" "$policy" \
        "$(cat rec/*.log | sed -n 's/.*policy: //p' | sort -u)"
}

shown="out err"
cores=$(nproc)
play "one game" 1 SCHED_OTHER
play "a game for each processor" "$cores" SCHED_OTHER
play "a crowd" $((cores + 1)) SCHED_BATCH
play "a crowd on one processor" 2 SCHED_BATCH \
    taskset -c "$(taskset -cp $$ | sed 's/.*[^0-9]//')"

# Whoever starts it in another way has said what he wants.
play "an idle referee" $((cores + 1)) SCHED_IDLE chrt --idle 0

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
