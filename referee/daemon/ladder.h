#ifndef REFEREE_DAEMON_LADDER_H
#define REFEREE_DAEMON_LADDER_H

/*
 * ladder.h - what is known of the bots of a ladder, to choose who plays next.
 *
 * An entrant is a bot's name and version; it has a number, from 0. Its
 * strength, the games it has begun and the bots it has met all follow from the
 * games in the index and those that have ended since. So nothing here needs to
 * be saved.
 *
 * A unit counts from its beginning; otherwise bots could meet too often while
 * their games run. When one of its games has ended, the game is learnt from its
 * record and no longer counts as begun.
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
    int64_t begun_us;     /* when it last began one, or appeared */
    int64_t ended_us;     /* when its last one ended, or it appeared */
    int64_t unit;         /* the number of the last one; 0: none yet */
    struct streak streak; /* of games in which it failed */
    bool refuses;         /* it does not play this game */
    bool is_guest;        /* a network bot: it states its version itself */
    int name_account;     /* of its name, ... */
    int owner_account;    /* ... and of its owner, or NO_ACCOUNT */
    int64_t learnt_us;    /* when its last game was, ... */
    int64_t told_us;      /* ... and up to which of these its owner was told */
};

struct ladder;

struct ladder *ladder_new(void);
void ladder_free(struct ladder *ladder);

/*
 * Learn all games that the index has of this ladder; or this many of them now
 * and more with each call, until `done` is set. If it fails, the ladder is of
 * no use.
 */
bool ladder_load(struct ladder *ladder, struct index *index, const char *name,
                 struct err *err) MUST_CHECK;
bool ladder_load_part(struct ladder *ladder, struct index *index,
                      const char *name, int games, bool *done,
                      struct err *err) MUST_CHECK;

/* The number of an entrant, or -1; and the same for one that may be new. */
int ladder_find(const struct ladder *ladder, const char *name,
                const char *version);
int ladder_enter(struct ladder *ladder, const char *name, const char *version,
                 int64_t now_us);
int ladder_entrants(const struct ladder *ladder);
const struct entrant *ladder_entrant(const struct ladder *ladder, int number);

/* Games between two entrants, including running games. */
int ladder_meetings(const struct ladder *ladder, int a, int b);

/* May they play this many more games? `most` is 0 for any number. */
bool ladder_may_meet(const struct ladder *ladder, int a, int b, int most,
                     int games);

/*
 * Has it played since its owner was last told a rating? Record that the owner
 * now knows the rating of a fit that began at this time.
 */
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

/* May bots of one owner meet? Not by default. */
void ladder_let_owners_meet(struct ladder *ladder, bool they_may);

/*
 * This is a network bot of this owner, or "". What it does also counts for its
 * name and its owner.
 */
void ladder_vouch(struct ladder *ladder, int entrant, const char *owner);

/* A local bot that has an owner: bots of one owner do not meet. */
void ladder_own(struct ladder *ladder, int entrant, const char *owner);

/*
 * A game of this entrant, which began at this time, is over: did it fail? After
 * the fourth failure in a row it must rest, and each time twice as long.
 * Otherwise a program that cannot even start would lose hundreds of games a
 * minute. A changed local bot is another entrant. But a network bot's failures
 * count for its name, whatever version it states, and after more failures for
 * its owner. Returns the length of the rest, or 0.
 */
int64_t ladder_failed(struct ladder *ladder, int entrant, bool failed,
                      int64_t began_us, int64_t now_us);

/* Failures in a row: the entrant's, or its name's. */
int ladder_failures(const struct ladder *ladder, int entrant);

/*
 * The entrant, its name or its owner rests until then. A time in the past: it
 * does not rest.
 */
int64_t ladder_rests_until(const struct ladder *ladder, int entrant);

/*
 * A game between these two is over, and `giver` resigned or forfeited it, or is
 * NO_ENTRANT. If one of them does so too often in a row, the two names must not
 * meet for a while. Returns for how long, or 0.
 */
enum { NO_ENTRANT = -1 };

int64_t ladder_gave(struct ladder *ladder, int a, int b, int giver,
                    int64_t began_us, int64_t now_us);

/*
 * The time until which this one must wait because its name has brought `most`
 * new versions within an hour, or its owner twice as many; 0: it need not wait.
 * A version that has played here before never waits.
 */
int64_t ladder_full_until(const struct ladder *ladder, int entrant, int most,
                          int64_t now_us);

/* It has refused a game. It is not asked again until it has a new version. */
void ladder_refused(struct ladder *ladder, int entrant);

/* How long a name has played here; and set a minimum for that. */
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
 * Choose players among the offers; `chosen` gets their indexes. Two of one name
 * or one owner never share a table, nor do two that rest from each other. The
 * same bots play `games` games one after the other.
 */
bool ladder_choose(struct ladder *ladder, const struct pairing_rules *rules,
                   int games, const struct offer *offers, int count,
                   int64_t now_us, struct rng *rng, int *chosen);

/* When some of these may meet again; INT64_MAX: never. */
int64_t ladder_wakes(const struct ladder *ladder);

#endif
