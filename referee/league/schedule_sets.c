/* Round robins and gauntlets: all sets of entrants, in a fair order. */

#include "base/pool.h"
#include "league/schedule_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int64_t count_sets(int n, int k)
{
    int64_t count = 1;

    for (int i = 1; i <= k; i++) {
        count = count * (n - k + i) / i;
        if (count > INT32_MAX)
            return INT32_MAX; /* more than anybody wants to know */
    }
    return count;
}

/*
 * All sets of k out of n, in families: a family is a set, and that set moved
 * on by one, by two, ... round a circle of all n. So after each family
 * everybody has come equally often, and has been the first, the second, ... of
 * a set equally often.
 */

struct sets {
    int n, k;
    int count;
    int (*set)[SEATS_MAX];
    int *family;
    struct pool pool;
};

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void move_on(const struct sets *all, const int *set, int by, int *out)
{
    for (int i = 0; i < all->k; i++)
        out[i] = (set[i] + by) % all->n;
}

/* Compare a set, moved on, with another one that is in order. */
static int compare_moved(const struct sets *all, const int *set, int by,
                         const int *other)
{
    int moved[SEATS_MAX];

    move_on(all, set, by, moved);
    qsort(moved, (size_t)all->k, sizeof *moved, by_number);
    for (int i = 0; i < all->k; i++)
        if (moved[i] != other[i])
            return moved[i] - other[i];
    return 0;
}

/* Does the family come under the name of this set, the least of it? */
static bool is_first(const struct sets *all, const int *set)
{
    for (int i = 0; i < all->k; i++)
        if (compare_moved(all, set, all->n - set[i], set) < 0)
            return false;
    return true;
}

static void add_family(struct sets *all, const int *set, int family)
{
    for (int by = 0; by < all->n; by++) {
        if (by > 0 && compare_moved(all, set, by, set) == 0)
            return;
        move_on(all, set, by, all->set[all->count]);
        all->family[all->count++] = family;
    }
}

/* The next set in the order of the numbers; false behind the last. */
static bool next_set(const struct sets *all, int *set)
{
    int i = all->k - 1;

    while (i >= 0 && set[i] == all->n - all->k + i)
        i--;
    if (i < 0)
        return false;
    set[i]++;
    for (int j = i + 1; j < all->k; j++)
        set[j] = set[j - 1] + 1;
    return true;
}

static void sets_init(struct sets *all, int n, int k)
{
    size_t count = (size_t)count_sets(n, k);
    int set[SEATS_MAX] = {0}, families = 0;

    *all = (struct sets){.n = n, .k = k};
    all->set = pool_take(&all->pool, count * sizeof *all->set);
    all->family = pool_take(&all->pool, count * sizeof *all->family);
    for (int i = 0; i < k; i++)
        set[i] = i;
    do {
        if (is_first(all, set))
            add_family(all, set, families++);
    } while (next_set(all, set));
    assert((size_t)all->count == count);
}

/* A pairing whose first game begins with the entrant number `first`. */
static void add_rotated(struct schedule *s, int round, const int *entrants,
                        int first)
{
    int n = s->config.seats, turned[SEATS_MAX];

    for (int i = 0; i < n; i++)
        turned[i] = entrants[(i + first) % n];
    add_pairing(s, round, turned, n);
}

/* Round robins. */

/* One sits still, the others move round the table; n is even. */
static void make_circle(struct schedule *s, int cycle)
{
    int n = s->config.entrants + s->config.entrants % 2, ring = n - 1;

    for (int round = 0; round < ring; round++)
        for (int i = 0; i < n / 2; i++) {
            int pair[2] = {(round + i) % ring, (round + ring - i) % ring};

            if (i == 0)
                pair[1] = ring;
            /* Only who sits still would always be the second. */
            if (pair[0] < s->config.entrants && pair[1] < s->config.entrants)
                add_rotated(s, cycle * ring + round, pair,
                            cycle + (i == 0 ? round : 0));
        }
}

static void make_families(struct schedule *s)
{
    struct sets all;
    int families;

    sets_init(&all, s->config.entrants, s->config.seats);
    families = all.family[all.count - 1] + 1;
    for (int cycle = 0; cycle < s->config.cycles; cycle++)
        for (int i = 0; i < all.count; i++)
            add_rotated(s, cycle * families + all.family[i], all.set[i], cycle);
    pool_release(&all.pool);
}

void make_round_robin(struct schedule *s)
{
    if (s->config.seats > 2) {
        make_families(s);
        return;
    }
    for (int cycle = 0; cycle < s->config.cycles; cycle++)
        make_circle(s, cycle);
}

/* In a round each challenger meets a set of the others, each another one. */
void make_gauntlet(struct schedule *s)
{
    int challengers = s->config.challengers;
    struct sets all;

    sets_init(&all, s->config.entrants - challengers, s->config.seats - 1);
    for (int round = 0; round < s->config.cycles * all.count; round++)
        for (int c = 0; c < challengers; c++) {
            const int *set = all.set[(round + c) % all.count];
            int entrants[SEATS_MAX] = {c};

            for (int i = 0; i < all.k; i++)
                entrants[i + 1] = challengers + set[i];
            add_rotated(s, round, entrants, round);
        }
    pool_release(&all.pool);
}
