#ifndef REFEREE_RUN_CONTEST_H
#define REFEREE_RUN_CONTEST_H

/*
 * contest.h - games between bots, several at once.
 *
 * The owner hands out units. One slot plays a unit from beginning to end: a few
 * games on one deal between the same players, whose seats rotate from game to
 * game. The owner may choose units and players by the results of other games. A
 * slot that has to wait for such results asks again after each game.
 *
 * There are as many slots as games may run at once. Each starts its own copies
 * of the bots that its unit needs. It keeps them for all games of the unit, and
 * for the next unit if that needs them too, or restarts them for every game. A
 * slot that has nothing to do keeps no bots.
 *
 * Where records are kept, a game with a finished record is not played again,
 * and a game with an unfinished record continues from its last move.
 *
 * A contest can be played elsewhere. Then a slot starts no bots. It hands out
 * the games of its unit and waits for their records, which count like records
 * that existed before. Unfinished records are not used there.
 */

#include "run/group.h"

enum { CONTEST_GAMES_MAX = 10000000 };

struct contest;

/* Whoever plays the games of a contest elsewhere. */
struct contest_away {
    /* Play the next games of a group. Their records come with
     * contest_played(). */
    void (*hand_out)(void *owner, int slot, const struct group *group,
                     const struct game_names *names, int games);
    /* The records that arrived for this slot are stored and counted. */
    void (*counted)(void *owner, int slot);
    /* They are no longer needed. */
    void (*take_back)(void *owner, int slot);
    void *owner;
};

enum { AWAY_GAMES_MAX = 64 }; /* of a slot at a time */

struct contest_config {
    const struct game *game;
    struct setup setup;
    struct player *player; /* all of them; a unit names some */
    int players;
    int concurrency;
    uint8_t seed[SEED_BYTES]; /* of the contest: all deals follow from it */
    bool seed_is_chosen;
    int64_t start_us, none_us, lenience_us;
    int retries;
    const char *folder; /* folder for records and logs, or NULL */
    bool resumes;       /* it may already hold records */
    /* a file with the key that signs the records (signing.h); or NULL */
    const char *key;
    const char *event; /* what the records say they belong to; or NULL */
    /* a peer that plays in place of the bot; or NULL */
    const struct contest_away *away;
    const char *session; /* prefix of the ids of its games; NULL: a new name */
};

/*
 * What a group (group.h) is to play: its members and its games, which are
 * numbered from `first` on. The id of game number g is the stem and g + 1,
 * written with `digits` digits. The seed of the deal is HMAC-SHA256(seed of the
 * contest, deal).
 */
struct contest_unit {
    int player[SEATS_MAX];
    int first;
    int games;
    char stem[32];
    int digits;
    char deal[56];
    int tag; /* whatever the owner needs to recognise it */
};

/* The outcome of a game, by seat. */
struct game_report {
    const struct contest_unit *unit;
    const char *id;
    int number;
    bool is_void;
    int moves;
    const char *reason;
    int player[SEATS_MAX];
    int rank[SEATS_MAX];
    int score[SEATS_MAX];
    bool left[SEATS_MAX];
    enum why why[SEATS_MAX];
    const char *detail[SEATS_MAX];     /* why it left; "" if unknown */
    const char *last_words[SEATS_MAX]; /* of its stderr, if it left */
};

enum unit_answer {
    UNIT_IS_READY,
    UNIT_MAY_FOLLOW, /* but only after a game that is running now */
    UNIT_WAS_LAST,
};

struct contest_owner {
    enum unit_answer (*next_unit)(void *owner, struct contest_unit *unit);
    void (*on_move)(void *owner, int player, int64_t used_us);
    void (*on_game)(void *owner, const struct game_report *report);
};

struct contest *contest_new(struct loop *loop,
                            const struct contest_config *config,
                            const struct contest_owner *calls, void *owner);

/* Play. Returns when all games are played, or after contest_stop(). */
bool contest_run(struct contest *contest, struct err *err) MUST_CHECK;

/*
 * Start no new games. If `now`, break off running games; otherwise finish them.
 */
void contest_stop(struct contest *contest, bool now);

void contest_free(struct contest *contest);

/* A game that was played elsewhere. */
struct away_game {
    const struct buf *record;   /* without a seal */
    const char *log[SEATS_MAX]; /* by member: its standard error, or "" */
};

/* The games that a slot handed out are played; everything is copied. */
void contest_played(struct contest *contest, int slot,
                    const struct away_game *game, int games);

/* The unit will not be played: the contest stops. */
void contest_gave_back(struct contest *contest, int slot);

/* The contest cannot continue. */
void contest_fail(struct contest *contest, const struct err *err);

/* The number of games running now. */
int contest_running(const struct contest *contest);

#endif
