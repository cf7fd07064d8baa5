#include "league/anytime.h"

#include <math.h>

/*
 * Small bets find small differences in many units, large ones find large
 * differences in few: seven wins in a row suffice for 95 %.
 */
static const double bets[ANYTIME_BETS] = {0.1, 0.2, 0.4, 0.7,
                                          1.0, 1.3, 1.6, 1.9};

void anytime_init(struct anytime *test, double alpha)
{
    *test = (struct anytime){.alpha = alpha};
}

static double mean_of(const double *logs)
{
    double sum = 0;

    for (int i = 0; i < ANYTIME_BETS; i++)
        sum += exp(logs[i]);
    return sum / ANYTIME_BETS;
}

double anytime_better(const struct anytime *test)
{
    return mean_of(test->up);
}

double anytime_not_better(const struct anytime *test)
{
    return mean_of(test->down);
}

void anytime_add(struct anytime *test, double score)
{
    if (test->verdict != ANYTIME_OPEN)
        return;
    test->units++;
    test->sum += score;
    for (int i = 0; i < ANYTIME_BETS; i++) {
        test->up[i] += log1p(bets[i] * (score - 0.5));
        test->down[i] += log1p(bets[i] * (0.5 - score));
    }
    if (anytime_better(test) >= 1 / test->alpha)
        test->verdict = ANYTIME_BETTER;
    else if (anytime_not_better(test) >= 1 / test->alpha)
        test->verdict = ANYTIME_NOT_BETTER;
}
