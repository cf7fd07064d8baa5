/* [play]: each of its games becomes a ladder for people. */

#include "cmd/lib/bot_keys.h"
#include "cmd/serve/parsed.h"
#include "daemon/person.h"
#include "store/rate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* From random moves to stronger than most people. */
static const int levels[PLAY_BOTS] = {1, 4, 8, 12};

static const struct ini_kind *bot_kind(void)
{
    const struct ini_kind *kind = serve_kinds;

    while (strcmp(kind->name, "bot") != 0)
        kind++;
    return kind;
}

/* "level-8" means this program itself; otherwise the section of that name. */
static struct player *built_in(struct parsed_config *d, int line, int level)
{
    static const struct time_control of_the_table = {0};
    struct bot_entry *entry = pool_take(&d->pool, sizeof *entry);
    struct player *player = &d->config.bot[d->config.bots++];
    char self[512], text[600];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    struct err err;

    ini_preset(&d->ini, bot_kind(), entry);
    self[len > 0 ? len : 0] = '\0';
    snprintf(text, sizeof text, "'%s' bot --level %d", self, level);
    entry->command = pool_text(&d->pool, text);
    snprintf(text, sizeof text, "level-%d", level);
    entry->name = pool_text(&d->pool, text);
    if (!player_make(entry, &of_the_table, &d->pool, player, &err))
        ini_mistake(&d->ini, line, "%s", err.text);
    player->bot.restarts = true;
    return player;
}

static void take_built_in(struct parsed_config *d, int line,
                          struct ladder_config *ladder)
{
    ladder->bot = pool_take(&d->pool, PLAY_BOTS * sizeof(struct player *));
    for (int i = 0; i < PLAY_BOTS; i++)
        ladder->bot[ladder->bots++] = built_in(d, line, levels[i]);
}

/* Two seats, one of them for the visitor. */
static void add_game(struct parsed_config *d, const struct ini_section *s,
                     const struct ladder_config *model, const struct game *game)
{
    struct ladder_config *ladder = &d->config.ladder[d->config.ladders];
    char name[BOT_NAME_MAX + 1];

    if (game->max_seats < 2)
        return;
    snprintf(name, sizeof name, "%s%s", PLAY_PREFIX, game->name);
    *ladder = *model;
    ladder->name = pool_text(&d->pool, name);
    ladder->game = game;
    ladder->setup.seats = game->min_seats < 2 ? 2 : game->min_seats;
    ladder->is_for_people = true;
    d->config.ladders++;
}

static void add_named(struct parsed_config *d, const struct ini_section *s,
                      const struct parsed_play *parsed, const char *name)
{
    const struct game *game;
    struct err err;

    if (!game_named(name, &game, &err)) {
        ini_mistake(&d->ini, ini_line(s, "games"), "games: %s", err.text);
        return;
    }
    for (int i = 0; i < d->config.ladders; i++)
        if (d->config.ladder[i].is_for_people &&
            d->config.ladder[i].game == game)
            return;
    add_game(d, s, &parsed->ladder, game);
}

static void add_games(struct parsed_config *d, const struct ini_section *s,
                      const struct parsed_play *parsed)
{
    const char *at = parsed->games, *name;

    if (strcmp(parsed->games, "all") == 0) {
        for (size_t i = 0; i < game_count(); i++)
            add_game(d, s, &parsed->ladder, game_at(i));
        return;
    }
    while ((name = next_name(&at, &d->pool)) != NULL)
        add_named(d, s, parsed, name);
}

void check_play(struct parsed_config *d, const struct ini_section *s)
{
    struct parsed_play *parsed = s->to;
    struct ladder_config *ladder = &parsed->ladder;

    if (!d->config.http)
        ini_mistake(&d->ini, s->line,
                    "[play] needs the site; set http = 127.0.0.1:8080 in "
                    "[server]");
    if (parsed->bots)
        take_bots(d, s, parsed->bots, ladder);
    else
        take_built_in(d, s->line, ladder);
    for (int i = 0; i < ladder->bots; i++)
        if (ladder->bot[i]->bot.name &&
            strcmp(ladder->bot[i]->bot.name, guest_name) == 0)
            ini_mistake(&d->ini, ini_line(s, "bots"),
                        "bots: \"%s\" is the visitor's own name", guest_name);
    if (ladder->bots == 0 && d->ini.mistakes == 0)
        ini_mistake(&d->ini, s->line, "[play] has no bots to play against");
    if (ladder->time.cpu)
        ini_mistake(&d->ini, ini_line(s, "time"),
                    "time: the CPU time of a person cannot be measured");
    parsed->play.own_bots = parsed->bots ? 0 : PLAY_BOTS;
    d->config.play = parsed->play;
    add_games(d, s, parsed);
}
