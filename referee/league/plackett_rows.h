#ifndef REFEREE_LEAGUE_PLACKETT_ROWS_H
#define REFEREE_LEAGUE_PLACKETT_ROWS_H

/*
 * plackett_rows.h - the games of a struct plackett, for the fit alone.
 */

#include "league/plackett.h"

/* A game, best place first, bots of one rank in the order of their numbers. */
struct plackett_row {
    int64_t times;
    uint16_t bot[PLACKETT_SEATS]; /* 0 beyond the seats */
    uint8_t seats;
    uint8_t tied; /* bit i: place i shares the rank of place i - 1 */
};

/*
 * A copy of the games, equal ones merged, and sorted, so that sums come out
 * alike in whatever order the games were played. To be released.
 */
struct plackett plackett_sorted(const struct plackett *games);

/* As realloc(); out of memory ends the program. */
void *plackett_grab(void *old, size_t n, size_t size);

#endif
