#include "daemon/server_state.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATIENCE_US = 1000000,      /* for a choice of opponents, ... */
    PATIENCE_MAX_US = 60000000, /* ... and for others than those of before */
    TURN_US = 2000,             /* so long games are started in one turn */
    LOOK_US = 1000,             /* to look in vain longer than this ... */
    LOOK_FACTOR = 20,           /* ... costs a rest of so many times that */
    LOAD_GAMES = 1000,          /* are learnt in one turn: about 1 ms */
    LOAD_AGAIN_US = 1000000,
};

/* Ladders. */

struct server_ladder *ladder_named(const struct server *s, const char *name)
{
    for (int i = 0; i < s->ladders; i++)
        if (strcmp(s->ladder[i]->name, name) == 0)
            return s->ladder[i];
    return NULL;
}

static void free_ladder(struct server_ladder *l)
{
    ladder_free(l->memory);
    free(l);
}

void ladders_tidy(struct server *s)
{
    int kept = 0;

    for (int i = 0; i < s->ladders; i++) {
        struct server_ladder *l = s->ladder[i];

        if (l->config || l->running || l->closing)
            s->ladder[kept++] = l;
        else
            free_ladder(l);
    }
    s->ladders = kept;
}

/* Before the first games all at once; while games run, from turn to turn. */
static bool add_ladder(struct server *s, const char *name, struct err *err)
{
    struct server_ladder *l = must_alloc(calloc(1, sizeof *l));

    l->memory = ladder_new();
    l->is_loading = s->phase != SERVER_STARTING;
    snprintf(l->name, sizeof l->name, "%s", name);
    if (!l->is_loading &&
        !ladder_load(l->memory, archive_index(s->archive), name, err)) {
        free_ladder(l);
        return false;
    }
    if (s->ladders == s->ladder_cap) {
        s->ladder_cap = s->ladder_cap ? 2 * s->ladder_cap : 16;
        s->ladder = must_alloc(
            realloc(s->ladder, (size_t)s->ladder_cap * sizeof *s->ladder));
    }
    s->ladder[s->ladders++] = l;
    return true;
}

struct wish {
    struct server *server;
    const struct ladder_config *config;
};

static bool warn_of(void *arg, const struct index_ladder *row)
{
    const struct wish *w = arg;

    if (strcmp(row->rules, w->config->game->name) != 0)
        log_line(&w->server->log, LOG_WARNING, NULL,
                 "%s was a ladder of %s, and those games count in its ratings "
                 "too: another name would keep them apart",
                 w->config->name, row->rules);
    return true;
}

/* Of a name that has had another game. */
static void check_game(struct server *s, const struct ladder_config *config)
{
    struct wish wish = {s, config};
    struct err err;

    if (!index_ladder(archive_index(s->archive), config->name, warn_of, &wish,
                      &err))
        log_line(&s->log, LOG_WARNING, NULL, "%s", err.text);
}

/* Ladders that are new join; those that are gone finish their games. */
bool ladders_read(struct server *s, struct err *err)
{
    const struct serve_config *c = config_of(s);

    for (int i = 0; i < c->ladders; i++)
        if (!ladder_named(s, c->ladder[i].name) &&
            !add_ladder(s, c->ladder[i].name, err))
            return false;
    for (int i = 0; i < s->ladders; i++)
        s->ladder[i]->config = NULL;
    for (int i = 0; i < c->ladders; i++) {
        ladder_named(s, c->ladder[i].name)->config = &c->ladder[i];
        check_game(s, &c->ladder[i]);
    }
    ladders_tidy(s);
    for (struct connection *n = doors_connections(s->doors); n; n = n->next)
        n->ladder = NULL;
    ladders_changed(s);
    return true;
}

void ladders_free(struct server *s)
{
    for (int i = 0; i < s->ladders; i++)
        free_ladder(s->ladder[i]);
    free(s->ladder);
}

void ladders_changed(struct server *s)
{
    for (int i = 0; i < s->ladders; i++)
        s->ladder[i]->is_changed = true;
    start_games(s);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool may_join(const struct ladder_config *c, const char *name)
{
    return c->joins_all ||
           (c->joiners > 0 && bsearch(&name, c->joiner, (size_t)c->joiners,
                                      sizeof *c->joiner, by_text));
}

/* The queue: thousands may play, but few wait. */

bool is_waiting(const struct connection *n)
{
    return n->phase == CONNECTION_IDLE && !n->why_gone;
}

void queue_join(struct server *s, struct connection *n)
{
    for (int i = 0; i < s->ladders; i++)
        if (s->ladder[i]->config && may_join(s->ladder[i]->config, n->name))
            s->ladder[i]->is_changed = true;
    start_games(s);
    n->ladder = NULL; /* it may have said another version */
    if (n->queued)
        return;
    if (s->queue_len == s->queue_cap) {
        s->queue_cap = s->queue_cap ? 2 * s->queue_cap : 64;
        s->queue = must_alloc(
            realloc(s->queue, (size_t)s->queue_cap * sizeof *s->queue));
    }
    n->queued = true;
    s->queue[s->queue_len++] = n;
}

static void take_out(struct server *s, int i)
{
    s->queue[i]->queued = false;
    s->queue[i] = s->queue[--s->queue_len];
}

void queue_leave(struct server *s, struct connection *n)
{
    for (int i = 0; n->queued && i < s->queue_len; i++)
        if (s->queue[i] == n)
            take_out(s, i);
}

static void queue_tidy(struct server *s)
{
    for (int i = s->queue_len - 1; i >= 0; i--)
        if (!is_waiting(s->queue[i]))
            take_out(s, i);
}

/* Who could play now. */

/* One of the network, the longest waiting of its name, or a local one. */
struct guest {
    struct connection *connection;
    const struct player *player;
    int64_t free_us; /* since then */
};

struct guests {
    struct offer *offer;
    struct guest *guest;
    int count, cap;
    int waiting; /* connections and copies, of which several are one guest */
    int connections;
    int done;   /* left out: they have played as often as they may, ... */
    int rests;  /* ... or must rest */
    int *place; /* by entrant: where in the list it is, + 1 */
    int places;
};

static void add_guest(struct guests *g, int entrant, int64_t idle_us,
                      struct guest guest)
{
    if (g->count == g->cap) {
        g->cap = g->cap ? 2 * g->cap : 64;
        g->offer = must_resize(g->offer, (size_t)g->cap, sizeof *g->offer);
        g->guest = must_resize(g->guest, (size_t)g->cap, sizeof *g->guest);
    }
    g->offer[g->count] = (struct offer){entrant, idle_us};
    g->guest[g->count] = guest;
    g->place[entrant] = ++g->count;
}

/* Room for every entrant, and for as many new ones. */
static void clear_guests(struct guests *g, int entrants)
{
    for (int i = 0; i < g->count; i++)
        g->place[g->offer[i].entrant] = 0;
    g->count = g->waiting = g->connections = g->done = g->rests = 0;
    if (entrants <= g->places)
        return;
    g->place = must_resize(g->place, 2 * (size_t)entrants, sizeof *g->place);
    memset(g->place + g->places, 0,
           (2 * (size_t)entrants - (size_t)g->places) * sizeof *g->place);
    g->places = 2 * entrants;
}

static void free_guests(struct guests *g)
{
    free(g->offer);
    free(g->guest);
    free(g->place);
}

static int entrant_of(struct server_ladder *l, struct connection *n,
                      int64_t now)
{
    if (n->ladder != l) {
        n->ladder = l;
        n->entrant = ladder_enter(l->memory, n->name, n->talk.version, now);
    }
    return n->entrant;
}

/* A bot of one seat has met itself as often as it has played. */
static bool is_done(const struct server_ladder *l, int entrant)
{
    const struct ladder_config *c = l->config;

    return c->setup.seats == 1 && c->meetings_max > 0 &&
           ladder_entrant(l->memory, entrant)->games >= c->meetings_max;
}

static void look_again(struct server_ladder *l, int64_t at_us)
{
    if (at_us < l->again_us)
        l->again_us = at_us;
}

/* Is it left out for now? */
static bool is_out(struct server_ladder *l, struct guests *g, int entrant,
                   int64_t now)
{
    int64_t rests_us = ladder_entrant(l->memory, entrant)->rests_us;

    if (is_done(l, entrant)) {
        g->done++;
        return true;
    }
    if (rests_us <= now)
        return false;
    g->rests++;
    look_again(l, rests_us);
    return true;
}

/* It may have come since it last played. */
static int64_t free_since(const struct server_ladder *l,
                          const struct connection *n)
{
    int64_t ended_us = ladder_entrant(l->memory, n->entrant)->ended_us;

    return n->begun_us > ended_us ? n->begun_us : ended_us;
}

static void add_nets(struct server *s, struct server_ladder *l,
                     struct guests *g, int64_t now)
{
    for (int i = 0; i < s->queue_len; i++) {
        struct connection *n = s->queue[i];
        int entrant, place;

        if (!may_join(l->config, n->name))
            continue;
        entrant = entrant_of(l, n, now);
        if (is_out(l, g, entrant, now))
            continue;
        g->waiting++;
        g->connections++;
        place = g->place[entrant] - 1;
        if (place < 0) {
            add_guest(
                g, entrant, now - n->begun_us,
                (struct guest){.connection = n, .free_us = free_since(l, n)});
        } else if (n->begun_us < g->guest[place].connection->begun_us) {
            g->guest[place].connection = n;
            g->guest[place].free_us = free_since(l, n);
            g->offer[place].idle_us = now - n->begun_us;
        }
    }
}

static void add_locals(struct server_ladder *l, struct guests *g, int64_t now)
{
    const struct ladder_config *c = l->config;

    for (int i = 0; i < c->bots; i++) {
        const struct player *p = c->bot[i];
        int entrant = ladder_enter(l->memory, p->bot.name,
                                   p->digest ? p->digest : "", now);
        const struct entrant *e = ladder_entrant(l->memory, entrant);
        /* Where they only play guests, a guest comes first. */
        int64_t idle_us = c->local_games ? now - e->begun_us : 0;

        if (is_out(l, g, entrant, now) || e->running >= c->copies ||
            g->place[entrant] > 0)
            continue;
        g->waiting += c->copies - e->running;
        add_guest(g, entrant, idle_us,
                  (struct guest){.player = p, .free_us = e->ended_us});
    }
}

static void gather(struct server *s, struct server_ladder *l, struct guests *g,
                   int64_t now)
{
    clear_guests(g,
                 ladder_entrants(l->memory) + s->queue_len + l->config->bots);
    add_nets(s, l, g, now);
    add_locals(l, g, now);
}

/* Who plays. */

/* Rather than to play the same again, it waits as long as half a game. */
static int64_t patience_of(const struct entrant *e, bool repeats)
{
    int64_t half_us = (e->ended_us - e->begun_us) / 2;

    if (!repeats || half_us < PATIENCE_US)
        return PATIENCE_US;
    return half_us < PATIENCE_MAX_US ? half_us : PATIENCE_MAX_US;
}

/* Others than those who could play now, and may do so with other copies. */
static bool others_play(const struct server_ladder *l, const struct guests *g)
{
    int others = l->running * l->config->setup.seats;

    for (int i = 0; i < g->count; i++)
        others -= ladder_entrant(l->memory, g->offer[i].entrant)->running;
    return others > 0;
}

/*
 * Is it better to wait for a choice of opponents? Those who end a game together
 * would else play each other for ever, while others do the same.
 */
static bool is_worth_waiting(struct server_ladder *l, const struct guests *g,
                             int64_t now)
{
    int seats = l->config->setup.seats;
    bool repeats =
        g->count == seats && ladder_would_repeat(l->memory, g->offer, g->count);
    int64_t until_us = INT64_MAX;

    if (seats == 1 || !others_play(l, g))
        return false;
    if (!repeats &&
        g->waiting >= pairing_crowd(g->waiting + l->running * seats, seats))
        return false;
    for (int i = 0; i < g->count; i++) {
        const struct entrant *e =
            ladder_entrant(l->memory, g->offer[i].entrant);
        int64_t at_us = g->guest[i].free_us + patience_of(e, repeats);

        until_us = at_us < until_us ? at_us : until_us;
    }
    if (until_us <= now)
        return false;
    look_again(l, until_us);
    return true;
}

static bool is_enough(const struct ladder_config *c, const struct guests *g)
{
    return g->count >= c->setup.seats && (c->local_games || g->connections > 0);
}

static bool choose(struct server *s, const struct server_ladder *l,
                   const struct guests *g, int meetings_max, int *chosen)
{
    const struct ladder_config *c = l->config;
    struct pairing_rules rules = {.policy = c->pairing,
                                  .seats = c->setup.seats,
                                  .meetings_max = meetings_max};
    bool has_connection = c->local_games;

    if (!ladder_choose(l->memory, &rules, parts_of(c), g->offer, g->count,
                       &s->rng, chosen))
        return false;
    for (int i = 0; i < c->setup.seats; i++)
        has_connection = has_connection || g->guest[chosen[i]].connection;
    return has_connection;
}

/* Nobody could be chosen: would somebody be, if it were not for `meetings`? */
static bool is_exhausted(struct server *s, const struct server_ladder *l,
                         const struct guests *g)
{
    int chosen[SEATS_MAX];

    if (l->running > 0 || g->rests > 0 || l->config->meetings_max == 0)
        return false;
    return g->count == 0
               ? g->done > 0
               : is_enough(l->config, g) && choose(s, l, g, 0, chosen);
}

static void note_exhausted(struct server *s, struct server_ladder *l,
                           const struct guests *g)
{
    bool was = l->is_exhausted;

    l->is_exhausted = is_exhausted(s, l, g);
    if (l->is_exhausted && !was)
        log_line(
            &s->log, LOG_INFO, NULL,
            "%s is used up: its bots have met as often as max-games-per-pair = %d "
            "allows",
            l->name, l->config->meetings_max);
}

/* Chance decides who sits where. */
static void shuffle(int *chosen, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)randombytes_uniform((uint32_t)i + 1);
        int hold = chosen[i];

        chosen[i] = chosen[j];
        chosen[j] = hold;
    }
}

static void begin_unit(struct server *s, struct server_ladder *l,
                       const struct guests *g, int *chosen)
{
    char id[UNIT_ID_MAX + 1], number[NUMBER_TEXT + 1];
    struct unit *u;

    *jot_padded(number, ++s->unit_number, 6) = '\0';
    text_join(id, sizeof id, s->session, "-", number, NULL);
    u = unit_new(s, l, id);
    shuffle(chosen, l->config->setup.seats);
    for (int i = 0; i < l->config->setup.seats; i++) {
        const struct guest *guest = &g->guest[chosen[i]];

        unit_enter(u, i, guest->connection, guest->player,
                   g->offer[chosen[i]].entrant);
    }
    unit_begin(u, 1);
}

static bool start_one(struct server *s, struct server_ladder *l,
                      struct guests *g)
{
    int64_t now = now_us();
    int chosen[SEATS_MAX];

    if (l->running >= l->config->games_max || has_enough(s))
        return false;
    queue_tidy(s);
    gather(s, l, g, now);
    if (is_enough(l->config, g) && is_worth_waiting(l, g, now))
        return false;
    if (!is_enough(l->config, g) ||
        !choose(s, l, g, l->config->meetings_max, chosen)) {
        note_exhausted(s, l, g);
        return false;
    }
    l->is_exhausted = false;
    begin_unit(s, l, g, chosen);
    return true;
}

/* Nothing to start: not again before something has changed, or has aged. */
static void rest(struct server_ladder *l, int64_t began_us)
{
    int64_t now = now_us(), cost = now - began_us;

    l->is_changed = false;
    l->rest_us = cost > LOOK_US ? now + LOOK_FACTOR * cost : now;
}

/* When it is worth a look, or INT64_MAX. */
static int64_t next_look(const struct server_ladder *l)
{
    int64_t at = l->is_changed ? 0 : l->again_us;

    if (!l->config)
        return INT64_MAX;
    return at > l->rest_us ? at : l->rest_us;
}

/* Nobody plays on it before it knows all that was played. */
static void load_part(struct server *s, struct server_ladder *l)
{
    struct err err;
    bool done;

    l->is_changed = ladder_load_part(l->memory, archive_index(s->archive),
                                     l->name, LOAD_GAMES, &done, &err);
    if (l->is_changed) {
        l->is_loading = !done;
        return;
    }
    ladder_free(l->memory);
    l->memory = ladder_new();
    l->again_us = now_us() + LOAD_AGAIN_US;
    log_line(&s->log, LOG_WARNING, NULL,
             "the games of %s cannot be read, and are tried again: %s", l->name,
             err.text);
}

static void look_at(struct server *s, struct server_ladder *l, struct guests *g,
                    int64_t until_us)
{
    int64_t began = now_us();

    if (l->is_loading) {
        load_part(s, l);
        return;
    }
    l->is_changed = true;
    l->again_us = INT64_MAX;
    while (can_start(s) && began < until_us) {
        if (!start_one(s, l, g)) {
            rest(l, began);
            return;
        }
        began = now_us();
    }
}

void on_start(void *arg)
{
    struct server *s = arg;
    int64_t now = loop_now(&s->loop), next = INT64_MAX;
    struct guests g = {0};

    s->first_ladder = s->ladders ? (s->first_ladder + 1) % s->ladders : 0;
    for (int i = 0; i < s->ladders && can_start(s); i++) {
        struct server_ladder *l = s->ladder[(i + s->first_ladder) % s->ladders];
        int64_t at;

        if (next_look(l) <= now)
            look_at(s, l, &g, now + TURN_US);
        at = next_look(l);
        next = at < next ? at : next;
    }
    free_guests(&g);
    if (next <= now)
        loop_soon(&s->loop, &s->starter.deferred);
    else
        loop_alarm(&s->loop, &s->starter, next);
}

void start_games(struct server *s)
{
    if (s->phase == SERVER_RUNNING)
        loop_later(&s->loop, &s->starter.deferred);
}
