#!/bin/sh
# What new users stumbled over: each item has a test of its own.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
shown="out err"

# run CODE ARGUMENT...: the exit code of referee; what it says is in out, err.
run() {
    code=$1
    shift
    count=$((count + 1))
    timeout 300 "$referee" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$code" ] || wrong "$*: exit code $got, not $code"
    tr -s ' \n' '  ' <out >flat
}

cat >kit.py <<'END'
import sys, time, traceback
fault = sys.argv[1] if len(sys.argv) > 1 else ""
moves = []
for line in sys.stdin:
    words = line.split()
    cmd = words[1]
    text = {"protocol_version": "2", "name": "kit", "version": "1",
            "list_commands": "legal_moves\nplay"}.get(cmd, "")
    if cmd == "version" and fault == "noversion":
        text = ""
    sign = "="
    if cmd == "legal_moves":
        moves = words[2:]
        if fault == "golang" and len(line) > 65536:
            sys.exit(1)
    if cmd == "play" and fault == "question":
        sign = "?"
    if cmd == "genmove":
        text = moves[0]
        if fault == "raises":
            try:
                raise ValueError("größe")
            except ValueError:
                traceback.print_exc()
        if fault == "slow":
            time.sleep(1.5)
        if fault == "stray":
            print("thinking hard", flush=True)
    if cmd == "new_game" and fault == "deaf":
        time.sleep(1000)
    print(sign + words[0] + " " + text + "\n", flush=True)
    if cmd == "quit":
        break
END
seed=$(printf '%064d' 0)

# Item 1: a bot that hides its exceptions fails, with the whole traceback.
run 1 check --game go --games 2 --seed $seed "python3 kit.py raises"
has "hidden exception" out "FAULT +standard error"
has "the author's line" out 'raise ValueError\("größe"\)'
has "UTF-8 stays" out "ValueError: größe"
run 1 check --json --game go --games 2 --seed $seed "python3 kit.py raises"
count=$((count + 1))
python3 -c 'import json; assert "gr\u00f6\u00dfe" in str(json.load(open("out")))' ||
    wrong "JSON lost the UTF-8"
run 1 check --game go --games 2 --seed $seed "python3 kit.py question"
has "swallowed error" flat "FAULT failed commands"
run 0 match --game go --games 2 --seed $seed "python3 kit.py raises" \
    "$referee bot"
has "match counts stderr" err \
    '^kit wrote [0-9]+ lines to stderr \(first: Traceback .*--records DIR keeps'

# Item 2: slow is not buffered.
run 1 check --game go --games 1 --time 500ms --seed $seed \
    "python3 kit.py slow"
has "slow" flat "the bot is slow: its answer came"
hasnt "no buffer" flat "were still in a buffer"

# Item 3: a reader that fails on long lines.
run 1 check --game axiom --games 4 --seed $seed "python3 kit.py golang"
has "long line" flat "FAULT long line"

# Item 4: match explains, and stops.
run 1 match --game go --games 50 --seed $seed "python3 kit.py stray" \
    "$referee bot"
has "the line is quoted" err ': "thinking hard"'
has "points to check" err "forfeited 10 games in a row. Run \"referee check\""
run 0 match --game go --games 12 --keep-going --seed $seed \
    "python3 kit.py stray" "$referee bot"
has "--keep-going" out "go, 12 games"
run 0 match --game go --start-limit 1s --games 1 --seed $seed \
    "python3 kit.py deaf" "$referee bot"
has "which command" err "was not ready in time: no answer to new_game"
run 1 match --game go --games 100 --seed $seed "sh -c 'exec nowhere'" \
    "$referee bot"
has "no program" err "forfeited 10 games in a row"

# Item 6: an empty version.
run 0 check --game go --games 1 --seed $seed "python3 kit.py noversion"
has "empty version" flat "the version is empty"

# Item 7: --sprt plays until it is decided, and scripts can gate on it.
run 1 match --game second-chance --sprt "elo0=0 elo1=200" --seed 7 \
    --concurrency 2 "a=$referee bot" "b=$referee bot"
has "verdict" out "^a is at least 200 Elo better than b: no$"

# Item 8: names.
cp kit.py bot.lua && cp kit.py bot.tcl && mkdir v1 v2 && cp kit.py v1/x.py &&
    cp kit.py v2/x.py
run 0 match --game go --games 1 --seed 1 "python3 bot.lua" "python3 bot.tcl"
has "ending tells apart" out "^bot.lua "
has "ending tells apart" out "^bot.tcl "
run 0 match --game go --games 1 --seed 1 "python3 v1/x.py" "python3 v2/x.py"
has "folder tells apart" out "^v2-x "
run 0 match --game go --games 1 --seed 1 "anna=python3 kit.py" \
    "FOO=1 python3 kit.py"
has "NAME=COMMAND" out "^anna "
has "a variable" out "^kit "
run 2 match --game go "a-name-that-is-longer-than-it-may-be=$referee bot" \
    "$referee bot"
has "a name that is too long" err 'has 36 letters; at most 32 are allowed'

# Item 9: step through the games that a bot lost, with names, clocks and notes.
run 0 match --game axiom --games 6 --seed 1 --quiet --records lost \
    "anna=$referee bot" "bert=$referee bot --level 6"
run 0 replay --of anna lost
same "games of anna" 6 "$(grep -c "game-" out)"
run 0 replay --of anna --lost lost
hasnt "lost means lost" out "ranks=1,1"
run 0 replay --step --of anna --lost lost
has "names and clocks" out "^1 (anna|bert) [0-9.]+ s left, used [0-9.]+ s   2 "
has "the last move is marked" out "^> play [12] "
same "80 columns" "" "$(grep -v 'lost/games' out | awk 'length > 80' | head -n 1)"
run 2 replay --lost lost
has "whose" err "--lost needs --of NAME"
run 2 replay --of nobody lost
has "nobody" err "there is no game of nobody"
cat >far.rec <<'END'
record 1
game axiom
set setup=b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1N|b
seats 2
END
run 0 replay --show far.rec
has "a legend for what is used" out \
    "^B W in a border: a sceptre in that wall   : empty rows or columns left out$"
cat >noted.rec <<'END'
record 1
game go
set size=3
seats 2
@- note 1 a quiet move
play 1 A2
END
run 0 replay --step noted.rec
has "notes" out "^  note 1 a quiet move$"

cat >noter.py <<'END'
import runpy, sys
write = sys.stdout.write
def note(text):
    if text.startswith("=") and len(text.split()) == 2:
        write("# a very long note that goes on and on and is longer than any "
              "terminal has columns, with \u00fcml\u00e4uts\n")
    return write(text)
sys.stdout.write = note
runpy.run_path("kit.py")
END
for game in axiom axio-rota rondo second-chance go; do
    run 0 match --game $game --games 1 --seed 5 --records screen-$game \
        --time fischer:60s+1s \
        "a-very-long-name-of-a-bot-012345=python3 noter.py" \
        "another-long-name-of-a-bot-01234=python3 noter.py"
    python3 "$src/tests/e2e/screen.py" "$referee" screen-$game >out 2>&1
    same "$game on a terminal of 80 x 24" 0 $?
done

# Item 10: a forgiving command line.
run 0 match -game go --games 2 --time 500ms --seed 42 --log-talk talk.txt \
    --games-csv games.csv "anna=python3 kit.py" "bert=$referee bot"
has "seed is said" err "seed 42 stands for its SHA-256"
has "move:500ms" out "move:500ms"
has "to the bot" talk.txt "^anna> [0-9]+ genmove 1"
has "from the bot" talk.txt "^anna< =[0-9]+ "
same "rows" 3 "$(wc -l <games.csv)"
has "CSV" games.csv "^1,[0-9]+,[a-z]+,anna,"
run 2 match --game go python3 kit.py
has "unquoted" err 'quote the command: "python3 kit.py"'
cp kit.py runs.py && chmod +x runs.py
run 2 match --game go python3 runs.py
has "unquoted, of a program" err 'quote the command: "python3 runs.py"'

# Item 11: the rules on the command line, for every game.
for game in axiom axio-rota rondo second-chance go; do
    run 0 games $game --rules
    has "$game: rules" out "^### 2\.[0-9] $game$"
    same "$game: only its own" 1 "$(grep -c '^##' out)"
    has "$game: the view" out "^\*\*|^\| view"
done
run 2 games --rules
has "whose rules" err "referee games NAME --rules"

# Item 26: whose boards, tiles and cards these are.
run 0 games axiom
has "axiom: the start" flat "standard is from the play-by-email sheet of 2002"
for game in rondo axio-rota second-chance; do
    run 0 games $game
    has "$game: our own data" flat "The printed [a-z]+ have not been published: .* our own and satisfy every stated fact; --set [a-z]+=@FILE uses"
done
run 2 match --game go "pyhton3 kit.py" "$referee bot"
has "slip" err 'did you mean "python3"\?'
printf 'print(1)\n' >plain.py && chmod +x plain.py
run 2 match --game go ./plain.py "$referee bot"
has "no #!" err 'such as "python3 ./plain.py"'
cat >m.ini <<END
[match]
game = go
games = 1
[bot anna]
command = python3 kit.py
[bot bert]
command = $referee bot
END
run 0 match --config m.ini
has "all bots of the file" out "^anna "

# Item 28: who plays alone has a score and a goal, and beats nobody.
run 0 match --game second-chance --games 3 --seed 1 --quiet --records alone \
    --log-talk talk.txt "python3 ${src}/sample-bots/python/random_bot.py"
has "mean and spread" out "bot +games +mean +spread +range +reached"
has "goal" out "^random_bot +3 +[0-9.]+ +[0-9.]+ +[0-9]+-[0-9]+ +0 of 3 "
hasnt "no wins" out "wins"
run 0 match --game second-chance --games 3 --seed 1 --quiet --json "$referee bot"
has "JSON: goals" out '"goals": 0'
has "JSON: spread" out '"spread": '
run 0 replay --final --id 1 alone
has "replay judges" out "^result ranks=1 scores=[0-9]+ reason=[a-z]+ goal=missed$"
cat alone/games-*.rec >alone.rec
hasnt "records are as they were" alone.rec "goal="
run 0 replay --quiet --strict alone
sed 's/"genmove": ""/"genmove": "", "game_over": ""/' \
    "$src/sample-bots/python/random_bot.py" >over.py
run 0 match --game axio-rota --games 1 --seed 1 --quiet --log-talk talk.txt \
    "python3 over.py"
has "game_over judges" talk.txt "game_over ranks=1 scores=[0-9]+ reason=tiles goal=missed"

# Item 30: options, and what they refuse.
run 0 games axiom
has "rules" out "^  rules=1988\|2008$"
has "table" out "^  table=N$"
has "nomove" out "^  nomove=loss\|draw$"
run 0 games second-chance
has "start" out "^  start=each\|common$"
has "parts" out "^  parts=3\|1$"
run 0 perft --game axiom --set rules=2008 --depth 2
has "2008" flat "perft 1 = 32 perft 2 = 992"
run 2 perft --game axiom --set table=2 --set start=wall --depth 1
has "too small" err "table=2 is too small: the first position has a cube in"
run 2 match --game second-chance --set parts=1 "$referee bot" "$referee bot"
has "solo only" err "parts is for a single player, not for 2 seats"
run 0 deal --game second-chance --seats 4 --set start=common --seed 1
has "one card for all" out "^deal S[0-9]+ P"

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
