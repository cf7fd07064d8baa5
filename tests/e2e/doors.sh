#!/bin/sh
# The daemon's side doors, http and control, with polite and with rude guests;
# and the commands that call there. The daemon is doors.c.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
doors=$(cd "${builddir:-.}/tests/e2e" && pwd)/doors
guests=$(cd "${srcdir:-.}/tests/e2e" && pwd)/doors.py
work=$(mktemp -d) || exit 1
trap 'kill $pid 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 count=0 pid=
python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' || {
    echo "python3 is missing, or older than 3.8"
    exit 77
}

complain() {
    echo "$*"
    sed 's/^/    /' out err | head -n 30
    failed=$((failed + 1))
}

# begin: start it, and set pid and port
begin() {
    : >told
    "$doors" "$work/data" >told 2>err &
    pid=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        read -r port <told && return
        sleep 0.1
    done
    echo "doors does not start"
    cat err
    exit 1
}

# expect CODE TEXT ARGUMENT...: exit code, and a text that must be printed.
expect() {
    code=$1 text=$2
    shift 2
    count=$((count + 1))
    timeout 30 "$referee" "$@" >out 2>err </dev/null
    got=$?
    if [ "$got" != "$code" ]; then
        complain "referee $*: exit code $got, not $code"
    elif ! cat out err | grep -qF -- "$text"; then
        complain "referee $*: no \"$text\""
    fi
}

# refused TEXT: doors must not start, and say so.
refused() {
    count=$((count + 1))
    timeout 10 "$doors" "$work/data" >out 2>err </dev/null
    got=$?
    [ "$got" = 1 ] && grep -qF -- "$1" err && return
    complain "a start that must fail: exit code $got, no \"$1\""
}

mkdir data

# Commands.
begin
expect 0 "running, up 2 h 1 min" status
expect 0 "games: 3 running, 801 done, 2 void; 41023 moves" status
expect 0 "duel                 rondo              2       3     801  anna, bob" \
    status --control data/control
expect 0 "bob                  playing  tls       1.2 ms      12  [::1]:77" status
expect 0 "anna                 idle     unix           -       1  -" status
expect 0 "duel-802: rondo in duel, 17 moves in 4 s: anna, bob" status --games
expect 0 '{"uptime_s":7265,"state":"running","games":{' status --json
expect 0 "paused; 3 games are running" pause
expect 0 "paused, up" status
expect 0 "running; 3 games are running" resume
expect 0 "1 connection closed" kick anna
expect 1 'nobody is called "carl"' kick carl
expect 1 '{"error":"nobody is called ' kick carl --json
expect 0 "has been read again" reload
expect 1 "the new configuration is wrong" reload
expect 2 "kick takes one name, not 0" kick
expect 2 "kick takes one name, not 2" kick a b
expect 2 "is not the name of a bot" kick "a b"
expect 2 "is not the name of a bot" kick "a
stop"
expect 2 "pause takes options only" pause now
expect 1 "no referee answers on nowhere/control" status --control nowhere/control
expect 2 "the path of a socket must have 1 to 107 bytes" status \
    --control "$(printf '%0200d' 1)"
expect 2 "such a long name" kick "$(printf '%05000d' 1)"
printf '[server]\ncontrol = data/control\n' >a.ini
printf '[server]\ndata = data\n' >b.ini
printf '[server]\ncontrol = elsewhere\nkeys = nowhere\n' >c.ini
expect 0 "running, up" status --config a.ini
expect 0 "running, up" status --config b.ini
expect 1 "no referee answers on elsewhere" status --config c.ini
expect 2 "nowhere.ini cannot be opened" status --config nowhere.ini

# Another user, who may see the socket.
chmod 711 "$work" data
if [ "$(id -u)" = 0 ] && them="setpriv --reuid=65534 --regid=65534 --clear-groups" &&
    $them test -x "$referee"; then
    count=$((count + 1))
    $them "$referee" status >out 2>err
    [ $? = 1 ] && grep -q "only the user that runs the server, and root, may connect to it" err ||
        complain "status for another user"
fi
chmod 700 "$work" data

# A second daemon, and what one leaves behind.
refused "another referee already uses"
kill -9 $pid
wait $pid 2>/dev/null
count=$((count + 1))
[ -S data/control ] || complain "no socket was left behind"
expect 1 "no referee answers on data/control: Connection refused" status
begin
expect 0 "running, up" status
expect 0 "stopping; 3 games are running" stop
wait $pid || complain "exit code $? after stop"
count=$((count + 1))
[ -e data/control ] && complain "the socket stays after the end"
echo text >data/control
refused "already exists and is not a socket"
grep -q text data/control || complain "a file that is no socket was removed"
rm data/control
python3 - <<'LISTEN' &
import socket, time
s = socket.socket(socket.AF_UNIX)
s.bind("data/control")
s.listen()
time.sleep(30)
LISTEN
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ -S data/control ] && break
    sleep 0.2
done
sleep 0.2
refused "another process already listens on"
kill $pid
rm data/control data/control.lock
mkdir data/control.lock
refused "control.lock cannot be opened"
rmdir data/control.lock

# Guests.
for how in "" few; do
    [ "$how" = few ] && ulimit -S -n 24
    begin
    ulimit -S -n "$(ulimit -H -n)"
    python3 "$guests" "$work/data" "$port" $pid $how || {
        failed=$((failed + 1))
        kill $pid 2>/dev/null
    }
    wait $pid || complain "exit code $? after the guests"
    pid=
    [ -s err ] && complain "it wrote to stderr"
done

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
