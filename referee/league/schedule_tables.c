/* Swiss rounds with more than two seats: tables by score, few repetitions. */

#include "base/pool.h"
#include "league/schedule_parts.h"

#include <stdlib.h>
#include <string.h>

/* A repeated meeting weighs more than all differences of scores. */
#define AGAIN (INT64_C(1) << 32)

enum { KICKS = 20000, KICKS_MAX = 400, KICK_SWAPS = 3 };

struct tables {
    int entrants, seats, tables;
    int who[SCHEDULE_ENTRANTS_MAX];   /* table by table */
    int group[SCHEDULE_ENTRANTS_MAX]; /* of an entrant: of equal points, from 0
                                       */
    const int *meetings;              /* entrants x entrants */
    uint32_t chance;                  /* the same in every run */
};

static int64_t pair_cost(const struct tables *t, int a, int b)
{
    int64_t met = t->meetings[a * t->entrants + b];
    int64_t apart = t->group[a] - t->group[b];

    return AGAIN * met * met + apart * apart;
}

/* What one would cost at a table, on the seat of whoever sits there. */
static int64_t cost_at(const struct tables *t, int entrant, int seat)
{
    int first = seat - seat % t->seats;
    int64_t sum = 0;

    for (int i = first; i < first + t->seats; i++)
        if (i != seat)
            sum += pair_cost(t, entrant, t->who[i]);
    return sum;
}

static int64_t total_cost(const struct tables *t)
{
    int64_t sum = 0;

    for (int i = 0; i < t->tables * t->seats; i++)
        sum += cost_at(t, t->who[i], i);
    return sum / 2;
}

static void swap(struct tables *t, int i, int j)
{
    int old = t->who[i];

    t->who[i] = t->who[j];
    t->who[j] = old;
}

/* i and j are at different tables. */
static bool is_better_swapped(const struct tables *t, int i, int j)
{
    int a = t->who[i], b = t->who[j];

    return cost_at(t, a, j) + cost_at(t, b, i) <
           cost_at(t, a, i) + cost_at(t, b, j);
}

/* Swap two as long as it helps. */
static void improve(struct tables *t)
{
    int n = t->tables * t->seats;
    bool again = true;

    while (again) {
        again = false;
        for (int i = 0; i < n; i++)
            for (int j = i - i % t->seats + t->seats; j < n; j++)
                if (is_better_swapped(t, i, j)) {
                    swap(t, i, j);
                    again = true;
                }
    }
}

static int any_seat(struct tables *t)
{
    t->chance = t->chance * 1664525 + 1013904223;
    return (int)((t->chance >> 8) % (uint32_t)(t->tables * t->seats));
}

/*
 * Some still meet again: disturb a copy, improve it, and see whether it gets
 * better.
 */
static void shake(struct tables *t)
{
    int kicks = KICKS / t->entrants;
    int64_t best = total_cost(t);

    for (int i = 0; i < kicks && i < KICKS_MAX && best >= AGAIN; i++) {
        struct tables other = *t;

        for (int k = 0; k < KICK_SWAPS; k++)
            swap(&other, any_seat(&other), any_seat(&other));
        improve(&other);
        t->chance = other.chance;
        if (total_cost(&other) < best) {
            best = total_cost(&other);
            *t = other;
        }
    }
}

/* Tables among equals: to and fro, so that the best do not sit together. */
static void deal_to_and_fro(struct tables *t, const int *list, int first,
                            int tables)
{
    for (int i = 0; i < tables * t->seats; i++) {
        int lap = i / tables, at = i % tables;
        int table = first + (lap % 2 ? tables - 1 - at : at);

        t->who[table * t->seats + lap] = list[first * t->seats + i];
    }
}

/* From the top down; tables with the same points throughout are dealt. */
static void deal(struct tables *t, const int *list)
{
    for (int first = 0; first < t->tables;) {
        int group = t->group[list[first * t->seats]], end = first;

        while (end < t->tables &&
               t->group[list[(end + 1) * t->seats - 1]] == group)
            end++;
        if (end == first)
            end++;
        deal_to_and_fro(t, list, first, end - first);
        first = end;
    }
}

/* Must this one sit out before the other? */
static bool sits_out_first(const struct standing *a, const struct standing *b)
{
    return a->byes != b->byes ? a->byes < b->byes : a > b; /* a is lower */
}

/* The entrants that sit out: the lowest of those with the fewest byes. */
static void choose_byes(const struct standing *standings, int entrants,
                        int byes, bool *sits_out)
{
    for (int k = 0; k < byes; k++) {
        const struct standing *choice = NULL;

        for (const struct standing *at = standings; at < standings + entrants;
             at++)
            if (!sits_out[at->entrant] &&
                (!choice || sits_out_first(at, choice)))
                choice = at;
        sits_out[choice->entrant] = true;
    }
}

static void fill_groups(struct tables *t, const struct standing *standings)
{
    int group = 0;

    for (int i = 0; i < t->entrants; i++) {
        if (i > 0 && standings[i].points != standings[i - 1].points)
            group++;
        t->group[standings[i].entrant] = group;
    }
}

static void add_all(struct schedule *s, const struct tables *t,
                    const bool *sits_out)
{
    int round = s->round + 1;

    for (int i = 0; i < t->tables; i++)
        add_pairing(s, round, &t->who[i * t->seats], t->seats);
    for (int i = 0; i < t->entrants; i++)
        if (sits_out[i])
            add_pairing(s, round, &i, 1);
}

void make_swiss_tables(struct schedule *s, const struct standing *standings)
{
    int n = s->config.entrants, seats = s->config.seats, len = 0;
    int list[SCHEDULE_ENTRANTS_MAX];
    bool sits_out[SCHEDULE_ENTRANTS_MAX] = {0};
    struct tables t = {.entrants = n, .seats = seats, .tables = n / seats};
    struct pool pool = {0};
    int *meetings = pool_take(&pool, (size_t)n * (size_t)n * sizeof *meetings);

    count_meetings(s, meetings);
    t.meetings = meetings;
    fill_groups(&t, standings);
    choose_byes(standings, n, n % seats, sits_out);
    for (int i = 0; i < n; i++)
        if (!sits_out[standings[i].entrant])
            list[len++] = standings[i].entrant;
    deal(&t, list);
    improve(&t);
    shake(&t);
    add_all(s, &t, sits_out);
    pool_release(&pool);
}
