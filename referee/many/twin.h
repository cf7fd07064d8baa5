#ifndef REFEREE_MANY_TWIN_H
#define REFEREE_MANY_TWIN_H

/*
 * twin.h - compare a unit that two workers have played, and find where the
 * games differ.
 *
 * Bots that use neither chance nor the clock play the same moves from the same
 * deal. Other bots do not, so a single difference proves nothing. Many
 * differences do, compared with those of other workers: see report.h.
 */

#include "many/delivery.h"

/* The text of an order as another unit with the same deal. */
void twin_write(const struct order *order, const char *unit,
                const struct game_names *names, struct buf *out);

struct difference {
    char
        bot[BOT_NAME_MAX + 1]; /* the one that acted differently first, or "" */
    char text[200];            /* "" if there is none */
};

void twin_compare(const struct order *order, const struct delivery *first,
                  const struct delivery *second, struct difference *difference);

#endif
