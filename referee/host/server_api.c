/*
 * /api/...: ladders, bots and games as JSON, records as text.
 *
 * Whoever can reach the port may ask, so nothing is told here that a spectator
 * may not know: of a game under way, and of one whose deal is still being
 * played by others, only what the watchers were told. Nor may many questions
 * hold up the games: they get a share of the time, and then an excuse.
 */

#include "base/text.h"
#include "host/server_state.h"
#include "match/watch.h"
#include "store/report.h"

#include <event2/http.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS_MAX = 4, /* of a path */
    GAMES_SHOWN = 50,
    SHARE_US = 250000, /* of each second */
    SECOND_US = 1000000,
};

static int answer_json(struct buf *out, json_t *json)
{
    control_answer(out, json);
    buf_char(out, '\n');
    return HTTP_OK;
}

static int answer_error(struct buf *out, int code, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* What was asked is quoted in it, and need not be text. */
static void make_plain(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

static int answer_error(struct buf *out, int code, const char *fmt, ...)
{
    struct err err;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(err.text, sizeof err.text, fmt, ap);
    va_end(ap);
    make_plain(err.text);
    answer_json(out, json_pack("{s:s}", "error", err.text));
    return code;
}

static int no_index(struct buf *out, const struct err *err)
{
    return answer_error(out, HTTP_SERVUNAVAIL, "%s", err->text);
}

/* A number within bounds, or what is usual. */
static int limit_of(const struct http_ask *ask)
{
    const char *at = http_value(ask, "limit");
    int limit;

    if (at && take_int(&at, 1, REPORT_GAMES_MAX, &limit) && at_end(at))
        return limit;
    return GAMES_SHOWN;
}

/* Ladders. */

static void add_live(const struct server_ladder *l, json_t *object)
{
    struct buf time;

    if (!l->config)
        return;
    buf_init(&time, 256);
    time_control_write(&l->config->time, &time);
    json_object_set_new(object, "seats", json_integer(l->config->setup.seats));
    json_object_set_new(object, "time", json_string(time.text));
    json_object_set_new(object, "running", json_integer(l->running));
    buf_release(&time);
}

static json_t *find_ladder(json_t *list, const char *name)
{
    json_t *each;
    size_t i;

    json_array_foreach(
        list, i,
        each) if (strcmp(json_string_value(json_object_get(each, "ladder")),
                         name) == 0) return each;
    return NULL;
}

static json_t *empty_ladder(const struct server_ladder *l)
{
    return json_pack("{s:s, s:s, s:i, s:i}", "ladder", l->name, "game",
                     l->config->game->name, "games", 0, "void", 0);
}

static int on_ladders(struct server *s, struct http_ask *ask,
                      const char *const *word, struct buf *out)
{
    struct err err;
    json_t *list = report_ladders(archive_index(s->archive), false, &err);

    if (!list)
        return no_index(out, &err);
    for (int i = 0; i < s->ladders; i++) {
        const struct server_ladder *l = s->ladder[i];
        json_t *object = find_ladder(list, l->name);

        if (!object && l->config) {
            object = empty_ladder(l);
            json_array_append_new(list, object);
        }
        if (object)
            add_live(l, object);
    }
    return answer_json(out, list);
}

static int on_ladder(struct server *s, struct http_ask *ask,
                     const char *const *word, struct buf *out)
{
    const struct server_ladder *l = ladder_named(s, word[1]);
    struct err err;
    json_t *ladder = report_ladder(archive_index(s->archive), word[1], &err);

    if (!ladder)
        return no_index(out, &err);
    if (json_is_null(ladder) && l && l->config) {
        ladder = empty_ladder(l);
        json_object_set_new(ladder, "standings", json_array());
    }
    if (json_is_null(ladder))
        return answer_error(out, HTTP_NOTFOUND, "there is no ladder %.40s",
                            word[1]);
    if (l)
        add_live(l, ladder);
    return answer_json(out, ladder);
}

static int answer_games(struct server *s, struct http_ask *ask,
                        const char *ladder, const char *bot, struct buf *out)
{
    struct index_page page = {.ladder = ladder,
                              .bot = bot,
                              .before = http_value(ask, "before"),
                              .limit = limit_of(ask)};
    struct err err;
    json_t *games = report_games(archive_index(s->archive), &page, &err);

    return games ? answer_json(out, games) : no_index(out, &err);
}

static int on_ladder_games(struct server *s, struct http_ask *ask,
                           const char *const *word, struct buf *out)
{
    return answer_games(s, ask, word[1], http_value(ask, "bot"), out);
}

/* Bots. */

struct bot_list {
    const char *ladder;
    json_t *bots; /* NAME: [ladder...] */
};

static bool add_bot(void *arg, const struct index_standing *row)
{
    struct bot_list *list = arg;
    json_t *ladders = json_object_get(list->bots, row->name);
    size_t count = json_array_size(ladders);

    if (!ladders) {
        ladders = json_array();
        json_object_set_new(list->bots, row->name, ladders);
    }
    if (count == 0 ||
        strcmp(json_string_value(json_array_get(ladders, count - 1)),
               list->ladder) != 0)
        json_array_append_new(ladders, json_string(list->ladder));
    return true;
}

/* {NAME: [ladder...]} of all bots that have played; or NULL. */
static json_t *bots_json(struct server *s, struct err *err)
{
    struct index *index = archive_index(s->archive);
    json_t *ladders = report_ladders(index, false, err), *each;
    struct bot_list list = {.bots = json_object()};
    bool ok = ladders != NULL;
    size_t i;

    json_array_foreach(ladders, i, each)
    {
        list.ladder = json_string_value(json_object_get(each, "ladder"));
        ok = ok && index_standings(index, list.ladder, add_bot, &list, err);
    }
    json_decref(ladders);
    if (ok)
        return list.bots;
    json_decref(list.bots);
    return NULL;
}

static int on_bots(struct server *s, struct http_ask *ask,
                   const char *const *word, struct buf *out)
{
    struct err err;
    json_t *bots = bots_json(s, &err);

    return bots ? answer_json(out, bots) : no_index(out, &err);
}

/* What it did, ladder by ladder. */
static int on_bot(struct server *s, struct http_ask *ask,
                  const char *const *word, struct buf *out)
{
    struct index *index = archive_index(s->archive);
    struct err err;
    json_t *ladders = report_ladders(index, false, &err), *each;
    json_t *list = json_array();
    bool ok = ladders != NULL;
    size_t i;

    json_array_foreach(ladders, i, each)
    {
        const char *name = json_string_value(json_object_get(each, "ladder"));
        json_t *bot =
            ok ? report_bot(index, name, word[1], limit_of(ask), &err) : NULL;

        ok = bot != NULL;
        if (json_is_object(bot))
            json_array_append(list, bot);
        json_decref(bot);
    }
    json_decref(ladders);
    if (ok && json_array_size(list) > 0)
        return answer_json(out, list);
    json_decref(list);
    return ok ? answer_error(out, HTTP_NOTFOUND,
                             "no bot called %.40s has played", word[1])
              : no_index(out, &err);
}

/* Games. */

static const struct unit *unit_playing(const struct server *s, const char *id)
{
    for (const struct unit *u = s->units; u; u = u->next)
        if (u->table && strcmp(u->game, id) == 0)
            return u;
    return NULL;
}

static bool is_closing(const struct server *s, const char *id)
{
    for (int i = 0; i < s->closed_len; i++)
        if (strcmp(s->closed[i].id, id) == 0)
            return true;
    return false;
}

static int on_games(struct server *s, struct http_ask *ask,
                    const char *const *word, struct buf *out)
{
    return answer_json(out, games_json(s));
}

static int no_game(struct buf *out, const char *id)
{
    return answer_error(out, HTTP_NOTFOUND, "there is no game %.70s", id);
}

static int on_game(struct server *s, struct http_ask *ask,
                   const char *const *word, struct buf *out)
{
    const struct unit *u = unit_playing(s, word[1]);
    struct err err;
    json_t *game;

    if (u)
        return answer_json(out, unit_json(u));
    game = report_game(archive_index(s->archive), word[1], &err);
    if (!game)
        return no_index(out, &err);
    return json_is_null(game) ? no_game(out, word[1]) : answer_json(out, game);
}

/* Does someone still play on this deal? */
static bool is_deal_in_play(const struct server *s, const json_t *game)
{
    const char *unit = json_string_value(json_object_get(game, "unit"));

    for (const struct unit *u = s->units; u && unit; u = u->next)
        if (strcmp(u->id, unit) == 0)
            return true;
    return false;
}

static int send_record(struct server *s, const char *id, bool all,
                       struct http_ask *ask, struct buf *out)
{
    struct buf bytes;
    struct err err;
    bool ok;

    buf_init(&bytes, RECORD_FILE_MAX);
    ok = archive_read(s->archive, id, &bytes, &err);
    if (ok && all)
        buf_put(out, bytes.text, bytes.len);
    else if (ok && bytes.len > 0) /* else it is about to begin */
        ok = watch_write(id, bytes.text, bytes.len, out, &err);
    buf_release(&bytes);
    if (!ok) {
        buf_reset(out);
        return no_index(out, &err);
    }
    ask->type = http_plain_type;
    return HTTP_OK;
}

static int on_record(struct server *s, struct http_ask *ask,
                     const char *const *word, struct buf *out)
{
    struct err err;
    json_t *game;
    bool known, in_play;

    if (unit_playing(s, word[1]) || is_closing(s, word[1]))
        return send_record(s, word[1], false, ask, out);
    game = report_game(archive_index(s->archive), word[1], &err);
    if (!game)
        return no_index(out, &err);
    known = !json_is_null(game);
    in_play = known && is_deal_in_play(s, game);
    json_decref(game);
    return known ? send_record(s, word[1], !in_play, ask, out)
                 : no_game(out, word[1]);
}

/* "*" is any word. */
static const struct api_route {
    const char *word[WORDS_MAX];
    int (*answer)(struct server *server, struct http_ask *ask,
                  const char *const *word, struct buf *out);
} routes[] = {
    {{"ladders"},               on_ladders     },
    {{"ladders", "*"},          on_ladder      },
    {{"ladders", "*", "games"}, on_ladder_games},
    {{"bots"},                  on_bots        },
    {{"bots", "*"},             on_bot         },
    {{"games"},                 on_games       },
    {{"games", "*"},            on_game        },
    {{"games", "*", "record"},  on_record      },
};

enum { ROUTES = sizeof routes / sizeof *routes };

/* Cut "a/b/c" into words; 0 if there are too many, or an empty one. */
static int split(char *path, const char **word)
{
    int count = 0;

    for (char *at = path; count < WORDS_MAX; at++) {
        word[count++] = at;
        at += strcspn(at, "/");
        if (at == word[count - 1])
            return 0;
        if (*at == '\0')
            return count;
        *at = '\0';
    }
    return 0;
}

static bool fits(const struct api_route *route, const char *const *word,
                 int count)
{
    int i;

    for (i = 0; i < count; i++)
        if (!route->word[i] || (strcmp(route->word[i], "*") != 0 &&
                                strcmp(route->word[i], word[i]) != 0))
            return false;
    return i == WORDS_MAX || !route->word[i];
}

static const struct api_route *find_route(const char *const *word, int count)
{
    for (int i = 0; i < ROUTES && count > 0; i++)
        if (fits(&routes[i], word, count))
            return &routes[i];
    return NULL;
}

static int answer(struct server *s, struct http_ask *ask, struct buf *out)
{
    const char *word[WORDS_MAX];
    char path[512];
    const struct api_route *route;
    size_t len = strlen(ask->path);

    if (len >= sizeof path)
        return answer_error(out, HTTP_NOTFOUND, "there is nothing here");
    memcpy(path, ask->path, len + 1);
    route = find_route(word, split(path, word));
    if (!route)
        return answer_error(out, HTTP_NOTFOUND,
                            "there is nothing here; try /api/ladders, "
                            "/api/bots or /api/games");
    return route->answer(s, ask, word, out);
}

/* A second that has been asked for too much is over before more is answered. */
int server_api(void *owner, struct http_ask *ask, struct buf *out)
{
    struct server *s = owner;
    int64_t start = now_us();
    int code;

    if (s->phase == SERVER_STARTING)
        return answer_error(out, HTTP_SERVUNAVAIL, "starting; ask again soon");
    if (start - s->api_since_us >= SECOND_US) {
        s->api_since_us = start;
        s->api_used_us = 0;
    }
    if (s->api_used_us > SHARE_US)
        return answer_error(out, HTTP_SERVUNAVAIL,
                            "busy; ask again in a second");
    code = answer(s, ask, out);
    s->api_used_us += now_us() - start;
    return code;
}
