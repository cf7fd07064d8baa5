#!/bin/sh
# Bots that move alike: a renamed copy is found; the same program with another
# seed, and other bots, are not.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
shown="out err"
PATH=$(dirname "$referee"):$PATH

bot() { # NAME LEVEL SEED COMMENT
    mkdir -p "src/$1"
    printf '# %s\n[bot]\ncommand = referee bot --level %d --seed %s\n' \
        "$4" "$2" "$3" >"src/$1/bot.ini"
    "$referee" admit --game second-chance --name "$1" "src/$1" >out 2>&1 ||
        wrong "$1 is not admitted"
}

bot anna 2 anna mine
bot copy 2 anna 'my own work'
bot other 2 other mine
bot bob 3 bob mine
bot carl 3 carl mine
cat >course.ini <<END
[course]
game = second-chance
time = move:60s
budget = 60
concurrency = 2
[level two]
command = referee bot --level 2 --seed two
END
"$referee" grade course.ini --quiet >out 2>err || wrong "no grades"
"$referee" similar grading >out 2>err
same "somebody moves alike" 1 $?
has "one pair" out '^[0-9]* games of 6 bots: 1 pair moves alike beyond chance$'
has "who" out '^odd anna, copy +[0-9]+ +100.0%'
same "one line is odd" 1 "$(grep -c '^odd' out)"
"$referee" similar grading --csv >out 2>err
has "as CSV" out '^anna,copy,[0-9]*,[0-9]*,[0-9.]*,[0-9.e-]*,[0-9.]*,1$'
same "all pairs" 15 "$(grep -c '^[a-z]*,[a-z]*,[0-9]' out)"
"$referee" similar grading --json | python3 -c '
import json, sys
a = json.load(sys.stdin)
assert a["bots"] == 6 and sum(p["odd"] for p in a["pairs"]) == 1, a' || wrong "JSON"
"$referee" similar src >out 2>err
same "no records" 2 $?
has "it says so" err 'there are no records \(\*.rec\) in src$'
"$referee" similar >out 2>err
same "nothing to look at" 2 $?

# The sources, laid out for other tools: the version that plays, and no links.
bot anna 2 anna 'better now'
ln -s /etc "$(grep -l 'better now' handins/anna/*/bot.ini | sed 's,/bot.ini,/link,')"
run 0 similar --folders sources
same "a folder for each" "anna bob carl copy other" "$(echo $(ls sources))"
same "what is in it" bot.ini "$(ls -A sources/anna)"
has "the version that plays" sources/anna/bot.ini '^# better now'
has "how many" err '^5 bots in sources$'
run 2 similar --folders sources
has "it is there" err 'sources exists already: name a folder that does not exist'
run 2 similar --folders new --handins nowhere
has "no shelf" err 'there is no folder nowhere with hand-ins'
run 2 similar grading --handins handins
has "for folders" err '^referee: --handins belongs to --folders'
echo "$count checks"
[ $failed = 0 ]
