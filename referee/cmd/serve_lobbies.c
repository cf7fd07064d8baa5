/* The bots and lobbies of referee.ini, held against each other. */

#include "base/text.h"
#include "cmd/bot_keys.h"
#include "cmd/keys.h"
#include "cmd/serve_draft.h"
#include "cmd/setup.h"

#include <string.h>
#include <sys/stat.h>

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

static void check_folder(struct serve_draft *d, const struct ini_section *s,
                         const char *path)
{
    struct stat st;

    if (path && (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)))
        ini_mistake(&d->ini, ini_line(s, "directory"),
                    "directory: there is no folder %.200s", path);
}

void check_bot(struct serve_draft *d, const struct ini_section *s)
{
    static const struct time_control of_the_lobby = {0};
    struct bot_entry *entry = s->to;
    struct player *player = &d->config.bot[d->config.bots++];
    struct err err;

    bot_entry_check(&d->ini, s);
    check_folder(d, s, entry->directory);
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

/* Was this option set by an earlier line? */
static const struct set_draft *twin_of(const struct lobby_draft *draft, int i)
{
    size_t n = strcspn(draft->set[i].text, "=") + 1;

    for (int j = 0; j < i; j++)
        if (strncmp(draft->set[j].text, draft->set[i].text, n) == 0)
            return &draft->set[j];
    return NULL;
}

static bool check_sets(struct serve_draft *d, struct lobby_draft *draft)
{
    bool all = true;

    for (int i = 0; i < draft->sets; i++) {
        const struct set_draft *set = &draft->set[i];
        const struct set_draft *twin = twin_of(draft, i);
        struct err err;

        if (twin)
            ini_mistake(&d->ini, set->line,
                        "set: %.*s is set already in line %d",
                        (int)strcspn(set->text, "="), set->text, twin->line);
        else if (!setup_set_text(draft->lobby.game, &draft->lobby.setup,
                                 set->text, &d->pool, &err))
            ini_mistake(&d->ini, set->line, "set: %s", err.text);
        else
            continue;
        all = false;
    }
    return all;
}

static void warn_of_setup(struct serve_draft *d, const struct ini_section *s,
                          const struct lobby_config *lobby)
{
    struct buf warnings;

    if (!lobby->game->warn)
        return;
    buf_init(&warnings, 1 << 16);
    lobby->game->warn(&lobby->setup, &warnings);
    for (const char *at = warnings.text; *at;) {
        int n = (int)strcspn(at, "\n");

        ini_warning(&d->ini, ini_line(s, "game"), "%.*s", n, at);
        at += n + (at[n] == '\n');
    }
    buf_release(&warnings);
}

static void check_seats(struct serve_draft *d, const struct ini_section *s,
                        struct lobby_draft *draft)
{
    const struct game *game = draft->lobby.game;
    bool sets = check_sets(d, draft);
    struct err err;

    draft->lobby.setup.seats = draft->seats;
    if (!ini_has(s, "seats"))
        ini_mistake(&d->ini, s->line,
                    "[lobby %s] has no seats; %s has %d to %d, so say for "
                    "example seats = %d",
                    s->name, game->name, game->min_seats, game->max_seats,
                    game->max_seats);
    else if (!sets || draft->seats == 0)
        return;
    else if (!game_accepts(game, &draft->lobby.setup, &err))
        ini_mistake(&d->ini, ini_line(s, "seats"), "%s", err.text);
    else
        warn_of_setup(d, s, &draft->lobby);
}

static void check_game(struct serve_draft *d, const struct ini_section *s,
                       struct lobby_draft *draft)
{
    struct err err;

    if (!draft->game) {
        if (!ini_has(s, "game"))
            ini_mistake(&d->ini, s->line,
                        "[lobby %s] has no game; say for example game = %s",
                        s->name, game_at(0)->name);
        if (!ini_has(s, "seats"))
            ini_mistake(&d->ini, s->line,
                        "[lobby %s] has no seats; say for example seats = 2",
                        s->name);
    } else if (game_named(draft->game, &draft->lobby.game, &err)) {
        check_seats(d, s, draft);
    } else {
        ini_mistake(&d->ini, ini_line(s, "game"), "game: %s", err.text);
    }
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
    if (draft->seats > 0 && lobby->fill_count >= draft->seats)
        ini_warning(&d->ini, line,
                    "fill: %d bot%s for at most %d empty seat%s; one seat is "
                    "for who waits",
                    lobby->fill_count, lobby->fill_count == 1 ? "" : "s",
                    draft->seats - 1, draft->seats == 2 ? "" : "s");
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
