#include "daemon/api.h"

#include "base/alloc.h"
#include "store/disk.h"

#include <stdlib.h>

enum { ROOM_MIN = 1 << 20 }; /* bytes on the disk; a record needs less */

static const char *const phase_words[] = {"starting", "running", "paused",
                                          "stopping"};

/* Trouble also counts as a pause. */
static enum server_phase phase_of(const struct server *s)
{
    return s->phase == SERVER_RUNNING && trouble_text(&s->troubles)
               ? SERVER_PAUSED
               : s->phase;
}

/*
 * Check the disk itself, because there may be no game now whose writes would
 * fail.
 */
static bool has_room(const struct server *s)
{
    long long bytes = disk_room(config_of(s)->data);

    return bytes == -1 || bytes >= ROOM_MIN;
}

/* The reason why nobody can play, or NULL. */
static const char *complaint(void *owner)
{
    struct server *s = owner;

    if (trouble_text(&s->troubles))
        return trouble_text(&s->troubles);
    if (s->phase == SERVER_STARTING || s->phase == SERVER_STOPPING)
        return phase_words[s->phase];
    return has_room(s) ? NULL : "the disk of the data folder is full";
}

static bool waits_for(const struct lobby_ladder *l, const struct connection *n)
{
    return l->config && lobby_is_waiting(n) && lobby_suits(l->config, n);
}

/* Count games, as everywhere. A group between two games plays none. */
static int running_on(const struct server *s, const struct lobby_ladder *l)
{
    int count = away_on(s->away, l);

    for (const struct unit *u = units_list(s->units); u; u = u->next)
        count += u->ladder == l && u->group.table;
    return count;
}

static void fill_ladder(const struct server *s, const struct lobby_ladder *l,
                        struct ladder_metrics *out)
{
    const struct connection *n;

    *out = (struct ladder_metrics){
        .name = l->name, .running = running_on(s, l), .done = l->done};
    for (int i = 0; (n = lobby_queued(s->lobby, i)); i++)
        out->waiting += waits_for(l, n);
}

static void fill_gauges(struct server *s)
{
    struct metrics *m = &s->metrics;
    const struct connection *n;

    m->paused = phase_of(s) == SERVER_PAUSED;
    for (int i = 0; i < TROUBLES; i++)
        m->trouble[i] = s->troubles.of[i].is_on;
    m->games_closing = closing_count(s->closing);
    m->bytes_in = s->loop.bytes_in;
    m->bytes_out = s->loop.bytes_out;
    m->connections_open = doors_open_connections(s->doors);
    m->http.connections = s->http ? http_connections(s->http) : 0;
    m->bots_waiting = 0;
    for (int i = 0; (n = lobby_queued(s->lobby, i)); i++)
        m->bots_waiting += lobby_is_waiting(n);
}

static int count_ladders(const struct server *s)
{
    int count = 0;

    while (lobby_ladder_at(s->lobby, count))
        count++;
    return count;
}

static void write_metrics(void *owner, struct buf *out)
{
    struct server *s = owner;
    struct many_metrics many;
    int count = count_ladders(s);
    struct ladder_metrics *ladders =
        must_alloc(calloc((size_t)count + 1, sizeof *ladders));

    fill_gauges(s);
    for (int i = 0; i < count; i++)
        fill_ladder(s, lobby_ladder_at(s->lobby, i), &ladders[i]);
    s->metrics.ladder = ladders;
    s->metrics.ladders = count;
    if (s->away)
        away_figures(s->away, &many);
    s->metrics.many = s->away ? &many : NULL;
    metrics_write(&s->metrics, out);
    s->metrics.ladder = NULL;
    s->metrics.ladders = 0;
    free(ladders);
}

static const struct proxies *proxies(void *owner)
{
    return &config_of(owner)->proxies;
}

const struct http_calls server_http = {complaint, write_metrics, proxies,
                                       server_api, server_page};

typedef bool is_so(const struct lobby_ladder *ladder, int entrant);

static bool rests(const struct lobby_ladder *l, int entrant)
{
    int64_t now = now_us();

    return lobby_rests_until(l, entrant, now) > now;
}

static bool refuses(const struct lobby_ladder *l, int entrant)
{
    return ladder_entrant(l->memory, entrant)->refuses;
}

static void add_name(const struct lobby_ladder *l, const char *name,
                     const char *version, is_so *is, json_t *names)
{
    int entrant = ladder_find(l->memory, name, version ? version : "");

    if (entrant >= 0 && is(l, entrant))
        json_array_append_new(names, json_string(name));
}

/* Of those who are there. */
static json_t *names_json(const struct server *s, const struct lobby_ladder *l,
                          is_so *is)
{
    json_t *names = json_array();
    const struct connection *n;

    for (int i = 0; l->config && i < l->config->bots; i++)
        add_name(l, l->config->bot[i]->bot.name, l->config->bot[i]->digest, is,
                 names);
    for (int i = 0; (n = lobby_queued(s->lobby, i)); i++)
        if (waits_for(l, n))
            add_name(l, n->name, n->talk.version, is, names);
    return names;
}

static json_t *ladder_json(const struct server *s, const struct lobby_ladder *l)
{
    json_t *waiting = json_array();
    const struct connection *n;

    for (int i = 0; (n = lobby_queued(s->lobby, i)); i++)
        if (waits_for(l, n))
            json_array_append_new(waiting, json_string(n->name));
    return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:i, s:i, s:b, s:b}",
                     "name", l->name, "game",
                     l->config ? l->config->game->name : "-", "seats",
                     l->config ? l->config->setup.seats : 0, "waiting", waiting,
                     "resting", names_json(s, l, rests), "refusing",
                     names_json(s, l, refuses), "running", running_on(s, l),
                     "done", l->done, "exhausted", (int)l->is_exhausted,
                     "frozen", l->config && lobby_is_frozen(l->config));
}

/* With the reason, if it is waiting. */
static json_t *connection_json(const struct server *s,
                               const struct connection *n)
{
    static const char *const kinds[] = {"tcp", "tls", "unix"};
    static const char *const phases[] = {
        [CONNECTION_LOGIN] = "login",
        [CONNECTION_GREETING] = "greeting",
        [CONNECTION_SUBMITTING] = "submitting",
        [CONNECTION_REGISTERING] = "registering",
        [CONNECTION_IDLE] = "idle",
        [CONNECTION_PLAYING] = "playing",
        [CONNECTION_AWAY] = "away",
    };

    char why[WHY_WAITS_MAX] = "";

    if (lobby_is_waiting(n))
        why_waits(s, n, why, sizeof why);
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:i, s:s*}", "name", n->name,
                     "address", n->address, "kind", kinds[n->kind], "state",
                     phases[n->phase], "rtt_us",
                     (json_int_t)connection_rtt_us(n), "games", n->games, "why",
                     why[0] ? why : NULL);
}

static void add_lockout(void *arg, const char *name, const char *origin,
                        int seconds)
{
    json_array_append_new(arg, json_pack("{s:s, s:s, s:i}", "name", name,
                                         "from", origin, "seconds", seconds));
}

static json_t *counts_json(const struct server *s)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "running",
                     (json_int_t)s->metrics.games_running, "done",
                     (json_int_t)s->metrics.games_done, "void",
                     (json_int_t)s->metrics.games_void, "closing",
                     (json_int_t)closing_count(s->closing));
}

json_t *status_json(const struct server *s)
{
    json_t *ladders = json_array(), *connections = json_array();
    json_t *refused = json_array();
    json_int_t uptime_s = (now_us() - s->start_us) / 1000000;
    const struct lobby_ladder *l;

    for (int i = 0; (l = lobby_ladder_at(s->lobby, i)); i++)
        json_array_append_new(ladders, ladder_json(s, l));
    for (const struct connection *n = doors_connections(s->doors); n;
         n = n->next)
        if (!n->why_gone)
            json_array_append_new(connections, connection_json(s, n));
    doors_each_lockout(s->doors, add_lockout, refused);
    return json_pack("{s:I, s:s, s:s, s:s?, s:o, s:I, s:o, s:o, s:o, s:o}",
                     "uptime_s", uptime_s, "walls", config_of(s)->walls_words,
                     "state", phase_words[phase_of(s)], "trouble",
                     trouble_text(&s->troubles), "games", counts_json(s),
                     "moves", (json_int_t)s->metrics.moves, "ladders", ladders,
                     "connections", connections, "refused", refused, "handins",
                     reception_json(s->reception));
}

json_t *unit_json(const struct unit *u)
{
    json_int_t age_s = (now_us() - u->start_us) / 1000000;
    json_t *bots = json_array();

    for (int i = 0; i < u->config->setup.seats; i++)
        json_array_append_new(bots, json_string(unit_name_at(u, i)));
    return json_pack("{s:s, s:s, s:s, s:o, s:i, s:I}", "id", u->group.id,
                     "ladder", u->ladder->name, "game", u->config->game->name,
                     "bots", bots, "moves",
                     match_moves(table_match(u->group.table)), "age_s", age_s);
}

json_t *games_json(const struct server *s)
{
    json_t *list = json_array();

    for (const struct unit *u = units_list(s->units); u; u = u->next)
        if (u->group.table)
            json_array_append_new(list, unit_json(u));
    return json_pack("{s:o}", "games", list);
}

json_t *phase_json(const struct server *s)
{
    return json_pack("{s:s, s:I}", "state", phase_words[phase_of(s)], "running",
                     (json_int_t)s->metrics.games_running);
}
