#!/usr/bin/env bash
# A random player for every game of the referee; README.md says more.
LC_ALL=C        # bytes, not letters: reads long lines faster
IFS=$' \t\r\n'  # a CR at the end of a line is a blank, too
legal=          # what legal_moves said last

# Your strategy goes here. RANDOM has only 15 bits, so take it twice.
choose() {
    local moves
    read -ra moves <<< "${legal:-resign}"
    text=${moves[(RANDOM << 15 | RANDOM) % ${#moves[@]}]}
}

known="protocol_version list_commands name version new_game legal_moves \
genmove quit"

while read -r id command args; do
    if [[ $id != [0-9]* ]]; then  # the number may be missing
        args="$command $args" command=$id id=
    fi
    mark='=' text=
    case $command in
        '') continue ;;
        protocol_version) text=2 ;;
        list_commands) text=${known// /$'\n'} ;;
        name) text=random-bash ;;
        version) text=1 ;;
        legal_moves) legal=$args ;;
        genmove) choose ;;
        new_game | quit) ;;
        *) mark='?' text='unknown command' ;;
    esac
    printf '%s%s%s\n\n' "$mark" "$id" "${text:+ $text}"
    if [[ $command == quit ]]; then break; fi
done
