#!/bin/sh
# No input crashes a reader: the corpora, and copies with bytes changed.

corpus=${srcdir:-.}/tests/fuzz/corpus
run=${builddir:-.}/tests/fuzz
set -e
for target in control files http ini login match move option sgf time unpack \
    words; do
    printf '%s: ' "$target"
    "$run/corpus_$target" "$corpus/$target"/*
done
for target in record steps; do
    printf '%s: ' "$target"
    "$run/corpus_$target" "${srcdir:-.}"/tests/records/*.rec
done
