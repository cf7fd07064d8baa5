#include "league/newcomers.h"

#include "league/exact.h"
#include "league/likelihood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 200 };

static const double far_off = 300; /* no place is farther from 0 */
static const double small_gain = 1e-12;

struct prior prior_at(double place)
{
    /* Either way round: here the stronger one's strength is 1. */
    double gap = fabs(place), fading = exact_exp(-gap);
    double p = 1 / (1 + fading);

    return (struct prior){
        .log_likelihood = -0.5 * (0.5 * gap + exact_log(1 + fading)),
        .slope = 0.5 * (place < 0 ? p - 0.5 : 0.5 - p),
        .bend = 0.5 * p * p * fading,
    };
}

/* Layers. */

/* Those who are known at least so well. Ranks are numbered by what is tied. */
static void fill_layer(struct layer *layer, const struct plackett_row *row,
                       const int *level, int least)
{
    int rank = 0, last = -1;

    layer->seats = 0;
    layer->tied = 0;
    for (int i = 0; i < row->seats; i++) {
        rank += !(row->tied >> i & 1);
        if (level[i] < least)
            continue;
        if (rank == last)
            layer->tied |= 1U << layer->seats;
        layer->place[layer->seats++] = i;
        last = rank;
    }
}

/* The least level above this one. */
static int level_above(const int *level, int seats, int below)
{
    int least = 0;

    for (int i = 0; i < seats; i++)
        if (level[i] > below && (least == 0 || level[i] < least))
            least = level[i];
    return least;
}

static double square_of(int level, int most)
{
    double part = (double)level / most;

    return part * part;
}

int layers_of(const struct plackett_row *row, const int *known, int own,
              struct layer layer[PLACKETT_SEATS])
{
    int level[PLACKETT_SEATS], most = 0, below = 0, next, count = 0;

    for (int i = 0; i < row->seats; i++) {
        level[i] = known ? known[row->bot[i]] : 1;
        most = level[i] > most ? level[i] : most;
    }
    for (int i = 0; i < row->seats && own != LAYERS_FOR_ALL; i++)
        if (row->bot[i] == row->bot[own])
            level[i] = most;
    while ((next = level_above(level, row->seats, below)) > 0) {
        fill_layer(&layer[count], row, level, next);
        layer[count].weight = square_of(next, most) - square_of(below, most);
        if (layer[count].seats >= 2)
            count++;
        below = next;
    }
    return count;
}

/* Who is new, and the games of each. */

struct link {
    int bot; /* the other */
    double part;
};

struct newcomer {
    int bot;
    const struct plackett_row **row;
    size_t rows;
    double place, variance; /* of its place, if the others' were certain */
    struct link *link;      /* how it moves when others move */
    size_t links;
};

struct newcomers {
    const struct plackett *games;
    const struct strength *strength; /* of all, before anybody is moved */
    int *number;                     /* of a bot: among the new, or -1 */
    struct newcomer *one;
    size_t count;
};

static bool is_new(const struct plackett *games, const struct plackett_row *row,
                   int place)
{
    for (int i = 0; i < row->seats; i++)
        if (games->known[row->bot[i]] > games->known[row->bot[place]])
            return true;
    return false;
}

static void number_them(struct newcomers *n)
{
    size_t bots = (size_t)n->games->bots;

    n->number = plackett_grab(NULL, bots, sizeof *n->number);
    for (size_t i = 0; i < bots; i++)
        n->number[i] = -1;
    for (size_t i = 0; i < n->games->len; i++)
        for (int k = 0; k < n->games->rows[i].seats; k++)
            if (is_new(n->games, &n->games->rows[i], k))
                n->number[n->games->rows[i].bot[k]] = 0;
    for (size_t i = 0; i < bots; i++)
        if (n->number[i] == 0)
            n->number[i] = (int)n->count++;
    n->one = plackett_grab(NULL, n->count, sizeof *n->one);
    for (size_t i = 0; i < bots; i++)
        if (n->number[i] >= 0)
            n->one[n->number[i]] = (struct newcomer){.bot = (int)i};
}

/* A bot on two seats has the row once. */
static bool sits_before(const struct plackett_row *row, int place)
{
    for (int i = 0; i < place; i++)
        if (row->bot[i] == row->bot[place])
            return true;
    return false;
}

/* Count, and when there is room, take. */
static void each_row(struct newcomers *n)
{
    for (size_t i = 0; i < n->games->len; i++) {
        const struct plackett_row *row = &n->games->rows[i];

        for (int k = 0; k < row->seats; k++) {
            int number = n->number[row->bot[k]];

            if (number < 0 || sits_before(row, k))
                continue;
            if (n->one[number].row)
                n->one[number].row[n->one[number].rows] = row;
            n->one[number].rows++;
        }
    }
}

static void take_rows(struct newcomers *n)
{
    each_row(n);
    for (size_t i = 0; i < n->count; i++) {
        n->one[i].row =
            plackett_grab(NULL, n->one[i].rows, sizeof(struct plackett_row *));
        n->one[i].rows = 0;
    }
    each_row(n);
}

/* One of them. */

struct measured {
    double slope, bend;
};

static void add_link(struct newcomer *one, int bot, double bond)
{
    for (size_t i = 0; i < one->links; i++)
        if (one->link[i].bot == bot) {
            one->link[i].part += bond;
            return;
        }
    one->link = plackett_grab(one->link, one->links + 1, sizeof *one->link);
    one->link[one->links++] = (struct link){bot, bond};
}

/* On all its seats in this layer. */
static void measure_layer(const struct newcomers *n, struct newcomer *one,
                          const struct plackett_row *row,
                          const struct layer *layer, const struct strength *own,
                          struct measured *m, bool links)
{
    const struct strength *place[PLACKETT_SEATS];
    double weight = (double)row->times * layer->weight;
    struct likelihood share;

    for (int i = 0; i < layer->seats; i++) {
        int bot = row->bot[layer->place[i]];

        place[i] = bot == one->bot ? own : &n->strength[bot];
    }
    likelihood_measure(&share, place, layer->seats, layer->tied);
    for (int i = 0; i < layer->seats; i++) {
        if (place[i] != own)
            continue;
        m->slope += weight * share.slope[i];
        for (int j = 0; j < layer->seats; j++) {
            double bond =
                weight * (i < j ? share.bond[i][j] : share.bond[j][i]);

            if (place[j] == own)
                continue;
            m->bend += bond;
            if (links)
                add_link(one, row->bot[layer->place[j]], bond);
        }
    }
}

static struct measured measure(const struct newcomers *n, struct newcomer *one,
                               double at, bool links)
{
    struct prior prior = prior_at(at);
    struct measured m = {prior.slope, prior.bend};
    struct strength own = exact_strength(at);

    for (size_t i = 0; i < one->rows; i++) {
        const struct plackett_row *row = one->row[i];
        struct layer layer[PLACKETT_SEATS];
        int seat = 0, layers;

        while (row->bot[seat] != one->bot)
            seat++;
        layers = layers_of(row, n->games->known, seat, layer);
        for (int k = 0; k < layers; k++)
            measure_layer(n, one, row, &layer[k], &own, &m, links);
    }
    return m;
}

/* The slope falls all the way: between two places one of which is too low and
 * the other too high, Newton's step or the middle. */
static void climb(const struct newcomers *n, struct newcomer *one)
{
    double low = -far_off, high = far_off;

    for (int i = 0; i < STEPS_MAX; i++) {
        struct measured m = measure(n, one, one->place, false);
        double next = one->place + m.slope / m.bend;

        if (m.slope * m.slope < small_gain * m.bend)
            break;
        if (m.slope > 0)
            low = one->place;
        else
            high = one->place;
        one->place = next > low && next < high ? next : (low + high) / 2;
    }
}

static void settle(const struct newcomers *n, struct newcomer *one)
{
    struct measured m;

    climb(n, one);
    m = measure(n, one, one->place, true);
    one->variance = 1 / m.bend;
    for (size_t i = 0; i < one->links; i++)
        one->link[i].part /= m.bend;
}

/*
 * Its place is its own chance, plus its part of the places of those it met. So
 * the covariance C becomes A C A' + D, where the rows of A are these parts, and
 * D is what is its own. Others keep theirs.
 */
static double *with_all(const struct newcomer *one, const double *covariance,
                        size_t n)
{
    double *row = plackett_grab(NULL, n, sizeof *row);

    for (size_t k = 0; k < n; k++)
        row[k] = 0;
    for (size_t i = 0; i < one->links; i++)
        for (size_t k = 0; k < n; k++)
            row[k] += one->link[i].part *
                      covariance[(size_t)one->link[i].bot * n + k];
    return row;
}

static double with_newcomer(const struct newcomer *one, const double *row)
{
    double sum = 0;

    for (size_t i = 0; i < one->links; i++)
        sum += one->link[i].part * row[one->link[i].bot];
    return sum;
}

static void spread(const struct newcomers *all, double *covariance, size_t n)
{
    double **row = plackett_grab(NULL, all->count, sizeof *row);

    for (size_t i = 0; i < all->count; i++)
        row[i] = with_all(&all->one[i], covariance, n);
    for (size_t i = 0; i < all->count; i++) {
        size_t bot = (size_t)all->one[i].bot;

        for (size_t k = 0; k < n; k++) {
            int number = (int)k < all->games->bots ? all->number[k] : -1;

            if (number >= 0 && (size_t)number < i)
                continue; /* done */
            covariance[bot * n + k] = covariance[k * n + bot] =
                number < 0 ? row[i][k]
                           : with_newcomer(&all->one[number], row[i]);
        }
        covariance[bot * n + bot] += all->one[i].variance;
    }
    for (size_t i = 0; i < all->count; i++)
        free(row[i]);
    free(row);
}

static void release(struct newcomers *n)
{
    for (size_t i = 0; i < n->count; i++) {
        free(n->one[i].row);
        free(n->one[i].link);
    }
    free(n->one);
    free(n->number);
}

void newcomers_place(const struct plackett *sorted, double *place,
                     double *covariance, size_t n)
{
    struct newcomers all = {.games = sorted};
    struct strength *strength;

    if (!sorted->known)
        return;
    strength = plackett_grab(NULL, (size_t)sorted->bots, sizeof *strength);
    for (int i = 0; i < sorted->bots; i++)
        strength[i] = exact_strength(place[i]);
    all.strength = strength;
    number_them(&all);
    take_rows(&all);
    for (size_t i = 0; i < all.count; i++) {
        all.one[i].place = place[all.one[i].bot];
        settle(&all, &all.one[i]);
    }
    for (size_t i = 0; i < all.count; i++)
        place[all.one[i].bot] = all.one[i].place;
    spread(&all, covariance, n);
    release(&all);
    free(strength);
}
