#ifndef REFEREE_CMD_LIB_GAME_KEYS_H
#define REFEREE_CMD_LIB_GAME_KEYS_H

/*
 * game_keys.h - the keys that describe a game, in every ini file: game, seats,
 * set, illegal, and the time limits.
 */

#include "cmd/lib/ini.h"
#include "games/game.h"

/* `set = NAME=VALUE` can be checked only when the game is known. */
struct set_parsed {
    const char *text;
    int line;
};

struct parsed_game {
    const char *name; /* as given */
    int seats;
    struct set_parsed set[OPTIONS_MAX];
    int sets;

    /* Set after checking; the game is NULL if its name is wrong. */
    const struct game *game;
    struct setup setup;
};

/* "forfeit" or "retry:N" */
bool illegal_read(const char *text, int *retries, struct err *err) MUST_CHECK;

/* Readers, for a struct parsed_game and for an int, the retries. */
bool read_set(const struct ini_value *v, struct err *err);
bool read_illegal(const struct ini_value *v, struct err *err);

/* The rows for a section whose struct has a parsed_game named `game`. */
#define GAME_KEYS(type)                                                      \
    KEY("game", "GAME", NULL,                                                \
        "the game to play; \"referee games\" lists them",                    \
        INI_TEXT(type, game.name)),                                          \
        KEY("seats", "N", NULL, "the number of bots in a game",              \
            INI_INT(type, game.seats, 1, SEATS_MAX)),                        \
        KEY("set", "OPTION=VALUE", NULL,                                     \
            "an option of the game; OPTION=@FILE reads a data file; may be " \
            "given more than once",                                          \
            INI(type, game, read_set), .again = true)

/* In milliseconds; the options of commands use the same limits. */
enum {
    LENIENCE_MIN = 0,
    LENIENCE_MAX = 60 * 1000,
    START_LIMIT_MIN = 100,
    START_LIMIT_MAX = 3600 * 1000,
    MOVE_CAP_MIN = 10,
    MOVE_CAP_MAX = 24 * 3600 * 1000,
};

#define MS_TO_US(ms) ((int64_t)1000 * (ms))

/* The rows for a section whose struct `in` has these times. */
#define LIMIT_KEYS(type, in)                                                 \
    KEY("lenience", "TIME", "0", "how late an answer may be",                \
        INI_TIME(type, in.lenience_us, MS_TO_US(LENIENCE_MIN),               \
                 MS_TO_US(LENIENCE_MAX))),                                   \
        KEY("start-limit", "TIME", "10s", "limit for a bot to be ready",     \
            INI_TIME(type, in.start_us, MS_TO_US(START_LIMIT_MIN),           \
                     MS_TO_US(START_LIMIT_MAX))),                            \
        KEY("move-cap", "TIME", "60s", "limit for a move under time = none", \
            INI_TIME(type, in.none_us, MS_TO_US(MOVE_CAP_MIN),               \
                     MS_TO_US(MOVE_CAP_MAX)))

/*
 * Find the game and fill the setup; remarks list the mistakes. `title` is the
 * section's title, such as "[ladder x]".
 */
void parsed_game_check(struct ini *ini, const struct ini_section *section,
                       const char *title, struct parsed_game *parsed);

#endif
