#include "league/share.h"

#include "league/steady.h"

#include <math.h>
#include <stdbool.h>

/* Between two in one game: beyond this exp would fade to 0. */
static const double widest_gap = 700;

static bool comes_before(const int *rank, const int *key, int a, int b)
{
    if (rank[a] != rank[b])
        return rank[a] < rank[b];
    return key && key[a] < key[b];
}

unsigned share_order(const int *rank, const int *key, int seats, int *order)
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

/* A choice among these places; who was chosen is counted elsewhere. */
static void choose(struct share *share, const int *place, int n, double weight)
{
    double p[SHARE_SEATS], sum = 0;

    for (int i = 0; i < n; i++)
        sum += share->w[place[i]];
    share->log_likelihood -= weight * steady_log(sum);
    for (int i = 0; i < n; i++) {
        double *bend = share->bend[place[i]];

        p[i] = share->w[place[i]] / sum;
        share->slope[place[i]] -= weight * p[i];
        bend[place[i]] += weight * p[i];
        for (int j = 0; j <= i; j++)
            bend[place[j]] -= weight * p[i] * p[j];
    }
}

/* 1 / (how many sets of k there are among n). */
static double one_of_sets(int n, int k)
{
    double sets = 1;

    for (int i = 1; i <= k; i++)
        sets = sets * (n - k + i) / i;
    return 1 / sets;
}

/* Places from..to-1 tie; those from `to` on are worse. */
static void choose_tied(struct share *share, int from, int to)
{
    int tied = to - from;

    for (unsigned set = 1; set < 1U << tied; set++) {
        int place[SHARE_SEATS], n = 0, chosen;

        for (int i = 0; i < tied; i++)
            if (set >> i & 1)
                place[n++] = from + i;
        chosen = n;
        for (int i = to; i < share->seats; i++)
            place[n++] = i;
        choose(share, place, n, one_of_sets(tied, chosen));
    }
}

static void choose_all(struct share *share, unsigned tied)
{
    for (int from = 0, to; from < share->seats; from = to) {
        for (to = from + 1; to < share->seats && tied >> to & 1; to++)
            ;
        choose_tied(share, from, to);
    }
}

static double best_of(const double *strength, int seats)
{
    double best = strength[0];

    for (int i = 1; i < seats; i++)
        best = fmax(best, strength[i]);
    return best;
}

void share_measure(struct share *share, const double *strength, int seats,
                   unsigned tied)
{
    double best = best_of(strength, seats);

    *share = (struct share){.seats = seats};
    for (int i = 0; i < seats; i++) {
        double behind = fmax(strength[i] - best, -widest_gap);

        share->w[i] = steady_exp(behind);
        share->slope[i] = 1;
        share->log_likelihood += behind;
    }
    choose_all(share, tied);
}
