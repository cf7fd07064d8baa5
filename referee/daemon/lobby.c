#include "daemon/lobby.h"

#include "base/alloc.h"
#include "base/date.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PATIENCE_US = 1000000,      /* for a choice of opponents, ... */
    PATIENCE_MAX_US = 60000000, /* ... and for others than those of before */
    SLICE_US = 1000000,         /* a ladder may be so far ahead of others, */
    SPAN_US = 600000000,        /* and others behind it no further, */
    KEEP_FACTOR = 10,           /* and that often keeping may be in vain */
    TURN_US = 2000,             /* so long games are started in one turn */
    LOOK_US = 1000,             /* to look in vain longer than this ... */
    LOOK_FACTOR = 20,           /* ... costs a rest of so many times that */
    LOAD_GAMES = 1000,          /* are learnt in one turn: about 1 ms */
    LOAD_AGAIN_US = 1000000,
    OFTEN = 100, /* games that say enough of two bots: the next may wait */
};

struct lobby {
    struct loop *loop;
    struct log *log;
    struct index *index;
    const struct lobby_owner *calls;
    void *owner;
    const struct serve_config *config;
    struct rng rng; /* for the pairing */
    struct lobby_ladder **ladder;
    int ladders, ladder_cap;
    int first_ladder;          /* whose turn it is to be looked at first */
    struct connection **queue; /* all that wait for a game, and some that did */
    int queue_len, queue_cap;
    struct alarm starter;
    int64_t settled_us; /* until then it is known who used the tables */
};

static bool shares_tables(const struct lobby *lobby)
{
    return lobby->config && lobby->config->games_max > 0;
}

static bool is_full(const struct lobby *lobby)
{
    int running = 0;

    if (!shares_tables(lobby))
        return false;
    for (int i = 0; i < lobby->ladders; i++)
        running += lobby->ladder[i]->running;
    return running >= lobby->config->games_max;
}

static bool can_start(const struct lobby *lobby)
{
    return !is_full(lobby) && lobby->calls->can_start(lobby->owner);
}

/* At the end of this turn of the loop, once, whatever happens until then. */
static void look_soon(struct lobby *lobby)
{
    if (can_start(lobby))
        loop_later(lobby->loop, &lobby->starter.deferred);
}

/* Ladders. */

struct lobby_ladder *lobby_ladder(const struct lobby *lobby, const char *name)
{
    for (int i = 0; i < lobby->ladders; i++)
        if (strcmp(lobby->ladder[i]->name, name) == 0)
            return lobby->ladder[i];
    return NULL;
}

static void free_ladder(struct lobby_ladder *l)
{
    ladder_free(l->memory);
    free(l);
}

void lobby_tidy(struct lobby *lobby)
{
    int kept = 0;

    for (int i = 0; i < lobby->ladders; i++) {
        struct lobby_ladder *l = lobby->ladder[i];

        if (l->config || l->running || l->closing)
            lobby->ladder[kept++] = l;
        else
            free_ladder(l);
    }
    lobby->ladders = kept;
}

static bool add_ladder(struct lobby *lobby, const char *name, bool at_once,
                       struct err *err)
{
    struct lobby_ladder *l = must_alloc(calloc(1, sizeof *l));

    l->memory = ladder_new();
    l->is_loading = !at_once;
    snprintf(l->name, sizeof l->name, "%s", name);
    if (!l->is_loading && !ladder_load(l->memory, lobby->index, name, err)) {
        free_ladder(l);
        return false;
    }
    if (lobby->ladders == lobby->ladder_cap) {
        lobby->ladder_cap = lobby->ladder_cap ? 2 * lobby->ladder_cap : 16;
        lobby->ladder = must_alloc(realloc(
            lobby->ladder, (size_t)lobby->ladder_cap * sizeof *lobby->ladder));
    }
    lobby->ladder[lobby->ladders++] = l;
    return true;
}

struct check {
    struct log *log;
    const struct ladder_config *config;
};

static bool warn_of(void *arg, const struct index_ladder *row)
{
    const struct check *c = arg;

    if (strcmp(row->rules, c->config->game->name) != 0)
        log_line(c->log, LOG_WARNING, NULL,
                 "%s was a ladder of %s, and those games count in its ratings "
                 "too: another name would keep them apart",
                 c->config->name, row->rules);
    return true;
}

/* Of a name that has had another game. */
static void check_game(struct lobby *lobby, const struct ladder_config *config)
{
    struct check check = {lobby->log, config};
    struct err err;

    if (!index_ladder(lobby->index, config->name, warn_of, &check, &err))
        log_line(lobby->log, LOG_WARNING, NULL, "%s", err.text);
}

bool lobby_configure(struct lobby *lobby, const struct serve_config *config,
                     bool at_once, struct err *err)
{
    for (int i = 0; i < config->ladders; i++)
        if (!lobby_ladder(lobby, config->ladder[i].name) &&
            !add_ladder(lobby, config->ladder[i].name, at_once, err))
            return false;
    for (int i = 0; i < lobby->ladders; i++)
        lobby->ladder[i]->config = NULL;
    for (int i = 0; i < config->ladders; i++) {
        struct lobby_ladder *l = lobby_ladder(lobby, config->ladder[i].name);

        l->config = &config->ladder[i];
        ladder_let_owners_meet(l->memory, l->config->owners_meet);
        check_game(lobby, &config->ladder[i]);
    }
    lobby->config = config;
    lobby_tidy(lobby);
    for (int i = 0; i < lobby->queue_len; i++)
        lobby->queue[i]->ladder = NULL; /* it may be gone */
    lobby_changed(lobby);
    return true;
}

struct lobby_ladder *lobby_ladder_at(const struct lobby *lobby, int number)
{
    return number < lobby->ladders ? lobby->ladder[number] : NULL;
}

void lobby_changed(struct lobby *lobby)
{
    for (int i = 0; i < lobby->ladders; i++)
        lobby->ladder[i]->is_changed = true;
    look_soon(lobby);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool lobby_admits(const struct ladder_config *c, const char *name)
{
    return c->joins_all ||
           (c->joiners > 0 && bsearch(&name, c->joiner, (size_t)c->joiners,
                                      sizeof *c->joiner, by_text));
}

/* Is it among "a,b", or are these ""? */
static bool wants(const char *ladders, const char *name)
{
    size_t len = strlen(name);

    if (!*ladders)
        return true;
    for (const char *at = ladders; *at; at += strspn(at, ",")) {
        size_t n = strcspn(at, ",");

        if (n == len && memcmp(at, name, len) == 0)
            return true;
        at += n;
    }
    return false;
}

/* It says on which ladders it plays, and which games, if not all. */
bool lobby_suits(const struct ladder_config *c, const struct connection *n)
{
    return lobby_admits(c, n->name) && wants(n->ladders, c->name) &&
           talk_plays(&n->talk, c->game->name);
}

/* The queue: thousands may play, but few wait. */

bool lobby_is_waiting(const struct connection *n)
{
    return n->phase == CONNECTION_IDLE && !n->why_gone;
}

void lobby_join(struct lobby *lobby, struct connection *n)
{
    for (int i = 0; i < lobby->ladders; i++)
        if (lobby->ladder[i]->config &&
            lobby_admits(lobby->ladder[i]->config, n->name))
            lobby->ladder[i]->is_changed = true;
    look_soon(lobby);
    n->ladder = NULL; /* it may have said another version */
    if (n->queued)
        return;
    if (lobby->queue_len == lobby->queue_cap) {
        lobby->queue_cap = lobby->queue_cap ? 2 * lobby->queue_cap : 64;
        lobby->queue = must_alloc(realloc(
            lobby->queue, (size_t)lobby->queue_cap * sizeof *lobby->queue));
    }
    n->queued = true;
    lobby->queue[lobby->queue_len++] = n;
}

static void take_out(struct lobby *lobby, int i)
{
    lobby->queue[i]->queued = false;
    lobby->queue[i] = lobby->queue[--lobby->queue_len];
}

void lobby_leave(struct lobby *lobby, struct connection *n)
{
    for (int i = 0; n->queued && i < lobby->queue_len; i++)
        if (lobby->queue[i] == n)
            take_out(lobby, i);
}

struct connection *lobby_queued(const struct lobby *lobby, int number)
{
    return number < lobby->queue_len ? lobby->queue[number] : NULL;
}

static void queue_tidy(struct lobby *lobby)
{
    for (int i = lobby->queue_len - 1; i >= 0; i--)
        if (!lobby_is_waiting(lobby->queue[i]))
            take_out(lobby, i);
}

/* Who could play now. */

/* Those of the network, the longest waiting of each name, and local ones. */
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
    g->guest[g->count].entrant = entrant;
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

static int entrant_of(const struct lobby *lobby, struct lobby_ladder *l,
                      struct connection *n, int64_t now)
{
    const struct key_entry *key;

    if (n->ladder != l) {
        key = key_named(lobby->config, n->name);
        n->ladder = l;
        n->entrant = ladder_enter(l->memory, n->name, n->talk.version, now);
        ladder_vouch(l->memory, n->entrant, key ? key->owner : "");
    }
    return n->entrant;
}

/* A bot of one seat has met itself as often as it has played. */
static bool is_done(const struct lobby_ladder *l, int entrant)
{
    const struct ladder_config *c = l->config;

    return c->setup.seats == 1 && c->meetings_max > 0 &&
           ladder_entrant(l->memory, entrant)->games >= c->meetings_max;
}

static void look_again(struct lobby_ladder *l, int64_t at_us)
{
    if (at_us < l->again_us)
        l->again_us = at_us;
}

int64_t lobby_rests_until(const struct lobby_ladder *l, int entrant,
                          int64_t now)
{
    int64_t rests = ladder_rests_until(l->memory, entrant);
    int64_t full = l->config
                       ? ladder_full_until(l->memory, entrant,
                                           l->config->new_versions_max, now)
                       : 0;

    return full > rests ? full : rests;
}

/* Deadlines. */

static bool is_past(const char *until)
{
    return until && strcmp(date_text(&(struct date){0}, time(NULL)), until) > 0;
}

bool lobby_is_frozen(const struct ladder_config *c)
{
    return is_past(c->games_until);
}

/* A version that was handed in is chosen when the configuration is read; one
 * from the network shows itself when it comes. */
bool lobby_is_late(const struct lobby_ladder *l, int entrant)
{
    const struct entrant *e = ladder_entrant(l->memory, entrant);

    return e->is_guest && e->games == 0 && l->config &&
           is_past(l->config->handins_until);
}

/* Is it left out for now? */
static bool is_out(const struct lobby *lobby, struct lobby_ladder *l,
                   struct guests *g, int entrant, int64_t now)
{
    int64_t until = lobby_rests_until(l, entrant, now);
    const struct entrant *e = ladder_entrant(l->memory, entrant);

    if (e->refuses || lobby_is_late(l, entrant) ||
        lobby->calls->keeps_out(lobby->owner, l->name, e->name, e->version))
        return true;
    if (is_done(l, entrant)) {
        g->done++;
        return true;
    }
    if (until <= now)
        return false;
    g->rests++;
    look_again(l, until);
    return true;
}

/* One who plays alone, and has done so often. */
static bool is_paused(struct lobby_ladder *l, int entrant, int64_t now)
{
    const struct entrant *e = ladder_entrant(l->memory, entrant);
    int64_t until_us = e->begun_us + l->config->rematch_us;

    if (l->config->setup.seats > 1 || e->games < OFTEN || until_us <= now)
        return false;
    l->pause_us = until_us;
    look_again(l, until_us);
    return true;
}

/* It may have come since it last played. */
static int64_t free_since(const struct lobby_ladder *l,
                          const struct connection *n)
{
    int64_t ended_us = ladder_entrant(l->memory, n->entrant)->ended_us;

    return n->begun_us > ended_us ? n->begun_us : ended_us;
}

/*
 * A bot shares its time among the ladders on which it may play. If it has
 * played for longer on this one than on another it is kept for that one for a
 * while, about as long as its last game. If that was in vain it is not kept
 * again soon, so that little is lost if nobody comes.
 */

/* How long it is kept. */
static int64_t keeping(const struct connection *n)
{
    int64_t us = n->since_us - n->begun_us;

    us = us > PATIENCE_US ? us : PATIENCE_US;
    return us < PATIENCE_MAX_US ? us : PATIENCE_MAX_US;
}

static bool is_owed(const struct lobby_ladder *other,
                    const struct lobby_ladder *l, const struct connection *n)
{
    return other != l && other->config && !other->is_loading &&
           !other->is_exhausted && lobby_suits(other->config, n) &&
           ladder_played(other->memory, n->name) + SLICE_US <
               ladder_played(l->memory, n->name);
}

static bool is_kept(struct lobby *lobby, struct lobby_ladder *l,
                    struct connection *n, int64_t now)
{
    bool owed = false;

    if (now < n->careless_us)
        return false;
    for (int i = 0; i < lobby->ladders && !owed; i++)
        owed = is_owed(lobby->ladder[i], l, n);
    if (!owed)
        return false;
    if (now >= n->since_us + keeping(n)) {
        n->careless_us = now + KEEP_FACTOR * keeping(n);
        return false;
    }
    look_again(l, n->since_us + keeping(n));
    return true;
}

static void add_nets(struct lobby *lobby, struct lobby_ladder *l,
                     struct guests *g, int64_t now)
{
    for (int i = 0; i < lobby->queue_len; i++) {
        struct connection *n = lobby->queue[i];
        int entrant, place;

        if (!lobby_suits(l->config, n))
            continue;
        entrant = entrant_of(lobby, l, n, now);
        if (is_out(lobby, l, g, entrant, now) || is_paused(l, entrant, now) ||
            is_kept(lobby, l, n, now))
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

static void add_locals(const struct lobby *lobby, struct lobby_ladder *l,
                       struct guests *g, int64_t now)
{
    const struct ladder_config *c = l->config;

    for (int i = 0; i < c->bots; i++) {
        const struct player *p = c->bot[i];
        int entrant = ladder_enter(l->memory, p->bot.name,
                                   p->digest ? p->digest : "", now);
        const struct entrant *e = ladder_entrant(l->memory, entrant);
        /* Where they only play guests, a guest comes first. */
        int64_t idle_us = c->local_games ? now - e->begun_us : 0;

        ladder_own(l->memory, entrant, p->owner);
        if (is_out(lobby, l, g, entrant, now) || e->running >= c->copies ||
            g->place[entrant] > 0)
            continue;
        g->waiting += c->copies - e->running;
        add_guest(g, entrant, idle_us,
                  (struct guest){.player = p, .free_us = e->ended_us});
    }
}

static void gather(struct lobby *lobby, struct lobby_ladder *l,
                   struct guests *g, int64_t now)
{
    clear_guests(g, ladder_entrants(l->memory) + lobby->queue_len +
                        l->config->bots);
    add_nets(lobby, l, g, now);
    add_locals(lobby, l, g, now);
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
static bool others_play(const struct lobby_ladder *l, const struct guests *g)
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
static bool is_worth_waiting(struct lobby_ladder *l, const struct guests *g,
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

static bool choose(struct lobby *lobby, const struct lobby_ladder *l,
                   const struct guests *g, int meetings_max, int *chosen)
{
    const struct ladder_config *c = l->config;
    struct pairing_rules rules = {.policy = c->pairing,
                                  .seats = c->setup.seats,
                                  .meetings_max = meetings_max};
    bool has_connection = c->local_games;

    if (!ladder_choose(l->memory, &rules, parts_of(c), g->offer, g->count,
                       now_us(), &lobby->rng, chosen))
        return false;
    for (int i = 0; i < c->setup.seats; i++)
        has_connection = has_connection || g->guest[chosen[i]].connection;
    return has_connection;
}

/*
 * Two bots that are alone on a ladder would play hundreds of games in a minute
 * and learn nothing: when they have met often, the next game waits. Local bots
 * among themselves play on, for their organiser wants that.
 */
static bool is_rematch(struct lobby_ladder *l, const struct guests *g,
                       int64_t now)
{
    int64_t until_us = 0;

    if (l->config->setup.seats == 1 || g->count != l->config->setup.seats ||
        g->connections == 0 || others_play(l, g))
        return false;
    for (int i = 0; i < g->count; i++) {
        int entrant = g->offer[i].entrant;
        int64_t at_us = ladder_entrant(l->memory, entrant)->begun_us +
                        l->config->rematch_us;

        until_us = at_us > until_us ? at_us : until_us;
        for (int j = 0; j < i; j++)
            if (ladder_meetings(l->memory, entrant, g->offer[j].entrant) <
                OFTEN)
                return false;
    }
    if (until_us <= now)
        return false;
    l->pause_us = until_us;
    look_again(l, until_us);
    return true;
}

/* Nobody could be chosen: would somebody be, if it were not for `meetings`? */
static bool is_exhausted(struct lobby *lobby, const struct lobby_ladder *l,
                         const struct guests *g)
{
    int chosen[SEATS_MAX];

    if (l->running > 0 || g->rests > 0 || l->config->meetings_max == 0)
        return false;
    return g->count == 0
               ? g->done > 0
               : is_enough(l->config, g) && choose(lobby, l, g, 0, chosen);
}

static void note_exhausted(struct lobby *lobby, struct lobby_ladder *l,
                           const struct guests *g)
{
    bool was = l->is_exhausted;

    l->is_exhausted = is_exhausted(lobby, l, g);
    if (l->is_exhausted && !was)
        log_line(
            lobby->log, LOG_INFO, NULL,
            "%s is exhausted: its bots have met as often as max-games-per-pair = %d "
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

static void let_play(struct lobby *lobby, struct lobby_ladder *l,
                     const struct guests *g, int *chosen)
{
    struct guest guest[SEATS_MAX];

    shuffle(chosen, l->config->setup.seats);
    for (int i = 0; i < l->config->setup.seats; i++)
        guest[i] = g->guest[chosen[i]];
    lobby->calls->on_chosen(lobby->owner, l, guest);
}

static bool start_one(struct lobby *lobby, struct lobby_ladder *l,
                      struct guests *g)
{
    int64_t now = now_us();
    int chosen[SEATS_MAX];

    if (l->running >= l->config->games_max || lobby_is_frozen(l->config))
        return false;
    queue_tidy(lobby);
    gather(lobby, l, g, now);
    if (is_enough(l->config, g) && is_worth_waiting(l, g, now))
        return false;
    if (!is_enough(l->config, g) ||
        !choose(lobby, l, g, l->config->meetings_max, chosen)) {
        if (g->count > 0)
            look_again(l, ladder_wakes(l->memory));
        note_exhausted(lobby, l, g);
        return false;
    }
    l->is_exhausted = false;
    if (is_rematch(l, g, now))
        return false;
    let_play(lobby, l, g, chosen);
    return true;
}

/* Nothing to start: not again before something has changed, or has aged. */
static void rest(struct lobby_ladder *l, int64_t began_us)
{
    int64_t now = now_us(), cost = now - began_us;

    l->is_changed = false;
    l->rest_us = cost > LOOK_US ? now + LOOK_FACTOR * cost : now;
}

/* When it is worth a look, or INT64_MAX. */
static int64_t next_look(const struct lobby_ladder *l)
{
    int64_t at = l->is_changed ? 0 : l->again_us;

    if (!l->config || (l->config->is_for_people && !l->is_loading))
        return INT64_MAX;
    return at > l->rest_us ? at : l->rest_us;
}

/* Nobody plays on it before it knows all that was played. */
static void load_part(struct lobby *lobby, struct lobby_ladder *l)
{
    struct err err;
    bool done;

    l->is_changed = ladder_load_part(l->memory, lobby->index, l->name,
                                     LOAD_GAMES, &done, &err);
    if (l->is_changed) {
        l->is_loading = !done;
        return;
    }
    ladder_free(l->memory);
    l->memory = ladder_new();
    ladder_let_owners_meet(l->memory, l->config && l->config->owners_meet);
    l->again_us = now_us() + LOAD_AGAIN_US;
    log_line(lobby->log, LOG_WARNING, NULL,
             "the games of %s cannot be read, and are tried again: %s", l->name,
             err.text);
}

static void look_at(struct lobby *lobby, struct lobby_ladder *l,
                    struct guests *g, int64_t until_us)
{
    int64_t began = now_us();

    if (l->is_loading) {
        load_part(lobby, l);
        return;
    }
    l->is_changed = true;
    l->again_us = INT64_MAX;
    while (can_start(lobby) && began < until_us) {
        if (!start_one(lobby, l, g)) {
            rest(l, began);
            return;
        }
        if (shares_tables(lobby))
            return; /* the next table may be another ladder's */
        began = now_us();
    }
}

/*
 * Where all ladders together have a limit, they share the tables by time: the
 * next table goes to the ladder that has used least for its share. One that had
 * nobody to play does not save up for later.
 */
static void settle(struct lobby *lobby)
{
    int64_t now = now_us(), most = 0;

    for (int i = 0; i < lobby->ladders; i++) {
        struct lobby_ladder *l = lobby->ladder[i];

        if (l->config && l->config->share > 0)
            l->spent_us +=
                (now - lobby->settled_us) * l->running / l->config->share;
        most = l->spent_us > most ? l->spent_us : most;
    }
    for (int i = 0; i < lobby->ladders; i++)
        if (lobby->ladder[i]->spent_us < most - SPAN_US)
            lobby->ladder[i]->spent_us = most - SPAN_US;
    lobby->settled_us = now;
}

static int by_time(const void *a, const void *b)
{
    const struct lobby_ladder *const *x = a, *const *y = b;

    return ((*x)->spent_us > (*y)->spent_us) -
           ((*x)->spent_us < (*y)->spent_us);
}

/* The ladders in the order in which they are looked at, to be freed. */
static struct lobby_ladder **in_turn(struct lobby *lobby)
{
    struct lobby_ladder **turn =
        must_resize(NULL, (size_t)lobby->ladders + 1, sizeof *turn);

    if (lobby->ladders > 0)
        lobby->first_ladder = (lobby->first_ladder + 1) % lobby->ladders;
    for (int i = 0; i < lobby->ladders; i++)
        turn[i] = lobby->ladder[(i + lobby->first_ladder) % lobby->ladders];
    if (shares_tables(lobby)) {
        settle(lobby);
        qsort(turn, (size_t)lobby->ladders, sizeof *turn, by_time);
    }
    return turn;
}

static void on_start(void *arg)
{
    struct lobby *lobby = arg;
    int64_t now = loop_now(lobby->loop), next = INT64_MAX;
    struct guests g = {0};
    struct lobby_ladder **turn = in_turn(lobby);

    for (int i = 0; i < lobby->ladders && can_start(lobby); i++) {
        struct lobby_ladder *l = turn[i];
        int64_t at;

        if (next_look(l) <= now)
            look_at(lobby, l, &g, now + TURN_US);
        at = next_look(l);
        next = at < next ? at : next;
    }
    free_guests(&g);
    free(turn);
    if (is_full(lobby))
        next = INT64_MAX; /* until a game ends */
    if (next <= now)
        loop_soon(lobby->loop, &lobby->starter.deferred);
    else
        loop_alarm(lobby->loop, &lobby->starter, next);
}

/* What is told of games. */

void lobby_began(struct lobby_ladder *l, const int *entrant, int games)
{
    l->running++;
    ladder_begin(l->memory, entrant, l->config->setup.seats, games, now_us());
}

/* A unit has more games than when it began. */
void lobby_added(struct lobby_ladder *l, const int *entrant, int games)
{
    ladder_forget(l->memory, entrant, l->config->setup.seats, -games);
}

/* A ladder that is new does not have a bot for itself until it is even. */
static void keep_up(struct lobby *lobby, const struct lobby_ladder *l,
                    const char *name)
{
    int64_t least = ladder_played(l->memory, name) - SPAN_US;

    for (int i = 0; i < lobby->ladders; i++)
        if (lobby->ladder[i] != l)
            ladder_play_at_least(lobby->ladder[i]->memory, name, least);
}

void lobby_ended(struct lobby *lobby, struct lobby_ladder *l,
                 const int *entrant, int seats, int unplayed)
{
    settle(lobby);
    ladder_end(l->memory, entrant, seats, now_us());
    ladder_forget(l->memory, entrant, seats, unplayed);
    for (int i = 0; i < seats; i++)
        keep_up(lobby, l, ladder_entrant(l->memory, entrant[i])->name);
    l->running--;
    l->is_changed = true;
    look_soon(lobby);
}

/* One that is still loading will find the game in the index. */
void lobby_learn(struct lobby *lobby, const struct game_summary *summary)
{
    struct lobby_ladder *l = lobby_ladder(lobby, summary->event);

    if (l && !l->is_loading)
        ladder_learn(l->memory, summary, now_us());
}

/* It was counted when it began; now it is learnt, or void. */
void lobby_indexed(struct lobby *lobby, struct lobby_ladder *l,
                   const int *entrant, int seats)
{
    ladder_forget(l->memory, entrant, seats, 1);
    l->closing--;
    l->is_changed = true;
    look_soon(lobby);
}

/* Begin and end. */

struct lobby *lobby_new(struct loop *loop, struct log *log, struct index *index,
                        const struct lobby_owner *calls, void *owner)
{
    struct lobby *lobby = must_alloc(calloc(1, sizeof *lobby));
    uint8_t seed[SEED_BYTES];

    lobby->loop = loop;
    lobby->log = log;
    lobby->index = index;
    lobby->calls = calls;
    lobby->owner = owner;
    lobby->settled_us = now_us();
    alarm_init(&lobby->starter, on_start, lobby);
    randombytes_buf(seed, sizeof seed);
    rng_seed(&lobby->rng, seed);
    return lobby;
}

void lobby_free(struct lobby *lobby)
{
    if (!lobby)
        return;
    alarm_stop(lobby->loop, &lobby->starter);
    for (int i = 0; i < lobby->ladders; i++)
        free_ladder(lobby->ladder[i]);
    free(lobby->ladder);
    free(lobby->queue);
    free(lobby);
}
