#!/bin/sh
# Does a move still cost as many instructions as tests/bench/instructions.txt
# says? Callgrind counts them, and on a busy machine too it counts the same.
#
# Up to a tenth more is let pass. More than that is a fault, or has a reason;
# the reason belongs into CHANGES, together with the new number.

src=$(cd "${srcdir:-.}" && pwd)
reference=$src/tests/bench/instructions.txt
cd "${builddir:-.}" || exit 1

skip() {
    echo "$*"
    exit 77
}

# "gcc 12 -g -O2 -flto": counts of another compiler, or with other flags, differ.
compiler() {
    case $($CC --version) in
    *clang*) name=clang ;;
    *) name=gcc ;;
    esac
    version=$($CC -dumpversion)
    echo $name ${version%%.*} $CFLAGS $(echo $HARDEN | sed "s/-Werror//") $LTO
}

valgrind --version >/dev/null 2>&1 || skip "valgrind is missing"
built=$(compiler)
known=$(sed -n 's/^compiler //p' "$reference")
[ "$built" = "$known" ] ||
    skip "the reference is for \"$known\", this is \"$built\""

counts=$(tests/bench/bench -g 30 instructions 2>/dev/null | awk '
    /^(rondo|axio-rota|second-chance|axiom) / { print $1, $NF }')
bad=0
while read -r game number; do
    [ "$game" != compiler ] || continue
    now=$(echo "$counts" | awk -v game="$game" '$1 == game { print $2 }')
    echo "$game: $now instructions a move, $number in the reference"
    if [ -z "$now" ] || [ "$now" = - ]; then
        echo "  callgrind counted nothing"
        bad=1
    elif [ $((now * 100)) -gt $((number * 110)) ]; then
        echo "  That is $((now * 100 / number - 100)) % more. Look for what" \
            "costs them: valgrind --tool=callgrind shows it."
        echo "  If they are worth it, write \"$game $now\" into" \
            "tests/bench/instructions.txt,"
        echo "  and into CHANGES a line that says why, with the words" \
            "\"instructions\" and \"$game $now\"."
        bad=1
    elif [ $((now * 100)) -lt $((number * 90)) ]; then
        echo "  That is less: lower the reference, or the gain can be lost" \
            "unnoticed."
    fi
    if ! grep -i instructions "$src/CHANGES" | grep -q "$game $number\b"; then
        echo "  The reference has changed and CHANGES does not say why:" \
            "add a line with the words"
        echo "  \"instructions\" and \"$game $number\"."
        bad=1
    fi
done <"$reference"
exit $bad
