/*
 * /api/ladders and /api/bots: standings, results and what bots did.
 */

#include "base/text.h"
#include "daemon/api.h"
#include "store/progress.h"
#include "store/rate.h"

#include <event2/http.h>
#include <string.h>

enum {
    GAMES_SHOWN = 50,
    BOTS_SHOWN = 100,
    PLACES_SHOWN = 200,
    LADDERS_SHOWN = 16, /* of a bot */
    ROWS_MAX = 200,
    PLACE_MAX = 1000000,
};

static int no_ladder(struct buf *out, const char *name)
{
    return answer_error(out, HTTP_NOTFOUND, "there is no ladder %.40s", name);
}

/* `value` is the default, and is kept if the query does not say. */
static bool take_number(const struct http_ask *ask, const char *key, int least,
                        int most, int *value, struct err *err)
{
    const char *text = http_value(ask, key), *at = text;

    if (!text || (take_int(&at, least, most, value) && at_end(at)))
        return true;
    return fail(err, "%s must be %d to %d, not \"%.20s\"", key, least, most,
                text);
}

/* The text of a key, or "". */
static const char *text_of(const struct http_ask *ask, const char *key)
{
    const char *text = http_value(ask, key);

    return text ? text : "";
}

/* Ladders. */

static void add_live(const struct lobby_ladder *l, json_t *object)
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

/* Leave out the ladders of people's games: they are not a contest. */
static void leave_out_unrated(json_t *list)
{
    for (size_t i = json_array_size(list); i-- > 0;)
        if (rate_leaves_out(json_string_value(
                json_object_get(json_array_get(list, i), "ladder"))))
            json_array_remove(list, i);
}

/* The ladders of a list by their names; it lives as long as the list. */
static json_t *by_name(json_t *list)
{
    json_t *map = json_object(), *each;
    size_t i;

    json_array_foreach(list, i, each)
    {
        const char *name = json_string_value(json_object_get(each, "ladder"));

        json_object_set(map, name, each);
    }
    return map;
}

static json_t *empty_ladder(const struct lobby_ladder *l)
{
    return json_pack("{s:s, s:s, s:i, s:i}", "ladder", l->name, "game",
                     l->config->game->name, "games", 0, "void", 0);
}

json_t *api_ladders(struct server *s, struct err *err)
{
    json_t *list = report_ladders(archive_index(s->archive), false, err);
    const struct lobby_ladder *l;
    json_t *known;

    if (!list)
        return NULL;
    leave_out_unrated(list);
    known = by_name(list);
    for (int i = 0; (l = lobby_ladder_at(s->lobby, i)); i++) {
        json_t *object = json_object_get(known, l->name);

        if (!object && l->config && !l->config->is_for_people) {
            object = empty_ladder(l);
            json_array_append_new(list, object);
        }
        if (object)
            add_live(l, object);
    }
    json_decref(known);
    return list;
}

int api_get_ladders(struct server *s, struct http_ask *ask,
                    const char *const *word, struct buf *out)
{
    struct err err;
    json_t *list = api_ladders(s, &err);

    return list ? answer_json(out, list) : no_index(out, &err);
}

json_t *api_ladder(struct server *s, const char *name,
                   const struct report_page *page, struct err *err)
{
    const struct lobby_ladder *l = lobby_ladder(s->lobby, name);
    json_t *ladder = report_ladder(archive_index(s->archive), name, page, err);

    if (ladder && json_is_null(ladder) && l && l->config) {
        ladder = empty_ladder(l);
        json_object_set_new(ladder, "standings", json_array());
    }
    if (l && json_is_object(ladder))
        add_live(l, ladder);
    return ladder;
}

int api_get_ladder(struct server *s, struct http_ask *ask,
                   const char *const *word, struct buf *out)
{
    struct report_page page = {.limit = PLACES_SHOWN};
    struct err err;
    json_t *ladder;

    if (!take_number(ask, "limit", 1, ROWS_MAX, &page.limit, &err) ||
        !take_number(ask, "after", 0, PLACE_MAX, &page.after, &err))
        return bad_request(out, &err);
    ladder = api_ladder(s, word[1], &page, &err);
    if (!ladder)
        return no_index(out, &err);
    return json_is_null(ladder) ? no_ladder(out, word[1])
                                : answer_json(out, ladder);
}

static bool note_ladder(void *arg, const struct index_ladder *ladder)
{
    *(bool *)arg = true;
    return true;
}

int api_get_ladder_games(struct server *s, struct http_ask *ask,
                         const char *const *word, struct buf *out)
{
    struct index *index = archive_index(s->archive);
    struct index_page page = {.ladder = word[1],
                              .bot = http_value(ask, "bot"),
                              .before = http_value(ask, "before"),
                              .limit = GAMES_SHOWN};
    bool is_known = lobby_ladder(s->lobby, word[1]) != NULL;
    struct err err;
    json_t *games;

    if (!take_number(ask, "limit", 1, ROWS_MAX, &page.limit, &err))
        return bad_request(out, &err);
    if (!index_ladder(index, word[1], note_ladder, &is_known, &err))
        return no_index(out, &err);
    if (!is_known)
        return no_ladder(out, word[1]);
    games = report_games(index, &page, &err);
    return games ? answer_json(out, games) : no_index(out, &err);
}

/*
 * The state of its chain of records. Anyone who writes it down can detect a
 * later change.
 */
int api_get_ladder_head(struct server *s, struct http_ask *ask,
                        const char *const *word, struct buf *out)
{
    char link[2 * SHA256_BYTES + 1], key[SEAL_KEY_HEX + 1];
    struct chain chain;
    struct err err;

    if (!lobby_ladder(s->lobby, word[1]))
        return no_ladder(out, word[1]);
    if (!archive_chain(s->archive, word[1], &chain, &err))
        return no_index(out, &err);
    text_hex(link, chain.link, sizeof chain.link);
    text_hex(key, archive_key(s->archive)->open, SEAL_KEY_BYTES);
    return answer_json(out, json_pack("{s:s, s:i, s:s, s:s}", "chain",
                                      chain.name, "number", chain.number,
                                      "link", link, "key", key));
}

/* Bots. */

struct bot_list {
    json_t *bots; /* NAME: [ladder...] */
    size_t most;
};

static bool add_bot(void *arg, const char *bot, const char *ladder)
{
    struct bot_list *list = arg;
    json_t *ladders = json_object_get(list->bots, bot);

    if (!ladders && json_object_size(list->bots) == list->most)
        return false;
    if (!ladders) {
        ladders = json_array();
        json_object_set_new(list->bots, bot, ladders);
    }
    json_array_append_new(ladders, json_string(ladder));
    return true;
}

int api_get_bots(struct server *s, struct http_ask *ask,
                 const char *const *word, struct buf *out)
{
    struct bot_list list;
    int limit = BOTS_SHOWN;
    struct err err;

    if (!take_number(ask, "limit", 1, ROWS_MAX, &limit, &err))
        return bad_request(out, &err);
    list = (struct bot_list){json_object(), (size_t)limit};
    if (index_bots(archive_index(s->archive), text_of(ask, "after"), add_bot,
                   &list, &err))
        return answer_json(out, list.bots);
    json_decref(list.bots);
    return no_index(out, &err);
}

static bool add_name(void *arg, const char *bot, const char *ladder)
{
    json_array_append_new(arg, json_string(ladder));
    return true;
}

/* The ladders where it played: the one asked for, or those after a name. */
static bool ladders_of(struct index *index, const struct http_ask *ask,
                       const char *bot, json_t *names, struct err *err)
{
    const char *only = http_value(ask, "ladder");

    if (!only)
        return index_ladders_of(index, bot, text_of(ask, "after"),
                                LADDERS_SHOWN, add_name, names, err);
    json_array_append_new(names, json_string(only));
    return true;
}

/* Its rating, if the latest version has one. */
static bool is_rated(const json_t *report, double *elo)
{
    const json_t *row = json_array_get(json_object_get(report, "standings"), 0);
    const json_t *value = json_object_get(row, "elo");

    *elo = json_number_value(value);
    return json_is_number(value);
}

/* Its history, and its conduct. */
static bool add_details(struct server *s, const char *ladder, const char *bot,
                        json_t *report, struct err *err)
{
    double elo;
    bool rated = is_rated(report, &elo);
    json_t *progress =
        progress_of(archive_index(s->archive), ladder, bot, rated, elo, err);

    if (!progress)
        return false;
    json_object_set_new(report, "progress", progress);
    json_object_set_new(
        report, "conduct",
        conduct_json(s, ladder, bot, json_object_get(report, "played")));
    return true;
}

/* Its results on each ladder, without the ladders on which it did nothing. */
static bool add_reports(struct server *s, const char *bot, const json_t *names,
                        int limit, json_t *list, struct err *err)
{
    struct index *index = archive_index(s->archive);

    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *ladder = json_string_value(json_array_get(names, i));
        json_t *one = report_bot(index, ladder, bot, limit, err);

        if (!one)
            return false;
        if (json_is_object(one) && add_details(s, ladder, bot, one, err))
            json_array_append(list, one);
        json_decref(one);
    }
    return !index_is_late(index);
}

int api_get_bot(struct server *s, struct http_ask *ask, const char *const *word,
                struct buf *out)
{
    struct index *index = archive_index(s->archive);
    json_t *names, *list;
    int limit = GAMES_SHOWN;
    struct err err;
    bool ok;

    if (!take_number(ask, "limit", 1, ROWS_MAX, &limit, &err))
        return bad_request(out, &err);
    names = json_array();
    list = json_array();
    ok = ladders_of(index, ask, word[1], names, &err) &&
         add_reports(s, word[1], names, limit, list, &err);
    json_decref(names);
    if (ok && (json_array_size(list) > 0 || http_value(ask, "after")))
        return answer_json(out, list);
    json_decref(list);
    return ok ? answer_error(out, HTTP_NOTFOUND,
                             "no bot called %.40s has played", word[1])
              : no_index(out, &err);
}

json_t *api_bot(struct server *s, const char *name, int limit, struct err *err)
{
    struct index *index = archive_index(s->archive);
    json_t *names = json_array(), *list = json_array();
    bool ok = index_ladders_of(index, name, "", LADDERS_SHOWN, add_name, names,
                               err) &&
              add_reports(s, name, names, limit, list, err);

    json_decref(names);
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}
