#!/bin/sh
# The speed of the page in Debian's chromium; see page.js.

bench=$(cd "$(dirname "$0")" && pwd)
PROGRAM=$bench/page.js
export PROGRAM
exec sh "$bench/../browser/viewer.sh"
