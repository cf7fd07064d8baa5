#!/bin/sh
# Run every fuzz target, or those that are named, for so many seconds each.
#
#   SECONDS_EACH=60 run.sh [TARGET...]
#
# They are built with clang in a folder fuzz/ of the build folder. What a run
# finds new is kept in fuzz/corpus/ there, and an input that fails in
# fuzz/found/. Fails if one is found.

set -eu
src=$(cd "${srcdir:-.}" && pwd)
limit=${SECONDS_EACH:-60}

stop() {
    printf 'fuzz: %s\n' "$*" >&2
    exit 2
}

command -v clang >/dev/null || stop "clang is missing; on Debian install" \
    "clang and libclang-rt-dev"
mkdir -p fuzz/corpus fuzz/found
cd fuzz
[ -f Makefile ] || CC=clang "$src/configure" -q --enable-fuzzing ||
    stop "configure failed"
targets=${*:-$(sed -n 's|.*tests/fuzz/fuzz_\([a-z]*\).*|\1|p' \
    "$src/tests/fuzz/files.am" | sort -u)}
for target in $targets; do
    make -s -j"${JOBS:-2}" "tests/fuzz/fuzz_$target" ||
        stop "fuzz_$target does not build"
done
failed=0
for target in $targets; do
    dict= seeds=$src/tests/fuzz/corpus/$target
    case $target in
    record | steps) seeds=$src/tests/records ;;
    esac
    words=$src/tests/fuzz/dict/$target
    case $target in
    record | steps | files) words=$src/tests/fuzz/dict/record ;;
    esac
    [ ! -f "$words" ] || dict=-dict=$words
    mkdir -p "corpus/$target"
    if "tests/fuzz/fuzz_$target" -max_total_time="$limit" -timeout=30 \
        -rss_limit_mb=2048 $dict -artifact_prefix="found/$target-" \
        -print_final_stats=1 "corpus/$target" "$seeds" >log 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' log)
        printf '%-8s %s runs, nothing found\n' "$target" "$runs"
    else
        cp log "found/$target.log"
        printf '%-8s FAILED: see %s\n' "$target" "$PWD/found/$target.log"
        failed=$((failed + 1))
    fi
done
[ "$failed" -eq 0 ]
