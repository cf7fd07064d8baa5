#!/bin/sh
# Ladders that cannot be gamed: by refusing games, by failing under one version
# after another, or by losing to a friend; and bots that share their time.

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

# config LINE...: of [server].
config() {
    printf '[server]\ncontrol = control\nrate-every = 0\n' >ref.ini
    printf '%s\n' "$@" '[listen local]' 'port = 0' >>ref.ini
    printf '[bot house]\ncommand = %s none 1\n' "$bad" >>ref.ini
}

stop() {
    [ -z "$clients" ] || bots_end
    kill "$daemon"
    wait "$daemon"
    daemon=
}

tokens anna bob

# Who refuses a game spoils nobody's rating, and is not asked again.
config "data = refuse"
ladder main rondo 2 "duplicate = yes" "bots = house" "local-games = no" \
    "meetings = 4"
serve
bot anna refuse
await log "anna does not play rondo: it gets no games on main until"
bot bob
until_true "s['games']['done'] == 4 and s['ladders'][0]['exhausted']"
same "refused: void" 1 "$(status "s['games']['void']")"
same "refused: asked once" 1 "$(grep -c ^new_game anna.out)"
"$referee" status --control control >out
has "refused: status" out 'does not play this: anna'
split_into refused refuse/records/main/*.rec
has "refused: the record says who" \
    "$(grep -l '^result void reason=refuse$' refused/*.rec)" \
    '^@- fault [12] refuse does not play this game$'
"$referee" replay --quiet refuse/records >out 2>&1
same "refused: replay" 0 $?
bots_end
NET_BOT_VERSION=2 bot anna
until_true "s['games']['done'] == 8"
has "refused: another version plays" anna.out "^game_over ranks"
bots_end
export NET_BOT_PLAYS=axiom
bot anna refuse
await log "anna is here" 3
unset NET_BOT_PLAYS
NET_BOT_VERSION=3 bot bob
until_true "s['games']['done'] == 12"
hasnt "a bot that lists other games is not asked" anna.out "^new_game"
stop

# A bot that fails under one version after another rests all the same.
config "data = fails" "grace = 0"
ladder main rondo 2 "bots = house" "time = move:5s"
serve
# Sometimes it is back before the server has seen it go: that is no new game.
NET_BOT_FRESH=200 bot anna leave:0
await log " anna failed in 4 games in a row and rests for 1 s on main$"
await log " anna failed in 5 games in a row and rests for 2 s on main$"
same "every version failed once" "" "$(sed -n 's/.*anna.* version=//p' \
    fails/records/main/*.rec | sort | uniq -d)"
stop

# Nor does it get more games by being new again and again.
config "data = fresh" "grace = 0"
ladder main second-chance 2 "bots = house" "local-games = no" "new-versions = 3"
serve
NET_BOT_FRESH=9 bot anna
until_true "s['ladders'][0]['resting'] == ['anna']"
same "new versions" 3 "$(grep -h '^seat .* name=anna' fresh/records/main/*.rec |
    sort -u -k 4 | wc -l)"
stop

# A friend that gives game after game is kept away for a while.
config "data = gifts"
ladder main rondo 2
serve
bot anna
bot bob resign
await log "bob has given game after game to anna on main: they do not meet for 1 s"
await log "bob has given game after game to anna on main: they do not meet for 2 s"
stop
"$referee" audit gifts main >out 2>&1
same "audit: exit code" 1 $?
has "audit" out '^  anna gained from bob: won [0-9]+ of [0-9]+ games, [0-9]+ of them gifts \(2'
has "audit: why" out '^    odd: [0-9]+ games given away in a row'
hasnt "audit: the other way round" out '^  bob gained from anna'
"$referee" audit gifts --json >out 2>&1
has "audit: JSON" out '"giver": "bob"'
"$referee" audit gifts --csv >out 2>&1
has "audit: CSV" out '^main,anna,bob,[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]+,1,2[^,]*Z,2[^,]*Z,"[0-9]+ games given away in a row'
"$referee" audit nowhere >out 2>&1
same "audit: nothing there" 2 $?

# Bots of one owner do not meet.
rm keys
for name in anna bob; do
    "$referee" token $name --owner "Group 3" >$name.token 2>/dev/null
done
tokens carl dora emil
config "data = owner"
ladder main second-chance 2
serve
bot anna
bot bob
bot carl
until_true "s['games']['done'] >= 20"
hasnt "bots of one owner" log "names=(anna,bob|bob,anna) "
stop

# A bot shares its time, not its games: long games come to their right, although
# three bots are hardly ever free together.
config "data = share"
ladder quick second-chance 2 "bots = house" "local-games = no" "copies = 3"
ladder slow rondo 3 "join = carl, dora, emil"
serve
for name in carl dora emil; do
    bot $name slow:20
done
until_true "s['ladders'][0]['done'] >= 60"
same "slow games in a proper share" True "$(status \
    "40 * s['ladders'][1]['done'] >= s['ladders'][0]['done']")"
stop

# Nor do local bots of one owner.
config "data = owned"
for name in ann1 ann2 ben; do
    printf '[bot %s]\ncommand = %s none 2\nowner = %.3s\n' $name "$bad" $name
done >>ref.ini
ladder main second-chance 2 "join = none" "bots = ann1, ann2, ben"
serve
until_true "s['games']['done'] >= 20"
hasnt "local bots of one owner" log "names=(ann1,ann2|ann2,ann1) "
stop

# A bot that floods its standard error loses its log, not our disk.
config "data = logs" "log-budget = 4" "bot-log-budget = 2"
cat >loud.sh <<END
head -c 900000 /dev/zero | tr '\\0' x >&2
exec "$bad" none 2
END
printf '[bot loud]\ncommand = sh loud.sh\n' >>ref.ini
ladder main second-chance 2 "join = none" "bots = house, loud" "meetings = 9"
serve
until_true "s['ladders'][0]['exhausted']"
has "budget: said" log "loud loses its log: log-budget or bot-log-budget is exhausted"
same "budget: kept" 3 "$(find logs/logs -name '*.loud.log' | wc -l)"
stop
serve
sed -i 's/meetings = 9/meetings = 10/' ref.ini
"$referee" reload --control control >out 2>&1
until_true "s['games']['done'] == 1"
same "budget: after a restart" 3 "$(find logs/logs -name '*.loud.log' | wc -l)"
stop

# Days that are too old go, with what they counted; nothing else does.
config "data = logs" "log-budget = 4" "bot-log-budget = 2" "keep-logs = 30"
printf '[bot loud]\ncommand = sh loud.sh\n' >>ref.ini
ladder main second-chance 2 "join = none" "bots = house, loud" "meetings = 13"
mkdir -p logs/logs/main/20200101 logs/logs/main/kept
mv logs/logs/main/2[0-9][0-9][0-9][0-9]*/*.loud.log logs/logs/main/20200101
touch logs/logs/main/kept/2020.loud.log logs/logs/readme
serve
await log "3 logs of bots are removed: they were older than keep-logs, 30 days"
same "old logs" "" "$(ls -d logs/logs/main/20200101 2>/dev/null)"
same "what is no log" 2 "$(ls logs/logs/main/kept/* logs/logs/readme | wc -l)"
until_true "s['ladders'][0]['exhausted']"
same "room again" 3 "$(find logs/logs/main/2* -name '*.loud.log' | wc -l)"
stop

# A bot that floods its notes loses them, and plays on.
config "data = notes" "note-budget = 2" "bot-note-budget = 1"
printf '[bot noter]\ncommand = %s long_notes 2 60\n' "$bad" >>ref.ini
ladder main second-chance 2 "join = none" "bots = house, noter" "meetings = 30"
serve
until_true "s['ladders'][0]['exhausted']"
has "notes: said" log "noter loses its notes for up to a day: note-budget or"
same "notes: the bot plays on" 0 "$(cat notes/records/main/*.rec | grep -c '^leave')"
size=$(cat notes/records/main/*.rec | grep '^@- note' | wc -c)
count=$((count + 1))
[ "$size" -gt 1000000 ] && [ "$size" -lt 1400000 ] ||
    wrong "notes: $size bytes are kept, of a budget of 1 MiB"
"$referee" replay --quiet notes/records >out 2>&1
same "notes: the records are valid" 0 $?
stop

# Wrong logins, under names that nobody has used, do not fill our log.
config "data = lines" "failed-logins = 5"
printf '[listen near]\nkind = unix\npath = near\n' >>ref.ini
serve
python3 - near <<'END'
import socket, sys
for i in range(500):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(sys.argv[1])
        s.recv(200)
        s.sendall(b"=1 nobody%d aa\n\n" % i)
        while s.recv(200):
            pass
END
same "lines of wrong logins" 60 "$(grep -c 'wrong login as nobody' log)"
stop
has "lines: said" log "440 lines about logins were left out: more than 60 a min"

[ "$failed" = 0 ] && echo "$count checks of ladders"
exit $((failed > 0))
