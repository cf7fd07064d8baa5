#ifndef REFEREE_MANY_TWIN_H
#define REFEREE_MANY_TWIN_H

/*
 * twin.h - a unit that two workers have played, and where the games differ.
 *
 * Bots that leave nothing to chance and do not look at the clock play the same
 * moves from the same deal. Others do not; so a difference alone proves
 * nothing. Only many of them do, and only compared with those of other workers:
 * report.h.
 */

#include "many/delivery.h"

/* The text of an order, as another unit with the same deal. */
void twin_write(const struct order *order, const char *unit,
                const struct game_names *names, struct buf *out);

struct difference {
    char bot[BOT_NAME_MAX + 1]; /* that did something else first, or "" */
    char text[200];             /* "" if there is none */
};

void twin_compare(const struct order *order, const struct delivery *first,
                  const struct delivery *second, struct difference *difference);

#endif
