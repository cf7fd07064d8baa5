/* Swiss rounds with two seats: the cheapest pairing, by what matters most. */

#include "base/pool.h"
#include "league/matching.h"
#include "league/schedule_parts.h"

#include <stdlib.h>
#include <string.h>

/*
 * What a pair costs. Each kind outweighs all that can come together of the
 * kinds before it in one round: 128 pairs of them.
 */
#define FOLD       INT64_C(1)         /* a place off the ideal opponent; 255 */
#define SPREAD     (INT64_C(1) << 15) /* between two score groups, squared */
#define BYE_PLACE  (INT64_C(1) << 32) /* a place above the last */
#define REMATCH    (INT64_C(1) << 40)
#define UNFAIR_BYE (INT64_C(1) << 49) /* others had fewer */

enum {
    SPREAD_MAX = 31,
    REMATCH_MAX = 3,
    SEARCH_MAX = 64, /* entrants: the search is as deep as it has pairs */
    SEARCH_STEPS = 100000,
};

/*
 * Everybody by place, from 0. If they are odd, the last number is nobody: who
 * meets nobody has a bye.
 */
struct swiss {
    int n; /* even */
    int entrants;
    int entrant[SCHEDULE_ENTRANTS_MAX];
    int byes[SCHEDULE_ENTRANTS_MAX];
    int least_byes;
    int group[SCHEDULE_ENTRANTS_MAX]; /* of equal points, from 0 */
    int size[SCHEDULE_ENTRANTS_MAX];  /* of a group */
    int *met;                         /* n x n, how often; nobody too */
    int64_t *cost;                    /* n x n */
    struct pool pool;
};

static int limited(int value, int most)
{
    return value < most ? value : most;
}

static void fill_groups(struct swiss *w, const struct standing *standings)
{
    w->least_byes = standings[0].byes;
    for (int i = 0; i < w->entrants; i++) {
        const struct standing *at = &standings[i];

        w->entrant[i] = at->entrant;
        w->byes[i] = at->byes;
        w->least_byes = limited(w->least_byes, at->byes);
        if (i > 0)
            w->group[i] = w->group[i - 1] + (at->points != at[-1].points);
        w->size[w->group[i]]++;
    }
}

static void fill_met(struct swiss *w, const struct schedule *s)
{
    int n = w->entrants;
    int *meetings =
        pool_take(&w->pool, (size_t)n * (size_t)n * sizeof *meetings);

    count_meetings(s, meetings);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            w->met[i * w->n + j] = meetings[w->entrant[i] * n + w->entrant[j]];
        if (w->n > n)
            w->met[i * w->n + n] = w->met[n * w->n + i] = w->byes[i];
    }
}

static int64_t bye_cost(const struct swiss *w, int place)
{
    return BYE_PLACE * (w->entrants - 1 - place) +
           (w->byes[place] > w->least_byes ? UNFAIR_BYE : 0);
}

/* The places are in order: a stands above b. */
static int64_t pair_cost(const struct swiss *w, int a, int b)
{
    int64_t apart = limited(w->group[b] - w->group[a], SPREAD_MAX);
    int64_t met = limited(w->met[a * w->n + b], REMATCH_MAX);
    /* In a group half of it apart, else the last against the first. */
    int ideal = apart == 0 ? w->size[w->group[a]] / 2 : 0;

    return REMATCH * met + SPREAD * apart * apart + FOLD * abs(b - a - ideal);
}

static void fill_costs(struct swiss *w)
{
    for (int a = 0; a < w->n; a++)
        for (int b = a + 1; b < w->n; b++) {
            int64_t cost =
                b == w->entrants ? bye_cost(w, a) : pair_cost(w, a, b);

            w->cost[a * w->n + b] = w->cost[b * w->n + a] = cost;
        }
}

static void swiss_init(struct swiss *w, const struct schedule *s,
                       const struct standing *standings)
{
    size_t cells;

    *w = (struct swiss){.entrants = s->config.entrants};
    w->n = w->entrants + w->entrants % 2;
    cells = (size_t)w->n * (size_t)w->n;
    w->met = pool_take(&w->pool, cells * sizeof *w->met);
    w->cost = pool_take(&w->pool, cells * sizeof *w->cost);
    fill_groups(w, standings);
    fill_met(w, s);
    fill_costs(w);
}

/*
 * Looking ahead: are there so many more rounds in which nobody meets anybody
 * again? If everybody has at least half of the others still to meet before
 * each of them, there are, whatever is paired (Dirac). Else a search finds
 * them, or gives up after so many steps.
 */
struct search {
    const struct swiss *w;
    int rounds;
    bool *used; /* n x n: met, or taken in this search */
    int (*mate)[SCHEDULE_ENTRANTS_MAX];
    int steps;
};

static bool is_used(const struct search *f, int a, int b)
{
    return f->used[a * f->w->n + b];
}

static void use(struct search *f, int a, int b, bool used)
{
    f->used[a * f->w->n + b] = f->used[b * f->w->n + a] = used;
}

static bool is_easy(const struct search *f, int rounds)
{
    int n = f->w->n;

    for (int a = 0; a < n; a++) {
        int left = 0;

        for (int b = 0; b < n; b++)
            left += a != b && !is_used(f, a, b);
        if (2 * (left - rounds + 1) < n)
            return false;
    }
    return true;
}

static bool search_pair(struct search *f, int round);

/* Give a a mate in this round, and all that follow theirs. */
static bool try_mates(struct search *f, int round, int a)
{
    int *mate = f->mate[round];

    for (int b = a + 1; b < f->w->n; b++) {
        /* Rounds in another order are the same rounds. */
        if (a == 0 && round > 0 && b < f->mate[round - 1][0])
            continue;
        if (mate[b] >= 0 || is_used(f, a, b))
            continue;
        mate[a] = b;
        mate[b] = a;
        use(f, a, b, true);
        if (search_pair(f, round))
            return true;
        use(f, a, b, false);
        mate[a] = mate[b] = -1;
    }
    return false;
}

static bool search_round(struct search *f, int round)
{
    if (f->w->n > SEARCH_MAX)
        return false;
    if (round == f->rounds)
        return true;
    memset(f->mate[round], -1, sizeof f->mate[round]);
    return search_pair(f, round);
}

static bool search_pair(struct search *f, int round)
{
    int a = 0;

    while (a < f->w->n && f->mate[round][a] >= 0)
        a++;
    if (a == f->w->n)
        return search_round(f, round + 1);
    return ++f->steps <= SEARCH_STEPS && try_mates(f, round, a);
}

/* What is met already, and with these mates. */
static void search_init(struct search *f, struct swiss *w, int rounds,
                        const int *mate)
{
    *f = (struct search){.w = w, .rounds = rounds};
    f->used =
        pool_take(&w->pool, (size_t)w->n * (size_t)w->n * sizeof *f->used);
    f->mate = pool_take(&w->pool, (size_t)rounds * sizeof *f->mate);
    for (int i = 0; i < w->n * w->n; i++)
        f->used[i] = w->met[i] > 0;
    for (int a = 0; mate && a < w->n; a++)
        use(f, a, mate[a], true);
}

static int64_t cost_of(const struct swiss *w, const int *mate)
{
    int64_t sum = 0;

    for (int a = 0; a < w->n; a++)
        sum += a < mate[a] ? w->cost[a * w->n + mate[a]] : 0;
    return sum;
}

/* Do these mates leave enough for so many rounds more? */
static bool leave_enough(struct swiss *w, const int *mate, int rounds)
{
    struct search f;

    search_init(&f, w, rounds, mate);
    return is_easy(&f, rounds) || search_round(&f, 0);
}

/* The cheapest of some rounds that go together, if there are any. */
static void take_of_many(struct swiss *w, int *mate, int rounds)
{
    struct search f;
    int best = 0;

    search_init(&f, w, rounds, NULL);
    if (!search_round(&f, 0))
        return;
    for (int i = 1; i < rounds; i++)
        if (cost_of(w, f.mate[i]) < cost_of(w, f.mate[best]))
            best = i;
    memcpy(mate, f.mate[best], (size_t)w->n * sizeof *mate);
}

static void pair_all(struct swiss *w, int *mate, int rounds_left)
{
    matching_cheapest(w->n, w->cost, mate);
    if (rounds_left == 0 || cost_of(w, mate) >= REMATCH ||
        leave_enough(w, mate, rounds_left))
        return;
    take_of_many(w, mate, rounds_left + 1);
}

void make_swiss_round(struct schedule *s)
{
    struct standing standings[SCHEDULE_ENTRANTS_MAX];
    int mate[SCHEDULE_ENTRANTS_MAX + 1], round = s->round + 1, bye = -1;
    struct swiss w;

    schedule_standings(s, standings);
    if (s->config.seats > 2) {
        make_swiss_tables(s, standings);
        return;
    }
    swiss_init(&w, s, standings);
    pair_all(&w, mate, s->rounds - round - 1);
    for (int a = 0; a < w.entrants; a++) {
        if (mate[a] == w.entrants)
            bye = w.entrant[a];
        else if (a < mate[a])
            add_pairing(s, round, (int[]){w.entrant[a], w.entrant[mate[a]]}, 2);
    }
    if (bye >= 0)
        add_pairing(s, round, &bye, 1);
    pool_release(&w.pool);
}
