#!/bin/sh
# Do the man pages know every command, option, section, key and default, and
# nothing else?

src=$(cd "${srcdir:-.}/referee/doc" && pwd)
referee=$(cd "${builddir:-.}/referee" && pwd)/referee
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0

wrong() {
    echo "$*"
    bad=1
}

# part PAGE TITLE: what stands under .SS TITLE, with plain dashes.
part() {
    sed 's/\\-/-/g' "$src/$1" | awk -v title="$2" '
        /^\.S[SH]/ { inside = ($0 == ".SS " title); next }
        inside'
}

# heads: the names of the entries of a part.
heads() {
    sed -n '/^\.TP/ { n; s/^\.BI* //; s/ .*//; p; }'
}

# What is missing from the second list, and from the first.
compare() {
    sort -u "$2" >a
    sort -u "$3" >b
    for name in $(comm -23 a b); do
        wrong "$1: $name is missing"
    done
    for name in $(comm -13 a b); do
        wrong "$1: there is no $name"
    done
}

# referee(1)
"$referee" --help | sed -n '/^Commands:/,/^$/ s/^  \([a-z]*\) .*/\1/p' >commands
[ -s commands ] || wrong "no commands in --help"
while read -r command; do
    "$referee" "$command" --help |
        sed -n 's/^  \(--[a-z-]*\).*/\1/p' | grep -vx -- --help >options
    part referee.1 "$command" >text
    [ -s text ] || wrong "referee.1: $command is missing"
    if grep -q 'as for' text; then
        grep -o -- '--[a-z-]*' text >written
    else
        heads <text >written
    fi
    compare "referee.1, $command" options written
done <commands

# referee.ini(5), with "KEY DEFAULT" for every key.
"$referee" serve --help-config >config || exit 1
"$referee" tournament --help-config | sed '/^\[bot/,$d' >>config
sed -n 's/^\(\[.*\]\)  .*/\1/p' config >sections
[ -s sections ] || wrong "no sections in --help-config"
while read -r section; do
    awk -v section="$section" '
        /^\[/ { inside = (index($0, section "  ") == 1); next }
        inside && /^  [a-z]/ { printf "\n%s", $0; next }
        inside && NF { printf " %s", $0 }
        END { print "" }' config | grep . | tr -s ' ' |
        sed 's/^ \([a-z-]*\) .*(default \([^)]*\))$/\1 \2/
             t
             s/^ \([a-z-]*\) .*/\1/' >keys
    part referee.ini.5 "$section" >text
    heads <text >written
    cut -d ' ' -f 1 keys >names
    compare "referee.ini.5, $section" names written
    awk '/^\.TP/ { getline; key = $2 }
         sub(/^Default: \\fB/, "") { sub(/\\fP\.$/, ""); print key, $0 }' text |
        tr ' ' = >written
    grep ' ' keys | tr ' ' = >defaults
    compare "referee.ini.5, $section, defaults" defaults written
done <sections

# Every option of match is a key, but for those of the command line only.
"$referee" match --help | sed -n 's/^  --\([a-z-]*\).*/\1/p' |
    grep -vxE 'help|config|resume' >options
part referee.ini.5 "[match]" | sed -n 's/^\.BR \([a-z-]*\) [,.]$/\1/p' >written
compare "referee.ini.5, [match]" options written

# The example must be right, but for the files that it names.
sed 's/\\-/-/g' "$src/referee.ini.5" |
    awk '/^\.nf/ { inside = 1; next } /^\.fi/ { inside = 0 } inside' >example.ini
"$referee" serve --check example.ini 2>err
grep -vE ': (data: there is no folder /var|keys: there is no file|control: there is no folder|(certificate|private-key): .* cannot be read|bot greedy: there is no)' \
    err && wrong "referee.ini.5: the example is wrong"

# Well-formed?
if command -v groff >/dev/null; then
    for page in referee.1 referee.ini.5; do
        groff -man -Tutf8 -ww "$src/$page" 2>err >/dev/null
        [ -s err ] && wrong "$page:" && cat err
    done
fi
exit $bad
