/*
 * The pages for browsers. Each reads what the API reads, and lets web/site.h
 * write it. Whatever keeps the API from holding up games holds here as well.
 */

#include "web/site.h"
#include "base/text.h"
#include "daemon/server_state.h"
#include "store/report.h"
#include "web/files.h"

#include <event2/http.h>
#include <stdio.h>
#include <string.h>

enum { GAMES_SHOWN = 50, LAST_GAMES = 10, CROSS_MAX = 12, PLACES_SHOWN = 200 };

static const char *value(const struct http_ask *ask, const char *key)
{
    const char *text = http_value(ask, key);

    return text ? text : "";
}

static int wrong(struct buf *out, int code, const char *text)
{
    buf_reset(out);
    site_error(out, code == HTTP_NOTFOUND ? "Not found" : "Try again", text);
    return code;
}

static int no_index(struct buf *out, const struct err *err)
{
    return wrong(out, HTTP_SERVUNAVAIL, err->text);
}

static int on_home(struct server *s, struct http_ask *ask, const char *name,
                   struct buf *out)
{
    struct err err;
    json_t *ladders = api_ladders(s, &err), *games, *status, *offer;

    if (!ladders)
        return no_index(out, &err);
    games = games_json(s);
    status = status_json(s);
    offer = play_json(s);
    site_home(out, ladders, games, status, offer);
    json_decref(offer);
    json_decref(ladders);
    json_decref(games);
    json_decref(status);
    return HTTP_OK;
}

static int on_live(struct server *s, struct http_ask *ask, const char *name,
                   struct buf *out)
{
    json_t *games = games_json(s);

    site_live(out, games);
    json_decref(games);
    return HTTP_OK;
}

/* Reports of the first places, for the crosstable. */
static json_t *first_bots(struct server *s, const json_t *ladder,
                          struct err *err)
{
    const json_t *standings = json_object_get(ladder, "standings");
    json_t *list = json_array();

    for (size_t i = 0; i < json_array_size(standings) && i < CROSS_MAX; i++) {
        const json_t *row = json_array_get(standings, i);
        json_t *one =
            report_bot(archive_index(s->archive),
                       json_string_value(json_object_get(ladder, "ladder")),
                       json_string_value(json_object_get(row, "bot")), 1, err);

        if (json_is_object(one))
            json_array_append(list, one);
        json_decref(one);
    }
    return list;
}

static int on_ladder(struct server *s, struct http_ask *ask, const char *name,
                     struct buf *out)
{
    struct index_page last = {.ladder = name, .limit = LAST_GAMES};
    struct report_page page = {.limit = PLACES_SHOWN};
    struct err err;
    json_t *ladder = api_ladder(s, name, &page, &err), *bots, *games;

    if (!ladder)
        return no_index(out, &err);
    if (json_is_null(ladder))
        return wrong(out, HTTP_NOTFOUND, "There is no such ladder.");
    bots = first_bots(s, ladder, &err);
    games = report_games(archive_index(s->archive), &last, &err);
    site_ladder(out, ladder, bots, games);
    json_decref(ladder);
    json_decref(bots);
    json_decref(games);
    return HTTP_OK;
}

static bool names(const json_t *list, const char *name)
{
    const json_t *each;
    size_t i;

    json_array_foreach(list, i, each) if (strcmp(json_string_value(each),
                                                 name) == 0) return true;
    return false;
}

static bool is_playing(const struct server *s, const char *name, char *id,
                       size_t size)
{
    json_t *games = games_json(s);
    const json_t *game;
    bool found = false;
    size_t i;

    json_array_foreach(json_object_get(games, "games"), i, game)
    {
        if (found || !names(json_object_get(game, "bots"), name))
            continue;
        found = true;
        snprintf(id, size, "%s",
                 json_string_value(json_object_get(game, "id")));
    }
    json_decref(games);
    return found;
}

/* Why it does not play. A local bot has no connection. */
static void say_why(const struct server *s, const char *name, char *text,
                    size_t size)
{
    const struct connection *n = doors_connections(s->doors);

    while (n && !(lobby_is_waiting(n) && strcmp(n->name, name) == 0))
        n = n->next;
    if (!n) {
        snprintf(text, size, "Offline, or between games.");
        return;
    }
    why_waits(s, n, text, size);
    text[0] = 'W'; /* "waits ..." */
}

static int on_bot(struct server *s, struct http_ask *ask, const char *name,
                  struct buf *out)
{
    char state[WHY_WAITS_MAX], id[GROUP_ID_MAX + 1];
    struct err err;
    json_t *reports = api_bot(s, name, LAST_GAMES, &err);

    if (!reports)
        return no_index(out, &err);
    if (is_playing(s, name, id, sizeof id))
        snprintf(state, sizeof state, "Playing now: game %s.", id);
    else
        say_why(s, name, state, sizeof state);
    site_bot(out, name, reports, state);
    json_decref(reports);
    return HTTP_OK;
}

static int on_games(struct server *s, struct http_ask *ask, const char *name,
                    struct buf *out)
{
    struct site_filter filter = {value(ask, "ladder"), value(ask, "bot"),
                                 value(ask, "before")};
    struct index_page page = {.ladder = filter.ladder,
                              .bot = filter.bot[0] ? filter.bot : NULL,
                              .before = filter.before[0] ? filter.before : NULL,
                              .limit = GAMES_SHOWN};
    json_t *all = json_array();
    const struct lobby_ladder *l;
    struct err err;

    for (int i = 0; (l = lobby_ladder_at(s->lobby, i)); i++) {
        json_t *games;

        if (filter.ladder[0] && strcmp(filter.ladder, l->name) != 0)
            continue;
        page.ladder = l->name;
        page.limit = filter.ladder[0] ? GAMES_SHOWN : LAST_GAMES;
        games = report_games(archive_index(s->archive), &page, &err);
        if (games)
            json_array_extend(all, games);
        json_decref(games);
    }
    site_games(out, all, &filter);
    json_decref(all);
    return HTTP_OK;
}

static int on_game(struct server *s, struct http_ask *ask, const char *id,
                   struct buf *out)
{
    struct err err;
    json_t *game;

    if (api_moves(s, id) >= 0) {
        site_game(out, id, NULL);
        return HTTP_OK;
    }
    game = report_game(archive_index(s->archive), id, &err);
    if (!game)
        return no_index(out, &err);
    if (json_is_null(game))
        return wrong(out, HTTP_NOTFOUND, "There is no such game.");
    site_game(out, id, game);
    json_decref(game);
    return HTTP_OK;
}

static int on_join(struct server *s, struct http_ask *ask, const char *name,
                   struct buf *out)
{
    struct err err;
    json_t *ladders = api_ladders(s, &err);

    if (!ladders)
        return no_index(out, &err);
    site_join(out, NULL, ladders);
    json_decref(ladders);
    return HTTP_OK;
}

static int on_play(struct server *s, struct http_ask *ask, const char *name,
                   struct buf *out)
{
    json_t *offer;

    if (config_of(s)->play.tables_max == 0)
        return wrong(out, HTTP_NOTFOUND,
                     "No tables are offered to visitors here.");
    offer = play_json(s);
    site_play(out, offer);
    json_decref(offer);
    return HTTP_OK;
}

static int on_table(struct server *s, struct http_ask *ask, const char *id,
                    struct buf *out)
{
    if (!api_knows(s, id))
        return wrong(out, HTTP_NOTFOUND, "There is no such game.");
    site_table(out, id);
    return HTTP_OK;
}

static int on_rules(struct server *s, struct http_ask *ask, const char *name,
                    struct buf *out)
{
    const struct game *game = game_find(name);

    if (!game)
        return wrong(out, HTTP_NOTFOUND, "There is no such game.");
    site_rules(out, game);
    return HTTP_OK;
}

/* "HASH/NAME": an address with another hash is that of another version. */
static int on_file(struct server *s, struct http_ask *ask, const char *path,
                   struct buf *out)
{
    const char *name = strchr(path, '/');
    const struct web_file *file = name ? web_file_find(name + 1) : NULL;

    if (!file)
        return wrong(out, HTTP_NOTFOUND, "There is no such file.");
    buf_put(out, file->text, file->len);
    ask->type = web_file_type(file);
    ask->is_fixed = true;
    return HTTP_OK;
}

/* A path that ends with '/' takes the rest as a name. */
static const struct page_route {
    const char *path;
    int (*answer)(struct server *server, struct http_ask *ask, const char *name,
                  struct buf *out);
} routes[] = {
    {"", on_home},       {"live", on_live},      {"games", on_games},
    {"join", on_join},   {"ladder/", on_ladder}, {"bot/", on_bot},
    {"game/", on_game},  {"rules/", on_rules},   {"play", on_play},
    {"play/", on_table}, {"web/", on_file},
};

static const struct page_route *find_page(const char *path)
{
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        size_t len = strlen(routes[i].path);

        if (len > 0 && routes[i].path[len - 1] == '/'
                ? strncmp(path, routes[i].path, len) == 0
                : strcmp(path, routes[i].path) == 0)
            return &routes[i];
    }
    return NULL;
}

bool site_is_file(const char *path)
{
    return strncmp(path, "web/", 4) == 0;
}

int site_answer(struct server *s, struct http_ask *ask, struct buf *out)
{
    const struct page_route *route = find_page(ask->path);

    if (!route)
        return wrong(out, HTTP_NOTFOUND, "There is no such page.");
    return route->answer(s, ask, ask->path + strlen(route->path), out);
}
