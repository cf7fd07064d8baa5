#!/bin/sh
# The commands as a person types them: right ones, and wrong ones, which must
# get one clear sentence and exit code 2.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
records=$(cd "${srcdir:-.}/tests/records" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 count=0

# expect CODE TEXT ARGUMENT...: exit code, and a text that must be printed.
expect() {
    code=$1 text=$2
    shift 2
    count=$((count + 1))
    "$referee" "$@" >out 2>err </dev/null
    got=$?
    cat out err >both
    if [ "$got" != "$code" ]; then
        echo "referee $*: exit code $got, not $code"
        head -n 3 both
        failed=$((failed + 1))
    elif ! grep -qF -- "$text" both; then
        echo "referee $*: no \"$text\" in:"
        head -n 3 both
        failed=$((failed + 1))
    elif [ "$code" = 2 ] && [ "$(wc -l <err)" != "${complaints:-1}" ]; then
        echo "referee $*: $(wc -l <err) lines of complaint, not one"
        failed=$((failed + 1))
    fi
}

# same WHAT WANT GOT
same() {
    count=$((count + 1))
    [ "$2" = "$3" ] && return
    printf '%s:\n  expected %s\n  found    %s\n' "$1" "$2" "$3"
    failed=$((failed + 1))
}

zero=0000000000000000000000000000000000000000000000000000000000000000

# Help and slips of the hand.
expect 0 "Usage: referee COMMAND" --help
expect 0 "Usage: referee COMMAND" help
expect 0 "referee 0." --version
expect 2 "a command is missing"
expect 0 "found wrong, 2 wrong use." --help
expect 0 "Usage: referee match --game G" help match
expect 2 'there is no command "mtach"; did you mean "match"?' help mtach
expect 2 'did you mean "replay"?' repaly x
expect 2 'there is no command "foo"; the commands are match, ' foo
expect 2 'no command "frobnicate"; the commands are match, play, tournament, admit, ' frobnicate
expect 2 'referee has no option "--game", only --help and --version' --game x
for command in games deal moves replay perft selfplay; do
    expect 0 "Usage: referee $command" $command --help
    expect 0 "--help" $command -h
    expect 2 "has no option \"--xyzzy\"" $command --xyzzy
done
expect 2 "did you mean --final?" replay --finl x
expect 2 'match has no option "--gmaes"; did you mean --games?' match --gmaes=3
expect 2 'status has no option "-x"; its options are' status -x=3
expect 2 'replay: --quiet takes no value: leave out "=yes"' replay --quiet=yes x
expect 2 'replay: --final takes no value: leave out "=1"' replay --final=1 x
expect 2 'replay: --help takes no value: leave out "=x"' replay --help=x
expect 2 'no option "--xyzzy"; its options' replay --xyzzy=1 x
expect 2 'no option "--xyzzy"; its options are --final, --seat, ' replay --xyzzy
expect 0 'Usage: referee bot [--level N]' bot --help
expect 2 "level" bot --level 51
expect 0 "LEVEL" bot --levels
expect 2 "level" bot --level 0
expect 0 "see above" match --help
expect 0 "Usage: referee serve CONFIG [--check] [--games N]" serve --help
for command in match tournament check connect serve; do
    same "the columns of $command --help" "" \
        "$("$referee" $command --help | grep -E '^  --' |
            grep -vE '^  --[a-z-]+( [^ ]+)?  +[^ ]')"
done
expect 2 "--depth needs a value" perft --game axiom --depth
expect 2 "perft: --depth must be a number from 1 to 12" \
    perft --game axiom --depth 0
expect 2 "perft: --depth must be a number from 1 to 12" \
    perft --game axiom --depth two

# games
expect 0 "second-chance" games
expect 0 "contact=edge|face|interlock" games axiom
expect 0 '"min_seats": 2' games rondo --json
expect 0 '"name": "axio-rota"' games --json
expect 2 "did you mean rondo?" games rnodo
expect 2 'no game "chess"; the games are axi' games chess
expect 2 "games takes one name" games rondo axiom

# deal
expect 0 "commit 66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925" \
    deal --game rondo --seed $zero
expect 2 "--game is missing" deal
expect 2 "did you mean axiom?" deal --game axiomm
expect 2 "axiom leaves nothing to chance" deal --game axiom
expect 2 "rondo takes 2 to 4 seats, not 5" deal --game rondo --seats 5
expect 2 "axiom takes 2 seats, not 3" perft --game axiom --seats 3
expect 2 "--seed needs a text" deal --game rondo --seed ""
expect 2 "did you mean board?" deal --game rondo --set baord=red
expect 2 'rondo has no option "colour"; its options are board' \
    deal --game rondo --set colour=red
expect 2 "must be NAME=VALUE" deal --game rondo --set board
expect 2 "board= needs a value" deal --game rondo --set board=
expect 2 "board is set twice" deal --game rondo --set board=red --set board=red
expect 2 "board: " deal --game rondo --set board=pink
expect 2 "nowhere.txt cannot be opened" deal --game rondo --set board=@nowhere.txt
expect 2 "full_end must be step|round, not \"never\"" \
    deal --game second-chance --set full_end=never
expect 2 "one word of printable ASCII" deal --game rondo --set "board=a b"

"$referee" deal --game rondo >one
"$referee" deal --game rondo >two
count=$((count + 1))
cmp -s one two && echo "two random deals are alike" && failed=$((failed + 1))

# A board from a file: comments and blanks go, errors name the file.
cat >board.txt <<'END'
# the smallest board there is
rondo-board 1
name	tiny   # a tab, and blanks
centre m

field a1 R 2 grey
link m a1
END
expect 0 "deal " deal --game rondo --set board=@board.txt
sed 's/link m a1/link m a2/' board.txt >bad.txt
expect 2 "bad.txt: board: " deal --game rondo --set board=@bad.txt

# perft
same "perft, edge" "perft 2 = 6410" \
    "$("$referee" perft --game axiom --depth 2 | tail -n 1)"
same "perft, face" "perft 2 = 3180" \
    "$("$referee" perft --game axiom --depth 2 --set contact=face | tail -n 1)"
same "perft, interlock" "perft 2 = 992" "$("$referee" perft --game axiom \
    --depth 2 --set contact=interlock | tail -n 1)"
expect 2 "perft takes options only" perft --game axiom 3

# moves
printf 'record 1\ngame axiom\nseats 2\n' >start.rec
same "moves at the start of axiom" 76 "$("$referee" moves start.rec | wc -l)"
same "first move of axiom" "S-1,0,2U/-1,0,1S" \
    "$("$referee" moves start.rec | head -n 1)"
same "moves from standard input" 76 "$("$referee" moves - <start.rec | wc -l)"
expect 2 "seat 2 does not owe a move now; seats that do: 1" moves start.rec --seat 2
expect 2 "moves takes one record file" moves
expect 2 "cannot be opened" moves nowhere.rec
expect 0 "the game is over" moves "$records"/second_chance_v1.rec
sed '/^@- /d; /^play/,$d' "$records"/second_chance_v1.rec >simultaneous.rec
expect 2 "seats 1,2,3 all owe a move: choose one with --seat" \
    moves simultaneous.rec
expect 0 "S06:" moves simultaneous.rec --seat 2
printf 'record 1\ngame axiom\nseats 2\nplay 1 x\n' >bad.rec
expect 1 'bad.rec:4: found "play 1 x"' moves bad.rec

# replay
expect 0 "2 records: 2 valid (1 unfinished), 0 not valid" \
    replay start.rec "$records"/second_chance_v1.rec
expect 1 "3 records: 2 valid (1 unfinished), 1 not valid" \
    replay --quiet start.rec bad.rec "$records"/second_chance_v1.rec
expect 2 "nowhere.rec cannot be opened" replay nowhere.rec
expect 2 "replay needs a record file" replay
complaints=2
expect 2 "1 record: 0 valid, 1 not valid; 1 file skipped" \
    replay --quiet bad.rec nowhere.rec
complaints=1
mkdir records empty
cp start.rec "$records"/second_chance_v1.rec records
expect 0 "2 records: 2 valid (1 unfinished), 0 not valid" replay records
mkdir -p records/deep/deeper
cp start.rec records/deep/deeper
expect 0 "3 records: 3 valid (2 unfinished), 0 not valid" replay --quiet records/
cp bad.rec records/deep
expect 1 "records/deep/bad.rec:4" replay records/
expect 2 "empty contains no records: no file in it or below ends in .rec" replay empty
expect 2 '--seat must be a seat number, "public" or "all"' replay --seat one start.rec
expect 2 "start.rec has seats 1 to 2, no seat 3" replay --seat 3 start.rec
expect 2 "start.rec has seats 1 to 2, no seat 7" replay --seat 7 start.rec
expect 2 "start.rec has seats 1 to 2, no seat 3" replay --step --seat 3 start.rec
expect 0 '"valid":true,"status":"unfinished"' replay --json start.rec
expect 1 '"valid":false,"error":"bad.rec:4' replay --json bad.rec
printf '[match]\ngame = second-chance\njson = yes\n' >json.ini
expect 0 'bot,games,wins' match --config json.ini --csv "$referee bot"
latin=$(printf 'caf\351.rec')
cp start.rec "$latin"
expect 0 '"file":"caf?.rec","line":1,"id":null,"valid":true' replay --json "$latin"

# Many records in a file.
{
    echo "# of a long evening"
    cat start.rec
    echo
    sed 's/^seats 2/&\nabout match=game-2/' start.rec
    echo play 1 pass
    sed 's/^seats 2/&\nabout id=x event=y match=z/' start.rec
    echo "# the end"
} >many.rec
expect 1 "many.rec:2: unfinished, axiom" replay many.rec
expect 1 'many.rec:10: found "play 1 pass", expected a legal move' replay many.rec
expect 1 "many.rec:11: x: unfinished, axiom" replay many.rec
expect 1 "3 records: 2 valid (2 unfinished), 1 not valid" replay --quiet many.rec
expect 1 '"file":"many.rec","line":11,"id":"x","valid":true' replay --json many.rec
expect 0 "many.rec:11: x: unfinished" replay --id x many.rec start.rec
same "one of many" 1 "$("$referee" replay --id x many.rec start.rec | wc -l)"
expect 0 "many.rec:11: x: unfinished" replay --id z many.rec
expect 2 "--id: there is no record of a game w" replay --id w many.rec
expect 2 "many.rec contains several records: choose one with --id" moves many.rec
expect 2 "--id: many.rec has no record of a game 7" moves --id 7 many.rec
same "moves of one of many" 76 "$("$referee" moves --id x many.rec | wc -l)"
expect 1 "many.rec:10: " moves --id game-2 many.rec
expect 0 "many.rec:11: x: Axiom, 2 seats, step 0" replay --step --id x many.rec
# Comments before a closed record are not hashed with it, wherever it stands.
"$referee" selfplay --game axio-rota --quiet --records closed
{
    echo "# a comment"
    cat closed/axio-rota-1.rec
    printf '\n# another\n\n'
    cat closed/axio-rota-1.rec
    printf '# the last'
} >commented.rec
expect 0 "2 records: 2 valid, 0 not valid" replay --quiet commented.rec
same "comments: both are closed" 2 \
    "$("$referee" replay --json commented.rec | grep -c '"closed":true')"
{
    cat closed/axio-rota-1.rec
    sed 's/^play 2 .*/play 2 x/' closed/axio-rota-1.rec
} >step.rec
expect 1 "step.rec:$(grep -n '^play 2 x' step.rec | head -n 1 |
    cut -d: -f1): found \"play 2 x\"" replay --step step.rec
: >nothing.rec
expect 1 "nothing.rec:1: found the end of the file" replay nothing.rec

expect 0 "reason=allout" replay --step "$records"/second_chance_v1.rec
expect 0 "level 1" replay --show start.rec
expect 0 "v1.rec: valid, not closed, second-chance" \
    replay "$records"/second_chance_v1.rec
sed -nE '/^(record|game|set|seats|deal|leave) /p
    s/^(@[0-9]+ )?(play [0-9]+ .*)/\2/p' \
    "$records"/second_chance_v1.rec >typed.rec
expect 0 "typed.rec: valid, second-chance" replay typed.rec
expect 2 "--step and --json cannot be combined" replay --step --json start.rec
expect 2 "--show and --json cannot be combined" replay --show --json start.rec
expect 2 "--final and --show cannot be combined" replay --show --final start.rec
same "quiet says nothing about one good record" "" \
    "$("$referee" replay --quiet start.rec 2>&1)"
same "final result of V1" \
    "result ranks=3,2,1 scores=18,14,10 reason=allout" \
    "$("$referee" replay --final "$records"/second_chance_v1.rec | tail -n 1)"

# hides WHAT PATTERN VISIBLE ARGUMENT...: the stream has VISIBLE, not PATTERN.
hides() {
    what=$1 pattern=$2 visible=$3
    shift 3
    count=$((count + 1))
    "$referee" replay "$@" >out 2>&1
    if ! grep -qE "$visible" out || grep -qE "$pattern" out; then
        echo "$what"
        failed=$((failed + 1))
    fi
}

hides "a spectator sees a face-down stone" ':x[RPGBY]' 'play 2.*:x' \
    --seat public "$records"/rondo_blue_1.rec
hides "seat 1 sees a face-down stone of seat 2" 'play 2.*:x[RPGBY]' \
    'play 1.*:x[RPGBY]' --seat 1 "$records"/rondo_blue_1.rec
hides "seat 1 sees what seat 2 draws" 'draw 2 [RPGBY]' 'draw 1 [RPGBY]' \
    --seat 1 "$records"/rondo_blue_1.rec

# bot
expect 2 "bot takes no arguments" bot x
same "a talk with the built-in bot" "=1 2  =  =3 a1  = a1  =5" \
    "$(printf '1 protocol_version\nlegal_moves a1\n3 genmove 1\ngenmove 1\r\n5 quit\n6 x\n' |
        "$referee" bot | tr '\n' ' ' | sed 's/ *$//; s/  */ /g; s/ =/  =/g')"
expect 0 '"forfeits": {}' match --game second-chance --json \
    "$referee bot" "$referee bot"

# match
expect 2 "--json and --csv cannot be combined" \
    match --game axiom --json --csv "$referee bot" "$referee bot"
expect 2 "a bot has an empty command" \
    match --game axiom "" "$referee bot"
expect 0 "referee-bot-2" match --game second-chance --games 1 \
    "$referee bot" "$referee bot"
same "a table without blanks at the ends of its lines" "" "$(grep ' $' out)"
expect 0 "nobot is out" match --game second-chance --games 1 \
    "cat nobot.py" "$referee bot"
same "no times of a bot that never moved" "- - -" \
    "$(awk '$1 == "nobot" { print $7, $8, $9; exit }' out)"
expect 1 "Elo better than" match --game second-chance --games 500 \
    --sprt "elo0=0 elo1=100" --concurrency 2 "cat nobot.py" "$referee bot"
expect 2 'match: --lenience must be a duration such as 500ms or 2s, not "1"' \
    match --game axiom --lenience 1 "$referee bot" "$referee bot"
expect 2 'match: --start-limit must be a duration such as 500ms or 2s, not "10"' \
    match --game axiom --start-limit 10 "$referee bot" "$referee bot"
expect 2 'match: --lenience must be from 0s to 1m, not "61s"' \
    match --game axiom --lenience 61s "$referee bot" "$referee bot"
expect 2 'match: --start-limit must be from 100ms to 1h, not "0"' \
    match --game axiom --start-limit 0 "$referee bot" "$referee bot"
expect 2 'match: --move-cap must be from 10ms to 24h, not "25h"' \
    match --game axiom --move-cap 25h "$referee bot" "$referee bot"
printf '[match]\nmove-cap = 5x\n' >wrong.ini
expect 2 'wrong.ini:2: move-cap: must be a duration such as 500ms or 2s, not "5x"' \
    match --config wrong.ini x y
printf '[match]\nlenience = 2m\n' >wrong.ini
expect 2 'wrong.ini:2: lenience: must be from 0s to 1m, not "2m"' \
    match --config wrong.ini x y
printf '[bot own]\ncommand = "%s" bot\n' "$referee" >bots.ini
expect 2 "axiom takes 2 seats, not 1" \
    match --game axiom --config bots.ini
expect 2 'there is no program "onw"; for a program in this folder write ./onw; nor is there a [bot onw]' \
    match --game axiom --config bots.ini onw own
mkdir "my dir" my-dir
ln -s "$referee" "my dir/exe"
expect 2 "bot exe: there is no program \"my\"; a name with blanks needs quotes of its own: 'my dir/exe' bot" \
    match --game second-chance "my dir/exe bot" "$referee bot"
expect 2 "there is no program \"./my\"; a name with blanks needs quotes of its own: './my dir/exe'" \
    match --game second-chance "./my dir/exe" "$referee bot"
expect 0 "exe" match --game second-chance --games 1 "'my dir/exe' bot" "$referee bot"
expect 2 "bot my-dir: ./my-dir is a folder; name a program in it" \
    match --game second-chance ./my-dir "$referee bot"
expect 2 "there is no ./nobot" match --game second-chance ./nobot "$referee bot"
for key in "config = x.ini" "resume = yes"; do
    printf '[match]\n%s\n' "$key" >wrong.ini
    expect 2 "wrong.ini:2: ${key%% *}: belongs on the command line, as --" \
        match --config wrong.ini x y
done
printf '[match]\nfrobnicate = 1\n' >wrong.ini
expect 2 'no key "frobnicate"; its keys are bots, game, games, ' \
    match --config wrong.ini x y
printf '[tournament]\n' >wrong.ini
expect 2 'no section [tournament]; the sections are [match], [bot NAME]' \
    match --config wrong.ini x y

# selfplay
expect 0 "rondo 2: result" selfplay --game rondo --games 2 --records rec
expect 0 "2 valid, 0 not valid" replay rec/rondo-1.rec rec/rondo-2.rec
same "records are private" "600 700" "$(stat -c %a rec/rondo-1.rec rec | xargs)"
expect 2 "cannot be created" selfplay --records nowhere/rec
expect 2 "selfplay takes options only" selfplay rondo
"$referee" selfplay --seed $zero --quiet --records a
"$referee" selfplay --seed $zero --quiet --records b
count=$((count + 1))
diff -r a b || failed=$((failed + 1))

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
