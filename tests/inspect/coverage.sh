#!/bin/sh
# Which lines the tests reach: all tests, or those that are named, and a report
# by folder. MISSING=PATTERN also lists the functions of these files that none
# of them calls.
#
#   coverage.sh [TEST...]
#
# It is built in a folder coverage/ of the build folder. A process that is
# killed tells nothing, so what only such processes do counts as not reached.

set -eu
src=$(cd "${srcdir:-.}" && pwd)

stop() {
    printf 'coverage: %s\n' "$*" >&2
    exit 2
}

mkdir -p coverage
cd coverage
[ -f Makefile ] || "$src/configure" -q --disable-lto CC="${CC:-gcc}" \
    CFLAGS="-O0 -g --coverage" || stop "configure failed"
make -s -j"${JOBS:-2}" all || stop "it does not build"
[ "${KEEP:-}" ] || find . -name '*.gcda' -delete
if [ "$*" != none ]; then
    make -j"${JOBS:-2}" check ${*:+TESTS="$*"} >check.log 2>&1 || :
    grep -E '^(FAIL|ERROR):' check.log || :
fi
python3 "$src/tests/inspect/coverage.py" "$src/referee" ${MISSING:+"$MISSING"}
