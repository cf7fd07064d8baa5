#include "daemon/guests.h"

#include "base/alloc.h"
#include "base/date.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SLICE_US = 1000000, /* how far ahead a ladder may be in a bot's time */
    /* how often a bot may be kept for another ladder in vain */
    KEEP_FACTOR = 10,
};

/* Who may play on the ladder. */

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

/* Is it in the list "a,b", or is the list empty? */
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

/* The list. */

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
static void clear(struct guests *g, int entrants)
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

/* In a single-seat game, a bot has met itself as often as it has played. */
static bool is_done(const struct lobby_ladder *l, int entrant)
{
    const struct ladder_config *c = l->config;

    return c->setup.seats == 1 && c->meetings_max > 0 &&
           ladder_entrant(l->memory, entrant)->games >= c->meetings_max;
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

/*
 * A version that was handed in is chosen when the configuration is read. A
 * network bot's version is known only when it connects.
 */
bool lobby_is_late(const struct lobby_ladder *l, int entrant)
{
    const struct entrant *e = ladder_entrant(l->memory, entrant);

    return e->is_guest && e->games == 0 && l->config &&
           is_past(l->config->handins_until);
}

/* Must it be left out for now? */
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

/* A bot that plays alone, and has done so often. */
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

/* It may have connected after it last played. */
static int64_t free_since(const struct lobby_ladder *l,
                          const struct connection *n)
{
    int64_t ended_us = ladder_entrant(l->memory, n->entrant)->ended_us;

    return n->begun_us > ended_us ? n->begun_us : ended_us;
}

/*
 * A bot shares its time among the ladders on which it may play. If it has
 * played longer on this one than on another, it is kept for the other one for a
 * while, about as long as its last game. If no game starts there, it is not
 * kept again soon, so that little time is lost.
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
        /* If local bots play only against guests, a guest comes first. */
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

void guests_gather(struct guests *g, struct lobby *lobby,
                   struct lobby_ladder *l, int64_t now)
{
    clear(g, ladder_entrants(l->memory) + lobby->queue_len + l->config->bots);
    add_nets(lobby, l, g, now);
    add_locals(lobby, l, g, now);
}

void guests_release(struct guests *g)
{
    free(g->offer);
    free(g->guest);
    free(g->place);
}
