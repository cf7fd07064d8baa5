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

# run CODE ARGUMENT...: the exit code of referee; what it says is in out, err.
run() {
    code=$1
    shift
    count=$((count + 1))
    timeout 120 "$referee" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$code" ] || wrong "$*: exit code $got, not $code"
}

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

echo "$count checks, $failed failed"
[ "$failed" = 0 ]
