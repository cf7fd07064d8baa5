#ifndef REFEREE_CMD_LIB_SETUP_H
#define REFEREE_CMD_LIB_SETUP_H

/*
 * setup.h - the game, the number of seats, the options and the seed: options
 * that several commands share.
 */

#include "base/pool.h"
#include "cmd/lib/options.h"
#include "games/game.h"

struct setup_args {
    const char *game;
    int seats;
    struct texts set;
    const char *seed;
};

/* The rows for a command's table of options. */
#define SETUP_OPTS(args)                                                    \
    {"game",   "G",          "the game; \"referee games\" lists them",      \
     OPT_TEXT, &(args).game, 0,                                             \
     0},                                                                    \
        {"seats",  "N",           "number of seats (default 2)",            \
         OPT_INT,  &(args).seats, 1,                                        \
         SEATS_MAX},                                                        \
        {"set",    "K=V",       "set an option; K=@FILE reads a data file", \
         OPT_LIST, &(args).set, 0,                                          \
         0},                                                                \
    {                                                                       \
        "seed", "TEXT", "64 hex digits or any text (default: random)",      \
            OPT_TEXT, &(args).seed, 0, 0                                    \
    }

/*
 * setup_set() with a text that lives as long as the pool; "NAME=@FILE" reads a
 * data file.
 */
bool setup_set_text(const struct game *game, struct setup *setup,
                    const char *text, struct pool *pool,
                    struct err *err) MUST_CHECK;

/*
 * Find the game and fill the setup; warnings go to stderr. The texts of the
 * setup live as long as the process.
 */
bool setup_read(const struct setup_args *args, const struct game **game,
                struct setup *setup, struct err *err) MUST_CHECK;

/* The seed as given, or a random one. */
bool seed_read(const struct setup_args *args, uint8_t seed[SEED_BYTES],
               struct err *err) MUST_CHECK;

#endif
