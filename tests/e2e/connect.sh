#!/bin/sh
# referee token and referee connect, against a server that does what a test
# wants. All on loopback; where something takes time, the test waits for it.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
for tool in python3 openssl pgrep; do
    command -v $tool >/dev/null || {
        echo "$tool is missing"
        exit 77
    }
done
. "$(dirname "$0")/checks.sh"
shown="err server.log server.err"
work=$(mktemp -d) || exit 1
server='' client=''
end() {
    [ -n "$client" ] && kill "$client" 2>/dev/null
    [ -n "$server" ] && kill "$server" 2>/dev/null
    rm -rf "$work"
}
trap end EXIT
cd "$work" || exit 1

# fake SCRIPT [ADDRESS [CERTIFICATE KEY]]
fake() {
    [ -n "$server" ] && kill "$server" && wait "$server" 2>/dev/null
    rm -f ready server.log
    : >server.log
    script=$1
    shift
    python3 "$src/tests/bots/fake_server.py" ready server.log "$script" anna \
        "$token" "$@" 2>server.err &
    server=$!
    await ready .
    port=$(cat ready)
}

# once CODE ARGUMENT...: connect one time, with the bot unless another is named.
once() {
    want=$1
    shift
    case " $* " in
    *" -- "*) ;;
    *) set -- "$@" -- "$bot" ;;
    esac
    timeout 120 "$referee" connect --once --token-file token "$@" 2>err
    same "connect $*" "$want" $?
}

start() {
    : >err
    "$referee" connect --token-file token "$@" 2>err &
    client=$!
}

# stop: it ends, with code 0, and nothing of it stays.
stop() {
    kill -TERM "$client"
    wait "$client"
    same "$1: exit code" 0 $?
    client=''
    same "$1: processes left" "" "$(pgrep -f "$work/bot")"
}

# Tokens and keys.

# use CODE TEXT ARGUMENT...: what referee says to it.
use() {
    want=$1 text=$2
    shift 2
    "$referee" "$@" >out 2>err </dev/null
    same "referee $*" "$want" $?
    cat out err >both
    has "referee $*" both "$text"
    [ "$want" = 2 ] && same "complaints of $*" 1 "$(wc -l <err)"
}

use 0 "Usage: referee token" token --help
use 2 "token takes one name" token
use 2 "is not a name" token "an na"
use 2 "is not a name" token 123456789012345678901234567890123
use 2 "one line" token anna --owner "a
b"
use 2 "cannot be locked" token anna --keys nowhere/keys
use 0 "shown only once" token anna --owner "Anna, group 3"
same "stdout of token" 1 "$(wc -l <out)"
same "a token" 43 "$(tr -d '\n' <out | wc -c)"
token=$(cat out)
same "mode of the keys" 600 "$(stat -c %a keys)"
has "keys" keys '^anna [0-9a-f]{128} Anna, group 3$'
hasnt "the token in the keys" keys "$token"
use 2 "anna already has a token; --replace" token anna
same "nothing else on stdout" "" "$(cat out)"
echo "# a comment" >>keys
chmod 644 keys
use 0 "shown only once" token bob+2
use 0 "shown only once" token anna --replace
token=$(cat out)
same "mode after a rewrite" 600 "$(stat -c %a keys)"
same "order of the keys" "anna # bob+2" "$(cut -d' ' -f1 keys | xargs)"
has "the owner stays" keys '^anna [0-9a-f]{128} Anna, group 3$'
hasnt "the token in the keys" keys "$token"
for i in 1 2 3 4 5 6 7 8; do
    "$referee" token many$i >many$i.out 2>many$i.err &
    pids="$pids $!"
done
wait $pids
same "eight at the same time" 8 "$(grep -c '^many' keys)"

hex=$(sed -n 's/^anna \([0-9a-f]*\).*/\1/p' keys)
# keys LINE TEXT: a file with this in its third line.
keys() {
    printf '# one\n\n%s\n' "$1" >bad
    use 2 "$2" token carl --keys bad
    same "the file stays" "$1" "$(tail -n 1 bad)"
}
keys "an/na $hex" 'bad:3: "an/na" is not a name'
keys "anna 12" 'bad:3: the key of anna must be 128 hex digits'
keys "anna ${hex}0 x" 'bad:3: the key of anna must be 128 hex digits'
keys "anna" 'bad:3: the key of anna'
keys "anna $hex  x" 'bad:3: the owner must not begin'
printf 'anna %s\nanna %s x\n' "$hex" "$hex" >bad
use 2 "bad: anna is listed twice" token carl --keys bad
printf 'anna %s\0\n' "$hex" >bad
use 2 "bad holds a NUL byte" token carl --keys bad

# Wrong use of connect.
printf '%s\nand more\n' "$token" >token
chmod 640 token
try() {
    text=$1
    shift
    use 2 "$text" connect "$@"
    hasnt "the token in a complaint" err "$token"
}
use 0 "Usage: referee connect" connect --help
try "connect needs a server"
try "write HOST:PORT or unix:PATH" localhost
try "in brackets" ::1:7000 --name anna
try "the port must be a number" localhost:70000
try "write .IPV6.:PORT" "[::1]7000"
try "the path of a Unix socket" unix:
try "name is missing" localhost:1
try "is not a name" localhost:1 --name "a b"
try "token-file is missing" localhost:1 --name anna
try "needs the bot's command" localhost:1 --name anna --token-file token
try "there is no program" localhost:1 --name anna --token-file token -- nobot
try 'there is no program "cat x"; leave out the quotes around the command' \
    localhost:1 --name anna --token-file token -- "cat x"
try "leave out the quotes" \
    localhost:1 --name anna --token-file token -- "cat ./x"
try "there is no ./my bot" \
    localhost:1 --name anna --token-file token -- "./my bot"
try "chmod 600" localhost:1 --name anna --token-file token -- cat
chmod 600 token
try "cannot be opened" localhost:1 --name anna --token-file no -- cat
try "is not a file" localhost:1 --name anna --token-file / -- cat
try "ca needs --tls" localhost:1 --name anna --token-file token --ca x -- cat
try "ca: x cannot be opened: No such file" localhost:1 --tls --name anna --token-file token \
    --ca x -- cat
try "ca: / is a folder" localhost:1 --tls --name anna --token-file token \
    --ca / -- cat
try "ca: token is not a file of PEM" localhost:1 --tls --name anna \
    --token-file token --ca token -- cat
try "needs --name-check" unix:/x --tls --name anna --token-file token -- cat
try "login-limit" localhost:1 --name anna --token-file token \
    --login-limit soon -- cat
: >empty
printf 'two words\n' >two
chmod 600 empty two
try "is not a token" localhost:1 --name anna --token-file empty -- cat
try "is not a token" localhost:1 --name anna --token-file two -- cat

# The bot. It says on stderr that it runs, and may be stubborn.
bot=$work/bot
cat >bot <<'END'
#!/usr/bin/env python3
import signal, subprocess, sys, time

if "family" in sys.argv:
    subprocess.Popen([sys.argv[0], "child"], start_new_session=True)
if "stubborn" in sys.argv or "child" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if "child" in sys.argv:
    time.sleep(1000)
print("the bot is here", file=sys.stderr, flush=True)
for line in sys.stdin:
    words = line.split()
    number = words.pop(0) if words[0].isdigit() else ""
    answers = {"protocol_version": "2", "name": "fake", "genmove": "b"}
    print(f"={number} {answers.get(words[0], '')}".rstrip() + "\n", flush=True)
    if words[0] == "quit" and "stubborn" not in sys.argv:
        print("the bot quits", file=sys.stderr, flush=True)
        sys.exit(0)
print("the bot's input has ended", file=sys.stderr, flush=True)
while "stubborn" in sys.argv:
    time.sleep(1)
END
chmod +x bot

# A whole talk, over everything that there is.
talked() {
    await server.log "rest"
    for line in "login" "protocol_version = 2" "name = fake" \
        "legal_moves = $" "genmove = b" "quit = $" "rest 0"; do
        has "$1" server.log "^1 $line"
    done
    hasnt "$1" server.log "bad|error|no empty"
    has "$1" err "the bot is here"
    hasnt "$1" err "$token"
    same "$1: processes left" "" "$(pgrep -f "$work/bot")"
}
fake play
once 0 127.0.0.1:$port --name anna
talked "IPv4"
has "IPv4" err "^[0-9:]{8} connected$"
has "IPv4" err "login sent, bot started"
if getent hosts localhost >/dev/null; then
    host=localhost cert=host
    fake play
    once 0 localhost:$port --name anna
    talked "a name"
else
    host=127.0.0.1 cert=number
    echo "no name for this machine, not even localhost: not tested"
fi
fake play unix:door
once 0 unix:door --name anna
talked "Unix socket"
if python3 -c 'import socket; socket.socket(socket.AF_INET6).bind(("::1", 0))' \
    2>/dev/null; then
    fake play ::1
    once 0 "[::1]:$port" --name anna
    talked "IPv6"
else
    echo "no IPv6 here: not tested"
fi
fake play
once 0 127.0.0.1:$port --name anna --plain-token
await server.log "rest"
has "plain token" server.log "1 plain login"
has "plain token" err "learns the token"
hasnt "plain token" err "$token"

# Bytes: all of them, both ways, no more held than there is room for.
for words in "head -c 1000000 /dev/zero" "printf abc"; do
    fake sink
    once 0 127.0.0.1:$port --name anna -- $words
    await server.log got
    has "$words" server.log "got $($words | wc -c)$"
done
fake feed
once 0 127.0.0.1:$port --name anna -- sh -c 'sleep 1; wc -c >got'
same "bytes before an end" 1048576 "$(cat got)"
fake half
once 0 127.0.0.1:$port --name anna
await server.log "after half"
has "half-closed" server.log "after half b'=2 fake.n.n'"
fake bulk
once 0 127.0.0.1:$port --name anna -- cat
await server.log "bulk"
has "bulk" server.log "bulk same"

# Refused, and otherwise wrong.
fake play
once 1 127.0.0.1:$port --name nobody
has "wrong name" err "closed the connection right after the login: it does not know nobody"
has "wrong name" server.log "wrong login"
echo wrongtoken >other
chmod 600 other
once 1 127.0.0.1:$port --name anna --token-file other
has "wrong token" err "right after the login"
start 127.0.0.1:$port --name nobody -- "$bot"
await err "right after the login.*next try in [3-6][0-9]"
stop "refused"
fake early
once 1 127.0.0.1:$port --name anna
has "early" err "before the login; does it want --tls"
fake garbage
once 1 127.0.0.1:$port --name anna
has "garbage" err 'no login was requested; the server sent "HTTP/1.1 400'
fake mute
once 1 127.0.0.1:$port --name anna --login-limit 500ms
has "mute" err "connected, but no login was requested within 0.5 s.*--tls"
await server.log gone
fake play unix:gone
kill "$server"
wait "$server" 2>/dev/null
server=''
once 1 unix:gone --name anna
has "nobody listens" err "no connection: gone: Connection refused"
once 1 unix:nowhere --name anna
has "no socket" err "No such file"

# Bots that end.
fake hold
once 1 127.0.0.1:$port --name anna -- sh -c 'read line; exit 3'
has "exit" err "the bot exited with code 3"
once 1 127.0.0.1:$port --name anna -- sh -c 'read line; kill -9 $$'
has "killed" err "the bot was killed by signal 9"
# Its child has left the session, and the guard is dead: connect ends it.
once 1 127.0.0.1:$port --name anna -- sh -c 'read line
    setsid sleep 1000 & echo $! >escaped; kill -9 $PPID; sleep 1000'
has "killed guard" err "the process that guards the bot was killed"
same "killed guard: its child is gone" 1 \
    "$(kill -0 "$(cat escaped)" 2>/dev/null; echo $?)"
once 1 127.0.0.1:$port --name anna -- sh -c 'exec >&-; sleep 1000'
has "no output" err "the bot closed its output, but did not exit"
once 0 127.0.0.1:$port --name anna -- sh -c 'read line; exit 0'
printf '#!/nowhere/sh\n' >bot-broken
chmod +x bot-broken
once 2 127.0.0.1:$port --name anna -- "$work/bot-broken"
has "broken" err "cannot be run: No such file"

# Again and again.
fake drop,drop,play,hold
start 127.0.0.1:$port --name anna -- "$bot"
await server.log "^4 holds"
same "the order of it" "1 dropped fake 2 dropped fake 3 rest 0 4 holds fake" \
    "$(grep -E "dropped|rest|holds" server.log | xargs)"
same "a new bot each time" 4 "$(grep -c "the bot is here" err)"
has "drop" err "the server closed the connection; next try in (0\.[5-9]|1\.0) s"
stop "reconnected"
await server.log "^4 gone"
has "told to end" err "the bot's input has ended"

# A server that is not there yet.
fake play unix:later
kill "$server"
wait "$server" 2>/dev/null
server=''
rm -f later
start unix:later --name anna -- "$bot"
await err "No such file.*next try"
fake hold unix:later
await server.log holds
stop "late server"

# Three at once; bots that do not want to end, and have children.
fake hold
start 127.0.0.1:$port --name anna --count 3 -- "$bot" stubborn family
await server.log "holds" 3
has "count" err "\[3\] login sent"
tr '\0' ' ' <"/proc/$client/cmdline" >cmdline
hasnt "the token in the command line" cmdline "$token"
stop "three"
await server.log gone 3
fake hold
start 127.0.0.1:$port --name anna --count 3 -- "$bot" stubborn family
await server.log "holds" 3
kill -INT "$client"
await err "interrupt again"
stop "two signals"
fake mute
start 127.0.0.1:$port --name anna -- "$bot"
await server.log mute
stop "while it logs in"
# Of many that end together all are freed: sanitizers tell.
fake mute
start 127.0.0.1:$port --name anna --count 3 -- "$bot"
await server.log mute 3
stop "while three log in"

# A killed referee takes its bots with it.
fake hold
start 127.0.0.1:$port --name anna --count 2 -- "$bot" family
await server.log "holds" 2
kill -9 "$client"
wait "$client" 2>/dev/null
client=''
await server.log gone 2
for i in $(seq 100); do
    pgrep -f "$work/bot" >left || break
    sleep 0.1
done
same "processes left by SIGKILL" "" "$(cat left)"

# The sample that speaks TCP itself.
# tcp CODE ARGUMENT...
tcp() {
    want=$1
    shift
    python3 "$src/sample-bots/python/tcp_bot.py" "$@" 2>err
    same "tcp_bot.py $*" "$want" $?
}
sampled() {
    await server.log "rest"
    has "$1" server.log "^1 login"
    has "$1" server.log "^1 name = random-python-tcp"
    has "$1" server.log "^1 genmove = [abc]$"
    hasnt "$1" server.log "bad|error|no empty"
}
fake play
tcp 0 127.0.0.1 $port anna token
sampled "tcp_bot.py"

# TLS.
authority() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
        -keyout "$1.key" -out "$1.pem" -days 2 -subj "/CN=$1" 2>/dev/null
}
# certificate NAME CA ALTERNATIVE
certificate() {
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
        -keyout "$1.key" -out "$1.csr" -subj "/CN=test" 2>/dev/null
    echo "subjectAltName=$3" >"$1.ext"
    openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" \
        -CAcreateserial -out "$1.pem" -days 2 -extfile "$1.ext" 2>/dev/null
}
authority good
authority evil
certificate host good DNS:localhost
certificate number good IP:127.0.0.1

fake play 127.0.0.1 $cert.pem $cert.key
once 0 $host:$port --name anna --tls --ca good.pem
talked "TLS"
has "TLS" err "connected over TLSv1.3"
fake play 127.0.0.1 host.pem host.key
once 0 127.0.0.1:$port --name anna --tls --ca good.pem --name-check localhost
talked "TLS, name checked"
fake play 127.0.0.1 number.pem number.key
once 0 127.0.0.1:$port --name anna --tls --ca good.pem
talked "TLS, number checked"
fake play unix:secure host.pem host.key
once 0 unix:secure --name anna --tls --ca good.pem --name-check localhost
talked "TLS over a Unix socket"
fake bulk 127.0.0.1 $cert.pem $cert.key
once 0 $host:$port --name anna --tls --ca good.pem -- cat
has "bulk over TLS" server.log "bulk same"
fake sink 127.0.0.1 $cert.pem $cert.key
once 0 $host:$port --name anna --tls --ca good.pem \
    -- head -c 1000000 /dev/zero
await server.log got
has "last bytes over TLS" server.log "got 1000000$"

fake play 127.0.0.1 $cert.pem $cert.key
tcp 0 $host $port anna token tls good.pem
sampled "tcp_bot.py over TLS"
fake play 127.0.0.1 $cert.pem $cert.key
tcp 1 $host $port anna token tls evil.pem

fake play 127.0.0.1 $cert.pem $cert.key
once 1 $host:$port --name anna --tls --ca evil.pem
has "wrong CA" err "the certificate of $host is not valid.*--ca FILE"
once 1 $host:$port --name anna --tls
has "CAs of the system" err "the certificate of $host is not valid"
once 1 $host:$port --name anna --tls --ca good.pem --name-check x.example
has "wrong host" err "not valid: hostname mismatch.*--name-check"
once 1 $host:$port --name anna --login-limit 500ms
has "no --tls" err "perhaps this port wants --tls"
hasnt "login without a good certificate" server.log "login"
fake play 127.0.0.1 host.pem host.key
once 1 127.0.0.1:$port --name anna --tls --ca good.pem
has "number not in it" err "IP address mismatch.*--name-check"
hasnt "login to a number not in it" server.log "login"
fake play
once 1 $host:$port --name anna --tls --ca good.pem
has "TLS to a plain port" err "perhaps this port speaks without TLS"
fake drop,hold 127.0.0.1 $cert.pem $cert.key
start $host:$port --name anna --tls --ca good.pem -- "$bot"
await server.log "^2 holds"
stop "TLS reconnected"

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
