#ifndef REFEREE_DAEMON_LADDER_H
#define REFEREE_DAEMON_LADDER_H

/*
 * ladder.h - what is known of the bots of a ladder, to choose who plays next.
 *
 * An entrant is a bot's name and version; it has a number, from 0. How strong
 * it is, how many games it has begun and whom it has met follows from the games
 * in the index and from those that ended since: so all of it can be lost.
 *
 * A unit counts when it begins, or bots could meet too often while their games
 * run. When a game of it has ended it is learnt from its record, and no longer
 * counts as begun.
 *
 *     ladder_begin() -- units of N games -->
 *         each game: ladder_learn(), then ladder_forget() 1 of them
 *         those that are not played: ladder_forget() the rest
 *     ladder_end() when the unit is over
 */

#include "daemon/accounts.h"
#include "league/pairing.h"
#include "store/index.h"

struct entrant {
    char name[SUMMARY_NAME_MAX + 1];
    char version[SUMMARY_WORD_MAX + 1];
    struct skill skill;
    int games;            /* begun, and not void */
    int running;          /* units */
    int64_t begun_us;     /* when it last began one, or came */
    int64_t ended_us;     /* when one of them ended last, or it came */
    int64_t unit;         /* the number of the last one; 0: none yet */
    struct streak streak; /* of games in which it failed */
    bool refuses;         /* it does not play this game */
    bool is_guest;        /* a network bot: it states its version itself */
    int name_account;     /* of its name, ... */
    int owner_account;    /* ... and of its owner, or NO_ACCOUNT */
    int64_t learnt_us;    /* when its last game was, ... */
    int64_t told_us;      /* ... and how much of that its owner was told */
};

struct ladder;

struct ladder *ladder_new(void);
void ladder_free(struct ladder *ladder);

/* Learn all games that the index has of this ladder; or so many of them now,
 * and the next ones with the next call, until it is `done`. A ladder for which
 * this has failed is of no use. */
bool ladder_load(struct ladder *ladder, struct index *index, const char *name,
                 struct err *err) MUST_CHECK;
bool ladder_load_part(struct ladder *ladder, struct index *index,
                      const char *name, int games, bool *done,
                      struct err *err) MUST_CHECK;

/* The number of an entrant, or -1; and of one who may be new. */
int ladder_find(const struct ladder *ladder, const char *name,
                const char *version);
int ladder_enter(struct ladder *ladder, const char *name, const char *version,
                 int64_t now_us);
int ladder_entrants(const struct ladder *ladder);
const struct entrant *ladder_entrant(const struct ladder *ladder, int number);

/* Games between two entrants, with those that run. */
int ladder_meetings(const struct ladder *ladder, int a, int b);

/* May they play so many games more? `most` is 0 for any number. */
bool ladder_may_meet(const struct ladder *ladder, int a, int b, int most,
                     int games);

/* Has it played since its owner was told a rating? That of a fit which began
 * then has been told now. */
bool ladder_has_news(const struct ladder *ladder, int entrant);
void ladder_told(struct ladder *ladder, int entrant, int64_t began_us);

void ladder_begin(struct ladder *ladder, const int *entrant, int seats,
                  int games, int64_t now_us);
void ladder_learn(struct ladder *ladder, const struct game_summary *summary,
                  int64_t now_us);
void ladder_forget(struct ladder *ladder, const int *entrant, int seats,
                   int games);
void ladder_end(struct ladder *ladder, const int *entrant, int seats,
                int64_t now_us);

/* May bots of one owner meet? At first they may not. */
void ladder_let_owners_meet(struct ladder *ladder, bool they_may);

/*
 * This one comes from the network: its owner, or "", answers for it, and what
 * it does counts for its name and its owner as well.
 */
void ladder_vouch(struct ladder *ladder, int entrant, const char *owner);

/* A local bot that has an owner: bots of one owner do not meet. */
void ladder_own(struct ladder *ladder, int entrant, const char *owner);

/*
 * A game of this entrant, that began then, is over: did it fail in it? Who
 * fails a fourth time in a row must rest, and each further time twice as long:
 * a program that cannot even start would else lose hundreds of games in a
 * minute. A local bot that has changed is another entrant; but the name of a
 * network bot fails whatever version it states, and so does its owner, after
 * more failures. How long it rests, or 0.
 */
int64_t ladder_failed(struct ladder *ladder, int entrant, bool failed,
                      int64_t began_us, int64_t now_us);

/* So often in a row: the entrant, or its name. */
int ladder_failures(const struct ladder *ladder, int entrant);

/* Until then it rests: itself, its name or its owner; in the past: it does
 * not. */
int64_t ladder_rests_until(const struct ladder *ladder, int entrant);

/*
 * A game between these two is over, and `giver` resigned or forfeited it, or
 * is NO_ENTRANT. Too many in a row by one of them, and the two names rest from
 * each other. How long, or 0.
 */
enum { NO_ENTRANT = -1 };

int64_t ladder_gave(struct ladder *ladder, int a, int b, int giver,
                    int64_t began_us, int64_t now_us);

/*
 * Until when this one has to wait because its name or its owner has brought
 * `most` new versions (an owner: twice as many) within an hour; 0: it need not.
 * Who has played here before never has to.
 */
int64_t ladder_full_until(const struct ladder *ladder, int entrant, int most,
                          int64_t now_us);

/* It has refused a game: it is not asked again. With a new version it is. */
void ladder_refused(struct ladder *ladder, int entrant);

/* How long a name has played here; and it counts as no less than that. */
int64_t ladder_played(struct ladder *ladder, const char *name);
void ladder_play_at_least(struct ladder *ladder, const char *name, int64_t us);

/* One who could play now. */
struct offer {
    int entrant;
    int64_t idle_us; /* as in pairing.h */
};

/* Have all of them played their last unit together? */
bool ladder_would_repeat(const struct ladder *ladder,
                         const struct offer *offers, int count);

/*
 * Choose who plays among the offers; `chosen` gets their places. No two of one
 * name or of one owner sit at a table, and none who rest from each other.
 * `games` are played by the same bots one after the other.
 */
bool ladder_choose(struct ladder *ladder, const struct pairing_rules *rules,
                   int games, const struct offer *offers, int count,
                   int64_t now_us, struct rng *rng, int *chosen);

/* When some of those have rested from each other; INT64_MAX: never. */
int64_t ladder_wakes(const struct ladder *ladder);

#endif
