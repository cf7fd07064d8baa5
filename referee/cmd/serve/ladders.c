/* Check the bots and ladders of referee.ini against each other. */

#include "base/text.h"
#include "cmd/lib/bot_keys.h"
#include "cmd/lib/luggage.h"
#include "cmd/serve/parsed.h"
#include "store/keys.h"
#include "store/rate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For the workers; a bot that cannot travel plays on this machine. */
void pack_player(struct parsed_config *d, int line, struct player *player,
                 const struct bot_entry *entry)
{
    struct err err;

    if (d->config.database && player->digest &&
        !player_pack(player, entry, &d->pool, &err))
        ini_warning(&d->ini, line, "%s; its games are played here", err.text);
}

/* [bot NAME] */

static bool has_key(const struct parsed_config *d, const char *name)
{
    return keys_find(d->config.key, d->config.key_count, name) != NULL;
}

void check_bot(struct parsed_config *d, const struct ini_section *s)
{
    static const struct time_control of_the_ladder = {0};
    struct bot_entry *entry = s->to;
    struct player *player = &d->config.bot[d->config.bots++];
    struct err err;

    bot_entry_check(&d->ini, s);
    if (entry->time)
        ini_warning(&d->ini, ini_line(s, "time"),
                    "time: on a ladder all bots have the ladder's time "
                    "control");
    entry->time = NULL;
    entry->is_foreign = true;
    if (!entry->wall.kind)
        entry->wall.kind = d->config.walls;
    if (entry->cores == 0)
        entry->cores = d->config.cores;
    if (has_key(d, s->name))
        ini_warning(&d->ini, s->line,
                    "[bot %s]: a bot with a key has the same name", s->name);
    if (entry->command &&
        !player_make(entry, &of_the_ladder, &d->pool, player, &err))
        ini_mistake(&d->ini, ini_line(s, "command"), "%s", err.text);
    player->bot.restarts = true;
    pack_player(d, ini_line(s, "command"), player, entry);
}

/* [ladder NAME]: the game. */

void check_ladder_game(struct parsed_config *d, const struct ini_section *s)
{
    struct parsed_ladder *parsed = s->to;
    char title[64];

    snprintf(title, sizeof title, "[ladder %.40s]", s->name);
    parsed_game_check(&d->ini, s, title, &parsed->game);
    parsed->ladder.game = parsed->game.game;
    parsed->ladder.setup = parsed->game.setup;
}

/* [ladder NAME]: who plays. */

static bool plays(const struct ladder_config *ladder, const char *name)
{
    for (int i = 0; i < ladder->bots; i++)
        if (strcmp(ladder->bot[i]->bot.name, name) == 0)
            return true;
    return false;
}

/* A program that cannot be run has no name; it is reported elsewhere. */
struct player *find_player(struct parsed_config *d, const char *name)
{
    for (int i = 0; i < d->config.bots; i++)
        if (d->config.bot[i].bot.name &&
            strcmp(d->config.bot[i].bot.name, name) == 0)
            return &d->config.bot[i];
    return NULL;
}

void add_player(struct ladder_config *ladder, struct player *player)
{
    ladder->bot[ladder->bots++] = player;
    player->bot.counts_cpu |= ladder->time.cpu;
}

static void add_bot(struct parsed_config *d, int line,
                    struct ladder_config *ladder, const char *name)
{
    struct player *player = find_player(d, name);

    if (!ini_find(&d->ini, "bot", name))
        no_such_bot(&d->ini, line, "bots", name);
    else if (plays(ladder, name))
        ini_mistake(&d->ini, line,
                    "bots: %.40s is listed twice; for several games at once "
                    "use copies",
                    name);
    else if (player)
        add_player(ladder, player);
}

void take_bots(struct parsed_config *d, const struct ini_section *s,
               const char *names, struct ladder_config *ladder)
{
    const char *at = names ? names : "", *name;
    size_t room = strlen(at) / 2 + 1;

    ladder->bot = pool_take(&d->pool, room * sizeof(struct player *));
    while ((name = next_name(&at, &d->pool)) != NULL)
        add_bot(d, ini_line(s, "bots"), ladder, name);
}

/* It may get a key later, and log in then. */
static void warn_of_no_key(struct parsed_config *d, int line, const char *name)
{
    struct guess guess;

    guess_begin(&guess, name);
    for (int i = 0; i < d->config.key_count; i++)
        guess_add(&guess, "", d->config.key[i].name);
    if (guess.nearest)
        ini_warning(&d->ini, line,
                    "join: %s has no key in %.120s; did you mean %s?", name,
                    d->config.keys, guess.nearest);
    else
        ini_warning(&d->ini, line,
                    "join: %s has no key in %.120s; \"referee token %s --keys "
                    "%.120s\" makes one",
                    name, d->config.keys, name, d->config.keys);
    guess_end(&guess);
}

static void check_joiner(struct parsed_config *d, int line, const char *name)
{
    if (!is_bot_name(name))
        ini_mistake(&d->ini, line,
                    "join: a name has 1 to 32 letters, digits or ._+-, not "
                    "\"%.40s\"",
                    name);
    else if (d->config.key_count > 0 && !has_key(d, name))
        warn_of_no_key(d, line, name);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_join(struct parsed_config *d, const struct ini_section *s,
                       struct parsed_ladder *parsed)
{
    const char *at = parsed->join, *name, *alone = NULL;
    struct ladder_config *ladder = &parsed->ladder;
    int line = ini_line(s, "join"), count = 0;

    ladder->joiner =
        pool_take(&d->pool, (strlen(at) / 2 + 1) * sizeof(const char *));
    for (; (name = next_name(&at, &d->pool)) != NULL; count++) {
        if (words_find("all|none", name) >= 0) {
            alone = name;
            continue;
        }
        check_joiner(d, line, name);
        ladder->joiner[ladder->joiners++] = name;
    }
    ladder->joins_all = alone && strcmp(alone, "all") == 0;
    if (alone && count > 1)
        ini_mistake(&d->ini, line, "join: \"%s\" cannot be combined with names",
                    alone);
    if (count == 0)
        ini_mistake(&d->ini, line,
                    "join: must be all, none, or names joined by ','");
    qsort(ladder->joiner, (size_t)ladder->joiners, sizeof *ladder->joiner,
          by_text);
}

static bool may_any_join(const struct ladder_config *ladder)
{
    return ladder->joins_all || ladder->joiners > 0;
}

/* The number of different names that can meet at a table. */
static int count_names(const struct ladder_config *ladder)
{
    int count = ladder->bots;

    for (int i = 0; i < ladder->joiners; i++)
        count += !plays(ladder, ladder->joiner[i]) &&
                 (i == 0 || strcmp(ladder->joiner[i - 1], ladder->joiner[i]));
    return count;
}

static void check_company(struct parsed_config *d, const struct ini_section *s,
                          const struct parsed_ladder *parsed)
{
    const struct ladder_config *ladder = &parsed->ladder;
    int names = count_names(ladder);

    if (ini_is_wrong(s, "join") || ini_is_wrong(s, "bots"))
        return;
    if (!ladder->joins_all && !parsed->handins && parsed->game.seats > names)
        ini_mistake(&d->ini, ini_line(s, "seats"),
                    "seats: %d of them, but bots and join have %d name%s: no "
                    "game could start",
                    parsed->game.seats, names, names == 1 ? "" : "s");
    if (!may_any_join(ladder) && !ladder->local_games)
        ini_mistake(&d->ini, ini_line(s, "local-games"),
                    "local-games: with join = none there are no network "
                    "bots, so no game could start");
    if (may_any_join(ladder) && ladder->time.cpu)
        ini_mistake(&d->ini, ini_line(s, "time"),
                    "time: CPU time cannot be measured over a network; "
                    "write \",wall\" or nothing in place of \",cpu\", or "
                    "set join = none");
}

/* [ladder NAME]: how they are rated. */

/* The name of the limit in the file. */
static const char *limit_key(const struct ini_section *s)
{
    return ini_has(s, "meetings") ? "meetings" : "max-games-per-pair";
}

static void check_rating(struct parsed_config *d, const struct ini_section *s,
                         const struct parsed_ladder *parsed)
{
    const struct ladder_config *ladder = &parsed->ladder;

    if (ladder->anchor && !ini_is_wrong(s, "anchor") &&
        !plays(ladder, ladder->anchor))
        ini_mistake(&d->ini, ini_line(s, "anchor"),
                    "anchor: %.40s is not one of this ladder's bots; add it "
                    "to bots",
                    ladder->anchor);
    if (ladder->duplicate && parsed->game.seats == 1)
        ini_mistake(&d->ini, ini_line(s, "duplicate"),
                    "duplicate: one seat cannot be rotated");
    if (ladder->duplicate && ladder->meetings_max > 0 &&
        ladder->meetings_max < parsed->game.seats)
        ini_mistake(&d->ini, ini_line(s, limit_key(s)),
                    "%s: a group of duplicate games alone has %d, so use at "
                    "least that, or 0 for no limit",
                    limit_key(s), parsed->game.seats);
}

/* A season is a ladder of its own, so the previous one keeps all its games. */
const char *name_with_season(struct parsed_config *d,
                             const struct ini_section *s)
{
    const struct parsed_ladder *parsed = s->to;
    char name[2 * BOT_NAME_MAX];

    if (!parsed->season)
        return s->name;
    snprintf(name, sizeof name, "%.*s.%.*s", BOT_NAME_MAX, s->name,
             BOT_NAME_MAX - 2, parsed->season);
    return pool_text(&d->pool, name);
}

static void check_season(struct parsed_config *d, const struct ini_section *s)
{
    struct parsed_ladder *parsed = s->to;

    parsed->ladder.name = name_with_season(d, s);
    if (parsed->season && !is_bot_name(parsed->ladder.name))
        ini_mistake(&d->ini, ini_line(s, "season"),
                    "season: %s.%s must be 1 to 32 letters, digits or ._+-",
                    s->name, parsed->season);
    for (int i = 0; i < d->config.ladders; i++)
        if (strcmp(d->config.ladder[i].name, parsed->ladder.name) == 0 &&
            strcmp(d->config.ladder[i].title, s->name) != 0)
            ini_mistake(&d->ini, ini_line(s, "season"),
                        "season: there are two ladders called %s",
                        parsed->ladder.name);
}

static void check_dates(struct parsed_config *d, const struct ini_section *s)
{
    const struct ladder_config *l = &((struct parsed_ladder *)s->to)->ladder;

    if (l->handins_until && l->games_until &&
        strcmp(l->handins_until, l->games_until) > 0)
        ini_mistake(&d->ini, ini_line(s, "games-until"),
                    "games-until is before handins-until");
}

void check_ladder(struct parsed_config *d, const struct ini_section *s)
{
    struct parsed_ladder *parsed = s->to;
    struct ladder_config *ladder = &parsed->ladder;

    if (rate_leaves_out(s->name))
        ini_mistake(&d->ini, s->line,
                    "[ladder %s]: names that begin with \"" PLAY_PREFIX
                    "\" are reserved for people's games, which are not rated",
                    s->name);
    if (s->name[0] == '.')
        ini_mistake(&d->ini, s->line,
                    "[ladder %s]: its records are in a folder of this name, "
                    "which must not begin with a dot",
                    s->name);
    check_season(d, s);
    check_dates(d, s);
    check_ladder_game(d, s);
    take_bots(d, s, parsed->bots, ladder);
    take_handins(d, s, handins_folder(d, s), ladder);
    check_join(d, s, parsed);
    check_company(d, s, parsed);
    check_rating(d, s, parsed);
    ladder->pairing =
        (enum pairing_policy)words_find("close|even|random", parsed->pairing);
    d->config.ladder[d->config.ladders++] = *ladder;
}

bool needs_network(const struct parsed_config *d)
{
    for (int i = 0; i < d->config.ladders; i++)
        if (may_any_join(&d->config.ladder[i]))
            return true;
    return false;
}
