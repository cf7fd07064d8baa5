#!/bin/sh
# Bots that are started anew for every game. Their guard stays, so a start
# costs less; but nothing of one game may reach into the next: no process, no
# pipe, no order. A guard that was killed or stopped between two games must not
# matter, and after a reload the new command counts.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
mark=restart-$$-$(date +%s)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# A bot that passes the talk on to the referee's own player. It says on stderr
# who its guard is and what it sees of others, then does what $1 says when its
# player has ended.
cat >bot <<EOF
#!/bin/sh
echo "guard \$PPID pid \$\$"
echo "others \$(grep -las "RESTART_LEFT=$mark" /proc/[0-9]*/environ | wc -l)"
"$referee" bot 3>&-
case \$1 in
kill) kill -9 \$PPID ;;
stop) kill -STOP \$PPID ;;
leave) RESTART_LEFT=$mark setsid sleep 100 & ;;
esac
EOF
sed -i 's/^echo \(.*\)$/echo \1 >\&2/' bot
chmod +x bot

config() { # COMMAND
    cat >match.ini <<EOF
[match]
bots = a b
[bot a]
command = $1
restart = yes
[bot b]
command = ./bot quiet
environment = BAD_MARK
restart = yes
EOF
}

# play NAME COMMAND GAMES
play() {
    rm -rf rec
    config "$2"
    BAD_MARK=$mark timeout 120 "$referee" match --quiet --game rondo \
        --games "$3" --config match.ini --records rec --csv >out 2>err \
        </dev/null
    same "$1: exit code" 0 $?
    same "$1: games with a result" "$3" "$(cat rec/*.rec | grep -c '^result ranks')"
    same "$1: leaves" 0 "$(cat rec/*.rec | grep -c '^leave')"
    same "$1: starts of a" "$3" "$(cat rec/*.a.log | grep -c '^guard')"
    same "$1: each start is a process of its own" "$3" \
        "$(cat rec/*.a.log | sed -n 's/.* pid //p' | sort -u | wc -l)"
    same "$1: no start saw what was left by one before" "$3" \
        "$(cat rec/*.a.log | grep -c '^others 0$')"
    same "$1: left over" 0 "$(left_over)"
}

guards() { # BOT
    cat rec/*."$1".log | sed -n 's/^guard \([0-9]*\) .*/\1/p' | sort -u | wc -l
}

play "quiet bots" "./bot quiet" 6
same "quiet bots: guards of a" 1 "$(guards a)"
same "quiet bots: guards of b" 1 "$(guards b)"

play "a bot that leaves a process" "./bot leave" 6
same "a bot that leaves a process: guards" 1 "$(guards a)"

play "a bot that stops its guard" "./bot stop" 4
play "a bot that kills its guard" "./bot kill" 4
same "a bot that kills its guard: guards of a" 4 "$(guards a)"
same "a bot that kills its guard: guards of b" 1 "$(guards b)"

# One that cannot be run, again and again.
printf '#!/no/such/interpreter\n' >broken
chmod +x broken
config ./broken
BAD_MARK=$mark timeout 120 "$referee" match --quiet --game rondo \
    --games 3 --config match.ini --records broken-rec >out 2>err </dev/null
same "a bot that cannot be run: leaves" 3 \
    "$(cat broken-rec/*.rec | grep -c '^leave')"
same "a bot that cannot be run: left over" 0 "$(left_over)"

# Guards that wait take descriptors: they go when these run out, and no bot
# loses a game for that.
{
    printf '[tournament]\ngame = axiom\nseats = 2\nset = maxplies=4\n'
    printf 'format = swiss\nrounds = 2\n'
    for i in $(seq 40); do
        printf '[bot b%d]\ncommand = %s bot\nenvironment = BAD_MARK\nrestart = yes\n' "$i" "$referee"
    done
} >cup.ini
(
    ulimit -n 40
    BAD_MARK=$mark timeout 120 "$referee" tournament cup.ini --quiet \
        --records cup >out 2>err </dev/null
)
same "few descriptors: exit code" 0 $?
same "few descriptors: results" 80 "$(cat cup/*.rec | grep -c '^result ranks')"
same "few descriptors: leaves" 0 "$(cat cup/*.rec | grep -c '^leave')"
same "few descriptors: left over" 0 "$(left_over)"

# After a reload its new command counts.
cat >server.ini <<EOF
[server]
data = data
[ladder rondo]
game = rondo
seats = 2
bots = a b
join = none
[bot a]
command = ./bot quiet
environment = BAD_MARK
[bot b]
command = ./bot quiet
environment = BAD_MARK
EOF
BAD_MARK=$mark "$referee" serve server.ini >out 2>log </dev/null &
server=$!

# wait_for WHAT COMMAND...
wait_for() {
    what=$1
    shift
    count=$((count + 1))
    for try in $(seq 300); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    wrong "$what: not in 30 s"
}

said() { # WORD: is it in a log of a?
    cat data/logs/rondo/*/*a.log 2>/dev/null | grep -q "$1"
}

cat >new <<EOF
#!/bin/sh
echo "new command" >&2
exec "$referee" bot
EOF
chmod +x new
wait_for "the first games" said '^guard'
sed -i 's/^command = .*/command = .\/new/' server.ini
kill -HUP $server
wait_for "the new command" said '^new command'
kill -TERM $server
wait $server
same "serve: exit code" 0 $?
same "serve: left over" 0 "$(left_over)"

# Who looks for what such bots have left takes the process that fits ratings for
# none of it.
rm -rf data
sed -i 's/^command = .*/command = .\/bot kill/; s/^data = .*/&\nrate-every = 10ms/' \
    server.ini
BAD_MARK=$mark "$referee" serve server.ini --games 40 >out 2>log </dev/null
same "ratings: exit code" 0 $?
same "ratings: not fitted" 0 "$(grep -c "ratings were not computed" log)"

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
