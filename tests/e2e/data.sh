#!/bin/sh
# The files in sample-bots/data say what is built in: a game dealt with one of
# them plays move for move like the game without it.

data=$(cd "${srcdir:-.}/sample-bots/data" && pwd) || exit 1
referee=$(cd "${builddir:-.}/referee" && pwd)/referee
. "$(dirname "$0")/checks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# play FOLDER GAME SEATS SEED [OPTION]: a game, and its record without the
# lines that say how it was set up.
play() {
    folder=$1 game=$2
    mkdir -p "$folder"
    "$referee" selfplay --quiet --game "$game" --seats "$3" --seed "$4" \
        --records "$folder" ${5:+--set "$5"} >"$folder/out" 2>&1 ||
        wrong "$game $5: $(cat "$folder/out")"
    [ -s "$folder/out" ] && wrong "$game $5 says: $(cat "$folder/out")"
    "$referee" replay "$folder/$game-1.rec" --quiet >"$folder/out" 2>&1 ||
        wrong "$game $5: $(cat "$folder/out")"
    sed '/^set /d; /^hash /d' "$folder/$game-1.rec" >"$folder/events"
}

# alike GAME OPTION BUILT_IN FILE
alike() {
    for seats in 2 3 4; do
        for digit in 0 1 2 3; do
            seed=$(printf '%063d%d' "$seats" "$digit")
            count=$((count + 1))
            play built "$1" "$seats" "$seed" "$2=$3"
            play filed "$1" "$seats" "$seed" "$2=@$data/$4"
            grep -q "^set $2=[a-zA-Z0-9-]*[,:]" "filed/$1-1.rec" ||
                wrong "$1: the record does not hold the data of $4"
            cmp -s built/events filed/events && continue
            wrong "$1, $seats seats: $4 is not $2=$3:"
            diff built/events filed/events | head -n 4
        done
    done
}

alike rondo board blue rondo_blue.txt
alike rondo board red rondo_red.txt
alike axio-rota tiles default axio_rota_tiles.txt
alike second-chance pieces default second_chance_pieces.txt

files=$(ls "$data" | grep -c '\.txt$')
[ "$files" = 4 ] || wrong "$files files in $data, but 4 are compared"
echo "$count games, $failed faults"
[ "$failed" = 0 ]
