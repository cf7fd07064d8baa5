#include "league/plackett.h"

#include "league/elo.h"
#include "league/matrix.h"
#include "league/share.h"
#include "league/steady.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 100 };

static const double points = 173.71779276130073; /* 400 / log(10) */

/*
 * A Newton step that promises less is so near the top that it leads there, and
 * so small that the likelihoods of a million games might not show it.
 */
static const double sure_gain = 1e-3;

/* A Newton step that promises less is the last: 3e-5 standard errors. */
static const double small_gain = 1e-9;

/* A game, best place first, bots of one rank in the order of their numbers. */
struct plackett_row {
    int64_t times;
    uint16_t bot[PLACKETT_SEATS];
    uint8_t seats;
    uint8_t tied; /* bit i: place i shares the rank of place i - 1 */
};

static void *grab(void *old, size_t n, size_t size)
{
    void *memory = realloc(old, (n ? n : 1) * size);

    if (!memory) {
        fputs("referee: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static double *grab_doubles(size_t n)
{
    double *memory = grab(NULL, n, sizeof *memory);

    for (size_t i = 0; i < n; i++)
        memory[i] = 0;
    return memory;
}

/* The games. */

void plackett_init(struct plackett *games, int bots)
{
    assert(bots >= 0 && bots <= PLACKETT_BOTS);
    *games = (struct plackett){.bots = bots};
}

void plackett_release(struct plackett *games)
{
    free(games->rows);
    plackett_init(games, games->bots);
}

void plackett_add(struct plackett *games, const int *bot, const int *rank,
                  int seats)
{
    struct plackett_row row = {.times = 1, .seats = (uint8_t)seats};
    int order[PLACKETT_SEATS];

    assert(seats <= PLACKETT_SEATS);
    if (seats < 2)
        return;
    row.tied = (uint8_t)share_order(rank, bot, seats, order);
    for (int i = 0; i < seats; i++) {
        assert(bot[i] >= 0 && bot[i] < games->bots);
        row.bot[i] = (uint16_t)bot[order[i]];
    }
    if (games->len == games->cap) {
        games->cap = games->cap ? 2 * games->cap : 64;
        games->rows = grab(games->rows, games->cap, sizeof row);
    }
    games->rows[games->len++] = row;
}

static int compare_rows(const void *left, const void *right)
{
    const struct plackett_row *a = left, *b = right;

    if (a->seats != b->seats)
        return a->seats - b->seats;
    if (a->tied != b->tied)
        return a->tied - b->tied;
    for (int i = 0; i < a->seats; i++)
        if (a->bot[i] != b->bot[i])
            return a->bot[i] - b->bot[i];
    return 0;
}

/* Sorted, sums come out alike in whatever order the games were played. */
static void sort_and_merge(struct plackett *games)
{
    struct plackett_row *rows = games->rows;
    size_t kept = 0;

    if (games->len == 0)
        return;
    qsort(rows, games->len, sizeof *rows, compare_rows);
    for (size_t i = 1; i < games->len; i++)
        if (compare_rows(&rows[kept], &rows[i]) == 0)
            rows[kept].times += rows[i].times;
        else
            rows[++kept] = rows[i];
    games->len = kept + 1;
}

/* The search for the best fit. */

struct search {
    const struct plackett *games;
    size_t n;
    double *place; /* natural logs of the strengths */
    double *last;  /* the place before the step */
    double *step;
    double *slope;
    double *info; /* minus the second derivatives, lower triangle */
    double log_likelihood;
};

static void search_init(struct search *s, const struct plackett *games)
{
    size_t n = (size_t)games->bots;

    *s = (struct search){
        .games = games,
        .n = n,
        .place = grab_doubles(n),
        .last = grab_doubles(n),
        .step = grab_doubles(n),
        .slope = grab_doubles(n),
        .info = grab_doubles(n * n),
    };
}

static void search_release(struct search *s)
{
    free(s->place);
    free(s->last);
    free(s->step);
    free(s->slope);
    free(s->info);
}

/* One virtual tie per bot with a bot of strength 1. */
static void start_with_prior(struct search *s)
{
    s->log_likelihood = 0;
    memset(s->info, 0, s->n * s->n * sizeof *s->info);
    for (size_t i = 0; i < s->n; i++) {
        /* Either way round: here the stronger one's strength is 1. */
        double fading = steady_exp(-fabs(s->place[i]));
        double p = 1 / (1 + fading);

        s->log_likelihood -= 0.5 * fabs(s->place[i]) + steady_log(1 + fading);
        s->slope[i] = s->place[i] < 0 ? p - 0.5 : 0.5 - p;
        s->info[i * s->n + i] = p * p * fading;
    }
}

static void add_row(struct search *s, const struct plackett_row *row)
{
    struct share share;
    double strength[PLACKETT_SEATS], times = (double)row->times;

    for (int i = 0; i < row->seats; i++)
        strength[i] = s->place[row->bot[i]];
    share_measure(&share, strength, row->seats, row->tied);
    s->log_likelihood += times * share.log_likelihood;
    for (int i = 0; i < row->seats; i++) {
        size_t a = row->bot[i];

        s->slope[a] += times * share.slope[i];
        for (int j = 0; j <= i; j++) {
            size_t b = row->bot[j];
            /* A bot on two seats gets both halves of what is between them. */
            double both = a == b && i != j ? 2 : 1;

            s->info[a > b ? a * s->n + b : b * s->n + a] +=
                both * times * share.bend[i][j];
        }
    }
}

static void measure(struct search *s)
{
    start_with_prior(s);
    for (size_t i = 0; i < s->games->len; i++)
        add_row(s, &s->games->rows[i]);
}

static void move_by(struct search *s, double part)
{
    for (size_t i = 0; i < s->n; i++)
        s->place[i] = s->last[i] + part * s->step[i];
}

/* Take the Newton step, or as much of it as leads upwards. */
static void advance(struct search *s, double gain)
{
    double before = s->log_likelihood;

    memcpy(s->last, s->place, s->n * sizeof *s->place);
    for (double part = 1; part > 1e-6; part /= 2) {
        move_by(s, part);
        measure(s);
        if (gain < sure_gain ||
            s->log_likelihood >= before + 1e-4 * part * gain)
            return;
    }
}

/* Find the Newton step and what it gains, if the slope does not change. */
static double aim(struct search *s)
{
    double gain = 0;

    matrix_factor(s->info, s->n);
    memcpy(s->step, s->slope, s->n * sizeof *s->step);
    matrix_solve(s->info, s->n, s->step);
    for (size_t i = 0; i < s->n; i++)
        gain += s->slope[i] * s->step[i];
    return gain;
}

/* Leaves the factor of the information matrix in s->info. */
static bool climb(struct search *s, int *steps)
{
    double gain;

    measure(s);
    for (*steps = 0; (gain = aim(s)) >= small_gain; ++*steps) {
        if (*steps == STEPS_MAX)
            return false;
        advance(s, gain);
    }
    memcpy(s->last, s->place, s->n * sizeof *s->place);
    move_by(s, 1);
    return isfinite(gain);
}

/* The report. */

static int find(int *parent, int i)
{
    for (; parent[i] != i; i = parent[i])
        parent[i] = parent[parent[i]];
    return i;
}

/* The smaller number leads, so that groups come in the order of the bots. */
static void join(int *parent, int a, int b)
{
    int low, high;

    a = find(parent, a);
    b = find(parent, b);
    low = a < b ? a : b;
    high = a < b ? b : a;
    parent[high] = low;
}

static void find_groups(const struct plackett *games, struct ratings *r)
{
    int *parent = grab(NULL, (size_t)r->bots, sizeof *parent);

    for (int i = 0; i < r->bots; i++)
        parent[i] = i;
    for (size_t i = 0; i < games->len; i++)
        for (int j = 1; j < games->rows[i].seats; j++)
            join(parent, games->rows[i].bot[0], games->rows[i].bot[j]);
    for (int i = 0; i < r->bots; i++) {
        int leader = find(parent, i);

        r->bot[i].group = leader == i ? r->groups++ : r->bot[leader].group;
    }
    free(parent);
}

static void count_seats(const struct plackett *games, struct ratings *r)
{
    for (size_t i = 0; i < games->len; i++)
        for (int j = 0; j < games->rows[i].seats; j++)
            r->bot[games->rows[i].bot[j]].seats += games->rows[i].times;
}

/* How much each bot has to say about where the zero of the scale is. */
static double *zero_weights(const struct ratings *r, int anchor)
{
    double *weight = grab_doubles((size_t)r->bots);
    int played = 0;

    for (int i = 0; i < r->bots; i++)
        played += r->bot[i].seats > 0;
    for (int i = 0; i < r->bots; i++)
        if (anchor != NO_ANCHOR)
            weight[i] = i == anchor;
        else if (played == 0)
            weight[i] = 1 / (double)r->bots;
        else if (r->bot[i].seats > 0)
            weight[i] = 1 / (double)played;
    return weight;
}

static double weighted(const double *values, const double *weight, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += values[i] * weight[i];
    return sum;
}

static void rate(struct ratings *r, const double *place, int anchor)
{
    double *weight = zero_weights(r, anchor);
    double *with_zero = grab_doubles((size_t)r->bots);
    double zero = weighted(place, weight, r->bots), zero_variance;

    for (int i = 0; i < r->bots; i++)
        with_zero[i] = weighted(r->covariance + (size_t)i * (size_t)r->bots,
                                weight, r->bots);
    zero_variance = weighted(with_zero, weight, r->bots);
    for (int i = 0; i < r->bots; i++) {
        size_t own = (size_t)i * (size_t)r->bots + (size_t)i;
        double variance = r->covariance[own] - 2 * with_zero[i] + zero_variance;
        double margin = NORMAL_95 * sqrt(fmax(variance, 0)) * points;

        r->bot[i].elo = (place[i] - zero) * points;
        r->bot[i].low = r->bot[i].elo - margin;
        r->bot[i].high = r->bot[i].elo + margin;
    }
    free(with_zero);
    free(weight);
}

void plackett_fit(struct plackett *games, int anchor, struct ratings *ratings)
{
    size_t n = (size_t)games->bots;
    struct search search;

    assert(anchor == NO_ANCHOR || (anchor >= 0 && anchor < games->bots));
    *ratings = (struct ratings){.bots = games->bots};
    ratings->bot = grab(NULL, n, sizeof *ratings->bot);
    for (size_t i = 0; i < n; i++)
        ratings->bot[i] = (struct rating){0};
    ratings->covariance = grab_doubles(n * n);
    sort_and_merge(games);
    search_init(&search, games);
    ratings->converged = climb(&search, &ratings->steps);
    ratings->log_likelihood = search.log_likelihood;
    matrix_invert(search.info, n, ratings->covariance);
    find_groups(games, ratings);
    count_seats(games, ratings);
    rate(ratings, search.place, anchor);
    search_release(&search);
}

void ratings_release(struct ratings *ratings)
{
    free(ratings->bot);
    free(ratings->covariance);
    *ratings = (struct ratings){0};
}

struct lead ratings_lead(const struct ratings *ratings, int a, int b)
{
    size_t n = (size_t)ratings->bots, i = (size_t)a, j = (size_t)b;
    const double *c = ratings->covariance;
    double elo = ratings->bot[a].elo - ratings->bot[b].elo;
    double variance = c[i * n + i] + c[j * n + j] - 2 * c[i * n + j];
    double error = sqrt(fmax(variance, 0)) * points;

    return (struct lead){
        .elo = elo,
        .low = elo - NORMAL_95 * error,
        .high = elo + NORMAL_95 * error,
        .los = error > 0 ? normal_below(elo / error) : 0.5,
    };
}
