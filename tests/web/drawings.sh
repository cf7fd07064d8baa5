#!/bin/sh
# Drawings are functions from a step to SVG text: are they what they were, and
# is every step of every record drawn, for every audience?

if ! command -v node >/dev/null; then
    echo "skipped: there is no node"
    exit 77
fi
export srcdir="${srcdir:-.}" builddir="${builddir:-.}"
exec node "$srcdir/tests/web/drawings.js" "$@"
