#!/bin/sh
# referee check: sound bots pass; a bot with one fault gets the finding that
# names it, with a hint, and exit code 1. Nothing hangs, nothing stays behind.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bots=$(cd "${srcdir:-.}/sample-bots" && pwd)
built=$(cd "${builddir:-.}" && pwd)/sample-bots
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 count=0
unset PYTHONUNBUFFERED
python=$(python3 -c 'import sys; print(sys.executable)') || {
    echo "python3 is missing"
    exit 77
}

# Most of a check is waiting, so AT_ONCE run side by side: cases() is gone
# through twice, first to start them, each in a folder of its own, and then to
# judge them.
AT_ONCE=4
phase=run number=0

complain() {
    echo "$*"
    sed 's/^/    /' out err | head -n 30
    failed=$((failed + 1))
}

# examine ARGUMENT...: in its folder; a token goes back when it is done.
examine() {
    mkdir $number && ln -s ../bot.py ../script $number/
    read -r token <&3
    (
        cd $number || exit 1
        timeout 120 "$referee" check --seed "$seed" "$@" >out 2>err \
            </dev/null 3>&-
        echo $? >code
        tr -s ' \n' '  ' <out >flat
        echo token >&3
    ) &
}

# The same games in every run, so that no finding depends on luck.
seed=$(printf '%064d' 0)

# expect CODE TEXT ARGUMENT...: the exit code of check, and what it must say.
expect() {
    code=$1 text=$2
    shift 2
    number=$((number + 1))
    if [ $phase = run ]; then
        examine "$@"
        return
    fi
    count=$((count + 1))
    cd "$work/$number" || exit 1
    got=$(cat code)
    if [ "$got" != "$code" ]; then
        complain "check $*: exit code $got, not $code"
    elif ! cat flat err | grep -qF -- "$text"; then
        complain "check $*: no \"$text\""
    fi
}

# has TEXT: the last output must say this, too.
has() {
    [ $phase = judge ] || return
    count=$((count + 1))
    grep -qF -- "$1" flat || complain "no \"$1\" in the last report"
}

# A bot with one fault: its name is the argument.
cat >bot.py <<'END'
import os, subprocess, sys, time

fault = sys.argv[1] if len(sys.argv) > 1 else ""
known = ["protocol_version", "list_commands", "name", "version", "new_game",
         "legal_moves", "genmove", "play", "time_left", "time_settings",
         "rejected", "leave", "game_over", "quit"]
moves, first, theirs, games, seat, turns = [], None, None, 0, "1", 0


def say(text, end="\n\n"):
    sys.stdout.write(text + end)
    if fault != "noflush":
        sys.stdout.flush()


def lines():
    if fault == "chunks":
        while True:
            data = os.read(0, 65536).decode()
            if not data:
                return
            yield data.split("\n")[0]
    if fault == "pieces":
        while True:
            data = os.read(0, 1 << 21).decode()
            if not data:
                return
            yield from data.strip("\n").split("\n")
    limit = {"buffer64k": 65536, "buffer1k": 1024}.get(fault, -1)
    while True:
        line = sys.stdin.readline(limit)
        if not line:
            return
        yield line


if fault == "child":
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    open("child.pid", "w").write(str(child.pid))
if fault == "hang":
    time.sleep(1000)
if fault == "exit":
    sys.exit(3)
for line in lines():
    words = line.split()
    if not words:
        continue
    number = words.pop(0) if words[0].isdigit() else ""
    command, args = (words + [""])[0], words[1:]
    mark, text, end = "=", "", "\n\n"
    if fault == "echo" and command == "name":
        say(line.strip(), "\n")
    if fault == "nonumber" or fault == "plain":
        number = ""
    if command == "protocol_version":
        text = "3" if fault == "version" else "2"
    elif command == "list_commands":
        text = "\n".join(known)
        if fault == "oneline":
            text = " ".join(known)
        elif fault == "slip":
            text = text.replace("legal_moves", "legal_move")
        elif fault == "blind":
            text = "genmove"
    elif command == "name":
        text = fault or "sound"
    elif command == "new_game":
        games, turns = games + 1, 0
        seat = dict(w.split("=", 1) for w in args[1:])["seat"]
        if fault == "refuse" or (fault == "picky" and args[0] != "axiom"):
            mark = "?"
        if fault == "crash" and games == 2:
            raise ValueError("the second game is too much")
    elif command == "legal_moves":
        moves = args
        first = first or args[0]
    elif command == "play" and args[0] != seat:
        theirs = args[1]
    elif command == "genmove":
        turns += 1
        text = moves[0] if moves else "resign"
        if fault == "stale" and turns > 3:
            text = old
        elif fault == "wrongseat" and theirs and turns > 2:
            text = theirs
        elif fault == "oldgame" and games > 1:
            text = kept
        elif fault == "slow":
            time.sleep(5)
        elif fault == "nonsense":
            text = "e2e4"
        elif fault == "fail":
            mark, text = "?", "cannot"
        elif fault == "twowords":
            text += " please"
        elif fault == "latin1":
            text = "\u00e9"
        elif fault == "return":
            text = "a\rb"
        if turns == 1:
            old = text
            kept = text if games == 1 else kept
        if fault == "debug":
            say("thinking about " + text, "\n")
        if fault == "flood":
            say("= " + "x" * 2000)
        if fault == "notes":
            for i in range(1001):
                say("# note", "\n")
        if fault == "twice":
            say("=" + number + " " + text)
        if fault == "rejected" and "rejected" in seen:
            sys.exit(1)
    elif command == "rejected":
        seen = command
    elif command == "game_over" and fault == "onegame":
        say("=" + number)
        sys.exit(0)
    elif command == "quit" and fault == "noquit":
        say("=" + number)
        time.sleep(1000)
    elif command not in known:
        mark, text = "?", "unknown command"
        if fault == "ignore":
            continue
        if fault == "yes":
            mark = "="
    seen = command if command == "rejected" else "" \
        if command != "genmove" else ""
    if fault == "noblank" and command == "genmove":
        say("=" + text)
        continue
    if fault == "noblank2":
        say("=" + text)
        continue
    if fault == "wrongid" and command == "genmove":
        number = "1"
    if fault == "ahead":
        number = "2"
    if fault == "nonewline":
        say(mark + number + " " + text, "")
        continue
    if fault == "crlf":
        end = "\r\n\r\n"
    if fault == "plain":
        end = "\n" if command != "list_commands" else "\n\n"
    if fault == "trailing" and command == "version":
        end = "\n\nready!\n"
    say(mark + number + (" " + text if text else ""), end)
    if command == "quit":
        break
if fault == "noquit":
    time.sleep(1000)
if fault == "code":
    sys.exit(7)
END

# faulty FAULT TEXT: the bot with this fault must be found out.
faulty() {
    expect 1 "$2" --games 3 --time 700ms --start-limit 5s --game "${3:-axiom}" \
        "$python bot.py $1"
    has "FAULT"
}

if [ ! -x "$built/c/random" ]; then
    mkdir -p c && ${CC:-cc} -O1 -o c/random "$bots/c/random.c" && built=$work
fi
printf 'no program\n' >script
chmod +x script

cases() {
    # Wrong use.
    expect 2 "check needs a bot"
    expect 2 "check takes one bot" ./a ./b
    expect 2 "there is no ./nowhere" ./nowhere
    expect 2 "did you mean rondo?" --game rnodo cat
    expect 2 "--time: " --time soon cat
    expect 2 "--time must be more than 0" --time 0 cat
    expect 2 "--seed needs a text" --seed "" cat
    expect 0 "Usage: referee check" --help

    # Sound bots, in all games; and forms that are allowed.
    expect 0 "0 faults: this bot can play in a contest" "$built/c/random"
    for game in axiom axio-rota rondo second-chance; do
        has " $game ok"
    done
    has "all legal; 1 to 6 seats"
    has "ok long line 1 MiB is read"
    has "ok interrupted game"
    expect 0 "can play in a contest" "$python $bots/python/random_bot.py"
    expect 0 "ok rejected the bot moves again" --game rondo "$python bot.py"
    expect 0 "lines end with CR LF" --game rondo "$python bot.py crlf"
    expect 0 "without numbers" --game rondo "$python bot.py nonumber"
    expect 0 "no empty line after an answer" --game axiom "$python bot.py plain"
    expect 0 "the bot does not play rondo" "$python bot.py picky"
    expect 0 'answered with "="' --game axiom "$python bot.py yes"
    expect 1 "into a buffer of fixed size?" --game axiom --time 2s \
        "$python bot.py buffer64k"
    expect 0 "exited with code 7" --game axiom "$python bot.py code"

    # One fault each.
    faulty noflush "Flush after every answer"
    faulty nonewline "has no line feed"
    faulty hang "does not notice the end of its input"
    faulty exit "exited with code 3"
    faulty version "protocol_version is not 2"
    faulty noblank2 'in "=2" the 2 is read as the number of a command'
    faulty echo "must not echo its input"
    faulty trailing "print your own messages to standard error"
    faulty oneline "join the commands with line feeds"
    faulty slip 'did you mean "legal_moves"?'
    has "without a single move"
    faulty blind "will not learn the position"
    has "without a single move"
    faulty ignore "FAULT unknown command"
    faulty chunks "FAULT many at once"
    faulty pieces "FAULT byte by byte"
    faulty refuse "does not play axiom"
    faulty noblank 'print a blank between "="'
    faulty wrongid "an answer with the wrong id"
    faulty debug "print your own messages to standard error"
    faulty twice "this number has been answered before"
    faulty latin1 "letters with accents"
    has ' \xc3\xa9 '
    faulty return "FAULT"
    has ' a\rb '
    faulty ahead "the number is wrong: it must be that of the command, here 1."
    faulty flood "a line of more than 1024 bytes"
    faulty notes "more than 1000 notes"
    faulty nonsense "one of 76 legal moves, for example"
    faulty fail "the bot failed to move"
    faulty twowords "FAULT illegal move"
    faulty stale "it was legal at an earlier turn"
    faulty wrongseat "it was legal for another seat"
    faulty oldgame "it was legal in the previous game" second-chance
    faulty slow "did not answer in time"
    faulty crash "ValueError: the second game is too much"
    faulty onegame "the bot exits after a game"
    faulty buffer1k "FAULT"
    faulty noquit "FAULT quit the bot still runs"
    expect 1 "the bot does not play any game" "$python bot.py refuse"

    # Programs that are no bots at all.
    expect 1 "must not echo its input" --time 500ms --start-limit 500ms cat
    expect 1 "FAULT" --time 500ms --start-limit 500ms true
    expect 1 "FAULT" --time 500ms --start-limit 500ms yes
    expect 1 "FAULT" --time 500ms --start-limit 500ms "sleep 1000"
    expect 1 "The rest was not tried" --time 500ms --start-limit 500ms \
        "cat /dev/zero"
    expect 2 "names no interpreter" --time 500ms --start-limit 500ms ./script

    # For machines; and the talk for people.
    expect 1 '"passed": false' --json --games 1 --game axiom \
        "$python bot.py debug"
    has '"protocol": "6.1"'
    [ $phase = run ] ||
        "$python" -c 'import json; json.load(open("out"))' || complain "no JSON"
    expect 0 '"faults": 0' --json --games 1 --game axiom "$python bot.py"
    expect 0 "> 1 protocol_version" --verbose --games 1 --game axiom \
        "$python bot.py"
    expect 0 "< =1 2" --verbose --games 1 --game axiom \
        "$python bot.py"

    # Nothing stays behind, whatever the bot has started.
    expect 0 "can play" --game axiom --games 1 "$python bot.py child"
    if [ $phase = judge ]; then
        count=$((count + 1))
        ! kill -0 "$(cat child.pid)" 2>/dev/null ||
            complain "a child of the bot still runs"
    fi
}

mkfifo tokens
exec 3<>tokens
for i in $(seq $AT_ONCE); do
    echo token >&3
done
cases
wait
phase=judge number=0
cases
cd "$work" || exit 1

# The same seed, the same games.
zero=0000000000000000000000000000000000000000000000000000000000000000
for n in 1 2; do
    "$referee" check --seed $zero --game rondo --verbose "$python bot.py" \
        2>&1 >/dev/null | grep -v time_left >talk$n
done
count=$((count + 1))
cmp talk1 talk2 || failed=$((failed + 1))

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
