#!/bin/sh
# The referee comes before its bots: those of a crowd run as batch processes, all
# of them; those of a few games run as everybody does. Every bot has a session of
# its own, and none has the terminal of the referee.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
chrt --other -p 0 $$ || exit 1 # policy 0; batch is 3, idle 5

# A bot that says on stderr how it runs. The parent of its guard is the referee.
cat >bot <<EOF
#!/bin/sh
look_at() { # PID: what stands in its stat behind the name
    read -r stat </proc/\$1/stat
    set -- \${stat##*) }
    parent=\$2 session=\$4 nice=\${17} policy=\${39}
}
look_at \$\$
how="policy=\$policy nice=\$nice" own=\$session
look_at \$parent
look_at \$parent
[ "\$session" = "\$own" ] && how="\$how session=common" ||
    how="\$how session=own"
(: </dev/tty) 2>/dev/null && terminal=yes || terminal=no
echo "how: \$how terminal=\$terminal" >&2
exec "$referee" bot
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
    games=$((at_once + 1))
    timeout 120 "$@" "$referee" match --quiet --game rondo --games $games \
        --concurrency "$at_once" --records rec ./bot ./bot >out 2>err \
        </dev/null
    same "$what: exit code" 0 $?
    same "$what: games with a result" $games \
        "$(cat rec/*.rec | grep -c '^result ranks')"
    same "$what" "$how" "$(cat rec/*.log | sed -n 's/^how: //p' | sort -u)"
}

shown="out err"
cores=$(nproc)
one="taskset -c $(taskset -cp $$ | sed 's/.*[^0-9]//')"
nice=$(nice)
own="nice=$nice session=own terminal=no"
play "one game" 1 "policy=0 $own"
play "a game for each processor" "$cores" "policy=0 $own"
play "a crowd" $((cores + 1)) "policy=3 $own"
play "a crowd on one processor" 2 "policy=3 $own" $one
play "a great crowd" 65 "policy=3 $own" $one

# Whoever starts it in another way has said what he wants.
play "an idle referee" $((cores + 1)) "policy=5 $own" chrt --idle 0

# On a terminal.
same "a terminal can be seen" yes "$(python3 on_terminal sh -c \
    '(: </dev/tty) 2>/dev/null && echo yes' </dev/null | tr -d '\r')"
play "one game on a terminal" 1 "policy=0 $own" python3 on_terminal
play "a crowd on a terminal" 2 "policy=3 $own" python3 on_terminal $one

# When a process of a bot has stopped in the group of its guard, and its parent
# ends, the group hears SIGHUP: the guard, which has to end all others when the
# referee is killed, must not mind.
cat >stopper <<EOF
#!/usr/bin/perl
use POSIX;
my \$guard = getppid;
if (!fork) { setsid; exec "sleep", 1000 }
if (!fork) {
    exit if fork; # the guard inherits the other one
    setpgrp(0, \$guard);
    open(F, ">stopped.\$\$");
    kill "STOP", \$\$;
}
exec "sleep", 1000;
EOF
chmod +x stopper
mark=priority-$$-$(date +%s)
BAD_MARK=$mark $one "$referee" match --quiet --game rondo --games 8 \
    --concurrency 8 --start-limit 100s ./stopper ./stopper >out 2>err \
    </dev/null &
killed=$!
for tenth in $(seq 600); do
    [ "$(ls | grep -c '^stopped')" -lt 16 ] || break
    sleep 0.1
done
same "a killed crowd: bots that stopped somebody" 16 \
    "$(ls | grep -c '^stopped')"
kill -9 $killed
wait $killed 2>/dev/null
gone "a killed crowd"

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
