#!/bin/sh
# Spectators: each step reaches those who read, in order; a reader that stalls is
# dropped. "make bench-spectators" does the same with 500, and measures.

src=$(cd "${srcdir:-.}" && pwd)
build=$(cd "${builddir:-.}" && pwd)
GAMES=4 python3 "$src/tests/bench/spectators.py" "$build" 40 2
