#!/bin/sh
# The Python package, its examples and its docstrings.
src=$(cd "${srcdir:-.}" && pwd)
build=$(cd "${builddir:-.}" && pwd)
TMPDIR=$(mktemp -d) || exit 1
trap 'rm -rf "$TMPDIR"' EXIT
export TMPDIR
export REFEREE_LIBRARY="$build/referee/libreferee.so.0"
export REFEREE_PROGRAM="$build/referee/referee"
export PYTHONPATH="$src/sample-bots/python" PYTHONDONTWRITEBYTECODE=1
case "$HARDEN" in
*sanitize*) LD_PRELOAD=$($CC -print-file-name=libasan.so)
    ASAN_OPTIONS=detect_leaks=0
    export LD_PRELOAD ASAN_OPTIONS ;;
esac
python3 "$src/tests/lib/test_python.py" "$@"
