#include "league/weng_lin.h"

#include "league/share.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

const struct skill skill_unknown = {0, SKILL_SIGMA_MAX};

/* 400 / log(10): the points in one natural log of odds. */
static const double points = 173.71779276130073;

/* What must be left of a variance, whatever the approximation says. */
static const double least_part = 1e-4;

static double points_per_strength(struct skill *const *seat, int seats)
{
    double sum = 0;

    for (int i = 0; i < seats; i++)
        sum += seat[i]->sigma * seat[i]->sigma;
    return sqrt(points * points + 2 * sum / seats);
}

static struct skill moved(struct skill old, double slope, double bend, double c)
{
    double variance = old.sigma * old.sigma;
    double left =
        fmax(1 - variance / (c * c) * bend * old.sigma / c, least_part);

    return (struct skill){
        .mean = old.mean + variance / c * slope,
        .sigma = fmax(old.sigma * sqrt(left), SKILL_SIGMA_MIN),
    };
}

void weng_lin_update(struct skill *const *seat, const int *rank, int seats)
{
    double strength[SKILL_SEATS], c;
    int order[SKILL_SEATS];
    struct share share;
    unsigned tied;

    assert(seats <= SKILL_SEATS);
    if (seats < 2)
        return;
    c = points_per_strength(seat, seats);
    tied = share_order(rank, NULL, seats, order);
    for (int i = 0; i < seats; i++)
        strength[i] = seat[order[i]]->mean / c;
    share_measure(&share, strength, seats, tied);
    for (int i = 0; i < seats; i++) {
        struct skill *skill = seat[order[i]];

        *skill = moved(*skill, share.slope[i], share.bend[i][i], c);
    }
}
