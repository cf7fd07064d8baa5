#!/usr/bin/env -S mawk -W interactive -f
# A random player for every game of the referee; README.md says more.
# mawk needs -W interactive, or it would wait for a whole buffer of commands.

BEGIN {
    # srand() alone counts seconds: two bots started together would be twins.
    # Three bytes, because to mawk all seeds above 2^31 are the same.
    "od -An -N3 -tu4 /dev/urandom" | getline seed
    srand(seed + 0)

    answers["protocol_version"] = 2
    answers["name"] = "random-awk"
    answers["version"] = 1
    answers["new_game"] = answers["legal_moves"] = answers["quit"] = ""
    answers["genmove"] = "resign"  # until legal_moves offers better
    answers["list_commands"] = "list_commands"
    for (command in answers)
        if (command != "list_commands")
            answers["list_commands"] = answers["list_commands"] "\n" command
}

# Your strategy goes here: the moves are $2, $3, ... $NF.
function choose() {
    return NF > 1 ? $(2 + int(rand() * (NF - 1))) : "resign"
}

{ sub(/\r$/, ""); id = "" }
$1 ~ /^[0-9]+$/ { id = $1; sub(/^[ \t]*[0-9]+/, "") }  # may be missing
NF == 0 { next }
$1 == "legal_moves" { answers["genmove"] = choose() }
{
    if (!($1 in answers))
        print "?" id " unknown command\n"
    else
        print "=" id (answers[$1] == "" ? "" : " ") answers[$1] "\n"
    fflush()  # or the answer would wait here for more
}
$1 == "quit" { exit }
