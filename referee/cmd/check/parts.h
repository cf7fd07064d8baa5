#ifndef REFEREE_CMD_CHECK_PARTS_H
#define REFEREE_CMD_CHECK_PARTS_H

/* parts.h - the parts of an examination, in order. */

#include "cmd/check/bot.h"

struct check {
    struct exam exam;
    struct report report;
    int64_t start_us, limit_us;
    uint8_t seed[SEED_BYTES];
    bool seed_is_chosen;
    int games;      /* of each kind; 0: enough to cover all setups */
    unsigned wants; /* a bit per command that the bot lists */
    int kinds;      /* number of games it has played */
};

/* The handshake and framing. False if it makes no sense to continue. */
bool check_talk(struct check *check);

/* Play games of one kind. `chosen`: the bot must play it. */
void check_game(struct check *check, const struct game *game, bool chosen);

/* Check how it ends, and the form of its answers. */
void check_end(struct check *check);

/* Report what it wrote to stderr, and the errors it hid. */
void check_errors(struct check *check);

/* The first line that looks like a crash or a traceback, or NULL. */
const char *find_error(const char *text);

/* The last traceback, or, if there is none, the first error. */
const char *find_last_error(const char *text);

/* Start it if it is not running. Reports a failure. */
bool check_is_up(struct check *check);

#endif
