#ifndef TESTS_SETUPS_H
#define TESTS_SETUPS_H

/*
 * setups.h - every number of seats with every mix of built-in option values.
 */

#include "games/game.h"

/* A setup that owns its texts; it must not be moved. */
struct named_setup {
    struct setup setup;
    char value[OPTIONS_MAX][64];
    char name[256]; /* "NAME SEATS KEY=VALUE ..." */
};

int setups_count(const struct game *game);

/* The first of them: without the options that have no default, which come
 * alone, one in a setup. An option that is added like this changes none. */
int setups_mixed(const struct game *game);

/*
 * The i-th setup. The number of seats changes fastest; a first value is left
 * to the default. False if the game does not accept this mix.
 */
bool setups_at(const struct game *game, int i, struct named_setup *named);

#endif
