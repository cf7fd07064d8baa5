#ifndef REFEREE_CMD_CHECK_PLAY_H
#define REFEREE_CMD_CHECK_PLAY_H

/*
 * play.h - one game between the bot under examination and opponents in memory.
 *
 *     bot process <--- talk ---> match <--- talks ---> opponents
 *
 * It uses the real match code, so it judges as in a contest. Each opponent has
 * its own talk, but its lines never leave the program: it asks for legal_moves
 * and plays one of them at random.
 */

#include "cmd/check/bot.h"

/* The special feature of a game. */
enum twist {
    TWIST_NONE,
    TWIST_BREAK_OFF,   /* the game is void after a few moves */
    TWIST_REJECT_MOVE, /* the first move is rejected */
    TWIST_LONG_LINE,   /* a legal_moves line as long as the protocol allows */
};

struct plan {
    const struct game *game;
    struct setup setup;
    int seat;       /* of the bot */
    const char *id; /* of the match */
    const uint8_t *seed;
    bool seed_is_chosen;
    struct time_control time;
    int64_t start_us, limit_us;
    int64_t until_us; /* cut it off at this time; or NEVER */
    enum twist twist;
    bool shuffle; /* list legal_moves in any order */
    int quitter;  /* an opponent that resigns, or -1 */
};

enum ending {
    ENDING_PLAYED,    /* to its end */
    ENDING_CUT_OFF,   /* by the plan */
    ENDING_GAVE_UP,   /* resigned */
    ENDING_REFUSED,   /* answered new_game with '?' */
    ENDING_FAILED,    /* left for any other reason */
    ENDING_UNSETTLED, /* did not answer the last thing sent; outcome says how */
};

struct played {
    enum ending ending;
    enum outcome outcome;
    enum why why;
    char detail[200];
    int moves;
    int64_t total_us, max_us;
    size_t longest;    /* longest line sent */
    bool twisted;      /* the twist has been made */
    struct buf record; /* kept from game to game */
};

/* The bot must be running. */
void play_game(struct exam *exam, const struct plan *plan,
               struct played *played);

#endif
