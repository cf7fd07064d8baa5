#include "league/elo.h"

#include <math.h>

/* Virtual wins, and as many virtual losses, beside the units. */
static const double virtual_each = 2;

/* Half the 2.5 % quantile of chi squared with one degree of freedom. */
static const double jeffreys_edge = 0.000491034558585;

/* sin(pi 0.025 / 2)^2: the 2.5 % quantile of Beta(1/2, 1/2). */
static const double jeffreys_alone = 0.0015413331334360;

void units_add(struct units *units, double score)
{
    units->n++;
    units->sum += score;
    units->squares += score * score;
}

double units_mean(const struct units *units)
{
    return units->n ? units->sum / (double)units->n : 0.5;
}

static double padded_mean(const struct units *units)
{
    return (units->sum + virtual_each) / ((double)units->n + 2 * virtual_each);
}

double units_variance(const struct units *units)
{
    double mean = padded_mean(units);

    return (units->squares + virtual_each) /
               ((double)units->n + 2 * virtual_each) -
           mean * mean;
}

/* The variance of a unit, as a part of that of a coin with the same mean. */
static double spread(const struct units *units)
{
    double mean = padded_mean(units);

    return units_variance(units) / (mean * (1 - mean));
}

static double within(double value, double margin)
{
    return fmin(fmax(value, margin), 1 - margin);
}

double elo_from_score(double score)
{
    return 400 * log10(score / (1 - score));
}

double score_from_elo(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

double score_of_ranks(int own, int other)
{
    return own < other ? 1 : own > other ? 0 : 0.5;
}

double normal_below(double z)
{
    return 0.5 * erfc(-z * sqrt(0.5));
}

static struct elo elo_of_nothing(void)
{
    double high = -elo_from_score(jeffreys_alone);

    return (struct elo){.score = 0.5, .low = -high, .high = high, .los = 0.5};
}

struct elo elo_of_units(const struct units *units)
{
    double n = (double)units->n;
    double mean = units_mean(units);
    double d, k, middle, half;

    if (units->n == 0)
        return elo_of_nothing();
    d = spread(units);
    k = NORMAL_95 * NORMAL_95 * d / n;
    middle = (mean + k / 2) / (1 + k);
    half = sqrt(k * mean * (1 - mean) + k * k / 4) / (1 + k);
    return (struct elo){
        .n = units->n,
        .score = mean,
        .elo = elo_from_score(within(mean, 0.5 / (n + 1))),
        .low = elo_from_score(within(middle - half, jeffreys_edge / n)),
        .high = elo_from_score(within(middle + half, jeffreys_edge / n)),
        .los = normal_below((mean - 0.5) / sqrt(0.25 * d / n)),
    };
}
