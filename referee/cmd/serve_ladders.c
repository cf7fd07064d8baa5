/* The bots and ladders of referee.ini, held against each other. */

#include "base/text.h"
#include "cmd/bot_keys.h"
#include "cmd/keys.h"
#include "cmd/serve_draft.h"
#include "cmd/setup.h"

#include <stdlib.h>
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
    static const struct time_control of_the_ladder = {0};
    struct bot_entry *entry = s->to;
    struct player *player = &d->config.bot[d->config.bots++];
    struct err err;

    bot_entry_check(&d->ini, s);
    check_folder(d, s, entry->directory);
    if (entry->time)
        ini_warning(&d->ini, ini_line(s, "time"),
                    "time: in a ladder all have the time of the ladder");
    entry->time = NULL;
    if (has_key(d, s->name))
        ini_warning(&d->ini, s->line,
                    "[bot %s]: a bot with a key has this name as well",
                    s->name);
    if (entry->command &&
        !player_make(entry, &of_the_ladder, &d->pool, player, &err))
        ini_mistake(&d->ini, ini_line(s, "command"), "%s", err.text);
}

/* [ladder NAME]: the game. */

/* Was this option set by an earlier line? */
static const struct set_draft *twin_of(const struct ladder_draft *draft, int i)
{
    size_t n = strcspn(draft->set[i].text, "=") + 1;

    for (int j = 0; j < i; j++)
        if (strncmp(draft->set[j].text, draft->set[i].text, n) == 0)
            return &draft->set[j];
    return NULL;
}

static bool check_sets(struct serve_draft *d, struct ladder_draft *draft)
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
        else if (!setup_set_text(draft->ladder.game, &draft->ladder.setup,
                                 set->text, &d->pool, &err))
            ini_mistake(&d->ini, set->line, "set: %s", err.text);
        else
            continue;
        all = false;
    }
    return all;
}

static void warn_of_setup(struct serve_draft *d, const struct ini_section *s,
                          const struct ladder_config *ladder)
{
    struct buf warnings;

    if (!ladder->game->warn)
        return;
    buf_init(&warnings, 1 << 16);
    ladder->game->warn(&ladder->setup, &warnings);
    for (const char *at = warnings.text; *at;) {
        int n = (int)strcspn(at, "\n");

        ini_warning(&d->ini, ini_line(s, "game"), "%.*s", n, at);
        at += n + (at[n] == '\n');
    }
    buf_release(&warnings);
}

static void check_seats(struct serve_draft *d, const struct ini_section *s,
                        struct ladder_draft *draft)
{
    const struct game *game = draft->ladder.game;
    bool sets = check_sets(d, draft);
    struct err err;

    draft->ladder.setup.seats = draft->seats;
    if (!ini_has(s, "seats"))
        ini_mistake(&d->ini, s->line,
                    "[ladder %s] has no seats; %s has %d to %d, so say for "
                    "example seats = %d",
                    s->name, game->name, game->min_seats, game->max_seats,
                    game->max_seats);
    else if (!sets || draft->seats == 0)
        return;
    else if (!game_accepts(game, &draft->ladder.setup, &err))
        ini_mistake(&d->ini, ini_line(s, "seats"), "%s", err.text);
    else
        warn_of_setup(d, s, &draft->ladder);
}

static void check_game(struct serve_draft *d, const struct ini_section *s,
                       struct ladder_draft *draft)
{
    struct err err;

    if (!draft->game) {
        if (!ini_has(s, "game"))
            ini_mistake(&d->ini, s->line,
                        "[ladder %s] has no game; say for example game = %s",
                        s->name, game_at(0)->name);
        if (!ini_has(s, "seats"))
            ini_mistake(&d->ini, s->line,
                        "[ladder %s] has no seats; say for example seats = 2",
                        s->name);
    } else if (game_named(draft->game, &draft->ladder.game, &err)) {
        check_seats(d, s, draft);
    } else {
        ini_mistake(&d->ini, ini_line(s, "game"), "game: %s", err.text);
    }
}

/* [ladder NAME]: who plays. */

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
                    "bots: there is no [bot %.40s]; did you mean %.40s?", name,
                    nearest);
    else
        ini_mistake(&d->ini, line,
                    "bots: there is no [bot %.40s]; add that section", name);
}

static bool plays(const struct ladder_config *ladder, const char *name)
{
    for (int i = 0; i < ladder->bots; i++)
        if (strcmp(ladder->bot[i]->bot.name, name) == 0)
            return true;
    return false;
}

/* One whose program cannot be run has no name: that is complained of there. */
static const struct player *find_player(const struct serve_draft *d,
                                        const char *name)
{
    for (int i = 0; i < d->config.bots; i++)
        if (d->config.bot[i].bot.name &&
            strcmp(d->config.bot[i].bot.name, name) == 0)
            return &d->config.bot[i];
    return NULL;
}

static void add_bot(struct serve_draft *d, int line,
                    struct ladder_config *ladder, const char *name)
{
    const struct player *player = find_player(d, name);

    if (!ini_find(&d->ini, "bot", name))
        no_such_bot(d, line, name);
    else if (plays(ladder, name))
        ini_mistake(&d->ini, line,
                    "bots: %.40s stands there twice; for several games at "
                    "once say copies",
                    name);
    else if (player)
        ladder->bot[ladder->bots++] = player;
}

static void check_bots(struct serve_draft *d, const struct ini_section *s,
                       struct ladder_draft *draft)
{
    const char *at = draft->bots ? draft->bots : "", *name;
    struct ladder_config *ladder = &draft->ladder;
    size_t room = strlen(at) / 2 + 1;

    ladder->bot = pool_take(&d->pool, room * sizeof(struct player *));
    while ((name = next_name(&at, &d->pool)) != NULL)
        add_bot(d, ini_line(s, "bots"), ladder, name);
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

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_join(struct serve_draft *d, const struct ini_section *s,
                       struct ladder_draft *draft)
{
    const char *at = draft->join, *name, *alone = NULL;
    struct ladder_config *ladder = &draft->ladder;
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
        ini_mistake(&d->ini, line, "join: \"%s\" stands alone, without names",
                    alone);
    if (count == 0)
        ini_mistake(&d->ini, line,
                    "join: say all, none, or names joined by ','");
    qsort(ladder->joiner, (size_t)ladder->joiners, sizeof *ladder->joiner,
          by_text);
}

static bool may_any_join(const struct ladder_config *ladder)
{
    return ladder->joins_all || ladder->joiners > 0;
}

/* How many different names there can be at a table. */
static int count_names(const struct ladder_config *ladder)
{
    int count = ladder->bots;

    for (int i = 0; i < ladder->joiners; i++)
        count += !plays(ladder, ladder->joiner[i]) &&
                 (i == 0 || strcmp(ladder->joiner[i - 1], ladder->joiner[i]));
    return count;
}

static void check_company(struct serve_draft *d, const struct ini_section *s,
                          const struct ladder_draft *draft)
{
    const struct ladder_config *ladder = &draft->ladder;
    int names = count_names(ladder);

    if (ini_is_wrong(s, "join") || ini_is_wrong(s, "bots"))
        return;
    if (!ladder->joins_all && draft->seats > names)
        ini_mistake(&d->ini, ini_line(s, "seats"),
                    "seats: %d of them, but bots and join have %d name%s: no "
                    "game could start",
                    draft->seats, names, names == 1 ? "" : "s");
    if (!may_any_join(ladder) && !ladder->local_games)
        ini_mistake(&d->ini, ini_line(s, "local-games"),
                    "local-games: with join = none there are no others, so no "
                    "game could start");
    if (may_any_join(ladder) && ladder->time.cpu)
        ini_mistake(&d->ini, ini_line(s, "time"),
                    "time: CPU time cannot be measured over a network; say "
                    "\",wall\" or nothing in place of \",cpu\", or join = "
                    "none");
}

/* [ladder NAME]: how they are rated. */

static void check_rating(struct serve_draft *d, const struct ini_section *s,
                         const struct ladder_draft *draft)
{
    const struct ladder_config *ladder = &draft->ladder;

    if (ladder->anchor && !ini_is_wrong(s, "anchor") &&
        !plays(ladder, ladder->anchor))
        ini_mistake(&d->ini, ini_line(s, "anchor"),
                    "anchor: %.40s is none of this ladder's bots; add it to "
                    "bots",
                    ladder->anchor);
    if (ladder->duplicate && draft->seats == 1)
        ini_mistake(&d->ini, ini_line(s, "duplicate"),
                    "duplicate: one seat cannot be rotated");
    if (ladder->duplicate && ladder->meetings_max > 0 &&
        ladder->meetings_max < draft->seats)
        ini_mistake(&d->ini, ini_line(s, "meetings"),
                    "meetings: a group of duplicate games alone has %d, so say "
                    "at least that, or 0 for any number",
                    draft->seats);
}

void check_ladder(struct serve_draft *d, const struct ini_section *s)
{
    struct ladder_draft *draft = s->to;
    struct ladder_config *ladder = &draft->ladder;

    if (s->name[0] == '.')
        ini_mistake(&d->ini, s->line,
                    "[ladder %s]: its records are in a folder of this name, "
                    "which must not begin with a dot",
                    s->name);
    check_game(d, s, draft);
    check_bots(d, s, draft);
    check_join(d, s, draft);
    check_company(d, s, draft);
    check_rating(d, s, draft);
    ladder->pairing =
        (enum pairing_policy)words_find("close|even|random", draft->pairing);
    d->config.ladder[d->config.ladders++] = *ladder;
}

bool needs_network(const struct serve_draft *d)
{
    for (int i = 0; i < d->config.ladders; i++)
        if (may_any_join(&d->config.ladder[i]))
            return true;
    return false;
}
