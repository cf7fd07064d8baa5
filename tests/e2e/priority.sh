#!/bin/sh
# The referee comes before its bots: those of a crowd run as batch processes,
# all of them; those of a throng are nice, too, and stay in its session; those of
# a few games run as everybody does. No bot has the terminal of the referee.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
chrt --other -p 0 $$ || exit 1

# A bot that says on stderr how it runs.
cat >bot <<EOF
#!/bin/sh
session=\$(ps -o sid= -p \$\$)
[ "\$session" = "\$(ps -o sid= -p $$)" ] && session=ours || session=other
(: </dev/tty) 2>/dev/null && terminal=yes || terminal=no
echo "how: \$(chrt -p \$\$ | sed -n 's/.*policy: //p')" \
    "nice=\$(nice) session=\$session" \
    "terminal=\$terminal" >&2
"$referee" bot
EOF
chmod +x bot

# Run a command on a terminal.
cat >on_terminal <<'EOF'
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
EOF

# play WHAT GAMES_AT_ONCE HOW [COMMAND...]
play() {
    what=$1 at_once=$2 how=$3
    shift 3
    rm -rf rec
    timeout 120 "$@" "$referee" match --quiet --game rondo --games 10 \
        --concurrency "$at_once" --records rec ./bot ./bot >out 2>err \
        </dev/null
    same "$what: exit code" 0 $?
    same "$what: games with a result" 10 \
        "$(cat rec/*.rec | grep -c '^result ranks')"
    same "$what" "$how" "$(cat rec/*.log | sed -n 's/^how: //p' | sort -u)"
}

shown="out err"
cores=$(nproc)
one="taskset -c $(taskset -cp $$ | sed 's/.*[^0-9]//')"
nice=$(nice)
own="nice=$nice session=other terminal=no"
play "one game" 1 "SCHED_OTHER $own"
play "a game for each processor" "$cores" "SCHED_OTHER $own"
play "a crowd" $((cores + 1)) "SCHED_BATCH $own"
play "a crowd on one processor" 2 "SCHED_BATCH $own" $one
play "not yet a throng" 8 "SCHED_BATCH $own" $one
play "a throng" 9 "SCHED_BATCH nice=19 session=ours terminal=no" $one

# Whoever starts it in another way has said what he wants.
play "an idle referee" $((cores + 1)) "SCHED_IDLE $own" chrt --idle 0
play "an idle throng" 9 "SCHED_IDLE nice=$nice session=ours terminal=no" \
    $one chrt --idle 0

# On a terminal, which is another session for the referee as well.
same "a terminal can be seen" yes "$(python3 on_terminal sh -c \
    '(: </dev/tty) 2>/dev/null && echo yes' </dev/null | tr -d '\r')"
play "one game on a terminal" 1 "SCHED_OTHER $own" python3 on_terminal
play "a throng on a terminal" 9 "SCHED_BATCH nice=19 session=other terminal=no" \
    python3 on_terminal $one

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
