#!/bin/sh
# handins.sh [N]: N bots are handed in at once (default 200), some of them
# broken or hostile. How many a minute, and how long until a verdict?

many=${1:-200}
referee=$(cd "${builddir:-.}/referee" && pwd)/referee
. "$(dirname "$0")/../e2e/checks.sh"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
PATH=$(dirname "$referee"):$PATH

cat >ref.ini <<EOF
[server]
data = data
keys = keys
control = control
connections-per-address = 2000
[listen local]
port = 0
[handins]
folder = shelf
queue = 10000
at-once = $(nproc)
build-limit = 5s
[ladder cards]
game = second-chance
seats = 2
time = move:60s
handins = yes
local-games = no
EOF

# Every tenth one is broken or hostile.
folder() { # NUMBER
    mkdir -p "src/m$1"
    case $(($1 % 40)) in
    10) echo 'raise ValueError("broken")' >"src/m$1/bot.py" ;;
    20) printf 'all:\n\tsleep 1000\n' >"src/m$1/Makefile" ;;
    30) printf 'all:\n\tcat %s/keys\n' "$work" >"src/m$1/Makefile" ;;
    0) printf 'SHELL=/bin/bash\nall:\n\tb() { b | b & }; b; sleep 9\n' \
        >"src/m$1/Makefile" ;;
    *)
        printf '[bot]\ncommand = referee bot --level 1 --seed %s\n' "$1" \
            >"src/m$1/bot.ini"
        ;;
    esac
}

one() { # NAME: its verdict, and how long it took, in milliseconds
    began=$(date +%s%3N)
    "$referee" submit "127.0.0.1:$port" --name "$1" --token-file "$1.token" \
        "src/$1" >"$1.out" 2>"$1.err"
    echo "$? $(($(date +%s%3N) - began))" >"$1.took"
}

for i in $(seq 0 "$many"); do
    tokens "m$i"
    folder "$i"
done
folder 1
serve
one m1
echo "alone: $(cut -d' ' -f2 m1.took) ms until the verdict"
printf '; another version\n' >>src/m1/bot.ini
began=$(date +%s%3N)
for i in $(seq "$many"); do
    one "m$i" &
    pids="$pids $!"
done
wait $pids
took=$(($(date +%s%3N) - began))
for i in $(seq "$many"); do
    cat "m$i.took"
done | sort -k2n >took
echo "$many at once: $(grep -c ^0 took) accepted, $(grep -c ^1 took) refused," \
    "$(grep -c ^2 took) without a verdict"
echo "$((many * 60000 / took)) hand-ins per minute; verdict after" \
    "$(awk -v n="$many" 'NR == int((n + 1) / 2) { print $2 }' took) ms in the" \
    "middle, $(tail -n 1 took | cut -d' ' -f2) ms at most"
honest=0
for i in $(seq "$many"); do
    [ $((i % 10)) = 0 ] || grep -q ^0 "m$i.took" || {
        honest=$((honest + 1))
        cat "m$i.out" "m$i.err"
    }
done
echo "honest ones refused: $honest; hostile ones accepted:" \
    "$(for i in $(seq 10 10 "$many"); do cat "m$i.took"; done | grep -c ^0)"
status 's["handins"]'
