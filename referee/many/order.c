#include "many/order.h"

#include "base/date.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *options_json(const struct match_config *m)
{
    json_t *options = json_object();

    for (int i = 0; m->game->options && m->game->options[i].name; i++)
        if (m->setup.option[i])
            json_object_set_new(options, m->game->options[i].name,
                                json_string(m->setup.option[i]));
    return options;
}

static json_t *parts_json(const struct game_names *part, int count)
{
    json_t *parts = json_array();

    for (int i = 0; i < count; i++)
        json_array_append_new(parts, json_pack("{s:s, s:s, s:s}", "id",
                                               part[i].id, "name", part[i].name,
                                               "about", part[i].about));
    return parts;
}

static json_t *member_json(const struct member *member)
{
    const struct luggage *luggage = member->player->luggage;
    json_t *json = json_loads(luggage->about, 0, NULL);
    struct buf time;

    buf_init(&time, 256);
    time_control_write(member->time, &time);
    json_object_set_new(json, "name", json_string(member->name));
    json_object_set_new(json, "digest", json_string(member->player->digest));
    json_object_set_new(json, "time", json_string(time.text));
    json_object_set_new(json, "pack", json_string(luggage->pack));
    buf_release(&time);
    return json;
}

static json_t *members_json(const struct group *g)
{
    json_t *members = json_array();

    for (int i = 0; i < group_seats(g); i++)
        json_array_append_new(members, member_json(&g->member[i]));
    return members;
}

void order_write(const struct order_facts *facts, const struct group *g,
                 const struct game_names *names, int games, struct buf *out)
{
    const struct match_config *m = &g->match;
    char seed[2 * SEED_BYTES + 1];
    struct date date = {0};
    json_t *json;
    char *text;

    text_hex(seed, g->seed, sizeof g->seed);
    json = json_pack(
        "{s:s, s:s%, s:s, s:b, s:s, s:o, s:i, s:i, s:s, s:b, s:I, s:I, s:I,"
        " s:i, s:f, s:i, s:i, s:s, s:o, s:o}",
        "unit", facts->unit, "day", date_text(&date, facts->second), (size_t)10,
        "event", facts->event, "contest", facts->is_contest, "game",
        m->game->name, "options", options_json(m), "seats", m->setup.seats,
        "first", g->game, "seed", seed, "chosen", facts->seed_is_chosen,
        "start_us", (json_int_t)m->start_us, "none_us", (json_int_t)m->none_us,
        "lenience_us", (json_int_t)m->lenience_us, "retries", m->retries,
        "min_speed", facts->min_speed, "begin", g->first, "end", g->last,
        "entropy", g->entropy, "parts", parts_json(names, games), "members",
        members_json(g));
    text = json_dumps(json, JSON_COMPACT);
    buf_str(out, text);
    free(text);
    json_decref(json);
}

/* Reading. The order comes from a database that others can write to. */

static const char *text_in(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));

    return text ? text : "";
}

static int64_t number_in(const json_t *json, const char *key)
{
    return json_integer_value(json_object_get(json, key));
}

static bool read_options(struct order *o, struct err *err)
{
    const json_t *options = json_object_get(o->json, "options");
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)options, name, value)
    {
        const char *is = json_string_value(value);
        struct buf text;

        buf_init(&text, ORDER_MAX);
        buf_add(&text, "%s=", name);
        buf_str(&text, is ? is : "");
        /* The setup borrows it. */
        if (!setup_set(o->game, &o->setup, pool_text(&o->pool, text.text),
                       err)) {
            buf_release(&text);
            return false;
        }
        buf_release(&text);
    }
    return true;
}

static bool read_game(struct order *o, struct err *err)
{
    if (!game_named(text_in(o->json, "game"), &o->game, err))
        return false;
    o->setup.seats = (int)number_in(o->json, "seats");
    return read_options(o, err) && game_accepts(o->game, &o->setup, err);
}

static bool is_id(const char *text, size_t max)
{
    return *text && is_word(text) && strlen(text) <= max &&
           !strchr(text, '/') && text[0] != '.';
}

static bool read_parts(struct order *o, struct err *err)
{
    o->first = (int)number_in(o->json, "first");
    o->games = (int)json_array_size(json_object_get(o->json, "parts"));
    if (o->first < 0 || o->first > ORDER_FIRST_MAX || o->games < 1 ||
        o->games > ORDER_GAMES_MAX)
        return fail(err, "it has %d games", o->games);
    if (o->begin < 0 || o->begin > o->first ||
        o->end < o->first + o->games - 1 || o->end > ORDER_FIRST_MAX ||
        o->end - o->begin >= ORDER_GAMES_MAX)
        return fail(err, "its games are not those of its group");
    for (int i = 0; i < o->games; i++)
        if (!is_id(order_id(o, i), sizeof(((struct game_names *)0)->id) - 1) ||
            !is_id(order_name(o, i), GROUP_ID_MAX) ||
            !is_plain(order_about(o, i)) ||
            strlen(order_about(o, i)) > GROUP_ABOUT_MAX)
            return fail(err, "game %d has no name", i + 1);
    return true;
}

static bool read_member(struct order *o, int i, struct err *err)
{
    const json_t *members = json_object_get(o->json, "members");
    struct order_member *m = &o->member[i];

    m->bot = json_array_get(members, (size_t)i);
    m->name = text_in(m->bot, "name");
    m->digest = text_in(m->bot, "digest");
    m->pack = text_in(m->bot, "pack");
    if (!is_id(m->name, BOT_NAME_MAX) || !*m->digest || !is_word(m->digest))
        return fail(err, "member %d has no name or no digest", i + 1);
    return time_control_parse(text_in(m->bot, "time"), &m->time, err);
}

static bool read_members(struct order *o, struct err *err)
{
    size_t count = json_array_size(json_object_get(o->json, "members"));

    if (count != (size_t)o->setup.seats)
        return fail(err, "%zu members for %d seats", count, o->setup.seats);
    for (int i = 0; i < o->setup.seats; i++)
        if (!read_member(o, i, err))
            return false;
    return true;
}

static bool read_rest(struct order *o, struct err *err)
{
    o->unit = text_in(o->json, "unit");
    o->day = text_in(o->json, "day");
    o->event = text_in(o->json, "event");
    o->is_contest = json_is_true(json_object_get(o->json, "contest"));
    o->seed_is_chosen = json_is_true(json_object_get(o->json, "chosen"));
    o->start_us = number_in(o->json, "start_us");
    o->none_us = number_in(o->json, "none_us");
    o->lenience_us = number_in(o->json, "lenience_us");
    o->retries = (int)number_in(o->json, "retries");
    o->begin = (int)number_in(o->json, "begin");
    o->end = (int)number_in(o->json, "end");
    o->entropy = text_in(o->json, "entropy");
    o->min_speed = json_number_value(json_object_get(o->json, "min_speed"));
    if (!is_id(o->unit, ORDER_UNIT_MAX))
        return fail(err, "it has no id");
    if (strlen(o->entropy) > ENTROPY_TEXT)
        return fail(err, "its entropy is too long");
    return text_unhex(o->seed, SEED_BYTES, text_in(o->json, "seed")) ||
           fail(err, "it has no seed");
}

bool order_read(struct order *o, const char *text, struct err *err)
{
    json_error_t why;

    *o = (struct order){0};
    o->json = json_loads(text, 0, &why);
    if (!o->json)
        return fail(err, "an order is not JSON: %s", why.text);
    if (read_rest(o, err) && read_game(o, err) && read_parts(o, err) &&
        read_members(o, err))
        return true;
    order_release(o);
    return fail_at(err, "an order cannot be played");
}

void order_release(struct order *o)
{
    json_decref(o->json);
    pool_release(&o->pool);
    *o = (struct order){0};
}

static const json_t *part_of(const struct order *o, int part)
{
    return json_array_get(json_object_get(o->json, "parts"), (size_t)part);
}

const char *order_id(const struct order *o, int part)
{
    return text_in(part_of(o, part), "id");
}

const char *order_name(const struct order *o, int part)
{
    return text_in(part_of(o, part), "name");
}

const char *order_about(const struct order *o, int part)
{
    return text_in(part_of(o, part), "about");
}

void order_fill(const struct order *o, struct group *g)
{
    g->match = (struct match_config){.game = o->game,
                                     .setup = o->setup,
                                     .seed_is_chosen = o->seed_is_chosen,
                                     .start_us = o->start_us,
                                     .none_us = o->none_us,
                                     .lenience_us = o->lenience_us,
                                     .retries = o->retries,
                                     .voids_refusal = !o->is_contest,
                                     .restarts = o->is_contest,
                                     .forgets = true};
    g->game = o->first;
    g->first = o->begin;
    g->last = o->end;
    group_deal(g, o->seed);
    group_mix(g, o->entropy);
}
