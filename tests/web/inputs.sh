#!/bin/sh
# Can a person put together every legal move on the board, and no other?

if ! command -v node >/dev/null; then
    echo "skipped: there is no node"
    exit 77
fi
export srcdir="${srcdir:-.}" builddir="${builddir:-.}"
exec node "$srcdir/tests/web/inputs.js" "$@"
