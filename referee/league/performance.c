#include "league/performance.h"

#include "league/elo.h"

enum { STEPS = 36 }; /* to a millionth */

static const double most = 5000; /* above and below the own rating */

static double expected(const struct encounter *e, int count, double elo,
                       double own)
{
    double sum = score_from_elo(elo - own);

    for (int i = 0; i < count; i++)
        sum += score_from_elo(elo - e[i].elo);
    return sum;
}

/* The expected score grows with the rating: halve the range. */
double performance(const struct encounter *e, int count, double own)
{
    double low = own - most, high = own + most, made = 0.5;

    for (int i = 0; i < count; i++)
        made += e[i].score;
    for (int i = 0; i < STEPS; i++) {
        double middle = (low + high) / 2;

        if (expected(e, count, middle, own) < made)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
