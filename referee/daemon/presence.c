/* What a bot is doing now, and why it is not playing. */

#include "daemon/server_state.h"

#include <stdio.h>
#include <string.h>

struct presence {
    const struct server *server;
    const char *name;
    json_t *rows;
};

static json_t *add_row(struct presence *p, const char *ladder,
                       const char *state, const char *why)
{
    json_t *row = json_pack("{s:s, s:s, s:s, s:[]}", "ladder", ladder, "state",
                            state, "why", why, "games");

    json_array_append_new(p->rows, row);
    return row;
}

static json_t *row_of(const struct presence *p, const char *ladder)
{
    json_t *row;
    size_t i;

    json_array_foreach(p->rows, i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "ladder")), ladder) ==
            0)
            return row;
    }
    return NULL;
}

static bool plays_in(const struct unit *u, const char *name)
{
    for (int i = 0; i < u->config->setup.seats; i++)
        if (strcmp(unit_name_at(u, i), name) == 0)
            return true;
    return false;
}

static void add_games(struct presence *p)
{
    for (const struct unit *u = units_list(p->server->units); u; u = u->next) {
        json_t *row;

        if (!u->group.table || !plays_in(u, p->name))
            continue;
        row = row_of(p, u->ladder->name);
        if (!row)
            row = add_row(p, u->ladder->name, "playing", "");
        json_array_append_new(json_object_get(row, "games"),
                              json_string(u->group.id));
    }
}

static void add_idle(struct presence *p, const struct lobby_ladder *l,
                     const char *version)
{
    char why[WHY_WAITS_MAX];
    const char *state;

    if (row_of(p, l->name))
        return;
    state = why_not_playing(p->server, l, p->name, version, why, sizeof why);
    add_row(p, l->name, state, why);
}

/* A local bot plays whenever it is chosen. */
static void add_local(struct presence *p, const struct lobby_ladder *l)
{
    for (int i = 0; i < l->config->bots; i++) {
        const struct player *player = l->config->bot[i];

        if (strcmp(player->bot.name, p->name) == 0)
            add_idle(p, l, player->digest ? player->digest : "");
    }
}

static void add_connected(struct presence *p, const struct lobby_ladder *l)
{
    const struct connection *n = doors_connections(p->server->doors);

    for (; n; n = n->next)
        if (!n->why_gone && strcmp(n->name, p->name) == 0 &&
            n->phase >= CONNECTION_IDLE && n->phase != CONNECTION_AWAY &&
            lobby_suits(l->config, n))
            add_idle(p, l, n->talk.version);
}

static bool is_of_people(const struct lobby_ladder *l)
{
    return l->config && l->config->is_for_people;
}

static void add_ladders(struct presence *p)
{
    const struct lobby_ladder *l;

    for (int i = 0; (l = lobby_ladder_at(p->server->lobby, i)) != NULL; i++)
        if (l->config && !is_of_people(l)) {
            add_local(p, l);
            add_connected(p, l);
        }
}

/* It is not connected: was it here before, and may it come? */
static void add_offline(struct presence *p)
{
    const struct connection *n = doors_connections(p->server->doors);

    while (n && (n->why_gone || strcmp(n->name, p->name) != 0))
        n = n->next;
    if (n && n->phase == CONNECTION_AWAY)
        add_row(p, "", "offline",
                "Its connection was lost in a game, which waits for it.");
    else if (n)
        add_row(p, "", "waiting",
                "It is connected, but no ladder here admits it, or it has not "
                "introduced itself yet.");
    else if (key_named(config_of(p->server), p->name))
        add_row(p, "", "offline", "It is not connected to this server.");
    else
        add_row(p, "", "offline",
                "It is not on this server any more: it has neither a key nor a "
                "section in the configuration.");
}

json_t *presence_json(const struct server *s, const char *name)
{
    struct presence p = {s, name, json_array()};
    const char *why = why_none_starts(s);

    add_games(&p);
    if (!why)
        add_ladders(&p);
    else if (json_array_size(p.rows) == 0)
        add_row(&p, "", "waiting", why);
    if (json_array_size(p.rows) == 0)
        add_offline(&p);
    return p.rows;
}
