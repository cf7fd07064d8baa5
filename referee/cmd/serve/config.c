#include "cmd/serve/config.h"

#include "base/alloc.h"
#include "cmd/lib/bot_cores.h"
#include "cmd/lib/bot_walls.h"
#include "cmd/serve/parsed.h"

#include <stdlib.h>
#include <string.h>

typedef void checker(struct parsed_config *parsed,
                     const struct ini_section *section);

/* Check all sections of a kind against the rest; returns how many there are. */
static int check_all(struct parsed_config *d, const char *kind, checker *check)
{
    int count = 0;

    for (struct ini_section *s = d->ini.first; s; s = s->next)
        if (strcmp(s->kind->name, kind) == 0) {
            count++;
            if (check)
                check(d, s);
        }
    return count;
}

static void check_doors(struct parsed_config *d)
{
    bool needed = needs_network(d);

    if (check_all(d, "listen", check_listener) == 0 &&
        (needed || d->config.ladders == 0))
        ini_mistake(&d->ini, 0,
                    "there is no [listen NAME], so no bot could connect; "
                    "for example: [listen local] with port = 7000%s",
                    needed ? ", or join = none in every ladder" : "");
}

/* A bot behind walls must not reach the files that are kept from it. */
static void check_walls(struct parsed_config *d)
{
    struct serve_config *c = &d->config;
    struct err err;

    if (d->ini.mistakes > 0)
        return;
    if (!walls_keep_out(c->bot, c->bots, c->data, "records and deals are",
                        &err) ||
        !walls_keep_out(c->bot, c->bots, c->keys, "the keys of bots are", &err))
        ini_mistake(&d->ini, 0, "walls: %s", err.text);
    c->walls_words = walls_in_words(c->bot, c->bots, &d->pool);
}

/* All tables may be occupied at once. */
static void check_cores(struct parsed_config *d)
{
    struct serve_config *c = &d->config;
    struct core_needs needs = {0};
    struct err err;

    if (d->ini.mistakes > 0)
        return;
    for (int i = 0; i < c->ladders; i++)
        core_needs_add(&needs, c->ladder[i].bot, c->ladder[i].bots,
                       c->ladder[i].setup.seats, c->ladder[i].games_max,
                       c->ladder[i].copies);
    c->own_cores = needs.own;
    if (!cores_for(&needs, &c->machine, &err))
        ini_mistake(&d->ini, 0, "%s", err.text);
}

static void check_parsed(struct parsed_config *d)
{
    int bots = check_all(d, "bot", NULL) + PLAY_BOTS + HANDINS_MAX;
    int ladders = check_all(d, "ladder", NULL);

    d->config.bot = pool_take(&d->pool, (size_t)bots * sizeof *d->config.bot);
    d->config.ladder = pool_take(&d->pool, ((size_t)ladders + game_count()) *
                                               sizeof *d->config.ladder);
    check_server(d);
    check_all(d, "bot", check_bot);
    check_all(d, "ladder", check_ladder);
    if (check_all(d, "play", check_play) + ladders == 0)
        ini_warning(&d->ini, 0,
                    "there is no [ladder NAME], so no game will start");
    check_all(d, "handins", check_handins);
    check_doors(d);
    check_walls(d);
    check_cores(d);
}

static struct parsed_config *parsed_read(const char *path)
{
    struct parsed_config *d = must_alloc(calloc(1, sizeof *d));

    d->config.path = pool_text(&d->pool, path);
    ini_read(&d->ini, d->config.path, serve_kinds, d, &d->pool);
    return d;
}

/* Then nothing else can be checked. */
static bool is_unreadable(const struct parsed_config *d)
{
    return d->ini.line == 0 && d->ini.mistakes > 0;
}

bool serve_config_read(const char *path, struct serve_config **out,
                       struct lines *remarks)
{
    struct parsed_config *d = parsed_read(path);
    bool right;

    if (!is_unreadable(d))
        check_parsed(d);
    ini_report(&d->ini, remarks);
    right = d->ini.mistakes == 0;
    if (right)
        *out = &d->config;
    else
        serve_config_free(&d->config);
    return right;
}

void serve_config_free(struct serve_config *config)
{
    struct parsed_config *d = (struct parsed_config *)config;
    struct pool pool;

    if (!config)
        return;
    pool = d->pool;
    free(config->key);
    free(d);
    pool_release(&pool);
}

/* The ladders that accept hand-ins; only their games are read. */
static void add_open_ladders(struct parsed_config *d)
{
    int count = check_all(d, "ladder", NULL);

    d->config.ladder =
        pool_take(&d->pool, (size_t)(count + 1) * sizeof *d->config.ladder);
    for (struct ini_section *s = d->ini.first; s; s = s->next) {
        if (strcmp(s->kind->name, "ladder") != 0)
            continue;
        handins_folder(d, s);
        check_ladder_game(d, s);
        if (((struct parsed_ladder *)s->to)->ladder.takes_handins)
            d->config.ladder[d->config.ladders++] =
                ((struct parsed_ladder *)s->to)->ladder;
    }
}

bool serve_config_handins(const char *path, struct serve_config **out,
                          struct err *err)
{
    struct parsed_config *d = parsed_read(path);

    if (!is_unreadable(d))
        add_open_ladders(d);
    if (d->ini.mistakes > 0)
        fail(err, "%s:%d: %s", path, d->ini.remark[0].line,
             d->ini.remark[0].text);
    else if (!d->config.handins.folder)
        fail(err, "%s has no section [handins]", path);
    else if (d->config.ladders == 0)
        fail(err,
             "%s: no ladder accepts hand-ins; set handins = yes in a "
             "[ladder NAME]",
             path);
    else {
        *out = &d->config;
        return true;
    }
    serve_config_free(&d->config);
    return false;
}

/* The [server] section, whatever else is in the file; NULL: unreadable. */
static struct parsed_config *server_read(const char *path, struct err *err)
{
    struct parsed_config *d = parsed_read(path);

    if (is_unreadable(d)) {
        fail(err, "%s %s", path, d->ini.remark[0].text);
        serve_config_free(&d->config);
        return NULL;
    }
    preset_server(d);
    return d;
}

char *serve_config_control(const char *path, struct err *err)
{
    struct parsed_config *d = server_read(path, err);
    char *control = d ? strdup(d->config.control) : NULL;

    if (d)
        serve_config_free(&d->config);
    return control;
}

char *serve_config_database(const char *path, struct err *err)
{
    struct parsed_config *d = server_read(path, err);
    char *url = NULL;

    if (!d)
        return NULL;
    if (d->config.database)
        url = strdup(d->config.database);
    else
        fail(err,
             "%s: [server] names no database; for example: database = "
             "postgresql://referee@localhost/games",
             path);
    serve_config_free(&d->config);
    return url;
}

char *serve_config_worker_keys(const char *path)
{
    struct err err;
    struct parsed_config *d = server_read(path, &err);
    char *keys =
        d && d->config.worker_keys ? strdup(d->config.worker_keys) : NULL;

    if (d)
        serve_config_free(&d->config);
    return keys;
}

static void tell_ladders(struct parsed_config *d, serve_each_ladder *each,
                         void *arg)
{
    for (struct ini_section *s = d->ini.first; s; s = s->next) {
        const struct parsed_ladder *parsed = s->to;

        if (strcmp(s->kind->name, "ladder") == 0 && !ini_is_wrong(s, "anchor"))
            each(arg, name_with_season(d, s), parsed->ladder.anchor,
                 parsed->ladder.anchor_elo, parsed->ladder.min_games);
    }
}

char *serve_config_data(const char *path, serve_each_ladder *each, void *arg,
                        struct err *err)
{
    struct parsed_config *d = server_read(path, err);
    char *data = d ? strdup(d->config.data) : NULL;

    if (!d)
        return NULL;
    tell_ladders(d, each, arg);
    serve_config_free(&d->config);
    return data;
}

void serve_config_help(struct buf *out)
{
    ini_help(serve_kinds, out);
}
