#include "daemon/lobby.h"

#include "base/alloc.h"
#include "daemon/choice.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SPAN_US = 600000000, /* the most that a ladder can be behind others */
    TURN_US = 2000,      /* time for starting games in one turn */
    LOOK_US = 1000,      /* a search in vain that takes longer than this ... */
    LOOK_FACTOR = 20,    /* ... costs a pause of this many times its length */
    LOAD_GAMES = 1000,   /* are learnt in one turn: about 1 ms */
    LOAD_AGAIN_US = 1000000,
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

/* Look at the ladders at the end of this turn, once. */
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
        lobby->queue[i]->ladder = NULL; /* the ladder may be gone */
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
    n->ladder = NULL; /* it may have stated another version */
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

static bool start_one(struct lobby *lobby, struct lobby_ladder *l,
                      struct guests *g)
{
    struct guest chosen[SEATS_MAX];
    int64_t now = now_us();

    if (l->running >= l->config->games_max || lobby_is_frozen(l->config))
        return false;
    queue_tidy(lobby);
    guests_gather(g, lobby, l, now);
    if (!choice_make(lobby, l, g, now, chosen))
        return false;
    lobby->calls->on_chosen(lobby->owner, l, chosen);
    return true;
}

/*
 * No game can start. Do not look again before something changes or enough time
 * passes.
 */
static void rest(struct lobby_ladder *l, int64_t began_us)
{
    int64_t now = now_us(), cost = now - began_us;

    l->is_changed = false;
    l->rest_us = cost > LOOK_US ? now + LOOK_FACTOR * cost : now;
}

/* When the next look is useful, or INT64_MAX. */
static int64_t next_look(const struct lobby_ladder *l)
{
    int64_t at = l->is_changed ? 0 : l->again_us;

    if (!l->config || (l->config->is_for_people && !l->is_loading))
        return INT64_MAX;
    return at > l->rest_us ? at : l->rest_us;
}

/* No games start on it until it knows all that was played. */
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
 * If all ladders together have a limit, they share the tables by time: the next
 * table goes to the ladder that has used the least, relative to its share. A
 * ladder without players does not save up time for later.
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
    guests_release(&g);
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

/* A hand was added, so the unit has more games than when it began. */
void lobby_added(struct lobby_ladder *l, const int *entrant, int games)
{
    ladder_forget(l->memory, entrant, l->config->setup.seats, -games);
}

/* A new ladder must not keep a bot to itself until it has caught up. */
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

/* A ladder that is still loading will find the game in the index. */
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
