#!/bin/sh
# The names that libreferee shows are those of symbols.txt, and no others:
# programs rely on them. Run with --write after adding one.
lib=${builddir:-.}/referee/libreferee.so.0
list=${srcdir:-.}/tests/lib/symbols.txt
have=$(nm -D --defined-only "$lib" | awk '$2 != "A" { print $3 }' |
    LC_ALL=C sort)

if [ "$1" = --write ]; then
    echo "$have" > "$list"
    exit
fi
echo "$have" | diff "$list" - || {
    echo "the library's names are not those of $list"
    exit 1
}
# Each is declared in the header, and each declared function is there.
declared=$(grep -oE '\breferee_[a-z_]+\(' \
    "${srcdir:-.}/referee/lib/referee.h" | tr -d '(' | LC_ALL=C sort -u)
echo "$have" | sed 's/@.*//' | LC_ALL=C sort -u > symbols.$$
for name in $declared; do
    grep -qx "$name" symbols.$$ || missing="$missing $name"
done
for name in $(cat symbols.$$); do
    echo "$declared" | grep -qx "$name" || missing="$missing $name"
done
rm -f symbols.$$
[ -z "$missing" ] || {
    echo "declared or exported, but not both:$missing"
    exit 1
}
