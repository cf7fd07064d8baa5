#!/bin/sh
# A refactoring must not change how any game plays.
exec "${builddir:-.}/tests/laws/signature" --check \
    "${srcdir:-.}/tests/laws/signature.txt"
