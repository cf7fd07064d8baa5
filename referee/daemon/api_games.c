/*
 * /api/games: games under way and over, their records and steps.
 */

#include "base/text.h"
#include "daemon/api.h"
#include "match/watch.h"
#include "web/steps.h"

#include <event2/http.h>
#include <string.h>
#include <unistd.h>

int api_get_games(struct server *s, struct http_ask *ask,
                  const char *const *word, struct buf *out)
{
    return answer_json(out, games_json(s));
}

int api_get_game(struct server *s, struct http_ask *ask,
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

/* A part that cannot continue in this run will continue in another one. */
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

/* The file may lag. After its bytes come those that the writer still holds. */
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

bool api_record(struct server *s, const char *id, struct buf *bytes,
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
    ok = api_record(s, id, &bytes, &err);
    if (ok && all)
        buf_put(out, bytes.text, bytes.len);
    else if (ok && bytes.len > 0) /* otherwise it is about to begin */
        ok = watch_write(id, bytes.text, bytes.len, out, &err);
    buf_release(&bytes);
    if (!ok) {
        buf_reset(out);
        return no_index(out, &err);
    }
    ask->type = http_plain_type;
    return HTTP_OK;
}

int api_get_record(struct server *s, struct http_ask *ask,
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

bool api_audience(const struct http_ask *ask, int *viewer, struct err *err)
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

/* May everything be shown? Only if its deal is no longer in play. */
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
    ok = api_record(s, id, &bytes, err);
    if (ok && bytes.len == 0)
        ok = fail(err, "game %.70s is about to begin; ask again", id);
    ok = ok && steps_read(&steps, id, 0, bytes.text, bytes.len, document, err);
    steps_release(&steps);
    buf_release(&bytes);
    return ok;
}

int api_get_steps(struct server *s, struct http_ask *ask,
                  const char *const *word, struct buf *out)
{
    int viewer;
    struct err err;
    bool known, open;
    json_t *document;

    if (!api_audience(ask, &viewer, &err))
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
    return api_record(owner, id, bytes, err);
}

/*
 * Of many games, keep those that began first: they stay in sight until they
 * end.
 */
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

int api_get_stream(struct server *s, struct http_ask *ask,
                   const char *const *word, struct buf *out)
{
    return api_knows(s, word[1])
               ? live_answer(s->live, ask, word[1], AUDIENCE_PUBLIC)
               : no_game(out, word[1]);
}

int api_get_live(struct server *s, struct http_ask *ask,
                 const char *const *word, struct buf *out)
{
    return live_answer(s->live, ask, NULL, AUDIENCE_PUBLIC);
}
