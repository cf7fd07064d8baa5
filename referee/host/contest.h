#ifndef REFEREE_CONTEST_H
#define REFEREE_CONTEST_H

/*
 * contest.h - many games between the same bots, some of them at once.
 *
 * Games are numbered from 0. The seats rotate: in game g the bot b sits on
 * seat (b + g) mod n. A unit is what one slot plays from beginning to end: one
 * game, or with `duplicate` the n games on one deal, once for each rotation.
 * There are as many slots as games may run at once; each has its own copy of
 * every bot, which it keeps running over its games, or starts anew for each.
 *
 * Where records are kept, a game that has a finished record is not played
 * again, and one that has an unfinished record goes on from there.
 */

#include "host/bot.h"
#include "host/table.h"

enum { CONTEST_GAMES_MAX = 10000000 };

/* One of the bots. */
struct player {
    struct bot_config bot;
    struct time_control time;
    const char *digest; /* of its files, or NULL */
    bool restart;       /* for every game */
};

struct contest_config {
    const struct game *game;
    struct setup setup; /* as many seats as players */
    struct player *player;
    int games;
    int concurrency;
    bool duplicate;
    uint8_t seed[SEED_BYTES]; /* of the contest: all deals follow from it */
    bool seed_is_chosen;
    int64_t start_us, none_us, lenience_us;
    int retries;
    const char *folder; /* for records and logs, or NULL */
};

/* What came of a game; by player, not by seat. */
struct game_report {
    int number;
    bool is_void;
    int moves;
    const char *reason;
    int seat[SEATS_MAX];
    int rank[SEATS_MAX];
    int score[SEATS_MAX];
    bool left[SEATS_MAX];
    enum why why[SEATS_MAX];
    const char *detail[SEATS_MAX];     /* if it left; "" if unknown */
    const char *last_words[SEATS_MAX]; /* of its stderr, if it left */
};

struct contest;

struct contest_owner {
    void (*on_move)(void *owner, int player, int64_t used_us);
    void (*on_game)(void *owner, const struct game_report *report);
};

struct contest *contest_new(struct loop *loop,
                            const struct contest_config *config,
                            const struct contest_owner *calls, void *owner);

/* Play. Returns when all games are played, or after contest_stop(). */
bool contest_run(struct contest *contest, struct err *err) MUST_CHECK;

/* No new games; those that run are cut off if `now`, else played on. */
void contest_stop(struct contest *contest, bool now);

void contest_free(struct contest *contest);

/* How many games run at this moment. */
int contest_running(const struct contest *contest);

#endif
