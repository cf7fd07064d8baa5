/*
 * /api/...: ladders, bots and games as JSON, records as text.
 *
 * Whoever can reach the port may ask, so nothing is told here that a spectator
 * may not know: of a game under way, and of one whose deal is still being
 * played by others, only what the watchers were told. Nor may questions hold
 * up the games: one that takes too many steps gets an excuse, and so does who
 * has used up his share of the time (shares.h).
 */

#include "base/text.h"
#include "daemon/server_state.h"
#include "match/watch.h"
#include "store/progress.h"
#include "store/rate.h"
#include "store/report.h"
#include "web/steps.h"

#include <event2/http.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    WORDS_MAX = 4, /* of a path */
    GAMES_SHOWN = 50,
    BOTS_SHOWN = 100,
    PLACES_SHOWN = 200,
    LADDERS_SHOWN = 16, /* of a bot */
    ROWS_MAX = 200,
    PLACE_MAX = 1000000,
    STEPS_MAX = 200000, /* of SQLite for one answer: about 20 ms */
};

int answer_json(struct buf *out, json_t *json)
{
    control_answer(out, json);
    buf_char(out, '\n');
    return HTTP_OK;
}

int answer_error(struct buf *out, int code, const char *fmt, ...)
{
    struct err err;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(err.text, sizeof err.text, fmt, ap);
    va_end(ap);
    make_plain(err.text); /* it quotes what was asked */
    answer_json(out, json_pack("{s:s}", "error", err.text));
    return code;
}

static int no_index(struct buf *out, const struct err *err)
{
    return answer_error(out, HTTP_SERVUNAVAIL, "%s", err->text);
}

static int bad_request(struct buf *out, const struct err *err)
{
    return answer_error(out, HTTP_BADREQUEST, "%s", err->text);
}

static int no_ladder(struct buf *out, const char *name)
{
    return answer_error(out, HTTP_NOTFOUND, "there is no ladder %.40s", name);
}

/* `value` is what is usual, and stays so if nothing is said. */
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

/* Not those of people's games: they are no contest. */
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

static int on_ladders(struct server *s, struct http_ask *ask,
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

static int on_ladder(struct server *s, struct http_ask *ask,
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

static int on_ladder_games(struct server *s, struct http_ask *ask,
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

/* Of its chain of records: whoever writes it down can tell a change later. */
static int on_ladder_head(struct server *s, struct http_ask *ask,
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

static int on_bots(struct server *s, struct http_ask *ask,
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

/* The names of ladders where it played: the one, or those behind a name. */
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

/* How it did over time, and how it behaved. */
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

/* What it did on each of them; those where it did nothing are left out. */
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

static int on_bot(struct server *s, struct http_ask *ask,
                  const char *const *word, struct buf *out)
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

/* Games. */

static int on_games(struct server *s, struct http_ask *ask,
                    const char *const *word, struct buf *out)
{
    return answer_json(out, games_json(s));
}

int no_game(struct buf *out, const char *id)
{
    return answer_error(out, HTTP_NOTFOUND, "there is no game %.70s", id);
}

static int on_game(struct server *s, struct http_ask *ask,
                   const char *const *word, struct buf *out)
{
    const struct unit *u = units_playing(s->units, word[1]);
    struct err err;
    json_t *game;

    if (u)
        return answer_json(out, unit_json(u));
    if (closing_find(s->closing, word[1]))
        return answer_error(out, HTTP_SERVUNAVAIL,
                            "game %.70s is over, but not in the index yet; ask "
                            "again",
                            word[1]);
    game = report_game(archive_index(s->archive), word[1], &err);
    if (!game)
        return no_index(out, &err);
    return json_is_null(game) ? no_game(out, word[1]) : answer_json(out, game);
}

/* Has it a file there? */
static bool is_running(const struct server *s, const char *id)
{
    char path[PATH_BYTES];

    archive_running_path(s->archive, id, path, sizeof path);
    return access(path, F_OK) == 0;
}

/* A part of it that could not go on in this run will do so in another. */
static bool has_part_under_way(const struct server *s, const char *unit)
{
    char id[GROUP_ID_MAX + 1];

    for (int part = 1; part <= SEATS_MAX; part++) {
        part_id(unit, part, id);
        if (is_running(s, id))
            return true;
    }
    return false;
}

bool api_deal_in_play(const struct server *s, const json_t *game)
{
    const char *unit = json_string_value(json_object_get(game, "unit"));

    if (!unit)
        return false;
    for (const struct unit *u = units_list(s->units); u; u = u->next)
        if (strcmp(u->id, unit) == 0)
            return true;
    return has_part_under_way(s, unit);
}

/* The file may be behind: behind what was taken comes what the writer holds. */
static void add_unstored(const struct unit *u, struct buf *bytes)
{
    const struct record_writer *w = match_record(table_match(u->group.table));

    if (bytes->len < w->taken)
        return;
    buf_cut(bytes, w->taken);
    buf_put(bytes, w->text.text, w->text.len);
}

static bool read_running(struct server *s, const struct unit *u,
                         struct buf *bytes, struct err *err)
{
    if (is_running(s, u->group.id) &&
        !archive_read(s->archive, u->group.id, bytes, err))
        return false;
    add_unstored(u, bytes);
    return true;
}

/* Nothing, if there is nothing of it yet. */
static bool read_record(struct server *s, const char *id, struct buf *bytes,
                        struct err *err)
{
    const struct unit *u = units_playing(s->units, id);
    const struct closed_game *game = closing_find(s->closing, id);
    const char *location = u ? u->location : game ? game->location : "";

    if (location[0])
        return archive_read_at(s->archive, location, bytes, err);
    return u ? read_running(s, u, bytes, err)
             : archive_read(s->archive, id, bytes, err);
}

static int send_record(struct server *s, const char *id, bool all,
                       struct http_ask *ask, struct buf *out)
{
    struct buf bytes;
    struct err err;
    bool ok;

    buf_init(&bytes, RECORD_FILE_MAX);
    ok = read_record(s, id, &bytes, &err);
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

    if (units_playing(s->units, word[1]) || closing_find(s->closing, word[1]))
        return send_record(s, word[1], false, ask, out);
    game = report_game(archive_index(s->archive), word[1], &err);
    if (!game)
        return no_index(out, &err);
    known = !json_is_null(game);
    in_play = known && api_deal_in_play(s, game);
    json_decref(game);
    return known ? send_record(s, word[1], !in_play, ask, out)
                 : no_game(out, word[1]);
}

/* Steps. */

static bool read_audience(const struct http_ask *ask, int *viewer,
                          struct err *err)
{
    const char *text = http_value(ask, "seat"), *at = text;
    int seat;

    *viewer = AUDIENCE_PUBLIC;
    if (!text || strcmp(text, "public") == 0)
        return true;
    *viewer = AUDIENCE_REFEREE;
    if (strcmp(text, "all") == 0)
        return true;
    if (!take_int(&at, 1, SEATS_MAX, &seat) || !at_end(at))
        return fail(err, "seat must be 1 to %d, \"public\" or \"all\"",
                    SEATS_MAX);
    *viewer = seat - 1;
    return true;
}

/* May everything be told of it? Its deal is not in play any more, then. */
static bool is_open(struct server *s, const char *id, bool *known,
                    struct err *err)
{
    json_t *game;
    bool open;

    *known = true;
    if (units_playing(s->units, id) || closing_find(s->closing, id))
        return false;
    game = report_game(archive_index(s->archive), id, err);
    *known = json_is_object(game);
    open = *known && !api_deal_in_play(s, game);
    json_decref(game);
    return open;
}

bool api_steps(struct server *s, const char *id, int viewer, json_t **document,
               struct err *err)
{
    struct steps steps;
    struct buf bytes;
    bool ok;

    buf_init(&bytes, RECORD_FILE_MAX);
    steps_init(&steps, viewer);
    ok = read_record(s, id, &bytes, err);
    if (ok && bytes.len == 0)
        ok = fail(err, "game %.70s is about to begin; ask again", id);
    ok = ok && steps_read(&steps, id, 0, bytes.text, bytes.len, document, err);
    steps_release(&steps);
    buf_release(&bytes);
    return ok;
}

static int on_steps(struct server *s, struct http_ask *ask,
                    const char *const *word, struct buf *out)
{
    int viewer;
    struct err err;
    bool known, open;
    json_t *document;

    if (!read_audience(ask, &viewer, &err))
        return bad_request(out, &err);
    open = is_open(s, word[1], &known, &err);
    if (!known)
        return no_game(out, word[1]);
    if (!open && viewer != AUDIENCE_PUBLIC)
        return answer_error(out, HTTP_BADREQUEST,
                            "the deal of game %.70s is still in play: only "
                            "seat=public may be asked for",
                            word[1]);
    if (!api_steps(s, word[1], viewer, &document, &err))
        return no_index(out, &err);
    return answer_json(out, document);
}

int api_moves(const struct server *s, const char *id)
{
    const struct unit *u = units_playing(s->units, id);

    return u ? match_moves(table_match(u->group.table)) : -1;
}

static int moves_for_live(void *owner, const char *id)
{
    return api_moves(owner, id);
}

static unsigned print_of(const struct match *match, int seats)
{
    unsigned print = (unsigned)match_moves(match) + 1;

    for (int i = 0; i < seats; i++)
        print = 4 * print + 2 * match_clock_runs(match, i) +
                ((match_answered(match) & SEAT(i)) != 0);
    return print;
}

static json_t *seat_json(const struct match *match, int seat)
{
    int64_t left = match_time_left(match, seat, now_us());

    return json_pack(
        "{s:b, s:b, s:o}", "asked", match_clock_runs(match, seat), "answered",
        (match_answered(match) & SEAT(seat)) != 0, "left",
        left == NEVER ? json_null() : json_real((double)(left / 1000) / 1e3));
}

static json_t *now_for_live(void *owner, const char *id, unsigned *print)
{
    const struct unit *u = units_playing(((struct server *)owner)->units, id);
    const struct match *match = u ? table_match(u->group.table) : NULL;
    unsigned known = *print;
    json_t *seats;

    if (!match)
        return NULL;
    *print = print_of(match, group_seats(&u->group));
    if (*print == known)
        return NULL;
    seats = json_array();
    for (int i = 0; i < group_seats(&u->group); i++)
        json_array_append_new(seats, seat_json(match, i));
    return json_pack("{s:i, s:o}", "moves", match_moves(match), "seats", seats);
}

static bool read_for_live(void *owner, const char *id, struct buf *bytes,
                          struct err *err)
{
    return read_record(owner, id, bytes, err);
}

/* Of many, those that began first: they stay in sight until they end. */
static int running_for_live(void *owner, char (*id)[64], int most)
{
    const struct server *s = owner;
    int playing = 0, count = 0;

    for (const struct unit *u = units_list(s->units); u; u = u->next)
        playing += u->group.table != NULL;
    for (const struct unit *u = units_list(s->units); u; u = u->next)
        if (u->group.table && playing-- <= most)
            text_join(id[count++], 64, u->group.id, NULL);
    return count;
}

const struct live_calls server_live = {moves_for_live, now_for_live,
                                       read_for_live, running_for_live};

bool api_knows(struct server *s, const char *id)
{
    bool known;
    struct err err;

    is_open(s, id, &known, &err);
    return known;
}

static int on_stream(struct server *s, struct http_ask *ask,
                     const char *const *word, struct buf *out)
{
    return api_knows(s, word[1])
               ? live_answer(s->live, ask, word[1], AUDIENCE_PUBLIC)
               : no_game(out, word[1]);
}

static int on_play(struct server *s, struct http_ask *ask,
                   const char *const *word, struct buf *out)
{
    return ask->body ? play_sit(s, ask, word, out)
                     : answer_json(out, play_json(s));
}

static int on_live(struct server *s, struct http_ask *ask,
                   const char *const *word, struct buf *out)
{
    return live_answer(s->live, ask, NULL, AUDIENCE_PUBLIC);
}

/* Without what only the organiser should know. */
static int on_workers(struct server *s, struct http_ask *ask,
                      const char *const *word, struct buf *out)
{
    json_t *list = json_deep_copy(away_workers(s->away));
    json_t *worker;
    size_t i;

    if (!list)
        list = json_array();
    json_array_foreach(list, i, worker)
    {
        json_object_del(worker, "host");
        json_object_del(worker, "last_failure");
        json_object_del(worker, "blocked");
    }
    return answer_json(out, json_pack("{s:o}", "workers", list));
}

/* "*" is any word. */
static const struct api_route {
    const char *word[WORDS_MAX];
    int (*answer)(struct server *server, struct http_ask *ask,
                  const char *const *word, struct buf *out);
    enum { GET = 1, POST = 2 } methods;
} routes[] = {
    {{"ladders"}, on_ladders, GET},
    {{"ladders", "*"}, on_ladder, GET},
    {{"ladders", "*", "games"}, on_ladder_games, GET},
    {{"ladders", "*", "head"}, on_ladder_head, GET},
    {{"bots"}, on_bots, GET},
    {{"bots", "*"}, on_bot, GET},
    {{"bots", "*", "submissions"}, api_submissions, GET},
    {{"games"}, on_games, GET},
    {{"games", "*"}, on_game, GET},
    {{"games", "*", "record"}, on_record, GET},
    {{"games", "*", "steps"}, on_steps, GET},
    {{"games", "*", "stream"}, on_stream, GET},
    {{"live"}, on_live, GET},
    {{"workers"}, on_workers, GET},
    {{"owner", "*"}, owner_games, GET},
    {{"owner", "*", "submissions"}, owner_submissions, GET},
    {{"owner", "*", "*", "log"}, owner_log, GET},
    {{"owner", "*", "*", "steps"}, owner_steps, GET},
    {{"play"}, on_play, GET | POST},
    {{"play", "*", "stream"}, play_stream, GET},
    {{"play", "*", "moves"}, play_moves, GET},
    {{"play", "*", "move"}, play_move, POST},
    {{"play", "*", "leave"}, play_leave, POST},
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
    if (!(route->methods & (ask->body ? POST : GET)))
        return HTTP_BADMETHOD;
    return route->answer(s, ask, word, out);
}

/* Its time, without that of others on this machine. */
static int64_t work_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static bool may_be_kept(const struct http_ask *ask)
{
    return !ask->body && !ask->key && !ask->token;
}

static bool answer_kept(struct server *s, struct http_ask *ask, bool old,
                        struct buf *out, int *code)
{
    const struct kept_answer *kept =
        may_be_kept(ask) ? kept_find(&s->kept, ask->target, old, now_us())
                         : NULL;

    if (!kept)
        return false;
    buf_put(out, kept->text.text, kept->text.len);
    ask->type = kept->type;
    *code = kept->code;
    s->metrics.http.kept++;
    return true;
}

/* There is no time for it: what was true a moment ago, or an excuse. */
static int excuse(struct server *s, struct http_ask *ask, const char *text,
                  enum http_refusal why, struct buf *out)
{
    int code;

    buf_reset(out);
    if (answer_kept(s, ask, true, out, &code))
        return code;
    s->metrics.http.refused[why]++;
    return answer_error(out, HTTP_SERVUNAVAIL, "%s", text);
}

typedef int maker(struct server *s, struct http_ask *ask, struct buf *out);

static int make_answer(struct server *s, struct http_ask *ask, maker *make,
                       struct buf *out)
{
    int64_t start = work_us();
    int code;

    index_budget(archive_index(s->archive), STEPS_MAX);
    code = make(s, ask, out);
    if (index_is_late(archive_index(s->archive)))
        code = excuse(s, ask, "busy: that takes too long; ask for less",
                      HTTP_TOO_LONG, out);
    else if (code == HTTP_OK && !ask->is_private && !ask->is_stream &&
             may_be_kept(ask))
        kept_add(&s->kept, ask->target, code, ask->type, out, work_us() - start,
                 now_us());
    index_budget(archive_index(s->archive), 0);
    return code;
}

/* Answer within the share of the one who asks. */
static int within_share(struct server *s, struct http_ask *ask, maker *make,
                        struct buf *out)
{
    int64_t start = now_us();
    struct share *share;
    int code;

    if (s->phase == SERVER_STARTING)
        return answer_error(out, HTTP_SERVUNAVAIL, "starting; ask again soon");
    if (answer_kept(s, ask, false, out, &code))
        return code;
    share = shares_admit(&s->shares, ask->address, start,
                         s->loop.tables > 0 ? s->loop.asked_us : 0);
    if (!share)
        return excuse(s, ask, "busy; ask again in a second", HTTP_BUSY, out);
    code = make_answer(s, ask, make, out);
    shares_charge(&s->shares, share, now_us() - start);
    return code;
}

int server_api(void *owner, struct http_ask *ask, struct buf *out)
{
    return within_share(owner, ask, answer, out);
}

/* Scripts and style cost nothing: the browser keeps them. */
int server_page(void *owner, struct http_ask *ask, struct buf *out)
{
    int code;

    if (site_is_file(ask->path))
        return site_answer(owner, ask, out);
    code = within_share(owner, ask, site_answer, out);
    if (code != HTTP_OK && code != HTTP_NOTFOUND)
        ask->type = http_plain_type;
    return code;
}
