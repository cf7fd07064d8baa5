# checks.sh - what the end-to-end tests share; they source it before they go to
# a folder of their own.
#
# `shown` may name files there whose last lines explain a failure. `mark` is in
# the environment of every process that a test starts, as BAD_MARK. `preload` is
# a library that the daemon is started with.

failed=0 count=0 shown= mark= preload=
daemon= clients=
e2e=$(cd "$(dirname "$0")/../e2e" && pwd)

# Of a sanitizer, which wants to be the first library that is preloaded.
first=
[ -z "$referee" ] || ! grep -q __asan_init "$referee" ||
    first=$(${CC:-gcc} -print-file-name=libasan.so)

wrong() {
    echo "$*"
    for file in $shown; do
        [ -s "$file" ] && tail -n 8 "$file" | sed "s/^/    $file: /"
    done
    failed=$((failed + 1))
}

# same WHAT WANT GOT
same() {
    count=$((count + 1))
    [ "$2" = "$3" ] || wrong "$1: expected \"$2\", found \"$3\""
}

# has WHAT FILE PATTERN
has() {
    count=$((count + 1))
    grep -qE -- "$3" "$2" || wrong "$1: no \"$3\" in $2"
}

# hasnt WHAT FILE PATTERN
hasnt() {
    count=$((count + 1))
    ! grep -qE -- "$3" "$2" || wrong "$1: \"$3\" in $2"
}

# Short at first, since most of what a test waits for comes at once. It counts
# looks, not seconds: a busy machine takes longer for each of them.
looks="0.01 0.02 0.02 0.03 0.03 0.05 0.05 0.05 $(yes 0.1 | head -n 600)"

# await FILE PATTERN [N]: until N lines have it; much later than it should be.
await() {
    for pause in $looks; do
        [ "$(grep -cE -- "$2" "$1" 2>/dev/null)" -ge "${3:-1}" ] 2>/dev/null &&
            return
        sleep "$pause"
    done
    wrong "waited in vain for \"$2\" in $1"
    exit 1
}

# run CODE ARGUMENT...: the exit code of referee; what it says is in out, err.
run() {
    code=$1
    shift
    count=$((count + 1))
    timeout 300 "$referee" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$code" ] || wrong "$*: exit code $got, not $code"
}

left_over() {
    grep -las "BAD_MARK=$mark" /proc/[0-9]*/environ | wc -l
}

# gone WHAT: all processes, soon.
gone() {
    count=$((count + 1))
    for tenth in 1 2 3 4 5 6 7 8 9 10; do
        [ "$(left_over)" = 0 ] && return
        sleep 0.$tenth
    done
    wrong "$1: $(left_over) processes are left over"
}

# split_into FOLDER FILE...: each record in a file of its own, FOLDER/ID.rec.
split_into() {
    folder=$1
    shift
    mkdir -p "$folder"
    awk -v to="$folder" '
        function save() { if (id) printf "%s", text >(to "/" id ".rec") }
        /^record / { save(); close(to "/" id ".rec"); text = id = "" }
        /^about / { id = $2; sub(".*=", "", id) }
        { text = text $0 "\n" }
        END { save() }' "$@"
}

# apart FOLDER: the games of a match, in FOLDER.apart.
apart() {
    rm -rf "$1.apart"
    split_into "$1.apart" "$1"/games-*.rec
}

# games_apart: those of a daemon that are over, in games/LADDER.
games_apart() {
    rm -rf games
    for ladder in data/records/*/; do
        ! [ -d "$ladder" ] ||
            split_into "games/$(basename "$ladder")" "$ladder"*.rec
    done
}

# events FOLDER: all that was played, without times, notes and hashes.
events() {
    apart "$1"
    grep -hvE '^(@- |hash )' "$1.apart"/*.rec | sed '/^about /s/ id=[^ ]*//; /^about /s/ start=.*//'
}

# records FOLDER: of how many games?
records() {
    cat "$1"/games-*.rec | grep -c '^record '
}

# closed FOLDER: and of how many that are over?
closed() {
    cat "$1"/games-*.rec | grep -c '^hash '
}

# For tests of the daemon: it has the files ref.ini and log.

# serve OPTION...: begin; daemon, port, tls_port and http_port are set.
serve() {
    : >log
    BAD_MARK=$mark LD_PRELOAD="${preload:+$first }${preload:-$LD_PRELOAD}" \
        "$referee" serve ref.ini "$@" 2>log &
    daemon=$!
    await log " ready$"
    port=$(sed -n 's/.*listening: local on .* port //p' log)
    tls_port=$(sed -n 's/.*listening: world on .* port //p' log)
    http_port=$(sed -n 's/.*http on 127.0.0.1 port //p' log)
}

# status EXPRESSION: a Python expression of the status `s`.
status() {
    python3 "$e2e/status.py" "$referee" "$1" 2>/dev/null
}

# until_true EXPRESSION: of the status.
until_true() {
    python3 "$e2e/status.py" "$referee" "$1" wait && return
    wrong "waited in vain until $1"
    exit 1
}

tokens() {
    for name; do
        "$referee" token $name >$name.token 2>/dev/null
        chmod 600 $name.token
    done
}

# bot NAME [MODE [FILE]]: one that speaks TCP; what it tells is in FILE.out.
bot() {
    : >"${3:-$1}.out" # what an earlier one wrote is not its own
    python3 "$src/tests/bots/net_bot.py" "127.0.0.1:$port" "$1" "$1.token" \
        "${2:-play}" >"${3:-$1}.out" 2>&1 &
    clients="$clients $!"
}

bots_end() {
    kill $clients 2>/dev/null
    wait $clients 2>/dev/null
    clients=''
}

# ladder NAME GAME SEATS LINE...
ladder() {
    printf '[ladder %s]\ngame = %s\nseats = %s\n' "$1" "$2" "$3" >>ref.ini
    shift 3
    printf '%s\n' "$@" >>ref.ini
}

# When the test ends, however it does.
end() {
    kill $clients 2>/dev/null
    [ -n "$daemon" ] && kill -9 "$daemon" 2>/dev/null
    rm -rf "$work"
}
