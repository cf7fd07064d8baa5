#!/bin/sh
# The steps of every record are what "replay --seat" says, for every audience.

export srcdir="${srcdir:-.}" builddir="${builddir:-.}"
exec python3 "$srcdir/tests/e2e/steps.py"
