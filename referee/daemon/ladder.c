#include "daemon/ladder.h"

#include "base/alloc.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MET_MAX = INT_MAX / 16, /* more meetings than anybody has */
    NOBODY = -1,
    FAILURES = 3,        /* that may come in a row */
    OWNER_FAILURES = 12, /* of the bots of one owner */
    GIFTS = 3,           /* games in a row that one bot may give to another */
};

/* How often two entrants have met; an empty slot has both numbers 0. */
struct meeting {
    int a, b; /* their numbers + 1, a < b */
    int games;
    /* Between names: games that one of them resigned or forfeited. */
    int giver;
    struct streak gifts;
};

struct meetings {
    struct meeting *slot;
    int count, cap; /* a power of two */
};

/*
 * Maps the numbers of the index to entrants, with how far the index was read.
 */
struct loading {
    bool has_begun;
    int *entrant; /* by version */
    int cap;
    struct index_mark mark;
};

struct ladder {
    struct entrant *entrant;
    int entrants, entrant_cap;
    int *slot;             /* by name and version: a number, or NOBODY */
    int slot_cap;          /* a power of two */
    struct meetings met;   /* entrants */
    struct meetings given; /* names */
    struct accounts names, owners;
    int64_t now_us;   /* when it is chosen who plays, ... */
    int64_t wakes_us; /* ... and when somebody could play who cannot then */
    int64_t units;    /* begun */
    bool owners_meet;
    struct loading loading;
};

struct ladder *ladder_new(void)
{
    struct ladder *l = must_resize(NULL, 1, sizeof *l);

    *l = (struct ladder){0};
    return l;
}

void ladder_free(struct ladder *l)
{
    if (!l)
        return;
    free(l->entrant);
    free(l->slot);
    free(l->met.slot);
    free(l->given.slot);
    accounts_release(&l->names);
    accounts_release(&l->owners);
    free(l->loading.entrant);
    free(l);
}

/* Entrants. */

/* FNV-1a */
static uint32_t hash_text(const char *text, uint32_t hash)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

static uint32_t name_hash(const char *name)
{
    return hash_text(name, 2166136261u);
}

/* The slot that holds this entrant, or its place. */
static int find_slot(const struct ladder *l, const char *name,
                     const char *version)
{
    uint32_t hash = hash_text(version, name_hash(name) * 31);
    int i = (int)(hash & (uint32_t)(l->slot_cap - 1));

    for (; l->slot[i] != NOBODY; i = (i + 1) & (l->slot_cap - 1)) {
        const struct entrant *e = &l->entrant[l->slot[i]];

        if (strcmp(e->name, name) == 0 && strcmp(e->version, version) == 0)
            break;
    }
    return i;
}

static void keep_place(struct ladder *l, int number)
{
    const struct entrant *e = &l->entrant[number];

    l->slot[find_slot(l, e->name, e->version)] = number;
}

static void grow_slots(struct ladder *l)
{
    l->slot_cap = l->slot_cap ? 2 * l->slot_cap : 64;
    l->slot = must_resize(l->slot, (size_t)l->slot_cap, sizeof *l->slot);
    for (int i = 0; i < l->slot_cap; i++)
        l->slot[i] = NOBODY;
    for (int i = 0; i < l->entrants; i++)
        keep_place(l, i);
}

static int add_entrant(struct ladder *l, const char *name, const char *version,
                       int64_t now_us)
{
    struct entrant *e;

    if (l->entrants == l->entrant_cap) {
        l->entrant_cap = l->entrant_cap ? 2 * l->entrant_cap : 32;
        l->entrant =
            must_resize(l->entrant, (size_t)l->entrant_cap, sizeof *l->entrant);
    }
    e = &l->entrant[l->entrants];
    *e = (struct entrant){.skill = skill_unknown,
                          .begun_us = now_us,
                          .ended_us = now_us,
                          .name_account = accounts_of(&l->names, name),
                          .owner_account = NO_ACCOUNT};
    snprintf(e->name, sizeof e->name, "%s", name);
    snprintf(e->version, sizeof e->version, "%s", version);
    keep_place(l, l->entrants);
    return l->entrants++;
}

int ladder_find(const struct ladder *l, const char *name, const char *version)
{
    return l->slot_cap ? l->slot[find_slot(l, name, version)] : NOBODY;
}

int ladder_enter(struct ladder *l, const char *name, const char *version,
                 int64_t now_us)
{
    int number;

    if (2 * l->entrants >= l->slot_cap)
        grow_slots(l);
    number = l->slot[find_slot(l, name, version)];
    return number != NOBODY ? number : add_entrant(l, name, version, now_us);
}

int ladder_entrants(const struct ladder *l)
{
    return l->entrants;
}

const struct entrant *ladder_entrant(const struct ladder *l, int number)
{
    return &l->entrant[number];
}

/* Meetings. */

static struct meeting *find_meeting(const struct meetings *m, int a, int b)
{
    uint32_t mask = (uint32_t)(m->cap - 1), i;

    if (a > b) {
        int hold = a;

        a = b;
        b = hold;
    }
    i = ((uint32_t)a * 2654435761u ^ (uint32_t)b * 2246822519u) & mask;
    while (m->slot[i].a && (m->slot[i].a != a + 1 || m->slot[i].b != b + 1))
        i = (i + 1) & mask;
    return &m->slot[i];
}

int ladder_meetings(const struct ladder *l, int a, int b)
{
    return l->met.cap ? find_meeting(&l->met, a, b)->games : 0;
}

static void grow_meetings(struct meetings *m)
{
    struct meetings old = *m;

    m->cap = old.cap ? 2 * old.cap : 64;
    m->slot = must_resize(NULL, (size_t)m->cap, sizeof *m->slot);
    memset(m->slot, 0, (size_t)m->cap * sizeof *m->slot);
    for (int i = 0; i < old.cap; i++)
        if (old.slot[i].a)
            *find_meeting(m, old.slot[i].a - 1, old.slot[i].b - 1) =
                old.slot[i];
    free(old.slot);
}

/* Their meetings, new or known. */
static struct meeting *meeting_of(struct meetings *all, int a, int b)
{
    struct meeting *m;

    if (2 * all->count >= all->cap)
        grow_meetings(all);
    m = find_meeting(all, a, b);
    if (!m->a) {
        all->count++;
        m->a = (a < b ? a : b) + 1;
        m->b = (a < b ? b : a) + 1;
    }
    return m;
}

static void count_games(struct ladder *l, const int *entrant, int seats,
                        int games)
{
    for (int i = 0; i < seats; i++) {
        l->entrant[entrant[i]].games += games;
        for (int j = 0; j < i; j++)
            meeting_of(&l->met, entrant[i], entrant[j])->games += games;
    }
}

/* Games. */

static void bring_version(struct ladder *l, struct entrant *e, int64_t now_us)
{
    struct account *owner = accounts_at(&l->owners, e->owner_account);

    account_fresh(accounts_at(&l->names, e->name_account), now_us);
    if (owner)
        account_fresh(owner, now_us);
}

void ladder_begin(struct ladder *l, const int *entrant, int seats, int games,
                  int64_t now_us)
{
    count_games(l, entrant, seats, games);
    l->units++;
    for (int i = 0; i < seats; i++) {
        struct entrant *e = &l->entrant[entrant[i]];

        if (e->is_guest && e->games == games && e->unit == 0)
            bring_version(l, e, now_us);
        e->running++;
        e->begun_us = now_us;
        e->unit = l->units;
    }
}

void ladder_forget(struct ladder *l, const int *entrant, int seats, int games)
{
    count_games(l, entrant, seats, -games);
}

void ladder_end(struct ladder *l, const int *entrant, int seats, int64_t now_us)
{
    for (int i = 0; i < seats; i++) {
        struct entrant *e = &l->entrant[entrant[i]];

        e->running--;
        e->ended_us = now_us;
        accounts_at(&l->names, e->name_account)->played_us +=
            now_us - e->begun_us;
    }
}

int64_t ladder_played(struct ladder *l, const char *name)
{
    return accounts_at(&l->names, accounts_of(&l->names, name))->played_us;
}

void ladder_play_at_least(struct ladder *l, const char *name, int64_t us)
{
    struct account *a = accounts_at(&l->names, accounts_of(&l->names, name));

    if (us > a->played_us)
        a->played_us = us;
}

void ladder_own(struct ladder *l, int entrant, const char *owner)
{
    l->entrant[entrant].owner_account =
        owner && owner[0] ? accounts_of(&l->owners, owner) : (int)NO_ACCOUNT;
}

void ladder_vouch(struct ladder *l, int entrant, const char *owner)
{
    l->entrant[entrant].is_guest = true;
    ladder_own(l, entrant, owner);
}

void ladder_let_owners_meet(struct ladder *l, bool they_may)
{
    l->owners_meet = they_may;
}

static struct account *name_of(const struct ladder *l, const struct entrant *e)
{
    return accounts_at(&l->names, e->name_account);
}

static struct account *owner_of(const struct ladder *l, const struct entrant *e)
{
    return accounts_at(&l->owners, e->owner_account);
}

int64_t ladder_failed(struct ladder *l, int entrant, bool failed,
                      int64_t began_us, int64_t now_us)
{
    struct entrant *e = &l->entrant[entrant];
    struct account *owner = owner_of(l, e);
    int64_t rest, more = 0;

    rest = streak_count(&e->streak, FAILURES, failed, began_us, now_us);
    if (!e->is_guest)
        return rest;
    if (owner)
        streak_count(&owner->streak, OWNER_FAILURES, failed, began_us, now_us);
    more = streak_count(&name_of(l, e)->streak, FAILURES, failed, began_us,
                        now_us);
    return more > rest ? more : rest;
}

int ladder_failures(const struct ladder *l, int entrant)
{
    const struct entrant *e = &l->entrant[entrant];

    return e->is_guest ? name_of(l, e)->streak.failures : e->streak.failures;
}

int64_t ladder_rests_until(const struct ladder *l, int entrant)
{
    const struct entrant *e = &l->entrant[entrant];
    const struct account *owner = owner_of(l, e);
    int64_t until = e->streak.rests_us;

    if (!e->is_guest)
        return until;
    if (name_of(l, e)->streak.rests_us > until)
        until = name_of(l, e)->streak.rests_us;
    if (owner && owner->streak.rests_us > until)
        until = owner->streak.rests_us;
    return until;
}

int64_t ladder_gave(struct ladder *l, int a, int b, int giver, int64_t began_us,
                    int64_t now_us)
{
    const struct entrant *x = &l->entrant[a], *y = &l->entrant[b];
    struct meeting *m;
    int name;

    if ((!x->is_guest && !y->is_guest) || x->name_account == y->name_account)
        return 0;
    m = meeting_of(&l->given, x->name_account, y->name_account);
    name = giver == NO_ENTRANT ? NOBODY : l->entrant[giver].name_account;
    if (name != m->giver && name != NOBODY)
        m->gifts = (struct streak){0};
    m->giver = name;
    return streak_count(&m->gifts, GIFTS, name != NOBODY, began_us, now_us);
}

int64_t ladder_full_until(const struct ladder *l, int entrant, int most,
                          int64_t now_us)
{
    const struct entrant *e = &l->entrant[entrant];
    const struct account *owner = owner_of(l, e);
    int64_t until = 0, more;

    if (!e->is_guest || e->games > 0 || e->unit > 0)
        return 0;
    until = account_full_until(name_of(l, e), most, now_us);
    more = owner ? account_full_until(owner, 2 * most, now_us) : 0;
    return more > until ? more : until;
}

void ladder_refused(struct ladder *l, int entrant)
{
    l->entrant[entrant].refuses = true;
}

static void learn(struct ladder *l, const int *entrant, const int *rank,
                  int seats)
{
    struct skill *skill[SEATS_MAX];

    for (int i = 0; i < seats; i++)
        skill[i] = &l->entrant[entrant[i]].skill;
    weng_lin_update(skill, rank, seats);
    count_games(l, entrant, seats, 1);
}

void ladder_learn(struct ladder *l, const struct game_summary *b,
                  int64_t now_us)
{
    int entrant[SEATS_MAX], rank[SEATS_MAX];

    if (b->status != SUMMARY_FINISHED)
        return;
    for (int i = 0; i < b->seats; i++) {
        const struct summary_seat *seat = &b->seat[i];

        rank[i] = seat->rank;
        entrant[i] = ladder_enter(l, seat->name, seat->version, now_us);
        l->entrant[entrant[i]].learnt_us = now_us;
    }
    learn(l, entrant, rank, b->seats);
}

bool ladder_has_news(const struct ladder *l, int entrant)
{
    return l->entrant[entrant].learnt_us > l->entrant[entrant].told_us;
}

void ladder_told(struct ladder *l, int entrant, int64_t began_us)
{
    l->entrant[entrant].told_us = began_us;
}

/* Loading. */

static bool load_version(void *arg, const struct index_standing *row)
{
    struct ladder *l = arg;
    struct loading *g = &l->loading;
    int old_cap = g->cap;

    if (row->version >= old_cap) {
        g->cap = 2 * row->version + 64;
        g->entrant =
            must_resize(g->entrant, (size_t)g->cap, sizeof *g->entrant);
        for (int i = old_cap; i < g->cap; i++)
            g->entrant[i] = NOBODY;
    }
    g->entrant[row->version] = ladder_enter(l, row->name, row->text, 0);
    return true;
}

static bool load_result(void *arg, const struct index_result *result)
{
    struct ladder *l = arg;
    const struct loading *g = &l->loading;
    int entrant[SEATS_MAX];

    for (int i = 0; i < result->seats; i++) {
        int version = result->version[i];

        if (version >= g->cap || g->entrant[version] == NOBODY)
            return true; /* added since the versions were asked for */
        entrant[i] = g->entrant[version];
    }
    learn(l, entrant, result->rank, result->seats);
    return true;
}

static void end_loading(struct ladder *l)
{
    free(l->loading.entrant);
    l->loading = (struct loading){0};
}

bool ladder_load_part(struct ladder *l, struct index *index, const char *name,
                      int games, bool *done, struct err *err)
{
    struct loading *g = &l->loading;

    *done = false;
    if (!g->has_begun && !index_standings(index, name, load_version, l, err))
        return false;
    g->has_begun = true;
    if (!index_results_part(index, name, games, &g->mark, done, load_result, l,
                            err))
        return false;
    if (*done)
        end_loading(l);
    return true;
}

bool ladder_load(struct ladder *l, struct index *index, const char *name,
                 struct err *err)
{
    bool done;

    return ladder_load_part(l, index, name, INT_MAX, &done, err);
}

/* Choosing. */

struct choice {
    struct ladder *ladder;
    const struct offer *offers;
    int bound;
};

/* Are they kept apart, as bots of one owner or for a while? */
static bool are_apart(struct ladder *l, const struct entrant *x,
                      const struct entrant *y)
{
    int64_t until;

    if (x->name_account == y->name_account)
        return true;
    if (!l->owners_meet && x->owner_account != NO_ACCOUNT &&
        x->owner_account == y->owner_account)
        return true;
    if (l->given.count == 0)
        return false;
    until = find_meeting(&l->given, x->name_account, y->name_account)
                ->gifts.rests_us;
    if (until > l->now_us && until < l->wakes_us)
        l->wakes_us = until;
    return until > l->now_us;
}

/* Pairs that must not meet count as having met too often. */
static int meetings_of(void *arg, int a, int b)
{
    const struct choice *c = arg;
    struct ladder *l = c->ladder;
    int x = c->offers[a].entrant, y = c->offers[b].entrant;

    if (x == y || are_apart(l, &l->entrant[x], &l->entrant[y]))
        return c->bound;
    return ladder_meetings(l, x, y);
}

/* The whole unit must stay within the limit. */
static int bound_of(int most, int games)
{
    if (most == 0)
        return MET_MAX;
    return most < games ? 1 : most - games + 1;
}

bool ladder_may_meet(const struct ladder *l, int a, int b, int most, int games)
{
    return ladder_meetings(l, a, b) < bound_of(most, games);
}

bool ladder_would_repeat(const struct ladder *l, const struct offer *offers,
                         int count)
{
    int64_t unit = l->entrant[offers[0].entrant].unit;

    for (int i = 1; i < count; i++)
        if (l->entrant[offers[i].entrant].unit != unit)
            return false;
    return unit != 0;
}

bool ladder_choose(struct ladder *l, const struct pairing_rules *rules,
                   int games, const struct offer *offers, int count,
                   int64_t now_us, struct rng *rng, int *chosen)
{
    struct choice c = {l, offers, bound_of(rules->meetings_max, games)};
    struct pairing_rules bounded = *rules;
    struct pairing_bot *bots;
    bool found;

    l->now_us = now_us;
    l->wakes_us = INT64_MAX;
    if (count < rules->seats)
        return false;
    bots = must_resize(NULL, (size_t)count, sizeof *bots);
    for (int i = 0; i < count; i++) {
        const struct entrant *e = &l->entrant[offers[i].entrant];

        bots[i] = (struct pairing_bot){.skill = e->skill,
                                       .idle_us = offers[i].idle_us,
                                       .games = e->games,
                                       .running = e->running};
    }
    bounded.meetings_max = c.bound;
    found = pairing_choose(&bounded, bots, count, meetings_of, &c, rng, chosen);
    free(bots);
    return found;
}

int64_t ladder_wakes(const struct ladder *l)
{
    return l->wakes_us;
}
