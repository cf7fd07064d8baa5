#!/bin/sh
# The viewer in a real browser: Debian's chromium, driven by playwright-core,
# which npm puts into the build folder the first time. Screenshots for people
# go to screens/ there. Other scripts of this folder begin with this one: the
# program of NAME.sh is NAME.js, or PROGRAM.

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${builddir:-.}" && pwd)
tools=$build/tests/browser

skip() {
    echo "skipped: $*"
    exit 77
}

CHROMIUM=$(command -v chromium) || skip "there is no chromium"
command -v node >/dev/null || skip "there is no node"
mkdir -p "$tools" "$build/screens" || exit 1
# One script fetches, and the others wait for it.
exec 9>"$tools/npm.lock"
flock 9
if ! cmp -s "$here/package.json" "$tools/fetched.json"; then
    command -v npm >/dev/null || skip "there is no npm to fetch playwright-core"
    cp "$here/package.json" "$tools/package.json"
    (cd "$tools" && npm install --no-package-lock --no-audit --no-fund \
        --ignore-scripts) >"$tools/npm.log" 2>&1 ||
        skip "npm cannot fetch playwright-core (see $tools/npm.log)"
    cp "$here/package.json" "$tools/fetched.json"
fi
exec 9>&-
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export CHROMIUM NODE_PATH="$tools/node_modules" WORK="$work"
export SRC="${srcdir:-.}" BUILD="$build"
name=${0##*/}
node "${PROGRAM:-$here/${name%.sh}.js}"
