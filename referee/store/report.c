#include "store/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Records contain printable ASCII, but anyone can tamper with a database. */
json_t *report_text(const char *value)
{
    json_t *json = json_string(value);

    return json ? json : json_string("?");
}

static json_t *text_or_null(const char *value)
{
    return value[0] ? report_text(value) : json_null();
}

/* jansson gives up only if there is no memory. */
static json_t *made(json_t *json)
{
    if (!json)
        abort();
    return json;
}

/* Hand it out, or drop it. */
static json_t *if_ok(bool ok, json_t *json)
{
    if (ok)
        return json;
    json_decref(json);
    return NULL;
}

/* Standings. */

/* A list of them; `place` is that of the last that has one. */
struct standings {
    json_t *rows;
    int64_t place;
};

static json_t *real_if(bool is_there, double value)
{
    return is_there && isfinite(value) ? json_real(value) : json_null();
}

/* Whoever has no rating comes last, and has no place. */
static json_t *standing_json(const struct index_standing *s, int64_t place)
{
    return made(json_pack(
        "{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:b, s:I, s:f, s:f, s:f, "
        "s:I, s:o, s:o}",
        "place",
        s->is_current && s->is_rated ? json_integer(place) : json_null(), "bot",
        report_text(s->name), "version", report_text(s->text), "current",
        s->is_current, "elo", real_if(s->is_rated, s->elo), "low",
        real_if(s->is_rated, s->low), "high", real_if(s->is_rated, s->high),
        "group", s->is_rated ? json_integer(s->group) : json_null(),
        "provisional", s->is_rated && s->games < REPORT_FEW_GAMES, "games",
        (json_int_t)s->games, "win_share", s->win_share, "mean_rank",
        s->mean_rank, "mean_score", s->mean_score, "forfeits",
        (json_int_t)s->forfeits, "first", report_text(s->first), "last",
        report_text(s->last)));
}

static bool add_standing(void *arg, const struct index_standing *s)
{
    struct standings *list = arg;

    list->place += s->is_current;
    json_array_append_new(list->rows, standing_json(s, list->place));
    return true;
}

/* All of them, or a page of the latest ones. */
static json_t *read_standings(struct index *index, const char *ladder,
                              const struct report_page *page, struct err *err)
{
    struct standings list = {.rows = made(json_array()),
                             .place = page ? page->after : 0};
    bool ok = page ? index_latest(index, ladder, page->after, page->limit,
                                  add_standing, &list, err)
                   : index_standings(index, ladder, add_standing, &list, err);

    return if_ok(ok, list.rows);
}

/* Ladders. */

static json_t *rating_of(const struct index_ladder *l)
{
    if (l->rated == 0)
        return json_null();
    return made(json_pack(
        "{s:I, s:o, s:f, s:b, s:b}", "games", (json_int_t)l->rated, "anchor",
        text_or_null(l->is_solo ? "" : l->anchor), "anchor_elo", l->anchor_elo,
        "converged", l->converged, "solo", l->is_solo));
}

static bool add_ladder(void *arg, const struct index_ladder *l)
{
    json_array_append_new(
        arg, made(json_pack("{s:o, s:o, s:I, s:I, s:o, s:o}", "ladder",
                            report_text(l->name), "game", report_text(l->rules),
                            "games", (json_int_t)l->games, "void",
                            (json_int_t)l->voids, "last", report_text(l->last),
                            "rating", rating_of(l))));
    return true;
}

/* An anchor that never played holds nothing. */
static bool complete(struct index *index, const char *ladder, json_t *rating,
                     struct err *err)
{
    const char *anchor = json_string_value(json_object_get(rating, "anchor"));
    struct index_fit fit;

    if (!json_is_object(rating))
        return true;
    if (!index_fit(index, ladder, anchor ? anchor : "", &fit, err))
        return false;
    json_object_set_new(rating, "groups", json_integer(fit.groups));
    if (!fit.has_anchor)
        json_object_set_new(rating, "anchor", json_null());
    return true;
}

static bool add_rows(struct index *index, json_t *ladder,
                     const struct report_page *page, struct err *err)
{
    const char *name = json_string_value(json_object_get(ladder, "ladder"));
    json_t *rows = read_standings(index, name, page, err);

    if (!rows)
        return false;
    json_object_set_new(ladder, "standings", rows);
    return complete(index, name, json_object_get(ladder, "rating"), err);
}

json_t *report_ladders(struct index *index, bool standings, struct err *err)
{
    json_t *list = made(json_array());
    bool ok = index_ladders(index, add_ladder, list, err);

    for (size_t i = 0; ok && standings && i < json_array_size(list); i++)
        ok = add_rows(index, json_array_get(list, i), NULL, err);
    return if_ok(ok, list);
}

/* The first of a list of at most one. */
static json_t *only_one(json_t *list)
{
    json_t *one;

    if (!list)
        return NULL;
    one = json_array_get(list, 0);
    one = one ? json_incref(one) : json_null();
    json_decref(list);
    return one;
}

json_t *report_ladder(struct index *index, const char *ladder,
                      const struct report_page *page, struct err *err)
{
    json_t *list = made(json_array());
    bool ok = index_ladder(index, ladder, add_ladder, list, err);

    if (ok && json_array_size(list) > 0)
        ok = add_rows(index, json_array_get(list, 0), page, err);
    return only_one(if_ok(ok, list));
}

/* Games. */

static json_t *seats_of(const struct index_game *g)
{
    json_t *seats = made(json_array());

    for (int i = 0; i < g->seats; i++) {
        const struct index_seat *s = &g->seat[i];

        json_array_append_new(
            seats,
            made(json_pack(
                "{s:o, s:o, s:o, s:o, s:o}", "bot", report_text(s->name),
                "version", report_text(s->text), "rank",
                g->is_void ? json_null() : json_integer(s->rank), "score",
                g->is_void ? json_null() : json_integer(s->score), "left",
                text_or_null(s->why))));
    }
    return seats;
}

json_t *report_game_json(const struct index_game *g)
{
    return made(json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:i, s:i, s:I, s:b, s:b, s:o, s:o, s:o}",
        "id", report_text(g->id), "ladder", report_text(g->ladder), "game",
        report_text(g->rules), "start", report_text(g->start), "unit",
        text_or_null(g->unit), "part", g->part, "parts", g->parts, "moves",
        (json_int_t)g->moves, "void", g->is_void, "struck", g->is_struck,
        "reason", report_text(g->reason), "record", report_text(g->path),
        "seats", seats_of(g)));
}

static bool add_game(void *arg, const struct index_game *g)
{
    json_array_append_new(arg, report_game_json(g));
    return true;
}

json_t *report_games(struct index *index, const struct index_page *page,
                     struct err *err)
{
    json_t *games = made(json_array());

    return if_ok(index_games(index, page, add_game, games, err), games);
}

json_t *report_game(struct index *index, const char *id, struct err *err)
{
    json_t *games = made(json_array());

    return only_one(if_ok(index_game(index, id, add_game, games, err), games));
}

/* Bots. */

static bool add_opponent(void *arg, const struct index_opponent *o)
{
    int64_t losses = o->games - o->wins - o->ties;
    double score = ((double)o->wins + 0.5 * (double)o->ties) / (double)o->games;

    json_array_append_new(
        arg,
        made(json_pack("{s:o, s:I, s:I, s:I, s:I, s:f}", "bot",
                       report_text(o->name), "games", (json_int_t)o->games,
                       "wins", (json_int_t)o->wins, "ties", (json_int_t)o->ties,
                       "losses", (json_int_t)losses, "score", score)));
    return true;
}

json_t *report_opponents(struct index *index, const char *ladder,
                         const char *bot, struct err *err)
{
    json_t *rows = made(json_array());

    return if_ok(index_opponents(index, ladder, bot, REPORT_ROWS_MAX,
                                 add_opponent, rows, err),
                 rows);
}

/* A bot's, each with its place among all. */
struct own {
    struct index *index;
    const char *ladder;
    json_t *rows;
    bool ok;
    struct err *err;
};

static bool add_own(void *arg, const struct index_standing *s)
{
    struct own *own = arg;
    int64_t place = 0;

    own->ok = !s->is_current ||
              index_place(own->index, own->ladder, s, &place, own->err);
    if (own->ok)
        json_array_append_new(own->rows, standing_json(s, place));
    return own->ok;
}

static json_t *standings_of(struct index *index, const char *ladder,
                            const char *bot, struct err *err)
{
    struct own own = {.index = index,
                      .ladder = ladder,
                      .rows = made(json_array()),
                      .ok = true,
                      .err = err};
    bool ok = index_standings_of(index, ladder, bot, REPORT_ROWS_MAX, add_own,
                                 &own, err);

    return if_ok(ok && own.ok, own.rows);
}

json_t *report_bot(struct index *index, const char *ladder, const char *bot,
                   int limit, struct err *err)
{
    struct index_page page = {.ladder = ladder, .bot = bot, .limit = limit};
    json_t *standings = standings_of(index, ladder, bot, err);
    json_t *opponents =
        standings ? report_opponents(index, ladder, bot, err) : NULL;
    json_t *games = opponents ? report_games(index, &page, err) : NULL;

    if (games && json_array_size(games) + json_array_size(standings) > 0)
        return made(json_pack("{s:o, s:o, s:o, s:o, s:o}", "ladder",
                              report_text(ladder), "bot", report_text(bot),
                              "standings", standings, "opponents", opponents,
                              "played", games));
    json_decref(standings);
    json_decref(opponents);
    if (!games)
        return NULL;
    json_decref(games);
    return json_null();
}
