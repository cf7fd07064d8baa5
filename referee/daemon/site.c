/*
 * The pages for browsers. Each reads what the API reads, and web/site.h writes
 * it. The API's limits, which protect the games, apply here too.
 */

#include "web/site.h"
#include "base/text.h"
#include "daemon/api.h"
#include "store/disk.h"
#include "store/progress.h"
#include "store/report.h"
#include "web/files.h"

#include <event2/http.h>
#include <stdio.h>
#include <string.h>

enum {
    GAMES_SHOWN = 50,
    LAST_GAMES = 10,
    CROSS_MAX = 12,
    PLACE_MAX = 1000000,
    HOST_MAX = 253, /* bytes of a host name, by the rules of DNS */
};

static const char *value(const struct http_ask *ask, const char *key)
{
    const char *text = http_value(ask, key);

    return text ? text : "";
}

static struct site site_of(const struct server *s)
{
    struct site site = {0};

    if (config_of(s)->play.tables_max > 0)
        site.parts |= SITE_PLAY;
    if (config_of(s)->play.hints)
        site.parts |= SITE_HINTS;
    if (config_of(s)->tournaments)
        site.parts |= SITE_TOURNAMENTS;
    return site;
}

static int wrong(const struct server *s, struct buf *out, int code,
                 const char *text)
{
    const struct site site = site_of(s);

    buf_reset(out);
    site_error(out, &site, code == HTTP_NOTFOUND ? "Not found" : "One moment",
               text, code != HTTP_NOTFOUND);
    return code;
}

static int no_page(const struct server *s, struct buf *out,
                   const struct err *err)
{
    return wrong(s, out, HTTP_SERVUNAVAIL, err->text);
}

static int on_home(struct server *s, struct http_ask *ask, const char *name,
                   struct buf *out)
{
    const struct site site = site_of(s);
    struct err err;
    json_t *ladders = api_ladders(s, &err), *games, *status;

    if (!ladders)
        return no_page(s, out, &err);
    games = games_json(s);
    status = status_json(s);
    site_home(out, &site, ladders, games, status);
    json_decref(ladders);
    json_decref(games);
    json_decref(status);
    return HTTP_OK;
}

static int on_live(struct server *s, struct http_ask *ask, const char *name,
                   struct buf *out)
{
    const struct site site = site_of(s);
    json_t *games = games_json(s);

    site_live(out, &site, games);
    json_decref(games);
    return HTTP_OK;
}

/* A ladder. */

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* The first places and whom they met, for the crosstable. */
static json_t *first_bots(struct server *s, const json_t *ladder,
                          struct err *err)
{
    const json_t *standings = json_object_get(ladder, "standings");
    const char *name = text_in(ladder, "ladder");
    json_t *list = json_array();

    for (size_t i = 0; i < json_array_size(standings) && i < CROSS_MAX; i++) {
        const char *bot = text_in(json_array_get(standings, i), "bot");
        json_t *opponents =
            report_opponents(archive_index(s->archive), name, bot, err);

        if (opponents)
            json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "ladder",
                                                  report_text(name), "bot",
                                                  report_text(bot), "opponents",
                                                  opponents));
    }
    return list;
}

static void add_trends(struct server *s, const json_t *ladder)
{
    json_t *row;
    struct err err;
    size_t i;

    json_array_foreach(json_object_get(ladder, "standings"), i, row)
    {
        const json_t *elo = json_object_get(row, "elo");

        json_object_set_new(
            row, "trend",
            progress_trend(archive_index(s->archive), text_in(ladder, "ladder"),
                           text_in(row, "bot"), json_is_number(elo),
                           json_number_value(elo), &err));
    }
}

static int take_after(const struct http_ask *ask)
{
    const char *at = value(ask, "after");
    int after = 0;

    return take_int(&at, 0, PLACE_MAX, &after) && at_end(at) ? after : 0;
}

static int on_ladder(struct server *s, struct http_ask *ask, const char *name,
                     struct buf *out)
{
    const struct site site = site_of(s);
    struct index_page last = {.ladder = name, .limit = LAST_GAMES};
    struct report_page page = {.after = take_after(ask), .limit = SITE_PLACES};
    struct err err;
    json_t *ladder = api_ladder(s, name, &page, &err), *bots, *games;

    if (!ladder)
        return no_page(s, out, &err);
    if (json_is_null(ladder))
        return wrong(s, out, HTTP_NOTFOUND, "There is no such ladder.");
    games = report_games(archive_index(s->archive), &last, &err);
    bots = first_bots(s, ladder, &err);
    add_trends(s, ladder);
    if (games && index_is_late(archive_index(s->archive)))
        index_budget(archive_index(s->archive), 0); /* without trends, then */
    site_ladder(out, &site, ladder, page.after, bots, games);
    json_decref(ladder);
    json_decref(bots);
    json_decref(games);
    return HTTP_OK;
}

static int on_bot(struct server *s, struct http_ask *ask, const char *name,
                  struct buf *out)
{
    const struct site site = site_of(s);
    struct err err;
    json_t *reports = api_bot(s, name, LAST_GAMES, &err), *bot;

    if (!reports)
        return no_page(s, out, &err);
    bot = json_pack("{s:o, s:o, s:o}", "bot", report_text(name), "presence",
                    presence_json(s, name), "ladders", reports);
    site_bot(out, &site, bot);
    json_decref(bot);
    return HTTP_OK;
}

/* Games. */

static int on_games(struct server *s, struct http_ask *ask, const char *name,
                    struct buf *out)
{
    const struct site site = site_of(s);
    const struct site_filter filter = {
        value(ask, "ladder"), value(ask, "bot"),    value(ask, "opponent"),
        value(ask, "seat"),   value(ask, "result"), value(ask, "fault"),
        value(ask, "before")};
    char next[SUMMARY_WORD_MAX + 1] = "";
    struct err err, why;
    json_t *ladders = report_ladders(archive_index(s->archive), false, &err);
    json_t *games;

    if (!ladders)
        return no_page(s, out, &err);
    games = search_games(s, ladders, &filter, GAMES_SHOWN, next, &why);
    if (!games && index_is_late(archive_index(s->archive))) {
        json_decref(ladders);
        return no_page(s, out, &why);
    }
    site_games(out, &site, games, ladders, &filter, next,
               games ? NULL : why.text);
    json_decref(games);
    json_decref(ladders);
    return HTTP_OK;
}

static int on_game(struct server *s, struct http_ask *ask, const char *id,
                   struct buf *out)
{
    const struct site site = site_of(s);
    struct err err;
    json_t *game;

    if (api_moves(s, id) >= 0) {
        site_game(out, &site, id, NULL);
        return HTTP_OK;
    }
    game = report_game(archive_index(s->archive), id, &err);
    if (!game)
        return no_page(s, out, &err);
    if (json_is_null(game))
        return wrong(s, out, HTTP_NOTFOUND, "There is no such game.");
    site_game(out, &site, id, game);
    json_decref(game);
    return HTTP_OK;
}

/* "HOST:PORT --tls", with the host as the browser calls us. */
static void write_door(const struct server *s, const struct http_ask *ask,
                       struct buf *out)
{
    const char *host = ask->host && *ask->host ? ask->host : "HOST";
    const char *end = strchr(host, ']'); /* of an address of IPv6 */
    size_t len = end ? (size_t)(end + 1 - host) : strcspn(host, ":");
    bool is_tls = false;
    int port;

    buf_add(out, "%.*s:", len <= HOST_MAX ? (int)len : 0, host);
    if (doors_port(s->doors, &port, &is_tls))
        buf_int(out, port);
    else
        buf_str(out, "PORT");
    buf_str(out, is_tls ? " --tls" : "");
}

static int on_join(struct server *s, struct http_ask *ask, const char *name,
                   struct buf *out)
{
    const struct site site = site_of(s);
    struct err err;
    json_t *ladders = api_ladders(s, &err);
    struct buf door;

    if (!ladders)
        return no_page(s, out, &err);
    ask->is_private = true; /* it names the host that was asked for */
    buf_init(&door, 512);
    write_door(s, ask, &door);
    site_join(out, &site, door.text, ladders);
    buf_release(&door);
    json_decref(ladders);
    return HTTP_OK;
}

static int on_play(struct server *s, struct http_ask *ask, const char *name,
                   struct buf *out)
{
    const struct site site = site_of(s);
    json_t *offer;

    if (config_of(s)->play.tables_max == 0)
        return wrong(s, out, HTTP_NOTFOUND,
                     "No tables are offered to visitors here.");
    offer = play_json(s);
    site_play(out, &site, offer, value(ask, "game"));
    json_decref(offer);
    return HTTP_OK;
}

static int on_table(struct server *s, struct http_ask *ask, const char *id,
                    struct buf *out)
{
    const struct site site = site_of(s);
    if (!api_knows(s, id))
        return wrong(s, out, HTTP_NOTFOUND, "There is no such game.");
    site_table(out, &site, id);
    return HTTP_OK;
}

/* Tournaments. */

static int on_tournaments(struct server *s, struct http_ask *ask,
                          const char *name, struct buf *out)
{
    const struct site site = site_of(s);
    json_t *list = tournaments_list(config_of(s)->tournaments);

    site_tournaments(out, &site, list);
    json_decref(list);
    return HTTP_OK;
}

/* "NAME", or "NAME/MATCH" for a game of it. */
static int on_tournament(struct server *s, struct http_ask *ask,
                         const char *path, struct buf *out)
{
    const struct site site = site_of(s);
    size_t len = strcspn(path, "/");
    char name[DISK_PATH_MAX];
    json_t *one;

    snprintf(name, sizeof name, "%.*s", len < sizeof name ? (int)len : 0, path);
    one = tournament_named(&s->tournaments, config_of(s)->tournaments, name);
    if (!one)
        return wrong(s, out, HTTP_NOTFOUND, "There is no such tournament.");
    if (path[len])
        site_match(out, &site, one, path + len + 1);
    else
        site_tournament(out, &site, one);
    json_decref(one);
    return HTTP_OK;
}

static int on_rules(struct server *s, struct http_ask *ask, const char *name,
                    struct buf *out)
{
    const struct site site = site_of(s);
    const struct game *game = game_find(name);

    if (!game)
        return wrong(s, out, HTTP_NOTFOUND, "There is no such game.");
    site_rules(out, &site, game);
    return HTTP_OK;
}

/* "HASH/NAME": an address with another hash is that of another version. */
static int on_file(struct server *s, struct http_ask *ask, const char *path,
                   struct buf *out)
{
    const char *name = strchr(path, '/');
    const struct web_file *file = name ? web_file_find(name + 1) : NULL;

    if (!file)
        return wrong(s, out, HTTP_NOTFOUND, "There is no such file.");
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
    {"", on_home},
    {"live", on_live},
    {"games", on_games},
    {"join", on_join},
    {"ladder/", on_ladder},
    {"bot/", on_bot},
    {"game/", on_game},
    {"rules/", on_rules},
    {"play", on_play},
    {"play/", on_table},
    {"web/", on_file},
    {"tournaments", on_tournaments},
    {"tournament/", on_tournament},
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

void site_excuse(struct server *s, int code, struct buf *out)
{
    json_t *json = json_loadb(out->text, out->len, 0, NULL);
    const struct site site = site_of(s);

    buf_reset(out);
    site_error(out, &site,
               code == HTTP_SERVUNAVAIL ? "One moment" : "Not possible",
               text_in(json, "error"), code == HTTP_SERVUNAVAIL);
    json_decref(json);
}

int site_answer(struct server *s, struct http_ask *ask, struct buf *out)
{
    const struct page_route *route = find_page(ask->path);

    if (!route)
        return wrong(s, out, HTTP_NOTFOUND, "There is no such page.");
    return route->answer(s, ask, ask->path + strlen(route->path), out);
}
