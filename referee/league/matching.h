#ifndef REFEREE_LEAGUE_MATCHING_H
#define REFEREE_LEAGUE_MATCHING_H

/*
 * matching.h - gives everybody a partner, at the lowest total cost.
 *
 * Edmonds' algorithm with weights, in n^3 steps: trees grow along tight edges,
 * odd cycles shrink to blossoms, and where nothing is tight the prices of the
 * vertices move until something is. The same costs give the same pairs.
 */

#include <stdint.h>

enum { MATCHING_MAX = 1024 };

/* A pair may cost from 0 to this. */
#define MATCHING_COST_MAX (INT64_C(1) << 50)

/*
 * `n` is even, at most MATCHING_MAX. cost[u * n + v], which is cost[v * n + u],
 * is that of the pair u, v. mate[u] becomes the partner of u.
 */
void matching_cheapest(int n, const int64_t *cost, int *mate);

#endif
