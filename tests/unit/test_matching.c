/* The cheapest matching, against one that tries everything. */

#include "cup.h"
#include "league/matching.h"

#include <criterion/criterion.h>

enum { TRIED = 12 };

static void fill(int n, int64_t *cost, uint64_t *chance, int range)
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++)
            cost[a * n + b] = cost[b * n + a] = cup_chance(chance, range);
}

static int64_t cost_of(int n, const int64_t *cost, const int *mate)
{
    int64_t sum = 0;

    for (int a = 0; a < n; a++) {
        cr_assert(mate[a] >= 0 && mate[a] != a && mate[mate[a]] == a);
        sum += a < mate[a] ? cost[a * n + mate[a]] : 0;
    }
    return sum;
}

/* The least for every set of vertices, from that for smaller sets. */
static int64_t least_cost(int n, const int64_t *cost)
{
    static int64_t least[1 << TRIED];

    least[0] = 0;
    for (unsigned set = 1; set < 1u << n; set++) {
        int a = __builtin_ctz(set);

        least[set] = INT64_MAX;
        if (__builtin_popcount(set) % 2)
            continue;
        for (int b = a + 1; b < n; b++)
            if (set & 1u << b) {
                int64_t sum =
                    cost[a * n + b] + least[set & ~(1u << a) & ~(1u << b)];

                least[set] = sum < least[set] ? sum : least[set];
            }
    }
    return least[(1u << n) - 1];
}

Test(matching, nothing_is_cheaper)
{
    static const int ranges[] = {2, 4, 30, 1000000};
    int64_t cost[TRIED * TRIED] = {0};
    uint64_t chance = 1;
    int mate[TRIED];

    for (int t = 0; t < 8000; t++) {
        int n = 2 + 2 * cup_chance(&chance, TRIED / 2);

        fill(n, cost, &chance, ranges[t % 4]);
        matching_cheapest(n, cost, mate);
        cr_assert_eq(cost_of(n, cost, mate), least_cost(n, cost));
    }
}

/*
 * Many vertices: each has a price, every pair costs at least the two prices,
 * and the pairs of one hidden matching cost just that: nothing can be cheaper.
 */
static void check_hidden(int n, int range, uint64_t chance)
{
    static int64_t cost[MATCHING_MAX * MATCHING_MAX];
    int64_t price[MATCHING_MAX], sum = 0;
    int order[MATCHING_MAX], mate[MATCHING_MAX];

    for (int i = 0; i < n; i++) {
        int j = cup_chance(&chance, i + 1);

        order[i] = order[j];
        order[j] = i;
        price[i] = cup_chance(&chance, range);
        sum += price[i];
    }
    fill(n, cost, &chance, range);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            cost[a * n + b] += price[a] + price[b];
    for (int i = 0; i < n; i += 2) {
        int a = order[i], b = order[i + 1];

        cost[a * n + b] = cost[b * n + a] = price[a] + price[b];
    }
    matching_cheapest(n, cost, mate);
    cr_assert_eq(cost_of(n, cost, mate), sum);
}

Test(matching, finds_the_hidden_one)
{
    for (uint64_t chance = 0; chance < 20; chance++) {
        check_hidden(64, 3, chance);
        check_hidden(64, 1 << 30, chance);
    }
    check_hidden(256, 4, 1);
    check_hidden(256, 1 << 30, 2);
}

/* As dear as can be, so that prices grow as far as they can. */
Test(matching, large_costs_do_not_overflow)
{
    enum { N = 256 };
    static int64_t cost[N * N];
    int mate[N];

    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
            cost[a * N + b] = a / 3 == b / 3 ? 0 : MATCHING_COST_MAX;
    matching_cheapest(N, cost, mate);
    /* 85 groups of three, in each of which one is left; one more alone. */
    cr_assert_eq(cost_of(N, cost, mate), 43 * MATCHING_COST_MAX);
}
