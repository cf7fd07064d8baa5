#!/bin/sh
# A person plays each game in a terminal.

export srcdir="${srcdir:-.}" builddir="${builddir:-.}"
exec python3 "$srcdir/tests/e2e/play.py"
