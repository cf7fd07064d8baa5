#!/bin/sh
# The rules keep nothing between two calls (games/game.h). What the objects of
# the core can write to is built-in data, prepared once, and nothing else.

library=${builddir:-.}/libcore.a
command -v objdump >/dev/null || {
    echo "objdump is missing"
    exit 77
}
if objdump -t "$library" | grep -q __asan_; then
    echo "the sanitizers add variables of their own"
    exit 77
fi

# buf.c: an empty text; axiom: start positions; axio-rota: tiles; rondo: boards;
# second-chance: pieces, their turns, and the lines that tell them.
allowed=' empty known is_read set board printed printed_turn '

found=$(objdump -t "$library" | awk '
    / O / && /[ \t]\.(bss|data)[. \t]/ && !/\.data\.rel\.ro/ {
        sub("[.][0-9]+$", "", $NF)
        print $NF
    }' | sort -u)
[ -n "$found" ] || {
    echo "objdump shows no variable at all in $library"
    exit 1
}
failed=0
for name in $found; do
    case $allowed in
    *" $name "*) ;;
    *)
        echo "libcore.a: $name is a variable that outlives a call"
        failed=1
        ;;
    esac
done
exit $failed
