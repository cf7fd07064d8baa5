#include "league/likelihood.h"

#include <stdbool.h>

static bool comes_before(const int *rank, const int *key, int a, int b)
{
    if (rank[a] != rank[b])
        return rank[a] < rank[b];
    return key && key[a] < key[b];
}

unsigned likelihood_order(const int *rank, const int *key, int seats,
                          int *order)
{
    unsigned tied = 0;

    for (int i = 0; i < seats; i++) {
        int at = i;

        for (; at > 0 && comes_before(rank, key, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 1; i < seats; i++)
        if (rank[order[i]] == rank[order[i - 1]])
            tied |= 1U << i;
    return tied;
}

/* Many factors and few logarithms. */
struct product {
    double log, value;
};

static void multiply(struct product *p, double factor)
{
    p->value *= factor;
    if (p->value > 1e-150 && p->value < 1e150)
        return;
    p->log += exact_log(p->value);
    p->value = 1;
}

static double product_log(const struct product *p)
{
    return p->log + exact_log(p->value);
}

static bool is_tied(unsigned tied, int place)
{
    return tied >> place & 1;
}

/*
 * The best of each rank is chosen among all from there on; the others of that
 * rank are as good. One that is last alone is not chosen.
 */
static void choose_ranks(struct likelihood *s, unsigned tied)
{
    struct product likely = {0, 1};
    double sum[LIKELIHOOD_SEATS], once = 0, twice = 0;
    int last = s->seats - 1, chosen = is_tied(tied, last) ? s->seats : last;

    sum[last] = s->w[last];
    for (int i = last; i-- > 0;)
        sum[i] = s->w[i] + sum[i + 1];
    for (int i = 0; i < chosen; i++) {
        double part = is_tied(tied, i) ? 0 : 1 / sum[i];

        once += part;
        twice += part * part;
        s->slope[i] = 1 - s->w[i] * once;
        for (int j = i + 1; j <= last; j++)
            s->bond[i][j] = s->w[i] * s->w[j] * twice;
        multiply(&likely, is_tied(tied, i) ? s->w[i] : s->w[i] * part);
    }
    if (chosen == last)
        s->slope[last] = -s->w[last] * once;
    s->log_likelihood = product_log(&likely);
}

/* A choice among these places; returns the sum of their strengths. */
static double choose(struct likelihood *s, const int *place, int n,
                     double weight)
{
    double p[LIKELIHOOD_SEATS], sum = 0;

    for (int i = 0; i < n; i++)
        sum += s->w[place[i]];
    for (int i = 0; i < n; i++) {
        p[i] = s->w[place[i]] / sum;
        s->slope[place[i]] -= weight * p[i];
        for (int j = 0; j < i; j++)
            s->bond[place[j]][place[i]] += weight * p[i] * p[j];
    }
    return sum;
}

/* 1 / (how many sets of k there are among n). */
static double one_of_sets(int n, int k)
{
    double sets = 1;

    for (int i = 1; i <= k; i++)
        sets = sets * (n - k + i) / i;
    return 1 / sets;
}

/*
 * Places from..to-1 tie, those from `to` on are worse. If n of the tied are
 * still to be chosen, each set of n of them counts alike. All of them are done
 * with already.
 */
static void choose_tied(struct likelihood *s, int from, int to)
{
    struct product sums[LIKELIHOOD_SEATS];
    double weight[LIKELIHOOD_SEATS];
    int tied = to - from;

    for (int n = 1; n < tied; n++) {
        sums[n] = (struct product){0, 1};
        weight[n] = one_of_sets(tied, n);
    }
    for (unsigned set = 1; set < (1U << tied) - 1; set++) {
        int place[LIKELIHOOD_SEATS], n = 0, all;

        for (int i = from; i < to; i++)
            if (set >> (i - from) & 1)
                place[n++] = i;
        all = n;
        for (int i = to; i < s->seats; i++)
            place[all++] = i;
        multiply(&sums[n], choose(s, place, all, weight[n]));
    }
    for (int n = 1; n < tied; n++)
        s->log_likelihood -= weight[n] * product_log(&sums[n]);
}

static void choose_all_tied(struct likelihood *s, unsigned tied)
{
    for (int from = 0, to; from < s->seats; from = to) {
        for (to = from + 1; to < s->seats && is_tied(tied, to); to++)
            ;
        choose_tied(s, from, to);
    }
}

void likelihood_measure(struct likelihood *s,
                        const struct strength *const *place, int seats,
                        unsigned tied)
{
    int best = place[0]->k;

    for (int i = 1; i < seats; i++)
        best = place[i]->k > best ? place[i]->k : best;
    s->seats = seats;
    for (int i = 0; i < seats; i++)
        s->w[i] = strength_in(place[i], best);
    choose_ranks(s, tied);
    if (tied)
        choose_all_tied(s, tied);
}

double likelihood_curvature(const struct likelihood *s, int place)
{
    double sum = 0;

    for (int i = 0; i < s->seats; i++)
        if (i != place)
            sum += i < place ? s->bond[i][place] : s->bond[place][i];
    return sum;
}
