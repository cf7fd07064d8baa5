#!/bin/sh
# Ladders that cannot be gamed: by refusing games, by failing under one version
# after another, or by losing to a friend; and bots that share their time.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
bad=$(cd "${builddir:-.}/tests/bots" && pwd)/bad
src=$(cd "${srcdir:-.}" && pwd)
command -v python3 >/dev/null || {
    echo "python3 is missing"
    exit 77
}
. "$(dirname "$0")/checks.sh"
shown="log"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1

# config LINE...: of [server].
config() {
    printf '[server]\ncontrol = control\nrate-every = 0\n' >ref.ini
    printf '%s\n' "$@" '[listen local]' 'port = 0' >>ref.ini
    printf '[bot house]\ncommand = %s none 1\n' "$bad" >>ref.ini
}

stop() {
    bots_end
    kill "$daemon"
    wait "$daemon"
    daemon=
}

tokens anna bob

# Who refuses a game spoils nobody's rating, and is not asked again.
config "data = refuse"
ladder main rondo 2 "duplicate = yes" "bots = house" "local-games = no" \
    "meetings = 4"
serve
bot anna refuse
await log "anna does not play rondo: it gets no games on main until"
bot bob
until_true "s['games']['done'] == 4 and s['ladders'][0]['exhausted']"
same "refused: void" 1 "$(status "s['games']['void']")"
same "refused: asked once" 1 "$(grep -c ^new_game anna.out)"
"$referee" status --control control >out
has "refused: status" out 'does not play this: anna'
split_into refused refuse/records/main/*.rec
has "refused: the record says who" \
    "$(grep -l '^result void reason=refuse$' refused/*.rec)" \
    '^@- fault [12] refuse does not play this game$'
"$referee" replay --quiet refuse/records >out 2>&1
same "refused: replay" 0 $?
bots_end
NET_BOT_VERSION=2 bot anna
until_true "s['games']['done'] == 8"
has "refused: another version plays" anna.out "^game_over ranks"
bots_end
export NET_BOT_PLAYS=axiom
bot anna refuse
await log "anna is here" 3
unset NET_BOT_PLAYS
NET_BOT_VERSION=3 bot bob
until_true "s['games']['done'] == 12"
hasnt "a bot that lists other games is not asked" anna.out "^new_game"
stop

[ "$failed" = 0 ] && echo "$count checks of ladders"
exit $((failed > 0))
