#!/bin/sh
# Newcomers take names with invitations: rightly, wrongly, in a flood.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
command -v python3 >/dev/null || {
    echo "python3 is missing"
    exit 77
}
. "$(dirname "$0")/checks.sh"
shown="out err log"
mark=register-$$
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
PATH=$(dirname "$referee"):$PATH

config() { # LINE...
    cat >ref.ini <<EOF
[server]
data = data
keys = keys
control = control
http = 127.0.0.1:0
failed-logins = 100
stop-limit = 1s
EOF
    printf '%s\n' "$@" >>ref.ini
    cat >>ref.ini <<EOF
[listen local]
port = ${port:-0}
[bot house]
command = referee bot
[ladder cards]
game = second-chance
seats = 2
time = move:60s
bots = house
[handins]
folder = shelf
[ladder more]
game = second-chance
seats = 1
time = move:60s
handins = yes
join = none
EOF
}

# invite OPTION...: its codes are in `codes`, and the first one in $code.
invite() {
    "$referee" people invite "$@" >codes 2>err
    same "invite $*" 0 $?
    code=$(head -n 1 codes)
}

# register CODE NAME INVITATION [OPTION...]
register() {
    want=$1 who=$2 with=$3
    shift 3
    timeout 120 "$referee" register "127.0.0.1:$port" --name "$who" \
        --code "$with" "$@" >out 2>err
    same "register $who $*" "$want" $?
}

# plays NAME: until a game with this token is over.
plays() {
    timeout 120 "$referee" connect "127.0.0.1:$port" --name "$1" --token-file \
        "$1.token" -- referee bot >connected.out 2>connected.err &
    clients="$clients $!"
    await connected.err 'game [^ ]*: (won|lost|drew)'
    bots_end
}

# Without the key in the file nobody registers.
mkdir -p shelf/emil
echo >keys
chmod 600 keys
config
serve
invite
register 1 dora "$code"
has "it is closed" err 'this server takes no registrations; ask the organiser'
same "no token is left" "" "$(ls ./*.token 2>/dev/null)"

# From a code to games, without a word of the organiser.
config "invitations = invitations"
"$referee" reload --control control >out 2>err
invite --uses 2 --until 2100-01-01
register 0 dora "$code"
has "what to do next" out '^    referee submit 127.0.0.1:.* --token-file dora.token'
same "the token is a secret" "600 44" "$(stat -c '%a %s' dora.token)"
has "in the log" log "dora registered with invitation ${code%%-*} from 127.0.0.1"
"$referee" log data >out
has "in the organiser's log" out "invitation ${code%%-*}: register dora\$"
has "its own owner" keys '^dora [0-9a-f]* dora$'
same "only keys are kept" 0 "$(grep -c "$code" invitations)"
plays dora

# Names that are taken, or none.
for name in DORA house House emil guest; do
    register 1 $name "$code"
    has "taken: $name" err "the name $name is taken; choose another one"
done
register 1 .hidden "$code"
has "no such name" err 'is not a name: .* with a letter or digit first'
register 2 "a b" "$code"
has "no name at all" err 'is not a name'
register 2 dora "$code"
has "the token is safe" err 'dora.token is there already'
"$referee" people invitations >out
has "nothing was used up" out "^${code%%-*}  open  *1/2  *2100-01-01T23:59:59Z  dora\$"

# The Python client. A name stays taken when its token is gone.
python3 "$src/sample-bots/python/connect.py" 127.0.0.1 "$port" eve eve.token \
    --register "$code" >out 2>err
same "the Python client" 0 $?
has "its token" out '^eve is registered; its token is in eve.token$'
plays eve
echo precious >kept.token
python3 - >away.port <<'EOF' &
import socket
door = socket.create_server(("127.0.0.1", 0))
print(door.getsockname()[1], flush=True)
door.accept()[0].sendall(b"# bye the server is full\n")
EOF
await away.port .
python3 "$src/sample-bots/python/connect.py" 127.0.0.1 "$(cat away.port)" \
    fred kept.token --register "$code" >out 2>err
same "turned away before the login" 1 $?
has "why" err 'the server is full'
same "the file of another token stays" precious "$(cat kept.token)"
rm kept.token
register 1 frank "$code"
has "used up" err 'this invitation is used up'
"$referee" people uninvite "${code%%-*}" --with-bots >out 2>err
has "revoked" out '^1 invitation revoked, and 2 tokens; '
same "no keys are left" 0 "$(grep -c . keys)"
"$referee" reload --control control >out 2>err
invite --owner "group 3" --uses 3
register 1 eve "$code" --token-file eve.new
has "somebody else's games" err 'the name eve is taken'
timeout 60 "$referee" connect "127.0.0.1:$port" --once --name eve --token-file \
    eve.token -- referee bot >out 2>err
has "the token is worth nothing" err 'wrong login'

# Owners, ends, revoked ones, wrong ones.
register 0 gina "$code"
register 0 hugo "$code"
same "one owner" 2 "$(grep -c ' group 3$' keys)"
"$referee" people uninvite "$code" >out 2>err
has "by its code" out '^1 invitation revoked.$'
register 1 ivan "$code"
has "revoked" err 'this invitation was revoked'
same "the bots stay" 2 "$(grep -c ' group 3$' keys)"
invite --until 2020-01-01
register 1 ivan "$code"
has "expired" err 'this invitation has expired'
register 1 ivan k7qf2m-9xwp-4tj6-rd3k-m8hn
has "wrong" err 'wrong invitation: there is no such code here'
invite
register 1 ivan "${code%-*}-2222"
has "a wrong end" err 'wrong invitation'
same "no token is left" "" "$(ls ivan.token 2>/dev/null)"

# Wrong use, in one sentence.
use() { # TEXT WORD...
    text=$1
    shift
    "$referee" "$@" >out 2>err
    same "$*" 2 $?
    has "$*" err "$text"
}
use "register needs a server" register
use "say which code" register localhost:1 --name x
use "name is missing" register localhost:1 --code "$code"
use "this is not a code" register localhost:1 --name x --code hello
use "--uses" people invite --uses 0
use "must be a time in UTC" people invite --until tomorrow
use "must be a time in UTC" people invite --until 2026-02-29
use "must be a time in UTC" people invite --until 2026-13-01T00:00:00Z
use "has no invitation" people uninvite nobody
use "name invitations by their ids" people uninvite
use "invitatoins does not exist" people invitations --invitations invitatoins
use "invitatoins does not exist" people uninvite --all --invitations invitatoins
use "no connection" register localhost:1 --name x --code "$code"
same "no token is left" "" "$(ls x.token 2>/dev/null)"

# In bulk, as CSV and JSON; many at once.
invite --count 30
same "thirty codes" 30 \
    "$(sort -u codes | grep -cE '^[2-9a-z]{6}(-[2-9a-z]{4}){4}$')"
i=0 pids=
while read -r one; do
    i=$((i + 1))
    "$referee" register "127.0.0.1:$port" --name "m$i" --code "$one" \
        >"m$i.out" 2>"m$i.err" &
    pids="$pids $!"
done <codes
for pid in $pids; do
    wait $pid
    same "one of many" 0 $?
done
same "all have keys" 30 "$(grep -c '^m[0-9]* ' keys)"
"$referee" people invitations --csv >out
same "and stand in the list" 30 "$(grep -cE ',used up,1,1,,,m[0-9]+$' out)"
"$referee" people invitations --json >out
has "as JSON" out '"state": "used up"'

# Four want the same name at once, and one code serves once: one of them gets it.
invite
pids=
for i in 1 2 3 4; do
    "$referee" register "127.0.0.1:$port" --name same --code "$code" \
        --token-file "same$i.token" >"same$i.out" 2>"same$i.err" &
    pids="$pids $!"
done
won=0
for pid in $pids; do
    wait $pid && won=$((won + 1))
done
same "one gets it" 1 $won
same "one key" 1 "$(grep -c '^same ' keys)"
same "one token" 1 "$(ls same*.token | wc -l)"

# A flood: no more than so many in an hour; and who guesses is locked out.
config "invitations = invitations" "registrations = 37"
"$referee" reload --control control >out 2>err
invite --uses 100
for i in $(seq 10); do
    "$referee" register "127.0.0.1:$port" --name "f$i" --code "$code" \
        >out 2>err || break
done
has "so many in an hour" err 'newcomers have registered in this hour, which is the limit; try again in [0-9]+ min'
sed -i 's/^failed-logins.*/failed-logins = 3/' ref.ini
"$referee" reload --control control >out 2>err
for i in 2 3 4 5; do
    "$referee" register "127.0.0.1:$port" --name "g$i" --code \
        "$i$i$i$i$i$i-9xwp-4tj6-rd3k-m8hn" >out 2>err
    same "a guess" 1 $?
done
has "locked out" err 'too many wrong logins as a newcomer from there'
"$referee" status --control control >out
has "status says so" out 'locked out for .* s after wrong logins: a newcomer from 127.0.0.1'
plays gina

# Keys that cannot be written: the name is not lost, and no use is used up.
kill $daemon
wait $daemon 2>/dev/null
config "invitations = invitations"
serve
invite
mv keys keys.away
mkdir keys
register 1 jan "$code"
has "our fault" err 'the server cannot write; that is not your fault'
rmdir keys
mv keys.away keys
register 0 jan "$code"
"$referee" people invitations >out
has "used once" out "^${code%%-*}  used up  *1/1 .*jan\$"

kill $daemon
wait $daemon
same "the end" 0 $?
daemon=
gone "after the end"
echo "$count checks"
[ "$failed" = 0 ]
