#!/bin/sh
# referee serve --check: files that are right, and files that are wrong, which
# must get all their complaints at once, word for word.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 count=0

# check CODE: what the file on standard input must get; the lines are in want.
check() {
    count=$((count + 1))
    cat >bad.ini
    "$referee" serve --check bad.ini >out 2>err </dev/null
    got=$?
    sed 's/^referee: //' err >>out
    if [ "$got" != "$1" ] || ! cmp -s want out; then
        echo "case $count: exit code $got, expected $1:"
        diff want out
        failed=$((failed + 1))
    fi
}

# Lines "12: TEXT" and ": TEXT", as they are printed.
expect() {
    for line; do
        printf 'bad.ini%s\n' "$(printf %s "$line" | sed 's/^[0-9]/:&/')"
    done
}

# wrong LINE...: exactly these complaints.
wrong() {
    expect "$@" >want
    check 2
}

# right COUNTS [WARNING...]
right() {
    printf 'bad.ini is correct: %s\n' "$1" >want
    shift
    expect "$@" >>want
    check 0
}

hex=0123456789abcdef0123456789abcdef
hex=$hex$hex$hex$hex
umask 077
printf 'anna %s Anna\nbob %s Bob\n' "$hex" "$hex" >keys
printf '#!/bin/sh\ncat\n' >bot
printf 'some text\n' >text
chmod +x bot
mkdir data folder

# The shortest one that is right.
right "1 listener, 1 ladder, 0 bots, 2 keys" <<END
[listen local]
port = 7000
[ladder one]
game = rondo
seats = 2
END

# Everything at once, with blanks, comments, and a byte order mark.
printf '\357\273\277; all of it\n' >all.ini
cat >>all.ini <<END
[server]
    data = data
    keys = keys                 ; who may come
    control = data/control
    http = [::1]:8080
    log-level = debug
    connections = 5000
    connections-per-address = 5000
    connections-per-name = 20
    login-limit = 500ms
    failed-logins = 3
    plain-tokens = no
    grace = 1.5m
    lag-cap = 250ms
    stop-limit = 0
    rate-every = 1m
    durable = no

[listen local]
    kind = tcp
    address = localhost
    port = 7000
[listen six]
    address = ::1
    port = 7000
[ listen   socket ]
    kind = unix
    path = data/socket

# Programs of this machine.
[bot greedy]
    command = ./bot
[bot piped]
    command = sh bot | cat
    directory = folder
    environment = A=1
    environment = B=2
    quit-limit = 1s
    restart = yes

[ladder duel]
    game = rondo
    seats = 2
    set = board=red
    time = fischer:60s+1s
    join = anna
    join = bob
    bots = greedy
    bots = piped
    local-games = no
    pairing = even
    meetings = 20
    duplicate = yes
    anchor = greedy -1500
    games = 3
    copies = 2
    illegal = retry:2
    lenience = 20ms
    start-limit = 5s
    move-cap = 10s
[ladder four]
    game: second-chance
    seats: 4
    bots: greedy, piped
[ladder local]
    game: axiom
    seats: 2
    time: bank:5m,cpu
    join: none
    bots: piped greedy
END
right "3 listeners, 3 ladders, 2 bots, 2 keys" <all.ini

# Without network bots neither a listener nor keys are needed.
right "0 listeners, 1 ladder, 2 bots, 0 keys" <<END
[bot a]
command = ./bot
[bot b]
command = ./bot
[ladder one]
game = axiom
seats = 2
join = none
bots = a, b
END
wrong ': there is no [listen NAME], so no bot could connect; for example: [listen local] with port = 7000, or join = none in every ladder' <<END
[ladder one]
game = axiom
seats = 2
END

# Nothing at all.
wrong ': warning: there is no [ladder NAME], so no game will start' \
    ': there is no [listen NAME], so no bot could connect; for example: [listen local] with port = 7000' </dev/null

# Words that do not exist.
wrong '1: "data" comes before the first section; put it under [server]' \
    '2: there is no section [sever]; did you mean [server]?' \
    '4: there is no section [laddre]; did you mean [ladder NAME]?' \
    ': warning: there is no [ladder NAME], so no game will start' \
    ': there is no [listen NAME], so no bot could connect; for example: [listen local] with port = 7000' <<END
data = data
[sever]
data = data
[laddre one]
game = rondo
END

wrong '2: [server] has no key "dat"; did you mean data?' \
    '3: [server] has no key "connection-per-name"; did you mean connections-per-name?' \
    '4: [server] has no key "port"; [listen NAME] has it' \
    '7: [listen local] has no key "adress"; did you mean address?' \
    '10: [bot greedy] has no key "comand"; did you mean command?' \
    '13: [ladder one] has no key "gmae"; did you mean game?' \
    '14: [ladder one] has no key "command"; [bot NAME] has it' <<END
[server]
dat = data
connection-per-name = 3
port = 7000
[listen local]
port = 7000
adress = 127.0.0.1
[bot greedy]
command = ./bot
comand = ./bot
[ladder one]
game = rondo
gmae = rondo
command = x
seats = 2
END

# Lines that are no lines.
long=$(printf '%070000d' 0)
wrong '2: neither [SECTION] nor KEY = VALUE' \
    '4: "[ladder one" has no ] at its end' \
    '6: "port = 7000" follows a section on the same line; begin a new line' \
    '7: a line of 70007 bytes; at most 65536; put the rest into a file of its own' \
    '7: path: a listener of kind = tcp has none' \
    '8: port: a value is missing; write port = PORT' \
    '9: address: a comment after a value begins with ; or has a line of its own' \
    ': warning: there is no [ladder NAME], so no game will start' <<END
[server]
data

[ladder one
game = rondo
[listen local] port = 7000
path = $long
port =
address = 127.0.0.1 # here
END

wrong '4: a line of 70016 bytes; at most 65536; put the rest into a file of its own' \
    '8: a line of 70010 bytes; at most 65536; the key may be given more than once, in several lines' <<END
[listen a]
port = 7000
[bot a]
command = ./bot $long
[ladder a]
game = rondo
seats = 2
bots = a, $long
END

printf '[listen a]\nport = 1\0\nport = 7000\n[ladder a]\ngame = rondo\nseats = 2\n' >nul.ini
wrong '2: a NUL byte: this is not a text file' <nul.ini

# Twice.
wrong '3: data is already given in line 2' \
    '4: [server] is already in line 1; put all its keys there' \
    '8: port is already given in line 7' \
    '9: [listen local] is already in line 6; put all its keys there' \
    '14: seats is already given in line 13' \
    '16: set: board is already set in line 15' \
    '17: [ladder one] is already in line 11; put all its keys there' <<END
[server]
data = data
data = data
[server]

[listen local]
port = 7000
port = 7001
[listen local]
port = 7002
[ladder one]
game = rondo
seats = 2
seats = 3
set = board=red
set = board=blue
[ladder one]
game = rondo
seats = 2
END

# Names of sections.
wrong '1: [server] takes no name, such as "one"' \
    '2: [listen] needs a name: [listen NAME]' \
    '4: a name has 1 to 32 letters, digits or ._+-, not "my bot"' \
    '6: a name has 1 to 32 letters, digits or ._+-, not "a/b"' <<END
[server one]
[listen]
port = 7000
[bot my bot]
command = ./bot
[ladder a/b]
game = rondo
seats = 2
END

# Numbers, times, yes or no, words.
wrong '2: connections: must be a number from 1 to 100000, not "0"' \
    '3: connections-per-address: must be a number from 1 to 100000, not "many"' \
    '4: connections-per-name: must be a number from 1 to 100000, not "-1"' \
    '5: failed-logins: must be a number from 1 to 100000, not "100001"' \
    '6: login-limit: must be from 100ms to 1h, not "5ms"' \
    '7: grace: "60" is not a duration; write it like 500ms or 2s' \
    '8: lag-cap: must be from 0s to 10s, not "1m"' \
    '9: stop-limit: "soon" is not a duration; write it like 500ms or 2s' \
    '10: plain-tokens: must be yes or no, not "maybe"' \
    '11: log-level: must be error, warning, info or debug, not "warn"; did you mean warning?' \
    '13: kind: must be tcp, tls or unix, not "tsl"; did you mean tls?' \
    '14: port: must be a number from 0 to 65535, not "65536"' \
    '18: seats: must be a number from 1 to 6, not "two"' <<END
[server]
connections = 0
connections-per-address = many
connections-per-name = -1
failed-logins = 100001
login-limit = 5ms
grace = 60
lag-cap = 1m
stop-limit = soon
plain-tokens = maybe
log-level = warn
[listen local]
kind = tsl
port = 65536
certificate = text
[ladder one]
game = rondo
seats = two
END

# Addresses.
wrong '2: http: must be off, a port, or ADDRESS:PORT such as 127.0.0.1:8080, not "example.org:80"' \
    '4: address: "127.1" is not an address; write 127.0.0.1 or ::1 for this machine, 0.0.0.0 or :: for the world' \
    '7: address: "[::1]" is not an address; write 127.0.0.1 or ::1 for this machine, 0.0.0.0 or :: for the world' \
    ': warning: there is no [ladder NAME], so no game will start' <<END
[server]
http = example.org:80
[listen a]
address = 127.1
port = 7000
[listen b]
address = [::1]
port = 7000
END

for http in -1 8080x 127.0.0.1: :8080 ::1:99999 127.0.0.1:8080:; do
    wrong "2: http: must be off, a port, or ADDRESS:PORT such as 127.0.0.1:8080, not \"$http\"" \
        ': warning: there is no [ladder NAME], so no game will start' <<END
[server]
http = $http
[listen a]
port = 7000
END
done

# Ports that are taken.
wrong '6: port 7000 on 127.0.0.1 is already taken by [listen a] on 127.0.0.1 in line 4' \
    '9: port 7000 on 0.0.0.0 is already taken by [listen a] on 127.0.0.1 in line 4' \
    '9: port 7000 on 0.0.0.0 is already taken by [listen b] on 127.0.0.1 in line 6' \
    '12: port 8080 on :: is already taken by http on 127.0.0.1 in line 2' \
    ': warning: there is no [ladder NAME], so no game will start' <<END
[server]
http = 8080
[listen a]
port = 7000
[listen b]
port = 7000
[listen c]
address = 0.0.0.0
port = 7000
[listen d]
address = ::
port = 8080
END

right "4 listeners, 1 ladder, 0 bots, 2 keys" <<END
[listen a]
port = 7000
[listen b]
address = 127.0.0.2
port = 7000
[listen c]
port = 0
[listen d]
port = 0
[ladder one]
game = axiom
seats = 2
END

# What a kind of listener needs.
wrong '1: [listen a] has no port, which kind = tcp needs; for example: port = 7000' \
    '2: [listen b] has no port, which kind = tls needs; for example: port = 7000' \
    '2: [listen b] has no certificate, which kind = tls needs; for example: certificate = cert.pem' \
    '2: [listen b] has no private-key, which kind = tls needs; for example: private-key = key.pem' \
    '4: [listen c] has no path, which kind = unix needs; for example: path = data/socket' \
    '6: port: a listener of kind = unix has none' \
    '7: address: a listener of kind = unix has none' \
    '10: path: a listener of kind = tcp has none' \
    '11: certificate: a listener of kind = tcp has none' \
    ': warning: there is no [ladder NAME], so no game will start' <<END
[listen a]
[listen b]
kind = tls
[listen c]
kind = unix
port = 7000
address = 127.0.0.1
[listen d]
port = 7001
path = data/socket
certificate = text
END

# Files and folders.
wrong '2: data: text is not a folder' \
    '3: keys: there is no file no-keys; "referee token NAME" creates it' \
    '4: control: there is no folder no-folder' \
    '7: path: text exists, and is not a socket' \
    '10: path: there is no folder no/folder' \
    '14: certificate: no.pem cannot be read: No such file or directory' \
    '15: private-key: folder is not a file' \
    ': warning: there is no [ladder NAME], so no game will start' <<END
[server]
data = text
keys = no-keys
control = no-folder/control
[listen a]
kind = unix
path = text
[listen b]
kind = unix
path = no/folder/socket
[listen c]
kind = tls
port = 7001
certificate = no.pem
private-key = folder
END

wrong '2: control: the socket cannot be turned off; without this line it is data/control' \
    ': warning: there is no [ladder NAME], so no game will start' <<END
[server]
control = off
[listen local]
port = 7000
END

wrong '2: data: there is no folder no/where to create no/where/data in' \
    '3: keys: folder is not a file' \
    '6: path: a path of 115 bytes; a Unix socket allows 107' \
    '9: path: no/where/data/control is already taken by control in line 1' \
    ': warning: there is no [ladder NAME], so no game will start' <<END
[server]
data = no/where/data
keys = folder
[listen a]
kind = unix
path = /tmp/$(printf %.110s "$hex")
[listen b]
kind = unix
path = no/where/data/control
END

# A folder that is yet to be made is right.
right "1 listener, 1 ladder, 0 bots, 2 keys" <<END
[server]
data = folder/new
[listen a]
kind = unix
path = folder/new/socket
[ladder one]
game = axiom
seats = 2
END

# Bots.
wrong '1: [bot a] has no command; for example: command = ./mybot' \
    '3: bot b: there is no ./no-bot' \
    '5: bot c: ./text is not executable; run "chmod +x" on it, or name its interpreter in the command' \
    '7: bot d: there is no program "no-such-program"; for a program in this folder write ./no-such-program' \
    '10: directory: there is no folder nowhere' \
    '11: environment: must be NAME or NAME=VALUE, with quotes around a value with blanks, not "-x"' \
    '12: restart: must be yes or no, not "often"' \
    '13: quit-limit: must be from 0s to 1h, not "2h"' \
    '14: time: "never" does not begin with a time system: write none, or one like move:500ms, bank:5m, fischer:60s+1s, delay:60s+2s, bronstein:60s+2s, byoyomi:5m+3x30s, canadian:5m+60s/10, hourglass:60s' \
    ': warning: there is no [ladder NAME], so no game will start' <<END
[bot a]
[bot b]
command = ./no-bot
[bot c]
command = ./text
[bot d]
command = no-such-program
[bot e]
command = sh bot
directory = nowhere
environment = HOME -x
restart = often
quit-limit = 2h
time = never
[listen a]
port = 7000
END

# Ladders.
wrong '3: [ladder a] has no game; for example: game = axiom' \
    '3: [ladder a] has no seats; for example: seats = 2' \
    '4: [ladder b] has no seats; rondo has 2 to 4, for example: seats = 4' \
    '7: game: there is no game "rondoo"; did you mean rondo?' \
    '11: rondo takes 2 to 4 seats, not 5' \
    '14: rondo takes 2 to 4 seats, not 6' \
    '15: set: rondo has no option "bord"; did you mean board?' \
    '16: set: must be OPTION=VALUE, one per line, not "red"' \
    '17: set: no.txt cannot be opened: No such file or directory' <<END
[listen a]
port = 7000
[ladder a]
[ladder b]
game = rondo
[ladder c]
game = rondoo
seats = 2
[ladder d]
game = rondo
seats = 5
[ladder e]
game = rondo
seats = 6
set = bord=red
set = red
set = board=@no.txt
END

wrong '6: time: "soon" does not begin with a time system: write none, or one like move:500ms, bank:5m, fischer:60s+1s, delay:60s+2s, bronstein:60s+2s, byoyomi:5m+3x30s, canadian:5m+60s/10, hourglass:60s' \
    '7: illegal: must be forfeit or retry:N, such as retry:2, not "retry"' \
    '8: lenience: must be from 0s to 1m, not "61s"' \
    '9: start-limit: must be from 100ms to 1h, not "0"' \
    '10: move-cap: must be from 10ms to 24h, not "25h"' \
    '11: games: must be a number from 1 to 10000, not "0"' \
    '12: bots: there is no [bot gredy]; did you mean greedy?' \
    '13: meetings: must be a number from 0 to 1000000, not "-1"' \
    '14: join: "all" cannot be combined with names' \
    '15: pairing: must be close, even or random, not "swiss"' \
    '16: copies: must be a number from 1 to 1000, not "0"' \
    '17: anchor: must be the name of a bot and its rating from -10000 to 10000, such as greedy 1500, not "greedy"' \
    '18: local-games: must be yes or no, not "maybe"' \
    '19: duplicate: must be yes or no, not "twice"' \
    '22: seats: 3 of them, but bots and join have 2 names: no game could start' \
    '23: time: CPU time cannot be measured over a network; write ",wall" or nothing in place of ",cpu", or set join = none' \
    '24: bots: greedy is listed twice; for several games at once use copies' \
    '25: join: a name has 1 to 32 letters, digits or ._+-, not "a/b"' \
    '29: seats: 2 of them, but bots and join have 1 name: no game could start' \
    '31: local-games: with join = none there are no network bots, so no game could start' \
    '35: seats: 2 of them, but bots and join have 0 names: no game could start' \
    '37: anchor: greedy is not one of this ladder'"'"'s bots; add it to bots' \
    '43: meetings: a group of duplicate games alone has 4, so use at least that, or 0 for no limit' \
    '47: duplicate: one seat cannot be rotated' \
    '48: [ladder ..]: its records are in a folder of this name, which must not begin with a dot' <<END
[listen a]
port = 7000
[ladder a]
game = rondo
seats = 2
time = soon
illegal = retry
lenience = 61s
start-limit = 0
move-cap = 25h
games = 0
bots = gredy
meetings = -1
join = all, anna
pairing = swiss
copies = 0
anchor = greedy
local-games = maybe
duplicate = twice
[ladder b]
game = rondo
seats = 3
time = bank:5m,cpu
bots = greedy greedy
join = a/b
[bot greedy]
command = ./bot
[ladder c]
seats = 2
game = axiom
local-games = no
join = none
bots = greedy
[ladder d]
seats = 2
game = axiom
anchor = greedy 1000
join = none
[ladder e]
seats = 4
game = rondo
duplicate = yes
meetings = 3
[ladder f]
game = second-chance
seats = 1
duplicate = yes
[ladder ..]
seats = 2
game = axiom
END

wrong '6: bots: there is no [bot greedy]; add that section' <<END
[listen a]
port = 7000
[ladder a]
game = rondo
seats = 2
bots = greedy
END

# A guess is near, or there is none.
wrong '2: log-level: must be error, warning, info or debug, not "zzz"' \
    '9: bots: there is no [bot xyzzy]; add that section' \
    '10: pairing: must be close, even or random, not "9"' <<END
[server]
log-level = zzz
[bot greedy]
command = ./bot
[ladder a]
game = rondo
seats = 2
join = anna
bots = greedy, xyzzy
pairing = 9
[listen a]
port = 7000
END

# Tables for visitors are neither ladders nor bots of the file.
right "0 listeners, 0 ladders, 0 bots, 2 keys; visitors can play 2 games" <<END
[server]
data = data
keys = keys
http = 127.0.0.1:0
[play]
games = rondo, go
END

# What is allowed, but hardly meant.
chmod o+r keys
right "1 listener, 2 ladders, 1 bot, 2 keys" \
    '2: warning: keys: everybody can read keys; run "chmod o-r" on it' \
    '4: warning: [listen a] is not limited to this machine and has no TLS, so plain-tokens shows tokens to the network' \
    '7: warning: [bot anna]: a bot with a key has the same name' \
    '9: warning: time: on a ladder all bots have the ladder'"'"'s time control' \
    '13: warning: join: ana has no key in keys; did you mean anna?' \
    '13: warning: join: zoe has no key in keys; "referee token zoe --keys keys" makes one' <<END
[server]
keys = keys
plain-tokens = yes
[listen a]
address = 0.0.0.0
port = 7000
[bot anna]
command = ./bot
time = move:1s
[ladder a]
game = rondo
seats = 2
join = ana, zoe
bots = anna
[ladder b]
game = rondo
seats = 2
END

chmod o-r keys
cat >tokens.ini <<END
[listen a]
port = 7000
[ladder a]
game = rondo
seats = 2
END
printf 'anna %s Anna\nbob xyz Bob\n' "$hex" >keys
wrong ': keys: keys:2: the key of bob must be 128 hex digits, not 3 bytes' \
    <tokens.ini
printf 'anna %s Anna\nbob %s\nanna %s\n' "$hex" "$hex" "$hex" >keys
wrong ': keys: keys: anna is listed twice: keep one of its lines' <tokens.ini
: >keys
right "1 listener, 1 ladder, 0 bots, 0 keys" \
    ': warning: keys: keys has no keys yet, so nobody can log in; "referee token NAME" adds one' \
    <tokens.ini
printf 'anna %s Anna\n' "$hex" >keys

# Certificates.
if command -v openssl >/dev/null; then
    for name in one two; do
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
            -subj "/CN=$name" -keyout "$name.key" -out "$name.pem" 2>/dev/null
    done
    openssl pkey -in one.key -aes128 -passout pass:x -out locked.key
    chmod o+r two.key
    # tls CERTIFICATE KEY
    tls() {
        cat >tls.ini <<END
[listen a]
kind = tls
port = 7000
certificate = $1
private-key = $2
[ladder a]
game = rondo
seats = 2
END
    }
    tls one.pem one.key
    right "1 listener, 1 ladder, 0 bots, 1 key" <tls.ini
    tls two.pem two.key
    right "1 listener, 1 ladder, 0 bots, 1 key" \
        '5: warning: private-key: everybody can read two.key; run "chmod o-r" on it' \
        <tls.ini
    chmod o-r two.key
    tls one.key one.pem
    wrong '4: certificate: one.key contains no certificate in PEM' <tls.ini
    for key in two.key text locked.key one.pem; do
        tls one.pem $key
        wrong "5: private-key: $key contains no key without a password that belongs to one.pem" \
            <tls.ini
    done
fi

# Files that cannot be read at all.
for file in none.ini folder; do
    count=$((count + 1))
    if "$referee" serve --check $file >out 2>err || [ $? != 2 ] ||
        [ "$(wc -l <err)" != 1 ] || ! grep -q "^referee: $file: cannot" err; then
        echo "$file:"
        cat out err
        failed=$((failed + 1))
    fi
done

# A file of nothing but mistakes ends as well.
seq 1 5000 >seq.ini
count=$((count + 1))
"$referee" serve --check seq.ini 2>err
[ $? = 2 ] && [ "$(wc -l <err)" = 201 ] ||
    { echo "seq.ini:" && tail -n 3 err && failed=$((failed + 1)); }

echo "$count files, $failed wrongly judged"
[ $failed = 0 ]
