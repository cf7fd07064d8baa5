#include "league/similar.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_position(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;

    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    if (x->bot != y->bot)
        return x->bot - y->bot;
    return (x->move > y->move) - (x->move < y->move);
}

/* One choice of each bot in each position. Returns how many are left. */
static size_t drop_repeats(struct choice *c, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (kept == 0 || c[i].position != c[kept - 1].position ||
            c[i].bot != c[kept - 1].bot)
            c[kept++] = c[i];
    return kept;
}

/* Of the others in this position, how many moved so? */
static double chance_of(const struct choice *c, size_t count, size_t a,
                        size_t b)
{
    int same = 0;

    for (size_t i = 0; i < count; i++)
        same += i != a && i != b && c[i].move == c[a].move;
    return (same + 1.0) / ((double)count - 2 + 2);
}

static struct similar_pair *pair_of(struct similar_pair *table, int bots, int a,
                                    int b)
{
    return &table[(size_t)a * (size_t)bots + (size_t)b];
}

/* All choices in one position. */
static void count_position(struct similar_pair *table, int bots,
                           const struct choice *c, size_t count)
{
    if (count < 2 + SIMILAR_OTHERS)
        return;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            struct similar_pair *pair =
                pair_of(table, bots, c[i].bot, c[k].bot);

            pair->met++;
            pair->agreed += c[i].move == c[k].move;
            pair->expected +=
                (chance_of(c, count, i, k) + chance_of(c, count, k, i)) / 2;
        }
}

/* At most this is the chance that `share` or more of n agree. */
static double tail(double n, double share, double mean)
{
    double kl = 0;

    if (share <= mean)
        return 1;
    if (share > 0)
        kl += share * log(share / mean);
    if (share < 1)
        kl += (1 - share) * log((1 - share) / (1 - mean));
    return exp(-n * kl);
}

static double share_of(const struct similar_pair *pair)
{
    return pair->met > 0 ? (double)pair->agreed / pair->met : 0;
}

/* How often these two agree, a little more than they do, for it is the best of
 * many; 0 if they met too seldom. */
static double agreement(struct similar_pair *table, int bots, int x, int y)
{
    const struct similar_pair *pair =
        x < y ? pair_of(table, bots, x, y) : pair_of(table, bots, y, x);

    return pair->met < SIMILAR_MET_MIN
               ? 0
               : (pair->agreed + 1.0) / (pair->met + 2.0);
}

/* The best agreement of either of them with somebody else. */
static double nearest_of(struct similar_pair *table, int bots,
                         const struct similar_pair *pair)
{
    double best = 0;

    for (int i = 0; i < bots; i++) {
        if (i == pair->a || i == pair->b)
            continue;
        best = fmax(best, agreement(table, bots, pair->a, i));
        best = fmax(best, agreement(table, bots, pair->b, i));
    }
    return best;
}

static void judge(struct similar_pair *table, int bots, size_t pairs,
                  struct similar_pair *pair)
{
    double n = pair->met, share = share_of(pair);

    pair->nearest = nearest_of(table, bots, pair);
    pair->chance = tail(n, share, pair->expected / n) * (double)pairs;
    if (pair->chance > 1)
        pair->chance = 1;
    pair->is_odd =
        pair->met >= SIMILAR_MET_MIN && pair->chance < SIMILAR_LEVEL &&
        (pair->nearest == 0 || tail(n, share, pair->nearest) < SIMILAR_LEVEL);
}

static int by_chance(const void *a, const void *b)
{
    const struct similar_pair *x = a, *y = b;

    if (x->is_odd != y->is_odd)
        return y->is_odd - x->is_odd;
    if (x->chance != y->chance)
        return x->chance < y->chance ? -1 : 1;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

struct similar_pair *similar_pairs(struct choice *choices, size_t count,
                                   int bots, size_t *pairs)
{
    size_t cells = (size_t)bots * (size_t)bots, kept = 0;
    struct similar_pair *table = must_alloc(calloc(cells + 1, sizeof *table));

    for (int a = 0; a < bots; a++)
        for (int b = 0; b < bots; b++)
            *pair_of(table, bots, a, b) = (struct similar_pair){.a = a, .b = b};
    qsort(choices, count, sizeof *choices, by_position);
    count = drop_repeats(choices, count);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i;
             end < count && choices[end].position == choices[i].position;)
            end++;
        count_position(table, bots, &choices[i], end - i);
    }
    *pairs = 0;
    for (size_t i = 0; i < cells; i++)
        *pairs += table[i].met > 0;
    for (size_t i = 0; i < cells; i++)
        if (table[i].met > 0)
            judge(table, bots, *pairs, &table[i]);
    for (size_t i = 0; i < cells; i++)
        if (table[i].met > 0)
            table[kept++] = table[i];
    qsort(table, kept, sizeof *table, by_chance);
    return table;
}
