/* The bots and lobbies of referee.ini, held against each other. */

#include "base/text.h"
#include "cmd/bot_keys.h"
#include "cmd/keys.h"
#include "cmd/serve_draft.h"

#include <stdio.h>
#include <string.h>

/* The next of "a, b, c"; NULL at the end. */
static const char *next_name(const char **at, struct pool *pool)
{
    static const char between[] = ", \t";
    const char *name = *at + strspn(*at, between);
    size_t n = strcspn(name, between);

    *at = name + n;
    return n ? pool_part(pool, name, n) : NULL;
}

/* [bot NAME] */

static bool has_key(const struct serve_draft *d, const char *name)
{
    return keys_find(d->config.key, d->config.key_count, name) != NULL;
}

void check_bot(struct serve_draft *d, const struct ini_section *s)
{
    static const struct time_control of_the_lobby = {0};
    struct bot_entry *entry = s->to;
    struct player *player = &d->config.bot[d->config.bots++];
    struct err err;

    bot_entry_check(&d->ini, s);
    if (entry->time)
        ini_warning(&d->ini, ini_line(s, "time"),
                    "time: in a lobby all have the time of the lobby");
    entry->time = NULL;
    if (has_key(d, s->name))
        ini_warning(&d->ini, s->line,
                    "[bot %s]: a bot with a key has this name as well",
                    s->name);
    if (entry->command &&
        !player_make(entry, &of_the_lobby, &d->pool, player, &err))
        ini_mistake(&d->ini, ini_line(s, "command"), "%s", err.text);
}

/* [lobby NAME]: the game. */

static void check_game(struct serve_draft *d, const struct ini_section *s,
                       struct lobby_draft *draft)
{
    char title[64];

    snprintf(title, sizeof title, "[lobby %.40s]", s->name);
    game_draft_check(&d->ini, s, title, &draft->game);
    draft->lobby.game = draft->game.game;
    draft->lobby.setup = draft->game.setup;
}

/* [lobby NAME]: who plays. */

static const char *nearest_bot(const struct serve_draft *d, const char *name)
{
    const char *nearest = NULL;

    for (const struct ini_section *s = d->ini.first; s; s = s->next)
        if (strcmp(s->kind->name, "bot") == 0 &&
            (!nearest ||
             text_distance(name, s->name) < text_distance(name, nearest)))
            nearest = s->name;
    return nearest;
}

static void no_such_bot(struct serve_draft *d, int line, const char *name)
{
    const char *nearest = nearest_bot(d, name);

    if (nearest)
        ini_mistake(&d->ini, line,
                    "fill: there is no [bot %.40s]; did you mean %.40s?", name,
                    nearest);
    else
        ini_mistake(&d->ini, line,
                    "fill: there is no [bot %.40s]; add that section", name);
}

static void check_fill(struct serve_draft *d, const struct ini_section *s,
                       struct lobby_draft *draft)
{
    struct lobby_config *lobby = &draft->lobby;
    const char *at = draft->fill, *name;
    int line = ini_line(s, "fill");

    if (!at) {
        if (ini_has(s, "fill-after") && !ini_has(s, "fill"))
            ini_warning(&d->ini, ini_line(s, "fill-after"),
                        "fill-after: without fill nothing happens then");
        return;
    }
    while ((name = next_name(&at, &d->pool)) != NULL) {
        if (!ini_find(&d->ini, "bot", name)) {
            no_such_bot(d, line, name);
        } else if (lobby->fill_count == LOBBY_FILL_MAX) {
            ini_mistake(&d->ini, line, "fill: more than %d bots",
                        LOBBY_FILL_MAX);
            return;
        } else {
            lobby->fill[lobby->fill_count++] = name;
        }
    }
    if (draft->game.seats > 0 && lobby->fill_count >= draft->game.seats)
        ini_warning(&d->ini, line,
                    "fill: %d bot%s for at most %d empty seat%s; one seat is "
                    "for who waits",
                    lobby->fill_count, lobby->fill_count == 1 ? "" : "s",
                    draft->game.seats - 1, draft->game.seats == 2 ? "" : "s");
}

static const char *nearest_key_name(const struct serve_draft *d,
                                    const char *name)
{
    const char *nearest = NULL;

    for (int i = 0; i < d->config.key_count; i++) {
        const char *other = d->config.key[i].name;

        if (!nearest ||
            text_distance(name, other) < text_distance(name, nearest))
            nearest = other;
    }
    return nearest;
}

static void check_joiner(struct serve_draft *d, int line, const char *name)
{
    if (!is_bot_name(name))
        ini_mistake(&d->ini, line,
                    "join: a name has 1 to 32 letters, digits or ._+-, not "
                    "\"%.40s\"",
                    name);
    else if (d->config.key_count > 0 && !has_key(d, name))
        ini_warning(&d->ini, line,
                    "join: %s has no key in %.120s; did you mean %s?", name,
                    d->config.keys, nearest_key_name(d, name));
}

/* Written anew as "a,b,c". */
static void check_join(struct serve_draft *d, const struct ini_section *s,
                       struct lobby_config *lobby)
{
    const char *at = lobby->join, *name;
    int line = ini_line(s, "join"), count = 0;
    bool all = false;
    struct buf names;

    buf_init(&names, 1 << 16);
    while ((name = next_name(&at, &d->pool)) != NULL) {
        if (strcmp(name, "all") == 0)
            all = true;
        else
            check_joiner(d, line, name);
        buf_str(&names, count++ ? "," : "");
        buf_str(&names, name);
    }
    if (all && count > 1)
        ini_mistake(&d->ini, line, "join: \"all\" stands alone, without names");
    if (count == 0)
        ini_mistake(&d->ini, line, "join: say all, or names joined by ','");
    lobby->join = pool_text(&d->pool, names.text);
    buf_release(&names);
}

void check_lobby(struct serve_draft *d, const struct ini_section *s)
{
    struct lobby_draft *draft = s->to;

    check_game(d, s, draft);
    check_fill(d, s, draft);
    check_join(d, s, &draft->lobby);
    d->config.lobby[d->config.lobbies++] = draft->lobby;
}
