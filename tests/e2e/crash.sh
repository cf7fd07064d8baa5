#!/bin/sh
# The daemon is killed at random moments, many times: see crash.py.
#
# CRASH_KILLS: how many times (12). CRASH_SEED: which moments. CRASH_KEEP: the
# folder stays if something is wrong.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
crash=$(cd "${srcdir:-.}/tests/e2e" && pwd)/crash.py
python3 -c 'import sqlite3, sys; sys.exit(sys.version_info < (3, 8))' \
    2>/dev/null || {
    echo "python3 with sqlite3 is missing"
    exit 77
}
work=$(mktemp -d) || exit 1
end() {
    code=$?
    if [ "$code" != 0 ] && [ -n "$CRASH_KEEP" ]; then
        echo "kept: $work"
    else
        rm -rf "$work"
    fi
}
trap end EXIT
cd "$work" || exit 1
python3 "$crash" "$referee" "$bad" "${CRASH_KILLS:-12}" \
    "${CRASH_SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}" || {
    tail -n 15 log
    exit 1
}
