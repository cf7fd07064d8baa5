#!/bin/sh
# sanitize.sh thread|address [TEST...] - the library's tests under a sanitizer.
#
# Compiles the library's sources and tests/lib/test_lib.c, and nothing else,
# into one program with the sanitizer, and runs it: make check-tsan and
# check-lib-asan do. With "address" undefined behaviour is looked for as well.
case "$1" in
thread) flags=-fsanitize=thread ;;
address) flags="-fsanitize=address,undefined -fno-sanitize-recover=all" ;;
*)
    echo "usage: sanitize.sh thread|address [TEST...]" >&2
    exit 2
    ;;
esac
kind=$1
shift
src=${srcdir:-.}
out=${builddir:-.}/tests/lib/test_lib_$kind
mkdir -p "${out%/*}"
# shellcheck disable=SC2086 # words
${CC:-cc} -std=gnu17 -g -O1 -w $flags -fno-omit-frame-pointer \
    -DPACKAGE_VERSION='"test"' -D_GNU_SOURCE -I"$src/referee" \
    -I"$src/tests/shim/plain" -I"${builddir:-.}/referee" \
    "$src"/referee/base/*.c \
    "$src"/referee/games/*.c "$src"/referee/games/*/*.c \
    "$src"/referee/lib/*.c "$src/tests/lib/test_lib.c" -o "$out" \
    -lsodium -lcrypto -lm -lpthread || exit 1
TSAN_OPTIONS=halt_on_error=1 exec "$out" "$@"
