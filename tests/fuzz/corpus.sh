#!/bin/sh
# No input crashes a reader: the corpora, and copies with bytes changed.

corpus=${srcdir:-.}/tests/fuzz/corpus
run=${builddir:-.}/tests/fuzz
set -e
"$run/corpus_match" "$corpus"/match/*
"$run/corpus_move" "$corpus"/move/*
"$run/corpus_option" "$corpus"/option/*
"$run/corpus_record" "${srcdir:-.}"/tests/records/*.rec
"$run/corpus_sgf" "$corpus"/sgf/*
"$run/corpus_time" "$corpus"/time/*
