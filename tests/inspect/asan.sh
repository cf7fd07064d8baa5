#!/bin/sh
# The tests with the address and undefined-behaviour sanitizers: all of them,
# or those that are named.
#
#   asan.sh [TEST...]
#
# They are built in a folder asan/ of the build folder. What a sanitizer reports
# is a failure, a leak too, also where no test notices: all reports go to
# asan/reports/. Tests that cannot run there are in asan_without.txt, each with
# its reason.

set -eu
src=$(cd "${srcdir:-.}" && pwd)

stop() {
    printf 'check-asan: %s\n' "$*" >&2
    exit 2
}

mkdir -p asan
cd asan
[ -f Makefile ] || "$src/configure" -q --enable-asan CC="${CC:-gcc}" ||
    stop "configure failed"
make -s -j"${JOBS:-2}" all || stop "it does not build"
rm -rf reports
mkdir -p reports
chmod 1777 reports # bots have users of their own
tests=
for test in ${*:-$(make -s list-tests)}; do
    reason=$(sed -n "s|^$test  *||p" "$src/tests/inspect/asan_without.txt")
    if [ -z "$reason" ]; then
        tests="$tests $test"
    else
        echo "left out: $test: $reason"
    fi
done
ASAN_OPTIONS=log_path=$PWD/reports/asan${ASAN_OPTIONS:+:$ASAN_OPTIONS}
UBSAN_OPTIONS=log_path=$PWD/reports/ubsan:print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS
failed=0
make -j"${JOBS:-2}" check TESTS="$tests" >check.log 2>&1 || failed=1
grep -E '^(PASS|FAIL|SKIP|ERROR):' check.log || tail -n 20 check.log
# A warning about the stack of a thread of vfork() is none.
for report in $(grep -lE 'ERROR:|runtime error:' reports/* 2>/dev/null); do
    echo "reports: $PWD/reports; the first is"
    head -n 30 "$report"
    failed=1
    break
done
exit $failed
