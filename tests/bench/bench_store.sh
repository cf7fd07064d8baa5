#!/bin/sh
# What the store costs: an index of many games, made up, and how fast reindex
# reads real records. BENCH_GAMES, BENCH_BOTS and BENCH_RECORDS may say how
# many; it takes a few minutes and about 1 GB below TMPDIR.

build=$(cd "${builddir:-.}" && pwd)
referee=$build/referee/referee
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

"$build/tests/bench/bench_store" index.db "${BENCH_GAMES:-1000000}" \
    "${BENCH_BOTS:-1000}" || exit 1
rm -f index.db*

echo
mkdir -p data/records/bench
"$referee" match --game rondo --games "${BENCH_RECORDS:-20000}" \
    --concurrency 2 --records data/records/bench "$referee bot" \
    "$build/sample-bots/c/random" >/dev/null 2>&1
"$referee" reindex data | sed 's/^data: /reindex of records just written: /'
"$referee" reindex data | sed 's/^data: /and once more: /'
