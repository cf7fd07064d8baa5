#!/bin/sh
# What organisers stumbled over: each item has a test of its own.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
for tool in python3 openssl; do
    command -v $tool >/dev/null || {
        echo "$tool is missing"
        exit 77
    }
done
shown="out err log"

# stop_server: it ends as it should.
stop_server() {
    kill "$daemon"
    wait "$daemon"
    same "the server ends" 0 $?
    daemon=''
}

# version_with LINE...: of a bot with these lines in its section.
version_with() {
    printf '%s\n' '[match]' 'game = second-chance' 'games = 1' 'bots = a, b' \
        '[bot b]' "command = $referee bot" '[bot a]' "$@" >version.ini
    rm -rf seen
    run 0 match --quiet --config version.ini --records seen
    version=$(sed -n 's/^seat . name=a .*digest=\([^ ]*\).*/\1/p' seen/*.rec)
}

# changed WHAT LINE...: the version is another one than before.
changed() {
    before=$version
    what=$1
    shift
    version_with "$@"
    count=$((count + 1))
    [ "$before" != "$version" ] || wrong "$what: the version did not change"
}

# Item 12: two tournaments, and two servers of the same second, in one folder.
mkdir -p club/records
for cup in spring summer; do
    cat >$cup.ini <<END
[tournament]
game = second-chance
seats = 2
games = 2
[bot a]
command = $referee bot
[bot b]
command = $referee bot
END
    run 0 tournament $cup.ini --quiet --records club/records/$cup
done
for i in 1 2; do
    mkdir twin-$i
    cat >twin-$i.ini <<END
[server]
data = twin-$i
[bot a]
command = $referee bot
[bot b]
command = $referee bot
[ladder one]
game = second-chance
seats = 2
games = 1
bots = a, b
join = none
END
    "$referee" serve twin-$i.ini --games 3 2>log.$i &
    eval "twin$i=$!"
done
wait $twin1 $twin2
for i in 1 2; do
    mkdir -p club/records/one-$i
    cp twin-$i/records/one/*.rec club/records/one-$i
done
same "records" 10 "$(cat club/records/*/*.rec | grep -c '^hash ')"
same "ids" 10 "$(cat club/records/*/*.rec | grep -o ' id=[^ ]*' | sort -u | wc -l)"
run 0 reindex club
has "nothing is left out" out "^club: 10 games on 3 ladders"
run 0 replay --quiet --id r01-t01-1 club/records/*/*.rec
has "a short name will do" out "^2 records: 2 valid"

# Item 13: a wrapper hides nothing.
mkdir -p anna/lib
printf '#!/bin/sh\nexec "%s" bot\n' "$referee" >anna/run.sh
chmod +x anna/run.sh
echo one >anna/lib/weights
version_with 'folder = anna' 'command = ./run.sh'
same "a digest" 64 "${#version}"
first=$version
mkdir -p anna/__pycache__ && touch anna/__pycache__/x anna/run.sh
version_with 'folder = anna' 'command = ./run.sh'
same "what Python leaves behind, and dates, do not count" $first $version
echo two >anna/lib/weights
changed "contents" 'folder = anna' 'command = ./run.sh'
chmod +x anna/lib/weights
changed "executable" 'folder = anna' 'command = ./run.sh'
mv anna/lib/weights anna/lib/weight
changed "names" 'folder = anna' 'command = ./run.sh'
ln -s lib/weight anna/link
changed "links" 'folder = anna' 'command = ./run.sh'
echo three >anna/lib/weight
changed "what a link leads to" 'folder = anna' 'command = ./run.sh'
second=$version
mv anna berta && cp -r berta anna
version_with 'folder = anna' 'command = ./run.sh'
same "the order of the file system does not count" $second $version
echo x >model
version_with 'files = model anna/run.sh' 'command = anna/run.sh'
echo y >model
changed "files" 'files = model anna/run.sh' 'command = anna/run.sh'
version_with 'version = spring-3' 'folder = anna' 'command = ./run.sh'
same "version" spring-3 "$version"
printf '%s\n' '[ladder x]' 'game = go' 'seats = 2' 'join = none' \
    'bots = a, b, c' '[bot a]' 'command = cat' 'files = nowhere' '[bot b]' \
    'command = cat' 'folder = nothing' '[bot c]' 'command = cat' \
    'version = a b' >wrong.ini
run 2 serve --check wrong.ini
has "no file" err 'bot a: files: nowhere cannot be read: No such file'
has "no folder" err 'wrong.ini:11: folder: there is no folder nothing$'
has "two words" err 'wrong.ini:14: version: must be one word'

# Item 20: a bot of a server or a tournament gets nothing of the organiser's.
printf '%s\n' '#!/bin/sh' 'env | sort >"$1"' "exec \"$referee\" bot" >show
chmod +x show
cat >cup.ini <<END
[tournament]
game = second-chance
seats = 2
games = 1
[bot a]
command = ./show $work/a.env
[bot b]
command = ./show $work/b.env
environment = GREETING="good day" LICENCE UNSET
environment = HOME=/nowhere
END
export SECRET=hush LICENCE=mit
run 0 tournament cup.ini
hasnt "tournament" a.env SECRET
same "nothing but these" "HOME LANG PATH " \
    "$(grep -vE '^(PWD|OLDPWD|SHLVL|_)=' a.env | sed 's/=.*//' | tr '\n' ' ')"
has "set" b.env '^GREETING=good day$'
has "passed on" b.env '^LICENCE=mit$'
has "overruled" b.env '^HOME=/nowhere$'
hasnt "what is not there" b.env UNSET
cat >ref.ini <<END
[server]
control = control
[bot a]
command = ./show $work/serve.env
[bot b]
command = $referee bot
[ladder one]
game = second-chance
seats = 2
bots = a, b
join = none
END
rm -f a.env
serve --games 1
wait "$daemon" && daemon=''
has "serve" serve.env '^PATH='
hasnt "serve" serve.env SECRET
run 0 match --quiet --game second-chance --games 1 "./show $work/own.env" \
    "$referee bot"
has "one's own bots in a match get everything" own.env '^SECRET=hush$'
unset SECRET LICENCE

# Item 21: a line as long as a command needs.
words=$(seq -s ' ' 2000)
printf '%s\n' '#!/bin/sh' 'echo $# >words' "exec \"$referee\" bot" >many
chmod +x many
version_with "command = ./many $words"
same "words of a command of $(echo "$words" | wc -c) bytes" 2000 "$(cat words)"

# For the rest: a server with TLS that bots may log in to.
certificate() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$1" \
        -keyout key.pem -out cert.pem 2>/dev/null
    chmod 600 key.pem
}
subject() {
    openssl s_client -connect "127.0.0.1:$tls_port" </dev/null 2>/dev/null |
        openssl x509 -noout -subject 2>/dev/null | tr -d ' '
}
order() {
    run 0 "$@" --control control
}
certificate spring
tokens anna bob
"$referee" token carl >carl.token 2>/dev/null
cat >ref.ini <<END
[server]
control = control
http = 0
stop-limit = 5s
[listen local]
port = 0
[listen world]
kind = tls
port = 0
certificate = cert.pem
private-key = key.pem
[bot house]
folder = house
command = ./run.sh
[bot home]
command = $referee bot
[ladder one]
game = second-chance
seats = 2
games = 1
max-games-per-pair = 3
bots = house, home
END
cp -r anna house
serve

# Item 15: certificates are read again.
same "before" "subject=CN=spring" "$(subject)"
certificate summer
order reload
same "after" "subject=CN=summer" "$(subject)"
has "no restart for that" out "read again: 0 changes$"
echo rubbish >cert.pem
run 1 reload --control control
same "a wrong one changes nothing" "subject=CN=summer" "$(subject)"
certificate autumn

# Item 23: a reload says what has changed.
echo 4 >house/lib/weight
sed -i 's/^max-games-per-pair = 3/max-games-per-pair = 4\ntime = move:5s/
    s/^stop-limit = 5s/stop-limit = 6s/' ref.ini
printf '%s\n' '[bot guest]' "command = $referee bot" >>ref.ini
sed -i '/^carl /d' keys
tokens dora
order reload
has "a key" out '^  \[ladder one\] max-games-per-pair: 4, before: 3$'
has "a key with a default" out '^  \[ladder one\] time: move:5s, before: move:10s$'
has "of the server" out '^  \[server\] stop-limit: 6s, before: 5s$'
has "a section" out '^  \[bot guest\] is new$'
has "files" out '^  \[bot house\] is a new version, [0-9a-f]{12}$'
has "a new login" out '^  keys: dora may log in now$'
has "a lost login" out '^  keys: carl may no longer log in$'
has "in all" out 'read again: 7 changes$'
has "in the log" log 'changed: \[bot guest\] is new$'
sed -i '/^\[bot guest/,$d' ref.ini
order reload
has "a section that is gone" out '^  \[bot guest\] was removed$'

# Item 17: wrong logins lock out a name at an address, not a campus; and it is
# said.
tr 0-9a-f 1-9a-f0 <bob.token >wrong.token
chmod 600 wrong.token
cat >knock.py <<'END'
import hashlib, hmac, re, socket, sys
port, name, file, times = sys.argv[1:]
token = open(file).read().strip()
for i in range(int(times)):
    with socket.create_connection(("127.0.0.1", int(port))) as s:
        f = s.makefile("rw")
        line = f.readline()
        nonce = line.split()[2]
        proof = hmac.new(token.encode(),
                         f"referee-login-1 {name} {nonce}".encode(),
                         hashlib.sha256).hexdigest()
        f.write(f"=1 {name} {proof}\n\n")
        f.flush()
        print("in" if "protocol_version" in f.readline() else "out")
END
python3 knock.py "$port" bob wrong.token 10 >/dev/null
await log "bob from 127.0.0.1 is refused for [0-9]+ s: too many failed logins$"
same "the right token does not help" out \
    "$(python3 knock.py "$port" bob bob.token 1)"
has "the reason is in the log" log \
    "refused bob .*: too many wrong logins as bob from there: try again in"
same "others at the same address" in \
    "$(python3 knock.py "$port" anna anna.token 1)"
order status
has "status" out "^locked out for [0-9]+ s after wrong logins: bob from 127.0.0.1$"

# Item 19: a pause outlives a restart.
order pause
has "paused" out "^paused"
stop_server
serve
has "still paused" log 'still paused: "referee resume" lets games start$'
same "in the status" paused "$(status 's["state"]')"
order resume
same "running" running "$(status 's["state"]')"
stop_server
serve
same "and stays so" running "$(status 's["state"]')"

# Item 23: the last line of the log.
for i in 1 2 3; do
    bot anna
done
await anna.out .
stop_server
bots_end
same "stopped is the last word" stopped "$(tail -n 1 log | sed 's/.* //')"

# Item 23: a pause in the middle of duplicate groups counts games as ever.
sed -i '/^\[bot/,$d' ref.ini
for name in a b c d; do
    printf '[bot %s]\ncommand = %s bot\n' $name "$referee"
done >>ref.ini
ladder pairs axiom 2 "join = none" "bots = a, b, c, d" "games = 4" \
    "copies = 2" "duplicate = yes"
serve
until_true 's["games"]["running"] > 1'
order pause
until_true 's["games"]["running"] == 0'
same "running games, by ladder" 0 "$(status 's["ladders"][0]["running"]')"
order resume
stop_server

# Item 23: a short status.
names=$(seq -f 'b%03g' -s ', ' 140)
sed -i '/^\[bot/,$d' ref.ini
for i in $(seq 140); do
    printf '[bot b%03d]\ncommand = false\n' "$i"
done >>ref.ini
ladder many second-chance 2 "join = none" "bots = $names" "games = 200"
serve
until_true 's["ladders"][0]["resting"].__len__() > 100'
order status
count=$((count + 1))
[ "$(wc -L <out)" -lt 200 ] || wrong "status is $(wc -L <out) bytes wide"
has "some names" out "rests: b[0-9]+, .* and [0-9]+ more\)"
order status --all
count=$((count + 1))
[ "$(wc -L <out)" -gt 300 ] || wrong "status --all is $(wc -L <out) bytes wide"
hasnt "all names" out ' more\)'
stop_server

# Item 22: a full disk, before any game has met it.
mkdir small
if mount -t tmpfs -o size=2m tmpfs small 2>/dev/null; then
    sed -i '/^\[bot/,$d; s/^\[server\]/&\ndata = small/' ref.ini
    serve
    healthz() {
        python3 -c 'import sys, urllib.request, urllib.error
try:
    print(urllib.request.urlopen(sys.argv[1]).read().decode().strip())
except urllib.error.HTTPError as e:
    print(e.code, e.read().decode().strip())' "http://127.0.0.1:$http_port/healthz"
    }
    same "room" ok "$(healthz)"
    head -c 4m /dev/zero >small/filler 2>/dev/null
    same "no room" "503 not ready: the disk of the data folder is full" \
        "$(healthz)"
    rm small/filler
    same "room again" ok "$(healthz)"
    stop_server
    umount small
else
    echo "no tmpfs can be mounted: a full disk is not tested"
fi

# Item 24: an anchor that always wins does not make everybody uncertain. The
# interval is that of the distance to the mean; only the anchor's own is wide.
python3 - <<'END'
import os, random
random.seed(7)
os.makedirs("class/records")
with open("class/records/a.rec", "w") as out:
    def game(n, names, winner):
        out.write(f"record 1\ngame axiom\nseats 2\nabout id=g{n:04} event=class "
                  f"start=2026-11-16T10:00:00Z\n")
        for i in (0, 1):
            out.write(f"seat {i + 1} name={names[i]} version=1\n")
        out.write(f"leave {2 - winner} resign\n")
        ranks = "1,2" if winner == 0 else "2,1"
        scores = "1,0" if winner == 0 else "0,1"
        out.write(f"result ranks={ranks} scores={scores} reason=forfeit "
                  f"left={2 - winner}:resign\n")
        out.write("hash -\n")
    bots = [f"b{i}" for i in range(6)]
    n = 0
    for _ in range(40):
        for i in range(6):
            for j in range(i):
                game(n, (bots[i], bots[j]), random.random() < 0.5)
                n += 1
    for b in bots:
        for _ in range(2):
            game(n, ("king", b), 0)
            n += 1
    game(n, ("late", "b0"), 1)
END
python3 - <<'END'
import hashlib
text = open("class/records/a.rec").read()
done = ""
for record in text.split("hash -\n")[:-1]:
    done += record + "hash " + hashlib.sha256(record.encode()).hexdigest() + "\n"
open("class/records/a.rec", "w").write(done)
END
run 0 reindex class
printf 'class king 2000\n' >anchors
run 0 ladder class --anchors anchors
margin() {
    tr '?' ' ' <out | awk -v name="$1" '$2 == name { print $5 }'
}
count=$((count + 2))
[ "$(margin b1)" -lt 100 ] || wrong "the field is uncertain: +-$(margin b1)"
[ "$(margin king)" -gt 150 ] || wrong "the king is certain: +-$(margin king)"
has "the anchor has its rating" out "king .* 2000"
has "few games" out "late .*[0-9]\? "
has "and why" out "^\? provisional: fewer than 20 games$"
run 0 ladder class --anchors anchors --json
has "JSON" out '"provisional": ?true'

# Item 24: a ladder of one seat ranks by mean score, with an interval.
cat >ref.ini <<END
[server]
data = solo
control = control
rate-every = 100ms
[bot weak]
command = $referee bot
[bot strong]
command = $referee bot --level 6
[ladder alone]
game = second-chance
seats = 1
bots = weak, strong
join = none
max-games-per-pair = 6
END
serve --games 12
wait "$daemon" && daemon=''
run 0 ladder solo --rate
run 0 ladder solo
hasnt "no wins where everybody plays alone" out "wins %"
has "mean scores" out "^mean scores of 12 games$"
has "titles" out "version +score +\+- +games"
has "an interval" out "^ +1 +[a-z]+ .* [0-9-]+\.[0-9][? ] *[0-9]+\.[0-9] +6 "
run 0 ladder solo --csv
same "fewer points are better here" "$(tail -n 2 out | cut -d, -f13 | sort -n)" \
    "$(tail -n 2 out | cut -d, -f13)"

# Item 24: byes of a knockout.
{
    printf '%s\n' '[tournament]' 'format = knockout' 'game = second-chance' \
        'seats = 2' 'games = 1'
    for i in 1 2 3; do
        printf '[bot b%d]\ncommand = %s bot\n' $i "$referee"
    done
} >cup.ini
run 0 tournament cup.ini --quiet --csv
has "b1 had a bye" out "^[1-3],b1,1,[^,]*,[^,]*,[^,]*,[^,]*,1,"
has "b2 had none" out "^[1-3],b2,2,[^,]*,[^,]*,[^,]*,[^,]*,0,"

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
