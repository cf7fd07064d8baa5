#!/bin/sh
# The talks in tests/transcripts and in protocol.md, played by the match code.

src=${srcdir:-.}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

awk -v dir="$work" '
    /^```/ && inside { inside = 0; close(file); next }
    /^```talk/ { inside = 1; file = sprintf("%s/protocol.md-%02d.talk", dir, ++n) }
    /^```/ { next }
    inside { print > file }
' "$src/protocol.md"
"${builddir:-.}/tests/transcripts/play_talk" \
    "$src"/tests/transcripts/*.talk "$work"/*.talk
