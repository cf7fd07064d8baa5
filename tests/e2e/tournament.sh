#!/bin/sh
# Tournaments: all formats on all games, with two seats and more; records that
# replay; a referee that is killed again and again, and goes on each time; bots
# that crash; files that are wrong, which must get all their complaints.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
samples=$(cd "${builddir:-.}/sample-bots/c" && pwd)
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
mark=tournament-$$-$(date +%s)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
ln -s "$bad" bad

# has WHAT TEXT FILE
has() {
    count=$((count + 1))
    grep -qF -- "$2" "$3" || wrong "$1: no \"$2\" in: $(head -n 5 "$3")"
}

# cup ENTRANTS LINE...: cup.ini with bots whose moves follow from the position.
cup() {
    entrants=$1
    shift
    {
        printf '[tournament]\n'
        printf '%s\n' "$@"
        printf 'time = move:30s\nstart-limit = 30s\n'
        for i in $(seq "$entrants"); do
            printf '[bot b%02d]\ncommand = ./bad none %d\nenvironment = BAD_MARK\n' "$i" "$i"
        done
    } >cup.ini
}

play() {
    BAD_MARK=$mark "$referee" tournament cup.ini --quiet "$@" \
        >out 2>err </dev/null
}

# json EXPRESSION: of the result in `out`, which must be valid JSON.
json() {
    python3 -c "import json, sys
r = json.load(open('out'))
s = r['standings']
tables = [p for p in r['pairings'] if not p['bye']]
byes = [p['entrants'][0]['name'] for p in r['pairings'] if p['bye']]
print($1)" 2>&1
}

seed="seed = $(printf '%064d' 7)"

# Every format, every game, two seats and more.
for game in axiom axio-rota rondo second-chance; do
    for format in round-robin gauntlet swiss knockout; do
        for seats in 2 3 4; do
            [ $game = axiom ] && [ $seats != 2 ] && continue
            what="$format, $game, $seats seats"
            cup 5 "format = $format" "game = $game" "seats = $seats" \
                "games = 1" "concurrency = 2"
            rm -rf rec
            play --json --records rec
            same "$what: exit code" 0 $?
            same "$what" "True b01 b02 b03 b04 b05 1 True True $(closed rec)" "$(json "str(r['finished']), *sorted(
                    e['name'] for e in s), s[0]['place'],
                    all(len(p['entrants']) == $seats for p in tables),
                    sum(p['played'] for p in tables) == r['games'],
                    r['games']" | tr -d "(),'")"
            same "$what: replay" "" \
                "$("$referee" replay --quiet rec/*.rec 2>&1 | grep -v ' valid')"
            same "$what: about" "$(closed rec)" "$(cat rec/*.rec |
                grep -c '^about match=r[0-9t-]* id=2[0-9a-z-]*-r[0-9t-]* event=cup start=2')"
        done
    done
done

# The name of a file may be none that records can hold.
cup 2 "game = axio-rota" "seats = 2" "games = 1"
mv cup.ini "my cup.ini"
"$referee" tournament "my cup.ini" --quiet --records named >out 2>err </dev/null
same "a file with a blank: event" "event=tournament" \
    "$(grep -ho 'event=[^ ]*' named/*.rec)"

# What is played: numbers of pairings, and who sits there.
cup 5 "format = round-robin" "game = second-chance" "seats = 2" "cycles = 2"
play --json
same "round robin: pairings" 20 "$(json 'len(tables)')"
same "round robin: games" 40 "$(json 'r["games"]')"
same "round robin: crosstable" "4.0 0.0" \
    "$(json 'r["crosstable"]["games"][0][1], r["crosstable"]["games"][2][2]' |
        tr -d '(),')"
cup 5 "format = gauntlet" "game = second-chance" "seats = 3" "challengers = 2"
play --json
same "gauntlet: pairings" 6 "$(json 'len(tables)')"
same "gauntlet: one challenger at each table" True "$(json 'all(sum(
    e["name"] in ("b01", "b02") for e in p["entrants"]) == 1 for p in tables)')"
cup 13 "format = swiss" "game = second-chance" "seats = 2" "games = 1"
play --json
same "swiss: rounds" 4 "$(json 'r["rounds"]')"
same "swiss: a bye in every round, each for another" 4 \
    "$(json 'len(set(byes))')"
same "swiss: nobody meets twice" 24 "$(json 'len(set(tuple(sorted(e["name"]
    for e in p["entrants"])) for p in tables))')"
cup 13 "format = knockout" "game = second-chance" "seats = 2" \
    "third-place = yes" "games = 1"
play --json
same "knockout: byes for the best seeds" "b01 b02 b03" "$(json '" ".join(byes)')"
same "knockout: places" "1 2 3 4 5 5 5 5 9 9 9 9 9" \
    "$(json '" ".join(str(e["place"]) for e in s)')"
same "knockout: the last pairing is for the third place" True \
    "$(json 'tables[-1]["third_place"]')"

# Deals: with duplicate deals all games of a unit have the same, else not.
deals() {
    grep -h '^deal ' rec/*.rec | sort -u | wc -l
}

for duplicate in yes no; do
    cup 4 "format = swiss" "game = rondo" "seats = 2" "games = 4" "$seed" \
        "duplicate = $duplicate"
    rm -rf rec
    play --records rec --csv
    [ $duplicate = yes ] && want=8 || want=16
    same "duplicate = $duplicate: deals of 16 games" $want "$(deals)"
done
apart rec
same "every pairing has both seat orders" "2 2" "$(grep -h '^seat 1 name=b01 ' \
    rec.apart/r01-t0?-?.rec | wc -l) $(grep -h '^seat 2 name=b01 ' \
    rec.apart/r01-t0?-?.rec | wc -l)"

# Real strengths: the better bot comes first in every format.
cat >real.ini <<END
[tournament]
game = rondo
seats = 2
games = 4
duplicate = yes
concurrency = 2
$seed
[bot r1]
command = ./bad none 1
[bot r2]
command = ./bad none 2
[bot r3]
command = ./bad none 3
[bot r4]
command = ./bad none 4
[bot greedy]
command = $samples/greedy_rondo
END
for format in round-robin swiss knockout; do
    sed "s/^game =/format = $format\n&/" real.ini >cup.ini
    play --csv
    same "$format: the best bot is first" "1,greedy" \
        "$(sed -n 2p out | cut -d, -f1,2)"
    same "$format: all of them are in the table" 6 "$(wc -l <out)"
done

# A bot that crashes in every game, and one that is no bot: last, and told.
for format in round-robin gauntlet swiss knockout; do
    cup 3 "format = $format" "game = rondo" "seats = 2"
    printf '[bot broken]\ncommand = ./bad crash 9\nenvironment = BAD_MARK\n' >>cup.ini
    printf '[bot nobot]\ncommand = cat nothing\n' >>cup.ini
    play --json
    same "crashes, $format: exit code" 0 $?
    has "crashes, $format: told" "broken is out (exit)" err
    same "crashes, $format: another one is first" True \
        "$(json 's[0]["name"] in ("b01", "b02", "b03")')"
    has "crashes, $format: counted" '"exit": ' out
    gone "crashes, $format"
done
play
has "crashes: in the table" "exit 2" out
has "a fault names its game" "r01-t0" err

# For people.
cup 5 "format = swiss" "game = second-chance" "seats = 2" "$seed"
BAD_MARK=$mark "$referee" tournament cup.ini >out 2>err </dev/null
same "a table: exit code" 0 $?
has "a table: head" "cup: swiss of 5, 3 rounds" out
has "a table: titles" "place  bot    points       of  Buchholz  S-Berger  byes" out
has "a table: crosstable" "Points of row against column" out
same "a table: no blanks at the ends of lines" "" "$(grep ' $' out)"
same "rounds are told" 3 "$(grep -c '^cup, round . is over: b' err)"
cup 6 "name = spring" "format = knockout" "game = rondo" "seats = 2" \
    "third-place = yes" "$seed"
BAD_MARK=$mark "$referee" tournament cup.ini >out 2>err </dev/null
has "a bracket: head" "spring: knockout of 6, 3 rounds" out
has "a bracket: byes" "  bye   b01, b02" out
has "a bracket: third place" "Third place" out
same "a bracket: no blanks at the ends of lines" "" "$(grep ' $' out)"
has "a bracket: the winner is told" "spring, final is over: " err
cup 40 "format = swiss" "game = second-chance" "seats = 4" "games = 1" \
    "rounds = 2" "concurrency = 2"
play
has "forty are too many for a crosstable" "too wide; --json has it" out
if command -v script >/dev/null; then
    cup 4 "format = swiss" "game = rondo" "seats = 2" "games = 20"
    # The display comes after a tenth of a second: no game may be over before.
    printf '#!/bin/sh\nsleep 0.2\nexec ./bad "$@"\n' >late
    chmod +x late
    sed -i 's/bad none/late none/' cup.ini
    script -qec "$referee tournament cup.ini" /dev/null </dev/null >out 2>&1
    has "a terminal: the live display" " running, " out
    has "a terminal: standings" " of " out
    has "a terminal: the result" "Points of row" out
fi

# A tie that the seeds decide: axiom between bots that play alike is the same
# game again and again, won by one seat.
cup 2 "format = knockout" "game = axiom" "seats = 2" "replays = 1"
sed -i 's/none [0-9]/none 5/' cup.ini
play
has "a tie in a knockout" "played on 1 time; a tie: the better seed advances" out
play --json
same "a tie in a knockout: games" 4 "$(json 'r["games"]')"
same "a tie in a knockout: the winner" b01 "$(json 's[0]["name"]')"
same "a tie in a knockout: by seed" True "$(json 'tables[0]["by_seed"]')"

# The folder.
cup 4 "format = swiss" "game = second-chance" "seats = 2" "records = rec"
rm -rf rec
play
same "a folder of the file" 4 "$(grep -c '^about match=r01-' rec/games-001.rec)"
play
same "a folder that holds a tournament: exit code" 2 $?
has "a folder that holds a tournament" \
    "rec already holds a tournament: continue it with --resume" err
cp out before
play --resume
same "resumed when all is played: exit code" 0 $?
has "another number of rounds is another tournament" "of 4, 2 rounds" out
sed -i 's/^seats/rounds = 3\n&/' cup.ini
play --resume
same "another tournament: exit code" 2 $?
has "another tournament" 'rec/tournament.txt holds another tournament: it has "rounds 2", but this command has "rounds 3"' err
"$referee" match --quiet --game rondo --games 1 --records rec "./bad none 1" \
    "./bad none 2" >out 2>err </dev/null
same "a match in the folder: exit code" 2 $?
has "a match in the folder" "rec holds a tournament, not a match" err
cup 2 "game = second-chance" "seats = 2"
play --resume
has "nothing to resume" "--resume needs the folder: --records DIR" err
rm -rf rec
play --records rec --resume
has "nothing to resume yet" "rec contains no tournament yet; starting a new one" err
rm -rf rec
"$referee" match --quiet --game second-chance --games 1 --records rec \
    "./bad none 1" "./bad none 2" >out 2>err </dev/null
play --records rec
has "a tournament in the folder of a match" \
    "rec holds a match, not a tournament" err

# as_whole WHAT: go on with torn; it must end as whole did.
as_whole() {
    play --json --records torn --resume
    same "$1: exit code" 0 $?
    events whole >whole.events
    events torn >torn.events
    same "$1: no game more or less" "$(ls whole.apart)" "$(ls torn.apart)"
    same "$1: none twice" "$(records whole)" "$(records torn)"
    count=$((count + 2))
    cmp -s whole.events torn.events || wrong "$1: games go otherwise"
    cmp -s whole.json out || wrong "$1: another result"
    same "$1: replay" 0 \
        "$("$referee" replay --quiet torn/*.rec >replayed 2>&1; echo $?)"
}

# tear GAMES: as if killed after so many, in the middle of the next.
tear() {
    rm -rf torn
    mkdir torn
    cp whole/tournament.txt torn
    apart whole
    games=0
    for file in whole.apart/*.rec; do
        games=$((games + 1))
        [ $games -le "$1" ] || break
        cat "$file" >>torn/games-001.rec
    done
    head -c $(($(wc -c <"$file") / 2)) "$file" >>torn/games-001.rec
}

# killed LINE...: kill it again and again, then let it end.
killed() {
    what="killed, $1 $2 $3"
    cup 7 "$@" "$seed" "concurrency = 3"
    sed -i 's/none 3/slow 3 1/; s/none 5/children 5/' cup.ini
    rm -rf whole torn
    play --json --records whole
    same "$what: uninterrupted" 0 $?
    cp out whole.json
    for pause in 00 03 06 09 12 15 20 25; do
        BAD_MARK=$mark "$referee" tournament cup.ini --quiet --records torn \
            --resume >out 2>err </dev/null &
        sleep 0.$pause
        kill -9 $! 2>/dev/null
        wait $! 2>/dev/null
        gone "$what: after 0.$pause s"
        heads=$(grep -lsE '^(deal .|time 2 )' torn/*.rec)
        [ -z "$heads" ] || same "$what: replay after 0.$pause s" 0 \
            "$("$referee" replay --quiet $heads >replayed 2>&1; echo $?)"
    done
    as_whole "$what: at last"
    for kept in 0 1 5 9; do
        tear $kept
        as_whole "$what: after $kept games"
    done
    gone "$what"
}

killed "format = swiss" "game = second-chance" "seats = 2" "duplicate = yes"
killed "format = knockout" "game = rondo" "seats = 3"
killed "format = gauntlet" "game = axio-rota" "seats = 2"

# Told to stop, it says how to go on, and does.
for signal in 15 2; do
    cup 4 "format = swiss" "game = rondo" "seats = 2" "$seed"
    sed -i 's/none 2/slow 2 20/' cup.ini
    rm -rf rec
    # In a shell of its own SIGINT would be ignored in the background.
    BAD_MARK=$mark python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
os.execv(sys.argv[1], sys.argv[1:])' "$referee" tournament cup.ini --quiet \
        --records rec >out 2>err </dev/null &
    tries=0
    while ! grep -qs '^play ' rec/games-*.rec && [ $((tries += 1)) -lt 100 ]; do
        sleep 0.1
    done
    kill -$signal $!
    wait $!
    same "signal $signal: exit code" $((128 + signal)) $?
    has "signal $signal: how to go on" "--resume continues" err
    has "signal $signal: the table so far" "cup: swiss of 4, 2 rounds" out
    gone "signal $signal"
    play --records rec --resume --json
    same "signal $signal: went on" True "$(json 'r["finished"]')"
done

# A record of another game is not taken for one of this tournament.
cup 4 "game = axiom" "seats = 2"
rm -rf rec
play --records rec
apart rec
sed 's/ match=r01-t01-1 / match=r01-t02-1 /' rec.apart/r01-t01-1.rec |
    sed '/^hash /d' | cat rec.apart/r01-t01-1.rec - >rec/games-001.rec
play --records rec --resume
same "the record of other bots: exit code" 2 $?
has "the record of other bots" "r01-t02-1 is the record of another match" err

# A slot keeps the bots that its next unit needs, and dismisses the others:
# three pairs of three make four starts.
cup 3 "game = second-chance" "seats = 2" "games = 4"
sed -i 's/^command = \(.*\)/command = echo >>starts; exec \1/' cup.ini
rm -f starts
play
same "starts of three bots in twelve games" 4 "$(wc -l <starts)"
rm -f starts
sed -i 's/^command/restart = yes\n&/' cup.ini
play
same "starts with restart = yes" 24 "$(wc -l <starts)"

# Many bots: each slot runs only those that it needs.
cup 64 "format = swiss" "game = second-chance" "seats = 2" "games = 1" \
    "concurrency = 2"
play --json
same "64 entrants: exit code" 0 $?
same "64 entrants: games" 192 "$(json 'r["games"]')"
same "64 entrants: nobody meets twice" 192 "$(json 'len(set(tuple(sorted(
    e["name"] for e in p["entrants"])) for p in tables))')"
gone "64 entrants"

# Wrong files: all complaints at once, word for word.

# complain LINE...: what the file on standard input must get.
complain() {
    count=$((count + 1))
    cat >bad.ini
    "$referee" tournament --check bad.ini >out 2>err </dev/null
    got=$?
    for line; do
        printf 'referee: bad.ini%s\n' \
            "$(printf %s "$line" | sed 's/^[0-9]/:&/')"
    done >want
    if [ $got != 2 ] || ! cmp -s want err; then
        wrong "a wrong file: exit code $got"
        diff want err
    fi
}

complain ': there is no [tournament]; "referee tournament --help-config" lists its keys' \
    </dev/null
complain '1: [tournament] has no game; for example: game = axiom' \
    '1: [tournament] has no seats; for example: seats = 2' <<END
[tournament]
END
complain '2: [tournament] has no key "fromat"; did you mean format?' \
    '3: game: there is no game "rnodo"; did you mean rondo?' \
    '4: seats: must be a number from 1 to 6, not "9"' \
    '5: bots: those of a tournament are its entrants: write entrants = NAME, NAME, ...' \
    '6: seed: must be 64 hex digits in lower case, not "12"' \
    '7: entrants: own is named twice' \
    '7: entrants: there is no [bot onw]; did you mean own?' \
    '8: time: "fischer:60s" ends where '"'+'"' should follow: write it like fischer:60s+1s' \
    '10: command: a value is missing; write command = COMMAND' \
    '11: directory: there is no folder nowhere' \
    '12: there is no section [lobby]; the sections are [tournament], [bot NAME]' <<END
[tournament]
fromat = swiss
game = rnodo
seats = 9
bots = a, b
seed = 12
entrants = own, onw, own
time = fischer:60s
[bot own]
command =
directory = nowhere
[lobby x]
END
complain '3: format: must be round-robin, gauntlet, swiss or knockout, not "swis"; did you mean swiss?' <<END
[tournament]
game = rondo
format = swis
seats = 2
[bot a]
command = cat
[bot b]
command = cat
END

# not_so LINE KEYS: one complaint about a file with these keys and 5 bots.
not_so() {
    text=$1
    shift
    { printf '[tournament]\ngame = rondo\n' && printf '%s\n' "$@" &&
        for i in 1 2 3 4 5; do
            printf '[bot b%d]\ncommand = cat\n' $i
        done; } >file.ini
    complain "$text" <file.ini
}

not_so '4: rounds: is for format = swiss, not for knockout' \
    "seats = 2" "rounds = 3" "format = knockout"
not_so '5: cycles: is for format = round-robin|gauntlet, not for swiss' \
    "seats = 2" "format = swiss" "cycles = 2"
not_so '4: replays: is for format = knockout, not for round-robin' \
    "seats = 2" "replays = 2"
not_so '4: challengers: is for format = gauntlet, not for round-robin' \
    "seats = 2" "challengers = 2"
not_so '5: rounds: a swiss of 5 entrants has at most 5, not 6; a round-robin can have more cycles' \
    "seats = 2" "format = swiss" "rounds = 6"
not_so '4: games: with duplicate deals a pairing of 2 needs a multiple of 2, not 3' \
    "seats = 2" "games = 3" "duplicate = yes"
not_so '3: seats: 4 at a table need as many entrants, not 3' \
    "seats = 4" "entrants = b1, b2, b3"
not_so '3: rondo takes 2 to 4 seats, not 5' "seats = 5"
not_so '4: entrants: a tournament has 2 to 256, not 1' \
    "seats = 2" "entrants = b4"
not_so '5: third-place: needs 2 seats; with 3, the final decides it' \
    "seats = 3" "format = knockout" "third-place = yes"
not_so '4: name: has 1 to 32 letters, digits or ._+-, not "my cup"' \
    "seats = 2" "name = my cup"

# once CODE TEXT ARGUMENT...: one sentence, and the exit code.
once() {
    code=$1 text=$2
    shift 2
    "$referee" tournament "$@" >out 2>err </dev/null
    same "tournament $*: exit code" "$code" $?
    cat out >>err
    has "tournament $*" "$text" err
}

once 2 "tournament takes one file: referee tournament CONFIG"
once 2 "cannot be opened" nowhere.ini
once 2 "--json and --csv cannot be combined" cup.ini --json --csv
once 2 "--html needs --records DIR" cup.ini --html cup.html
once 0 "challengers = N" --help-config
once 0 "Usage: referee tournament CONFIG" --help
once 0 "cup.ini is correct: swiss, 64 entrants, 6 rounds, 32 games in the first" \
    --check cup.ini
sed -i 's/swiss/round-robin/' cup.ini
once 0 "cup.ini is correct: round-robin, 64 entrants, 63 rounds, 2016 games" \
    --check cup.ini

# A page, and its games as another one: each link leads to a game.
cup 3 'format = round-robin' 'game = rondo' 'seats = 2'
play --records pages --html pages.html || wrong "--html: $(cat err)"
for id in $(sed -n 's/.*href="pages-games.html#game=\([^"]*\)".*/\1/p' pages.html); do
    has "--html: a game that is linked" "\"id\":\"$id\"" pages-games.html
    echo "$id"
done >linked
[ "$(wc -l <linked)" -ge 3 ] || wrong "--html: links to $(wc -l <linked) games"
has "--html: a bot" '<th class="t" scope="row">b01</th>' pages.html

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
