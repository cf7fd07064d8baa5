#include "cmd/tournament/config.h"

#include "base/alloc.h"
#include "base/text.h"
#include "cmd/lib/bot_cores.h"
#include "cmd/lib/bot_keys.h"
#include "cmd/lib/game_keys.h"
#include "cmd/lib/luggage.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONCURRENCY_MAX = 4000, CYCLES_MAX = 1000, REPLAYS_MAX = 100 };

/* The file after reading and before checking. */
struct parsed {
    struct tournament_config config; /* first: the caller gets this part */
    const struct tournament_args *args;
    struct ini ini;
    struct parsed_game game;
    struct time_control control;
    const char *format, *records, *walls;
    const char *entrant[SCHEDULE_ENTRANTS_MAX];
    int entrants;
    int cores;
};

/* The sections. */

static void *begin_tournament(struct ini *ini, const char *name,
                              struct err *err)
{
    return ini->user;
}

static void *begin_bot(struct ini *ini, const char *name, struct err *err)
{
    struct bot_entry *entry;
    int count = 0;

    for (struct ini_section *s = ini->first; s; s = s->next)
        count += strcmp(s->kind->name, "bot") == 0;
    if (count == SCHEDULE_ENTRANTS_MAX) {
        fail(err, "more than %d sections [bot NAME]", SCHEDULE_ENTRANTS_MAX);
        return NULL;
    }
    entry = pool_take(ini->pool, sizeof *entry);
    entry->name = name;
    return entry;
}

/* Readers used only by this file. */

static bool read_entrants(const struct ini_value *v, struct err *err)
{
    struct parsed *d = v->ini->user;
    char *at = pool_text(v->ini->pool, v->text), *name;

    while ((name = strsep(&at, ", \t")) != NULL) {
        if (!*name)
            continue;
        if (d->entrants == SCHEDULE_ENTRANTS_MAX)
            return fail(err, "more than %d", SCHEDULE_ENTRANTS_MAX);
        for (int i = 0; i < d->entrants; i++)
            if (strcmp(d->entrant[i], name) == 0)
                return fail(err, "%.40s is named twice", name);
        d->entrant[d->entrants++] = name;
    }
    return true;
}

/* In the form that a match uses. */
static bool refuse_bots(const struct ini_value *v, struct err *err)
{
    return fail(err, "those of a tournament are its entrants: write "
                     "entrants = NAME, NAME, ...");
}

static bool read_control(const struct ini_value *v, struct err *err)
{
    struct parsed *d = v->ini->user;
    struct buf text;

    if (!time_control_parse(v->text, &d->control, err))
        return false;
    buf_init(&text, 80);
    time_control_write(&d->control, &text);
    d->config.time = pool_text(v->ini->pool, text.text);
    buf_release(&text);
    return true;
}

static bool read_seed(const struct ini_value *v, struct err *err)
{
    struct contest_config *c = v->to;

    c->seed_is_chosen = true;
    return text_unhex(c->seed, SEED_BYTES, v->text) ||
           fail(err, "must be %d hex digits in lower case, not \"%.40s\"",
                2 * SEED_BYTES, v->text);
}

#define DRAFT struct parsed

static const struct ini_key tournament_keys[] = {
    KEY("name", "NAME", NULL,
        "its name (default: the file name without its extension)",
        INI_TEXT(DRAFT, config.name)),
    KEY("format", "round-robin|gauntlet|swiss|knockout", "round-robin",
        "how opponents are chosen", INI_CHOICE(DRAFT, format)),
    GAME_KEYS(DRAFT),
    KEY("time", "CONTROL", "move:10s", "time control of every seat",
        .read = read_control),
    KEY("entrants", "NAME, NAME, ...", NULL,
        "the bots that play, the best seed first; may be given more than "
        "once (default: all [bot NAME] in the order of the file)",
        .read = read_entrants, .again = true),
    KEY("bots", "", NULL, "", .read = refuse_bots, .is_refused = true),
    KEY("games", "N", NULL,
        "games per pairing (default: one for each rotation of the seats)",
        INI_INT(DRAFT, config.schedule.games, 1, SCHEDULE_GAMES_MAX)),
    KEY("duplicate", "yes|no", "no",
        "play every deal once for each rotation of the seats",
        INI_YES(DRAFT, config.duplicate)),
    KEY("cycles", "N", NULL,
        "round-robin, gauntlet: how often all pairings are played (default 1)",
        INI_INT(DRAFT, config.schedule.cycles, 1, CYCLES_MAX)),
    KEY("challengers", "N", NULL,
        "gauntlet: the number of first entrants that play all others "
        "(default 1)",
        INI_INT(DRAFT, config.schedule.challengers, 1, SCHEDULE_ENTRANTS_MAX)),
    KEY("rounds", "N", NULL,
        "swiss: number of rounds (default: log2 of the entrants, rounded up)",
        INI_INT(DRAFT, config.schedule.rounds, 1, SCHEDULE_ENTRANTS_MAX)),
    KEY("replays", "N", "2",
        "knockout: how often a tied pairing plays again before the better "
        "seed advances",
        INI_INT(DRAFT, config.schedule.replays, 0, REPLAYS_MAX)),
    KEY("third-place", "yes|no", "no",
        "knockout with 2 seats: play for third place",
        INI_YES(DRAFT, config.schedule.third_place)),
    KEY("concurrency", "N", "1", "games played at the same time",
        INI_INT(DRAFT, config.contest.concurrency, 1, CONCURRENCY_MAX)),
    KEY("seed", "HEX", NULL,
        "64 hex digits that determine all deals (default: random)",
        INI(DRAFT, config.contest, read_seed)),
    KEY("records", "FOLDER", NULL, "for records and logs (default: none)",
        INI_TEXT(DRAFT, records)),
    KEY("key", "FILE", NULL,
        "signs the records; created if it does not exist (default: none)",
        INI_TEXT(DRAFT, config.contest.key)),
    KEY("walls", WALL_WORDS, "none",
        "walls around bots without walls of their own",
        INI_CHOICE(DRAFT, walls)),
    KEY("cores", "N", NULL,
        "processor cores reserved for each bot without such a key",
        INI_INT(DRAFT, cores, 1, BOT_CORES_MAX)),
    KEY("illegal", "forfeit|retry:N", "forfeit",
        "what happens after an illegal move",
        INI(DRAFT, config.contest.retries, read_illegal)),
    LIMIT_KEYS(DRAFT, config.contest),
    {0},
};

static const struct ini_kind kinds[] = {
    {"tournament", NULL, "the format and the rules", tournament_keys,
     begin_tournament},
    {"bot", "NAME", BOT_ABOUT, bot_keys, begin_bot},
    {0},
};

/* Formats. */

/* Keys that mean something in some formats only. */
static const struct {
    const char *key;
    const char *formats;
} special[] = {
    {"cycles", "round-robin|gauntlet"},
    {"challengers", "gauntlet"},
    {"rounds", "swiss"},
    {"replays", "knockout"},
    {"third-place", "knockout"},
};

static void check_format(struct parsed *d, const struct ini_section *s)
{
    d->config.schedule.format =
        (enum format)words_find(format_words, d->format);
    if (ini_is_wrong(s, "format"))
        return;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (ini_has(s, special[i].key) &&
            words_find(special[i].formats, d->format) < 0)
            ini_mistake(&d->ini, ini_line(s, special[i].key),
                        "%s: is for format = %s, not for %s", special[i].key,
                        special[i].formats, d->format);
}

/* A refusal begins with the key it is about. */
static void check_schedule(struct parsed *d, const struct ini_section *s)
{
    struct schedule_config *c = &d->config.schedule;
    char key[32];
    struct err err;

    c->seats = d->game.seats;
    c->entrants = d->config.contest.players;
    c->unit = d->config.duplicate ? c->seats : 1;
    if (schedule_check(c, &err))
        return;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(err.text, ":"), err.text);
    ini_mistake(&d->ini, ini_line(s, key), "%s", err.text);
}

/* Entrants. */

/* All of them, in file order. */
static void enter_all(struct parsed *d)
{
    for (const struct ini_section *s = d->ini.first; s; s = s->next)
        if (strcmp(s->kind->name, "bot") == 0)
            d->entrant[d->entrants++] = s->name;
}

static void enter(struct parsed *d, const struct ini_section *s)
{
    struct player *player =
        &d->config.contest.player[d->config.contest.players];
    struct bot_entry *entry = s->to;
    struct err err;

    entry->is_foreign = true;
    if (!entry->wall.kind)
        entry->wall.kind = d->walls;
    if (entry->cores == 0)
        entry->cores = d->cores;
    d->config.contest.players++;
    if (entry->command &&
        !player_make(entry, &d->control, &d->config.pool, player, &err))
        ini_mistake(&d->ini, ini_line(s, "command"), "%s", err.text);
    else if (d->args->workers.given && player->digest &&
             !player_pack(player, entry, &d->config.pool, &err))
        ini_mistake(&d->ini, s->line, "%s", err.text);
}

static void check_entrants(struct parsed *d, const struct ini_section *s)
{
    for (const struct ini_section *b = d->ini.first; b; b = b->next)
        if (strcmp(b->kind->name, "bot") == 0)
            bot_entry_check(&d->ini, b);
    if (!ini_has(s, "entrants"))
        enter_all(d);
    d->config.contest.player =
        pool_take(&d->config.pool,
                  SCHEDULE_ENTRANTS_MAX * sizeof *d->config.contest.player);
    for (int i = 0; i < d->entrants; i++) {
        const struct ini_section *b = ini_find(&d->ini, "bot", d->entrant[i]);

        if (b)
            enter(d, b);
        else
            no_such_bot(&d->ini, ini_line(s, "entrants"), "entrants",
                        d->entrant[i]);
    }
}

/* The rest. */

/* "cups/spring.ini" gets the name "spring". */
static const char *name_of_file(struct pool *pool, const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');

    return dot > start ? pool_part(pool, start, (size_t)(dot - start))
                       : pool_text(pool, start);
}

static void check_name(struct parsed *d, const struct ini_section *s)
{
    if (!d->config.name)
        d->config.name = name_of_file(&d->config.pool, d->ini.path);
    if (ini_has(s, "name") && !is_bot_name(d->config.name))
        ini_mistake(&d->ini, ini_line(s, "name"),
                    "name: has 1 to 32 letters, digits or ._+-, not \"%.40s\"",
                    d->config.name);
    d->config.contest.event =
        is_bot_name(d->config.name) ? d->config.name : "tournament";
}

static void check_parsed(struct parsed *d, const struct ini_section *s)
{
    struct contest_config *c = &d->config.contest;

    check_name(d, s);
    check_format(d, s);
    parsed_game_check(&d->ini, s, "[tournament]", &d->game);
    check_entrants(d, s);
    if (!c->seed_is_chosen)
        randombytes_buf(c->seed, SEED_BYTES);
    c->game = d->game.game;
    c->setup = d->game.setup;
    c->folder = d->args->records ? d->args->records : d->records;
    if (d->args->key)
        c->key = d->args->key;
    if (d->args->concurrency)
        c->concurrency = d->args->concurrency;
    else if (d->args->workers.given)
        c->concurrency = WORKERS_AT_ONCE;
    if (d->ini.mistakes == 0)
        check_schedule(d, s);
}

static void check_all(struct parsed *d)
{
    const struct ini_section *s = ini_find(&d->ini, "tournament", "");

    if (s)
        check_parsed(d, s);
    else
        ini_mistake(&d->ini, 0,
                    "there is no [tournament]; \"referee tournament "
                    "--help-config\" lists its keys");
}

bool tournament_config_read(const char *path,
                            const struct tournament_args *args,
                            struct tournament_config **out,
                            struct lines *remarks)
{
    struct parsed *d = must_alloc(calloc(1, sizeof *d));
    bool right;

    d->args = args;
    ini_read(&d->ini, path, kinds, d, &d->config.pool);
    /* If the file cannot be read, nothing else can be checked. */
    if (d->ini.line > 0 || d->ini.mistakes == 0)
        check_all(d);
    ini_report(&d->ini, remarks);
    right = d->ini.mistakes == 0;
    if (right)
        *out = &d->config;
    else
        tournament_config_free(&d->config);
    return right;
}

void tournament_config_free(struct tournament_config *config)
{
    struct pool pool = config->pool;

    free(config);
    pool_release(&pool);
}

void tournament_config_help(struct buf *out)
{
    ini_help(kinds, out);
}
