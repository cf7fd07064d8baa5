/*
 * Visitors at tables: /api/play/...
 *
 * A visitor who sits down gets a key for the seat. The page sends it as the
 * header "Referee-Key: SEAT-HEX" with every request for the seat. The key is
 * derived from the secret of the archive, so nothing has to be stored, and a
 * table that is restored after a restart of the daemon still knows its guest.
 *
 * Pages do not know the rules: they ask here for the legal moves.
 */

#include "base/text.h"
#include "daemon/api.h"
#include "store/rate.h"

#include <event2/http.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum {
    KEY_TEXT = 2 + 2 * SEED_BYTES, /* "1-" and the digits */
    MOVES_LOOKED_AT = 200000,
    MOVES_TOLD = 5000,
};

/* Keys. */

static void write_key(const struct server *s, const char *id, int seat,
                      char key[KEY_TEXT + 1])
{
    char text[GROUP_ID_MAX + 32];
    uint8_t bytes[SEED_BYTES];

    snprintf(text, sizeof text, "seat %d of %.*s", seat + 1, GROUP_ID_MAX, id);
    archive_seed(s->archive, text, bytes);
    key[0] = (char)('1' + seat);
    key[1] = '-';
    sodium_bin2hex(key + 2, KEY_TEXT - 1, bytes, sizeof bytes);
}

static bool has_key(const struct server *s, const char *id, const char *key,
                    int *seat)
{
    char right[KEY_TEXT + 1];

    if (!key || strlen(key) != KEY_TEXT || key[0] < '1' ||
        key[0] >= '1' + SEATS_MAX)
        return false;
    *seat = key[0] - '1';
    write_key(s, id, *seat, right);
    return sodium_memcmp(key, right, KEY_TEXT) == 0;
}

static int wrong_key(struct server *s, struct buf *out)
{
    s->metrics.http.refused[HTTP_KEY]++;
    return answer_error(out, HTTP_FORBIDDEN,
                        "this seat is somebody else's: the key is wrong");
}

/* The seat of a table that the key opens. */
struct place {
    const struct unit *unit;
    struct person *person;
    const struct match *match;
    int seat;
};

/* HTTP_OK, or why not. */
static int find_place(struct server *s, struct http_ask *ask, const char *id,
                      struct place *place, struct buf *out)
{
    const struct unit *u = units_playing(s->units, id);

    ask->is_private = true;
    if (!has_key(s, id, ask->key, &place->seat))
        return wrong_key(s, out);
    if (!u || place->seat >= group_seats(&u->group))
        return answer_error(out, HTTP_NOTFOUND, "game %.70s is over", id);
    place->unit = u;
    place->person = u->person[group_member_at(&u->group, place->seat)];
    place->match = table_match(u->group.table);
    if (!place->person)
        return wrong_key(s, out);
    return HTTP_OK;
}

/* What is offered. */

static int tables_of(const struct server *s, const char *origin)
{
    int count = 0;

    for (const struct unit *u = units_list(s->units); u; u = u->next)
        for (int i = 0; i < SEATS_MAX; i++)
            count += u->person[i] &&
                     (!origin || strcmp(u->person[i]->origin, origin) == 0);
    return count;
}

/* The time in words. A rare system stays in the words of the configuration. */
static void time_words(const struct time_control *time, struct buf *out)
{
    if (time->system == TIME_NONE) {
        buf_str(out, "no limit");
        return;
    }
    if (time->system != TIME_FISCHER && time->system != TIME_MOVE) {
        time_control_write(time, out);
        return;
    }
    duration_write(time->main_us, out);
    if (time->system == TIME_MOVE) {
        buf_str(out, " for each move");
        return;
    }
    buf_str(out, " and ");
    duration_write(time->extra_us, out);
    buf_str(out, " more with every move");
}

static json_t *game_json(const struct ladder_config *c)
{
    struct buf time;
    json_t *json;

    buf_init(&time, 256);
    time_words(&c->time, &time);
    json = json_pack("{s:s, s:s, s:s, s:i, s:s}", "game", c->game->name,
                     "title", c->game->title, "about", c->game->about, "seats",
                     c->setup.seats, "time", time.text);
    buf_release(&time);
    return json;
}

static json_t *bots_json(const struct ladder_config *c)
{
    json_t *bots = json_array();

    for (int i = 0; i < c->bots; i++)
        json_array_append_new(bots, json_string(c->bot[i]->bot.name));
    return bots;
}

json_t *play_json(const struct server *s)
{
    const struct serve_config *c = config_of(s);
    json_t *games = json_array(), *bots = NULL;

    for (int i = 0; i < c->ladders; i++) {
        if (!c->ladder[i].is_for_people)
            continue;
        json_array_append_new(games, game_json(&c->ladder[i]));
        if (!bots)
            bots = bots_json(&c->ladder[i]);
    }
    return json_pack("{s:o, s:o, s:i, s:i, s:b}", "games", games, "bots",
                     bots ? bots : json_array(), "tables", c->play.tables_max,
                     "taken", tables_of(s, NULL), "hints", c->play.hints);
}

/* Sitting down. */

struct wish {
    struct lobby_ladder *ladder;
    int bot;
    int seat;
};

static bool read_wish(const struct server *s, const json_t *json,
                      struct wish *wish, struct err *err)
{
    const char *game = json_string_value(json_object_get(json, "game"));
    const char *bot = json_string_value(json_object_get(json, "bot"));
    int seat = (int)json_integer_value(json_object_get(json, "seat"));
    char name[80];

    snprintf(name, sizeof name, "%s%.60s", PLAY_PREFIX, game ? game : "");
    wish->ladder = lobby_ladder(s->lobby, name);
    if (!wish->ladder || !wish->ladder->config)
        return fail(err, "there is no table for \"%.40s\"", game ? game : "");
    for (wish->bot = 0; wish->bot < wish->ladder->config->bots; wish->bot++)
        if (bot &&
            strcmp(wish->ladder->config->bot[wish->bot]->bot.name, bot) == 0)
            break;
    if (wish->bot == wish->ladder->config->bots)
        return fail(err, "there is no bot \"%.40s\" to play against",
                    bot ? bot : "");
    if (seat < 0 || seat > wish->ladder->config->setup.seats)
        return fail(err, "seat must be 1 to %d, or 0 for any",
                    wish->ladder->config->setup.seats);
    wish->seat = seat ? seat - 1
                      : (int)randombytes_uniform(
                            (uint32_t)wish->ladder->config->setup.seats);
    return true;
}

/* Other seats go to the chosen bot and those after it in the list. */
static void fill_seats(const struct wish *wish, struct person *person,
                       struct guest *guest)
{
    const struct ladder_config *c = wish->ladder->config;
    int next = wish->bot;

    for (int i = 0; i < c->setup.seats; i++) {
        const struct player *p = c->bot[next % c->bots];

        if (i == wish->seat) {
            guest[i].person = person;
            continue;
        }
        guest[i].player = p;
        guest[i].entrant = ladder_enter(wish->ladder->memory, p->bot.name,
                                        p->digest ? p->digest : "", now_us());
        next++;
    }
}

/* The table of a new person; NULL if its game could not begin. */
static const struct unit *begin_table(struct server *s, const struct wish *wish,
                                      const char *origin)
{
    struct person *person = person_new(&s->loop, origin);
    struct guest guest[SEATS_MAX] = {0};

    fill_seats(wish, person, guest);
    units_start(s->units, wish->ladder, guest);
    for (const struct unit *u = units_list(s->units); u; u = u->next)
        if (u->person[wish->seat] == person && u->group.table)
            return u;
    return NULL;
}

static int refuse_table(const struct server *s, const char *origin,
                        struct buf *out)
{
    const struct play_config *c = &config_of(s)->play;

    if (c->tables_max == 0)
        return answer_error(out, HTTP_NOTFOUND,
                            "no tables are offered to visitors here");
    if (s->phase != SERVER_RUNNING || !trouble_allows_start(&s->troubles))
        return answer_error(out, HTTP_SERVUNAVAIL,
                            "no games start at the moment; try again later");
    if (tables_of(s, origin) >= c->tables_per_address)
        return answer_error(out, HTTP_CONFLICT,
                            "you have %d games already: finish or leave one "
                            "first",
                            c->tables_per_address);
    if (tables_of(s, NULL) >= c->tables_max)
        return answer_error(out, HTTP_SERVUNAVAIL,
                            "all %d tables are taken; try again later",
                            c->tables_max);
    return HTTP_OK;
}

int play_sit(struct server *s, struct http_ask *ask, const char *const *word,
             struct buf *out)
{
    char origin[ORIGIN_MAX], key[KEY_TEXT + 1];
    json_t *json = json_loads(ask->body, 0, NULL);
    struct wish wish = {0};
    const struct unit *u;
    struct err err;
    int code;

    ask->is_private = true;
    tcp_origin(ask->address, origin);
    code = refuse_table(s, origin, out);
    if (code == HTTP_OK && !read_wish(s, json, &wish, &err))
        code = answer_error(out, HTTP_BADREQUEST, "%s", err.text);
    json_decref(json);
    if (code != HTTP_OK)
        return code;
    if (wish.ladder->is_loading)
        return answer_error(out, HTTP_SERVUNAVAIL, "starting; ask again soon");
    u = begin_table(s, &wish, origin);
    if (!u)
        return answer_error(out, HTTP_SERVUNAVAIL,
                            "the game could not be started");
    write_key(s, u->group.id, wish.seat, key);
    return answer_json(out, json_pack("{s:s, s:i, s:s}", "id", u->group.id,
                                      "seat", wish.seat + 1, "key", key));
}

/* Legal moves. */

/* The move as text, cut after the first `until` that follows the prefix. */
static void note_move(json_t *found, char *text, const char *begins,
                      const char *until)
{
    size_t n = strlen(begins);

    if (strncmp(text, begins, n) != 0)
        return;
    if (until) {
        n += strcspn(text + n, until);
        if (text[n])
            text[n + 1] = '\0';
    }
    json_object_set_new(found, text, json_true());
}

/* A set of texts, in the order of the list. */
static json_t *moves_json(const struct place *place, const char *begins,
                          const char *until, bool *is_cut)
{
    const struct game *game = place->unit->config->game;
    const struct state *state = match_state(place->match);
    struct moves moves = {.max = MOVES_LOOKED_AT};
    json_t *found = json_object();
    struct buf text;

    buf_init(&text, MOVE_TEXT_MAX + 1);
    game->list(state, place->seat, &moves);
    *is_cut = moves_are_enough(&moves);
    for (size_t i = 0; i < moves.count; i++) {
        if (json_object_size(found) == MOVES_TOLD) {
            *is_cut = true;
            break;
        }
        buf_reset(&text);
        game->format(state, place->seat, &moves.move[i], &text);
        note_move(found, text.text, begins, until);
    }
    moves_release(&moves);
    buf_release(&text);
    return found;
}

static json_t *keys_of(json_t *object)
{
    json_t *list = json_array();
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
        json_array_append_new(list, json_string(key));
    json_decref(object);
    return list;
}

int play_moves(struct server *s, struct http_ask *ask, const char *const *word,
               struct buf *out)
{
    const char *begins = http_value(ask, "begins");
    const char *until = http_value(ask, "until");
    struct place place;
    int code = find_place(s, ask, word[1], &place, out);
    bool is_cut = false;
    json_t *moves;

    if (code != HTTP_OK)
        return code;
    moves = person_is_asked(place.person)
                ? moves_json(&place, begins ? begins : "", until, &is_cut)
                : json_object();
    return answer_json(out, json_pack("{s:i, s:b, s:b, s:o}", "at",
                                      match_moves(place.match), "asked",
                                      person_is_asked(place.person), "cut",
                                      is_cut, "moves", keys_of(moves)));
}

/* Moves. */

static bool read_move(const struct place *place, const char *text,
                      struct buf *canonical, struct err *err)
{
    const struct game *game = place->unit->config->game;
    const struct state *state = match_state(place->match);
    struct move move;

    if (!game_parse(game, state, place->seat, text, &move, err))
        return false;
    game->format(state, place->seat, &move, canonical);
    return true;
}

static int take_move(const struct place *place, const json_t *json,
                     struct buf *out)
{
    const char *text = json_string_value(json_object_get(json, "move"));
    const json_t *at = json_object_get(json, "at");
    struct buf canonical;
    struct err err;
    int code = HTTP_OK;

    if (!text || !json_is_integer(at))
        return answer_error(out, HTTP_BADREQUEST,
                            "say {\"at\": NUMBER, \"move\": TEXT}");
    if (!person_is_asked(place->person) ||
        json_integer_value(at) != match_moves(place->match))
        return answer_error(out, HTTP_CONFLICT, "it is not your turn");
    buf_init(&canonical, MOVE_TEXT_MAX + 1);
    if (read_move(place, text, &canonical, &err)) {
        person_answer(place->person, canonical.text);
        answer_json(out, json_pack("{s:s}", "move", canonical.text));
    } else {
        code = answer_error(out, HTTP_BADREQUEST, "%s", err.text);
    }
    buf_release(&canonical);
    return code;
}

int play_move(struct server *s, struct http_ask *ask, const char *const *word,
              struct buf *out)
{
    struct place place;
    int code = find_place(s, ask, word[1], &place, out);
    json_t *json;

    if (code != HTTP_OK)
        return code;
    json = json_loads(ask->body, 0, NULL);
    code = take_move(&place, json, out);
    json_decref(json);
    return code;
}

/* Hints. */

static bool is_hint_sought(const struct server *s)
{
    for (const struct unit *u = units_list(s->units); u; u = u->next)
        for (int i = 0; i < SEATS_MAX; i++)
            if (u->person[i] && u->person[i]->hint.is_sought)
                return true;
    return false;
}

static int seek_hint(struct server *s, const struct place *place, int at,
                     struct buf *out)
{
    struct buf record;
    struct err err;
    bool ok;

    if (is_hint_sought(s))
        return answer_error(out, HTTP_SERVUNAVAIL,
                            "busy: somebody else's hint is sought; ask again");
    buf_init(&record, RECORD_FILE_MAX);
    ok = api_record(s, place->unit->group.id, &record, &err) &&
         hint_seek(&place->person->hint, &s->loop, at, place->seat, &record,
                   &err);
    buf_release(&record);
    return ok ? HTTP_OK
              : answer_error(out, HTTP_SERVUNAVAIL, "no hint: %s", err.text);
}

/* The first request starts the search; later ones get the move. */
int play_hint(struct server *s, struct http_ask *ask, const char *const *word,
              struct buf *out)
{
    struct place place;
    int code = find_place(s, ask, word[1], &place, out), at;
    struct hint *hint;

    if (code != HTTP_OK)
        return code;
    if (!place.unit->generation->config->play.hints)
        return answer_error(out, HTTP_NOTFOUND, "this server gives no hints");
    if (!person_is_asked(place.person))
        return answer_error(out, HTTP_CONFLICT, "it is not your turn");
    hint = &place.person->hint;
    at = match_moves(place.match);
    if (hint->at != at || !hint->was_sought)
        code = seek_hint(s, &place, at, out);
    else if (!hint->is_sought && !hint->move[0])
        code = answer_error(out, HTTP_SERVUNAVAIL, "no hint was found");
    if (code != HTTP_OK)
        return code;
    return answer_json(out, json_pack("{s:i, s:s?}", "at", at, "move",
                                      hint->move[0] ? hint->move : NULL));
}

/* Leaving, and following the game. */

int play_leave(struct server *s, struct http_ask *ask, const char *const *word,
               struct buf *out)
{
    struct place place;
    int code = find_place(s, ask, word[1], &place, out);

    if (code != HTTP_OK)
        return code;
    person_resign(place.person);
    return answer_json(out, json_pack("{s:b}", "left", 1));
}

int play_stream(struct server *s, struct http_ask *ask, const char *const *word,
                struct buf *out)
{
    int seat;

    ask->is_private = true;
    if (!has_key(s, word[1], ask->key, &seat))
        return wrong_key(s, out);
    return api_knows(s, word[1]) ? live_answer(s->live, ask, word[1], seat)
                                 : no_game(out, word[1]);
}

static void look_at_person(struct server *s, const struct unit *u,
                           struct person *p, int seat, int64_t now)
{
    if (live_is_watched(s->live, u->group.id, seat))
        p->seen_us = now;
    else if (now - p->seen_us > u->generation->config->play.away_us)
        person_leave(p);
}

void play_tick(struct server *s)
{
    int64_t now = now_us();
    const struct unit *next;

    for (const struct unit *u = units_list(s->units); u; u = next) {
        next = u->next;
        for (int i = 0; u->group.table && s->live && i < SEATS_MAX; i++)
            if (u->person[i] && !u->person[i]->resigns)
                look_at_person(s, u, u->person[i],
                               (i + u->group.game) % group_seats(&u->group),
                               now);
    }
}
