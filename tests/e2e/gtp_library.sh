#!/bin/sh
# A bot written with a GTP library that nobody here wrote plays whole games,
# and neither side knows of the other.

src=$(cd "${srcdir:-.}" && pwd)
build=$(cd "${builddir:-.}" && pwd)
home=$build/tests/e2e/gtp_library
package=@sabaki/gtp
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

skip() {
    echo "$*"
    exit 77
}

command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
if [ ! -d "$home/node_modules/$package" ]; then
    mkdir -p "$home"
    npm install --prefix "$home" --no-audit --no-fund --loglevel=error \
        "$package@3" >"$work/npm" 2>&1 ||
        skip "$package cannot be installed: $(head -1 "$work/npm")"
fi
NODE_PATH=$home/node_modules
export NODE_PATH

failed=0
for game in axiom rondo axio-rota second-chance; do
    "$build/referee/referee" match --game "$game" --games 2 --time move:20s \
        --start-limit 60s --records "$work/$game" --json \
        "node $src/tests/bots/sabaki_bot.js" \
        "$build/sample-bots/c/random" >"$work/out" 2>"$work/err" ||
        failed=1
    [ "$(grep -c '"forfeits": {}' "$work/out")" = 2 ] || failed=1
    [ "$(cat "$work/$game"/*.rec |
        grep -c 'seat . name=[^ ]*.* version=3')" = 2 ] || failed=1
    "$build/referee/referee" replay --quiet "$work/$game"/*.rec || failed=1
    [ $failed = 0 ] || {
        echo "$game:"
        cat "$work/out" "$work/err"
        exit 1
    }
done
echo "$package has played four games twice"
