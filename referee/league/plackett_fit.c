#include "league/elo.h"
#include "league/exact.h"
#include "league/likelihood.h"
#include "league/matrix.h"
#include "league/newcomers.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 100, SOON = 4 };

static const double points = 173.71779276130073; /* 400 / log(10) */

/*
 * A Newton step that promises less is so near the top that it leads there, and
 * so small that the likelihoods of a million games might not show it.
 */
static const double sure_gain = 1e-3;

/* A Newton step that promises less is the last: 3e-5 standard errors. */
static const double small_gain = 1e-9;

static double *grab_doubles(size_t n)
{
    double *memory = plackett_grab(NULL, n, sizeof *memory);

    for (size_t i = 0; i < n; i++)
        memory[i] = 0;
    return memory;
}

/* The search for the best fit. */

struct search {
    const struct plackett *games;
    size_t bots, n; /* n: filled up for matrix.h, with bots 0 apart */
    double *place;  /* natural logs of the strengths */
    struct strength *strength;
    double *last; /* the place before the step */
    double *step;
    double *slope;
    double *info;       /* minus the second derivatives */
    double *covariance; /* of the places */
    double log_likelihood;
    double squares; /* of the slopes of all seats in all games */
    double bends;   /* the same as the model expects it */
};

static void search_init(struct search *s, const struct plackett *games)
{
    size_t bots = (size_t)games->bots;
    size_t n = (bots + MATRIX_TILE - 1) / MATRIX_TILE * MATRIX_TILE;

    *s = (struct search){
        .games = games,
        .bots = bots,
        .n = n,
        .strength = plackett_grab(NULL, bots, sizeof *s->strength),
        .place = grab_doubles(n),
        .last = grab_doubles(n),
        .step = grab_doubles(n),
        .slope = grab_doubles(n),
        .info = grab_doubles(n * n),
    };
}

static void search_release(struct search *s)
{
    free(s->strength);
    free(s->place);
    free(s->last);
    free(s->step);
    free(s->slope);
    free(s->info);
    free(s->covariance);
}

static void add_prior(struct search *s)
{
    for (size_t i = 0; i < s->bots; i++) {
        struct prior prior = prior_at(s->place[i]);

        s->log_likelihood += prior.log_likelihood;
        s->slope[i] += prior.slope;
        s->info[i * s->n + i] += prior.bend;
    }
}

/*
 * Bonds go above or below the diagonal, the better bot's number first.
 */
static void add_layer(struct search *s, const struct plackett_row *row,
                      const struct layer *layer)
{
    const struct strength *place[PLACKETT_SEATS];
    double times = (double)row->times * layer->weight;
    struct likelihood share;

    for (int i = 0; i < layer->seats; i++)
        place[i] = &s->strength[row->bot[layer->place[i]]];
    likelihood_measure(&share, place, layer->seats, layer->tied);
    s->log_likelihood += times * share.log_likelihood;
    for (int i = 0; i < layer->seats; i++) {
        size_t bot = row->bot[layer->place[i]];
        double *info = s->info + bot * s->n;

        s->slope[bot] += times * share.slope[i];
        s->squares += times * share.slope[i] * share.slope[i];
        for (int j = i + 1; j < layer->seats; j++) {
            info[row->bot[layer->place[j]]] += times * share.bond[i][j];
            s->bends += 2 * times * share.bond[i][j];
        }
    }
}

/*
 * The matrix is larger than the caches, so prefetch what the row `soon` needs.
 */
static void add_row(struct search *s, const struct plackett_row *row,
                    const struct plackett_row *soon)
{
    struct layer layer[PLACKETT_SEATS];
    int layers = layers_of(row, s->games->known, LAYERS_FOR_ALL, layer);

    for (int i = 0; i < layers; i++)
        add_layer(s, row, &layer[i]);
    for (int i = 0; i < soon->seats; i++)
        for (int j = i + 1; j < soon->seats; j++)
            __builtin_prefetch(s->info + soon->bot[i] * s->n + soon->bot[j], 1);
}

/* From bonds to the matrix. A bot's bond with itself, on two seats, is none. */
static void add_bonds(struct search *s)
{
    size_t n = s->n;

    for (size_t i = 0; i < n; i++)
        s->info[i * n + i] = i >= s->bots;
    for (size_t i = 0; i < s->bots; i++)
        for (size_t j = 0; j < i; j++) {
            double bond = s->info[i * n + j] + s->info[j * n + i];

            s->info[i * n + j] = -bond;
            s->info[i * n + i] += bond;
            s->info[j * n + j] += bond;
        }
}

static void measure(struct search *s)
{
    const struct plackett_row *rows = s->games->rows;
    size_t len = s->games->len;

    s->log_likelihood = s->squares = s->bends = 0;
    memset(s->slope, 0, s->n * sizeof *s->slope);
    memset(s->info, 0, s->n * s->n * sizeof *s->info);
    for (size_t i = 0; i < s->bots; i++)
        s->strength[i] = exact_strength(s->place[i]);
    for (size_t i = 0; i < len; i++)
        add_row(s, &rows[i], &rows[i + SOON < len ? i + SOON : i]);
    add_bonds(s);
    add_prior(s);
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
    int *parent = plackett_grab(NULL, (size_t)r->bots, sizeof *parent);

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
        if (anchor != PLACKETT_NO_ANCHOR)
            weight[i] = i == anchor;
        else if (played == 0)
            weight[i] = 1 / (double)r->bots;
        else if (r->bot[i].seats > 0)
            weight[i] = 1 / (double)played;
    return weight;
}

/* The mean of all seats: those of whom little is known hardly move it. */
static double *seat_weights(const struct ratings *r)
{
    double *weight = grab_doubles((size_t)r->bots), seats = 0;

    for (int i = 0; i < r->bots; i++)
        seats += (double)r->bot[i].seats;
    for (int i = 0; i < r->bots && seats > 0; i++)
        weight[i] = (double)r->bot[i].seats / seats;
    return weight;
}

static double weighted(const double *values, const double *weight, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += values[i] * weight[i];
    return sum;
}

/* Overwrites the factor. */
static void find_covariance(struct search *s)
{
    s->covariance = grab_doubles(s->n * s->n);
    matrix_invert(s->info, s->n, s->covariance);
}

/* Which part of what is known of a bot comes from the prior? */
static double prior_part(const struct search *s, size_t bot, double variance)
{
    return prior_at(s->place[bot]).bend * variance;
}

/* How many were made in these games, by their weights. */
static double choices_of(const struct plackett_row *row, const int *known)
{
    struct layer layer[PLACKETT_SEATS];
    int layers = layers_of(row, known, LAYERS_FOR_ALL, layer);
    double choices = 0;

    for (int i = 0; i < layers; i++)
        choices += layer[i].weight * (layer[i].seats - 1);
    return (double)row->times * choices;
}

/*
 * By how much do results differ from what was expected, as a part of what the
 * model says? The fit has seen the results: it took up one choice for each
 * number that it found. Two virtual games per bot are as the model says.
 */
static double find_spread(const struct search *s)
{
    double choices = 0, found = 0, virtual = (double)s->bots;

    for (size_t i = 0; i < s->games->len; i++)
        choices += choices_of(&s->games->rows[i], s->games->known);
    for (size_t i = 0; i < s->bots; i++)
        found += 1 - prior_part(s, i, s->covariance[i * s->n + i]);
    if (choices <= found)
        return 1;
    return (s->squares + virtual) /
           (s->bends * (1 - found / choices) + virtual);
}

/* Half of the interval. What the prior says does not spread otherwise than it
 * says. */
static double margin_of(const struct search *s, const struct ratings *r,
                        size_t bot, double variance)
{
    double part = prior_part(s, bot, variance);
    double stretched = variance * (r->spread + (1 - r->spread) * part);

    return NORMAL_95 * sqrt(fmax(stretched, 0)) * points;
}

/* The margins of all bots, as seen from where these weights say. */
static double *margins_from(const struct search *s, const struct ratings *r,
                            const double *weight)
{
    double *with_zero = grab_doubles(s->bots), *margin = grab_doubles(s->bots);
    double variance;

    for (size_t i = 0; i < s->bots; i++)
        with_zero[i] = weighted(s->covariance + i * s->n, weight, s->bots);
    variance = weighted(with_zero, weight, s->bots);
    for (size_t i = 0; i < s->bots; i++)
        margin[i] = margin_of(s, r, i,
                              s->covariance[i * s->n + i] +
                                  (variance - 2 * with_zero[i]));
    free(with_zero);
    return margin;
}

/* Take places and their variances from the zero of the scale, not from 0. */
static void set_ratings(const struct search *s, struct ratings *r, int anchor)
{
    double *weight = zero_weights(r, anchor), *of_mean = seat_weights(r),
           *margin = margins_from(s, r, weight),
           *from_mean = margins_from(s, r, of_mean);
    double zero = weighted(s->place, weight, s->bots);

    for (size_t i = 0; i < s->bots; i++) {
        double elo = (s->place[i] - zero) * points;

        r->bot[i].elo = elo;
        r->bot[i].low = elo - margin[i];
        r->bot[i].high = elo + margin[i];
        r->bot[i].from_mean = from_mean[i];
    }
    free(weight);
    free(of_mean);
    free(margin);
    free(from_mean);
}

static void ratings_init(struct ratings *r, int bots)
{
    *r = (struct ratings){.bots = bots};
    r->bot = plackett_grab(NULL, (size_t)bots, sizeof *r->bot);
    for (int i = 0; i < bots; i++)
        r->bot[i] = (struct rating){0};
}

void plackett_fit(const struct plackett *games, int anchor,
                  struct ratings *ratings)
{
    struct plackett sorted = plackett_sorted(games);
    struct search search;

    assert(anchor == PLACKETT_NO_ANCHOR ||
           (anchor >= 0 && anchor < games->bots));
    ratings_init(ratings, games->bots);
    search_init(&search, &sorted);
    ratings->converged = climb(&search, &ratings->steps);
    ratings->log_likelihood = search.log_likelihood;
    find_covariance(&search);
    ratings->spread = find_spread(&search);
    newcomers_place(&sorted, search.place, search.covariance, search.n);
    find_groups(&sorted, ratings);
    count_seats(&sorted, ratings);
    set_ratings(&search, ratings, anchor);
    search_release(&search);
    plackett_release(&sorted);
}

void ratings_release(struct ratings *ratings)
{
    free(ratings->bot);
    *ratings = (struct ratings){0};
}
