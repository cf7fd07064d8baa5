#include "league/weng_lin.h"

#include "league/likelihood.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

const struct skill skill_unknown = {0, SKILL_SIGMA_MAX};

/* 400 / log(10): the points in one natural log of odds. */
static const double points = 173.71779276130073;

/* 3 / pi^2: what one point of sigma adds to the width of the odds, squared. */
static const double blur = 0.30396355092701332;

static double points_per_strength(struct skill *const *seat, int seats)
{
    double sum = 0;

    for (int i = 0; i < seats; i++)
        sum += seat[i]->sigma * seat[i]->sigma;
    return sqrt(points * points + blur * sum / seats);
}

static struct skill moved(struct skill old, double slope, double bend, double c)
{
    double variance = old.sigma * old.sigma;

    variance /= 1 + bend * variance / (c * c);
    return (struct skill){
        .mean = old.mean + variance * slope / c,
        .sigma = fmax(sqrt(variance), SKILL_SIGMA_MIN),
    };
}

void weng_lin_update(struct skill *const *seat, const int *rank, int seats)
{
    struct strength strength[SKILL_SEATS];
    const struct strength *place[SKILL_SEATS];
    int order[SKILL_SEATS];
    struct likelihood share;
    unsigned tied;
    double c;

    assert(seats <= SKILL_SEATS);
    if (seats < 2)
        return;
    c = points_per_strength(seat, seats);
    tied = likelihood_order(rank, NULL, seats, order);
    for (int i = 0; i < seats; i++) {
        strength[i] = exact_strength(seat[order[i]]->mean / c);
        place[i] = &strength[i];
    }
    likelihood_measure(&share, place, seats, tied);
    for (int i = 0; i < seats; i++) {
        struct skill *skill = seat[order[i]];

        *skill =
            moved(*skill, share.slope[i], likelihood_curvature(&share, i), c);
    }
}
