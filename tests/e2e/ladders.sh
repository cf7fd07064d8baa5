#!/bin/sh
# Ladders: who meets whom and how often, groups of duplicate games, local and
# network bots, versions, a reload, and a start with other settings.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
src=$(cd "${srcdir:-.}" && pwd)
command -v python3 >/dev/null || {
    echo "python3 is missing"
    exit 77
}
. "$(dirname "$0")/checks.sh"
shown="log"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1

# ended WHAT [SIGNAL]
ended() {
    [ -n "$2" ] && kill -"$2" "$daemon"
    wait "$daemon"
    same "$1: exit code" 0 $?
    daemon=''
    bots_end
    find data/records -name '*.rec' | xargs -r "$referee" replay --quiet \
        >out 2>&1
    same "$1: replay" 0 $?
    same "$1: damaged" 0 "$(ls data/damaged | wc -l)"
}

# config LINE...: [server], a listener, and the local bots a to f.
config() {
    cat >ref.ini <<END
[server]
control = control
log-level = debug
$(printf '%s\n' "$@")
[listen local]
port = 0
END
    seed=0
    for name in a b c d e f; do
        seed=$((seed + 1))
        printf '[bot %s]\ncommand = %s none %s\n' $name "$bad" $seed >>ref.ini
    done
}

# records LADDER
records() {
    games_apart
    ls games/"$1"/*.rec 2>/dev/null
}

# seats FILE: "NAME NAME ..."
seats() {
    sed -n 's/^seat . name=\([^ ]*\).*/\1/p' "$1" | xargs
}

# pairs LADDER: how often any two have met, a line each.
pairs() {
    for record in $(records "$1"); do
        seats "$record" | tr ' ' '\n' | sort | xargs
    done | awk '{ for (i = 1; i <= NF; i++) for (j = i + 1; j <= NF; j++)
        print $i, $j }' | sort | uniq -c | awk '{ print $1, $2, $3 }'
}

tokens anna bob carl

# The bound: all meet so often and no more, then it is quiet.
config "rate-every = 0"
ladder even rondo 2 "join = none" "bots = a, b, c, d" "pairing = even" \
    "meetings = 3"
ladder close rondo 2 "join = none" "bots = a, b, c" "meetings = 4"
ladder random rondo 3 "join = none" "bots = a, b, c" "pairing = random" \
    "meetings = 2"
ladder alone second-chance 1 "join = none" "bots = a, b" "meetings = 3"
serve
until_true "all(l['exhausted'] for l in s['ladders'])"
same "bound: games" $((6 * 3 + 3 * 4 + 2 + 6)) \
    "$(status "s['games']['done']")"
same "bound: running" 0 "$(status "s['games']['running']")"
"$referee" status --control control >out 2>&1
same "bound: status" 4 "$(grep -c ' (used up)$' out)"
for name in even close random alone; do
    same "bound: log of $name" 1 "$(grep -c \
        "$name is exhausted: its bots have met as often as max-games-per-pair = " log)"
done
ended "bound" TERM
same "bound: even" 6 "$(pairs even | grep -c '^3 ')"
same "bound: close" 3 "$(pairs close | grep -c '^4 ')"
same "bound: random" 3 "$(pairs random | grep -c '^2 ')"
same "bound: alone" "3 a 3 b" "$(for record in $(records alone); do
    seats "$record"
done | sort | uniq -c | xargs)"
for record in $(records even); do
    has "the record says where it belongs" "$record" \
        "^about id=$(basename "$record" .rec) event=even unit=$(basename \
            "$record" .rec) part=1/1 start=20..-..-..T..:..:..Z tag=[0-9a-f]{32}$"
done

# What was played counts after a start; with a new bound they go on from there.
serve
until_true "all(l['exhausted'] for l in s['ladders'])"
same "bound, again: games" 0 "$(status "s['games']['done']")"
sed -i 's/^meetings = 3/meetings = 4/' ref.ini
"$referee" reload --control control >out 2>&1
same "bound, again: reload" 0 $?
until_true "s['games']['done'] >= 6 + 2"
until_true "all(l['exhausted'] for l in s['ladders'])"
same "bound, again: then" 8 "$(status "s['games']['done']")"
ended "bound, again" TERM
same "bound, again: even" 6 "$(pairs even | grep -c '^4 ')"

# Another program is another version, and begins with nothing.
sed -i "s|^command = .* none 1$|command = $bad none 77|" ref.ini
serve
until_true "s['games']['done'] == 3 * 4 + 2 * 4 + 4"
ended "versions" TERM
same "versions: of a" 2 "$(cat $(records even) |
    sed -n 's/^seat . name=a digest=\([0-9a-f]*\).*/\1/p' | sort -u | wc -l)"
"$referee" ladder ref.ini --ladder even --versions >out 2>&1
same "versions: rows of a" 2 "$(grep -cE '^ *[0-9.-]* +a ' out)"
rm -rf data

# Groups: the same deal in all rotations, one after the other; the seed in the
# last. With --games they are finished.
config "rate-every = 0"
ladder groups rondo 3 "join = none" "bots = a, b, c, d" "duplicate = yes" \
    "copies = 2"
ladder two axiom 2 "join = none" "bots = e, f" "duplicate = yes"
serve --games 20
ended "groups"
for unit in $(records groups | xargs -n 1 basename | sed 's/-[0-9].rec//' |
    sort -u); do
    set -- games/groups/$unit-*.rec
    same "$unit: parts" 3 $#
    same "$unit: deals" 1 "$(cat "$@" | grep '^deal ' | sort -u | wc -l)"
    same "$unit: commits" 3 "$(cat "$@" | grep '^commit ' | sort -u | wc -l)"
    same "$unit: seeds" "0 0 1" "$(grep -c '^seed ' "$@" | cut -d: -f2 | xargs)"
    rotated=$(seats "$1" | awk '{ print $3, $1, $2 }')
    same "$unit: the second" "$rotated" "$(seats "$2")"
    rotated=$(seats "$2" | awk '{ print $3, $1, $2 }')
    same "$unit: the third" "$rotated" "$(seats "$3")"
    has "$unit: the third" "$3" "unit=$unit part=3/3 "
done
games=$(cat data/records/*/*.rec | grep -c '^record ')
count=$((count + 1))
[ "$games" -ge 20 ] && [ "$games" -le 22 ] ||
    wrong "groups: --games 20, but $games games"
same "groups: axiom" 0 "$(($(records two | wc -l) % 2))"
rm -rf data

# A group is played to its end, whatever its bots do: local ones are started
# anew for every part, so that they remember nothing, and the seed is revealed
# by the last part only.
config "rate-every = 0"
cat >>ref.ini <<END
[bot crashes]
command = $bad crash 9 3
[bot leaves]
command = $bad exit_over 8
[bot counts]
command = sh -c 'echo one >>$work/starts; exec "$bad" none 7'
END
ladder broken rondo 2 "join = none" "bots = a, crashes" "duplicate = yes" \
    "meetings = 6"
ladder anew rondo 2 "join = none" "bots = leaves, counts" "duplicate = yes" \
    "meetings = 6"
serve
until_true "[l['done'] for l in s['ladders']] == [6, 6]"
ended "broken" TERM
same "broken: left" 6 "$(cat $(records broken) | grep -c '^leave . exit')"
same "broken: seeds" 3 "$(cat $(records broken) | grep -c '^seed ')"
same "broken: seeds early" 0 "$(cat $(records broken | grep -- '-1.rec') |
    grep -c '^seed ')"
same "broken: parts" 3 "$(records broken | grep -c -- '-2.rec')"
same "anew: left" 0 "$(cat $(records anew) | grep -c '^leave')"
same "anew: parts" 3 "$(records anew | grep -c -- '-2.rec')"
same "anew: seeds" 3 "$(cat $(records anew) | grep -c '^seed ')"
same "anew: starts" 6 "$(wc -l <starts)"
rm -rf data

# A bot of the network that goes after its last move, or in a game, does not get
# rid of the other seats: it forfeits them if it does not come back.
config "rate-every = 0" "grace = 1s"
ladder flight rondo 2 "join = anna" "bots = a" "duplicate = yes" "meetings = 2"
serve
bot anna leave_over
until_true "s['games']['done'] == 2"
ended "flight" TERM
same "flight: left, first" 0 "$(cat $(records flight | grep -- '-1.rec') |
    grep -c '^leave')"
same "flight: left, second" 1 "$(cat $(records flight | grep -- '-2.rec') |
    grep -c '^leave . exit')"
same "flight: version" 2 "$(cat $(records flight) |
    grep -c '^seat . name=anna version=1$')"
rm -rf data

# A bot that sends rubbish after its last move is cut off, and forfeits as well.
serve
bot anna rubbish_over
until_true "s['games']['done'] == 2"
ended "rubbish" TERM
same "rubbish: seeds" "0 1" "$(grep -c '^seed ' $(records flight) |
    cut -d: -f2 | xargs)"
same "rubbish: left" "0 1" "$(grep -cE '^leave . (exit|protocol)' $(records flight) |
    cut -d: -f2 | xargs)"
rm -rf data

# A part that is over is there at once, though the next one has to wait.
config "rate-every = 0"
printf '[bot slow]\ncommand = %s slow 5 20\n' "$bad" >>ref.ini
ladder pause rondo 2 "join = none" "bots = a, slow" "duplicate = yes" \
    "meetings = 2"
serve
await log "rondo starts on"
"$referee" pause --control control >out 2>&1
until_true "s['games']['done'] == 1 and s['games']['closing'] == 0"
same "paused: it is there" 1 "$(records pause | wc -l)"
same "paused: the next one waits" 1 "$(ls data/running | wc -l)"
"$referee" resume --control control >out 2>&1
until_true "s['games']['done'] == 2"
ended "paused" TERM
rm -rf data

# A group whose deal is known does not go on after a break.
config "rate-every = 0" "stop-limit = 0"
printf '[bot slow]\ncommand = %s slow 5 20\n' "$bad" >>ref.ini
ladder known rondo 2 "join = none" "bots = a, slow" "duplicate = yes" \
    "meetings = 0"
serve
await log "rondo starts on"
"$referee" pause --control control >out 2>&1
until_true "s['games']['done'] == 1 and s['games']['closing'] == 0"
ended "known" TERM
rm -rf data/running/* data/paused
known=$(records known)
sed -i '/^hash /d' "$known"
printf 'seed %064d\n' 0 >>"$known"
printf 'hash %s\n' "$(sha256sum <"$known" | cut -d' ' -f1)" >>"$known"
mv "$known" data/running
rm -rf data/index.db* data/records
serve
await log "rondo starts on"
same "known: the group" 0 "$(find data -name "$(basename "$known" 1.rec)2.rec" |
    wc -l)"
kill -9 $daemon
wait $daemon 2>/dev/null
daemon=''
rm -rf data

# Local bots with those of the network, and not without them.
config "rate-every = 0"
ladder mixed rondo 3 "bots = a, b, c" "local-games = no" "join = anna, bob"
ladder own rondo 2 "bots = d" "join = carl" "duplicate = yes" "meetings = 4"
serve
bot anna
bot carl
await anna.out game_over 3
await carl.out game_over 4
bot bob
await bob.out game_over 3
until_true "s['ladders'][1]['exhausted']"
same "mixed: the bound of carl" "own 4" \
    "$(status "*(s['ladders'][1][key] for key in ('name', 'done'))")"
kill $clients
ended "mixed" TERM
for record in $(records mixed); do
    count=$((count + 1))
    seats "$record" | grep -qE 'anna|bob' || wrong "$record: no guest"
    same "$record: different names" 3 "$(seats "$record" | tr ' ' '\n' |
        sort -u | wc -l)"
done
has "mixed: versions" "$(records own | head -n 1)" \
    '^seat [12] name=carl version=1$'
"$referee" ladder ref.ini >out 2>&1
same "mixed: standings" 0 $?
has "mixed: standings" out "anna"
rm -rf data

# A reload adds a ladder and removes another, whose games end; one that comes
# again remembers what it was.
config "rate-every = 0"
ladder old rondo 2 "join = none" "bots = a, b" "meetings = 5"
serve
until_true "s['games']['done'] == 5"
config "rate-every = 0"
ladder new rondo 2 "join = none" "bots = c, d" "meetings = 3"
kill -HUP $daemon
until_true "s['games']['done'] == 8"
until_true "[l['name'] for l in s['ladders']] == ['new']"
ladder old rondo 2 "join = none" "bots = a, b" "meetings = 6"
kill -HUP $daemon
until_true "s['games']['done'] >= 9"
until_true "all(l['exhausted'] for l in s['ladders'])"
same "reload: games" 9 "$(status "s['games']['done']")"
ended "reload" TERM
same "reload: old" "6 a b" "$(pairs old)"
rm -rf data

# A file that is changed on the disk changes nothing before it is read again, nor
# the ratings.
config "rate-every = 1s"
ladder held rondo 2 "join = none" "bots = a, b" "meetings = 3" "anchor = a 500"
serve
printf '[server]\ndata = elsewhere\n[ladder held]\nanchor = b 9000\n' >ref.ini
until_true "s['games']['done'] == 3"
fitted() {
    python3 -c 'import sqlite3
for row in sqlite3.connect("file:data/index.db?mode=ro", uri=True).execute(
        "select anchor, anchor_elo, games from fits"): print(*row)' 2>&1
}
for i in $(seq 100); do
    [ "$(fitted)" = "a 500.0 3" ] && break
    sleep 0.1
done
same "a changed file: what was fitted" "a 500.0 3" "$(fitted)"
ended "a changed file" TERM
hasnt "a changed file" log "not computed"
rm -rf data

# Games under way whose settings are others after the start are void; those of
# a ladder that has stayed go on.
config "rate-every = 0" "grace = 60s" "stop-limit = 0"
printf '[bot slow]\ncommand = %s slow 5 20\n' "$bad" >>ref.ini
cp ref.ini bots.ini
ladder time rondo 2 "join = none" "bots = slow, a" "time = move:60s"
ladder gone rondo 2 "join = none" "bots = slow, b" "time = move:60s"
ladder seats rondo 2 "join = none" "bots = slow, c" "time = move:60s"
ladder bots rondo 2 "join = none" "bots = slow, d" "time = move:60s"
ladder program rondo 2 "join = none" "bots = slow, e" "time = move:60s"
ladder stays rondo 2 "join = none" "bots = slow, f" "time = move:60s"
serve
until_true "s['games']['running'] == 6"
until_true "s['moves'] >= 60"
ended "changed" TERM
same "changed: running" 6 "$(ls data/running/*.rec | wc -l)"
sed "s|none 5$|none 55|" bots.ini >ref.ini
ladder time rondo 2 "join = none" "bots = slow, a" "time = move:61s"
ladder seats rondo 3 "join = none" "bots = slow, c, a" "time = move:60s"
ladder bots rondo 2 "join = none" "bots = slow, a" "time = move:60s"
ladder program rondo 2 "join = none" "bots = slow, e" "time = move:60s"
ladder stays rondo 2 "join = none" "bots = slow, f" "time = move:60s"
serve
has "changed: time" log "is void: time has another time control now"
has "changed: gone" log "is void: there is no ladder gone any more"
has "changed: seats" log "is void: seats is another game now"
has "changed: bots" log "is void: d does not play there any more"
has "changed: program" log "is void: the program of e was changed"
has "changed: stays" log "rondo continues on stays"
until_true "[l['done'] for l in s['ladders'] if l['name'] == 'stays'][0] > 0"
ended "changed, again" TERM
same "changed: void" 5 \
    "$(cat data/records/*/*.rec | grep -c '^result void reason=changed$')"
for name in time gone seats bots program; do
    same "changed: $name" 1 "$(cat $(records $name) | grep -c reason=changed)"
done
hasnt "changed: stays" "$(records stays | head -n 1)" "void|^leave"
"$referee" reindex data >out 2>&1
same "changed: reindex" 0 $?

rm -rf data

# A version is free text: one that reads like a digest is none, and the game of
# such a bot goes on after a break.
config "rate-every = 0" "grace = 60s" "stop-limit = 0"
ladder free rondo 2 "join = anna" "bots = a" "time = move:60s"
serve
NET_BOT_VERSION="1 digest=0" bot anna slow:300
until_true "s['moves'] >= 4"
ended "version like a digest" TERM
serve
hasnt "version like a digest" log "is void"
has "version like a digest" log "rondo continues on free"
NET_BOT_VERSION="1 digest=0" bot anna
until_true "s['games']['done'] > 0"
ended "version like a digest, again" TERM
hasnt "version like a digest" "$(records free | head -n 1)" "void|^leave"

rm -rf data

# Who does not say its version, or only when it knows its opponent, gets no game,
# and so loses none.
config "rate-every = 0" "login-limit = 1s"
ladder unsaid rondo 2 "join = anna, bob, carl" "bots = a" "local-games = no" \
    "start-limit = 1s"
serve
bot anna quiet
bot bob late
await log "(anna|bob) from .* is gone: did not state its version in time" 2
await anna.out "end|lost"
await bob.out "end|lost"
hasnt "late version" bob.out new_game
same "late version: games" "0 0" "$(status \
    "s['games']['running'], s['games']['done']" | tr -d '(),')"
bot carl
await carl.out game_over
ended "late version" TERM
same "late version: who played" "a carl" \
    "$(seats "$(records unsaid | head -n 1)" | tr ' ' '\n' | sort | xargs)"
same "late version: records of others" "" \
    "$(grep -lE 'name=(anna|bob)' $(records unsaid))"
rm -rf data

# A game is played by the version that was said before it; what a bot says when
# it is back in it counts from the next one on.
for mode in cut_new cut:2; do
    config "rate-every = 0" "grace = 60s"
    ladder back rondo 2 "join = anna" "bots = a" "duplicate = yes" \
        "meetings = 2"
    serve
    NET_BOT_VERSION_BACK=2 bot anna $mode
    until_true "s['games']['done'] == 4"
    ended "back as another, $mode" TERM
    has "back as another, $mode" anna.out "hangs up"
    same "back as another, $mode" "1 1 2 2" "$(cat $(records back) |
        sed -n 's/^seat . name=anna version=//p' | xargs)"
    "$referee" ladder ref.ini --versions --csv >out 2>&1
    same "back as another, $mode: ratings" "1 2" "$(grep ',anna,' out |
        grep -oE 'anna,[12],' | tr -dc '12\n' | sort | xargs)"
    rm -rf data
done

# As many bots as seats, and all play: those who end a game together wait for
# others to end theirs, rather than to play each other for ever.
config "rate-every = 0"
sed -i "s/none \([12]\)$/slow \1 2/; s/none \([34]\)$/slow \1 6/" ref.ini
ladder mixed axio-rota 2 "join = none" "bots = a, b, c, d" "pairing = even" \
    "meetings = 0"
serve
until_true "s['games']['done'] >= 24"
ended "mixed" TERM
same "mixed: all have met" "a b, a c, a d, b c, b d, c d" "$(pairs mixed |
    sed 's/^[0-9]* //; $!s/$/,/' | xargs)"
rm -rf data

# A name that has had another game.
config "rate-every = 0"
ladder twice second-chance 1 "join = none" "bots = a" "meetings = 2"
serve
until_true "all(l['exhausted'] for l in s['ladders'])"
hasnt "twice: nothing to say" log "was a ladder of"
sed -i 's/second-chance/axio-rota/' ref.ini
"$referee" reload --control control >out 2>&1
has "twice: warned" log "warning twice was a ladder of second-chance, and those"
ended "twice" TERM
rm -rf data

# A program that fails at every start has to rest, while the others play on;
# when it is mended it is another version, and need not.
config "rate-every = 0"
printf '[bot x]\ncommand = /bin/false\n' >>ref.ini
ladder rest rondo 2 "join = none" "bots = a, b, x" "meetings = 0"
serve
until_true "s['games']['done'] >= 100 and 'x' in s['ladders'][0]['resting']"
"$referee" status --control control >out 2>&1
has "rest: status" out '^rest .* \(rests: x\)$'
has "rest: log" log " x failed in 4 games in a row and rests for 1 s on rest$"
await log " x failed in 5 games in a row and rests for 2 s on rest$"
same "rest: games" yes "$([ "$(grep -c ' x left (exit)' log)" -lt 20 ] && echo yes)"
sed -i "s|^command = /bin/false|command = $bad none 99|" ref.ini
"$referee" reload --control control >out 2>&1
same "rest: reload" 0 $?
await log "names=(x,.|.,x) result [^=]*=[^=]*=[^=]* reason=[^f][a-z-]*$" 3
ended "rest" TERM
rm -rf data

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
