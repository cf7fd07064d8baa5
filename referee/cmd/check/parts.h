#ifndef REFEREE_CMD_CHECK_PARTS_H
#define REFEREE_CMD_CHECK_PARTS_H

/*
 * parts.h - the parts of an examination, in their order.
 */

#include "cmd/check/bot.h"

struct check {
    struct exam exam;
    struct report report;
    int64_t start_us, limit_us;
    uint8_t seed[SEED_BYTES];
    bool seed_is_chosen;
    int games;      /* of each kind; 0: as many as it takes to see all setups */
    unsigned wants; /* a bit per command that the bot lists */
    int kinds;      /* of games that it has played */
};

/* The handshake, framing. False if it makes no sense to go on. */
bool check_talk(struct check *check);

/* Games of one kind. `chosen`: the bot must play it. */
void check_game(struct check *check, const struct game *game, bool chosen);

/* How it ends, and how its answers look. */
void check_end(struct check *check);

/* What it wrote to stderr, and the errors it hid. */
void check_errors(struct check *check);

/* The first line that looks like a crash or a traceback; NULL if none does. */
const char *find_error(const char *text);

/* The last traceback, or else the first error. */
const char *find_last_error(const char *text);

/* Start it if it is not up. Reports it if that fails. */
bool check_is_up(struct check *check);

#endif
