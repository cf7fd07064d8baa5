#!/bin/sh
# Do the tests bite? Build the program in a scratch copy of the tree, make one
# mutation of tests/mutants/list after the other, and run the tests that must
# notice it. Fails when one survives.
#
#   run.sh            all of them
#   run.sh WORD       those with this word in their name
#
# LAWS_GAMES games a setup are enough here; JOBS is for make.

set -eu
src=$(cd "${srcdir:-.}" && pwd)
list=$src/tests/mutants/list
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
LAWS_GAMES=${LAWS_GAMES:-5}
export LAWS_GAMES
ran=0 survived=0

stop() {
    printf 'mutants: %s\n' "$*" >&2
    exit 2
}

make_quietly() {
    make -s -j"${JOBS:-2}" "$@" >"$scratch/log" 2>&1
}

# Do these programs pass?
pass() {
    for test in "$@"; do
        timeout 600 "./$test" >"$scratch/log" 2>&1 || return 1
    done
}

mutate() { # NAME FILE SED TESTS
    file=$scratch/tree/$2
    cp "$file" "$scratch/whole"
    sed "$3" "$scratch/whole" >"$file"
    ! cmp -s "$file" "$scratch/whole" || stop "$1: nothing to change in $2"
    # shellcheck disable=SC2086 # words
    if ! make_quietly $4; then
        cat "$scratch/log" >&2
        stop "$1: it does not build"
    elif pass $4; then
        survived=$((survived + 1))
        echo "SURVIVED: $1"
    else
        echo "caught: $1"
    fi
    ran=$((ran + 1))
    cp "$scratch/whole" "$file" # newer than its object
}

mkdir "$scratch/tree" "$scratch/build"
(cd "$src" && tar cf - --exclude=./build --exclude='./build-*/*.o' \
    --exclude=./.git .) | (cd "$scratch/tree" && tar xf -)
srcdir=$scratch/tree builddir=.
export srcdir builddir
cd "$scratch/build"
[ -z "$(command -v ccache)" ] || CC="ccache gcc"
echo "building"
"$scratch/tree/configure" -q --disable-lto CC="${CC:-cc}" CFLAGS=-O1 \
    >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; stop "no configure"; }
all=$(sed -n 's/^tests //p' "$list" | tr ' ' '\n' | sort -u | tr '\n' ' ')
# shellcheck disable=SC2086 # words
make_quietly $all || { cat "$scratch/log" >&2; stop "it does not build"; }
# shellcheck disable=SC2086 # words
pass $all || { tail -20 "$scratch/log"; stop "tests fail without a mutation"; }

while IFS= read -r line; do
    case $line in
    '#'* | '') ;;
    'file  '*) file=${line#file  } ;;
    'sed   '*) change=${line#sed   } ;;
    'tests '*)
        case $name in
        *"${1:-}"*) mutate "$name" "$file" "$change" "${line#tests }" ;;
        esac
        ;;
    *) name=$line ;;
    esac
done <"$list"
[ "$ran" -gt 0 ] || stop "no mutation has \"$1\" in its name"
echo "$ran mutations, $survived survived"
[ "$survived" -eq 0 ]
