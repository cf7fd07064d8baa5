#ifndef REFEREE_RUN_GROUP_H
#define REFEREE_RUN_GROUP_H

/*
 * group.h - some games on one deal between the same members.
 *
 *               group_start_bots(), group_play()
 *     BETWEEN ------------------------------------> PLAYING
 *     GAMES   <------------------------------------
 *                on_over(), on_next(); or group_break_off()
 *
 * The seats rotate: in game number g, from 0, the m-th of n members has seat
 * (m + g) mod n. The seed of the deal is revealed after the last game.
 *
 * A member is a program of ours, of which the group starts a copy of its own,
 * or a peer that somebody else looks after. The group keeps its bots from game
 * to game, also if the owner names new members for whom they can play, unless
 * their player says that they are restarted for every game, or the next game
 * has the same deal, of which they would know everything. Whoever is needed no
 * more, or has failed, goes home.
 *
 * What the owner decides is when there is a next game, and where its records
 * go: that is the table_owner in its calls, and the descriptor of group_play().
 */

#include "run/bot.h"
#include "run/table.h"

/* A program of ours. */
struct player {
    struct bot_config bot;
    struct time_control time;
    const char *digest; /* of its files, or NULL */
};

/*
 * Where bots go when they are needed no more: it says goodbye, or ends them
 * without, and frees them when they have ended. on_ended() is called after
 * each.
 */
struct home {
    int bots; /* that have not ended yet */
    void (*on_ended)(void *arg);
    void *arg;
};

void home_take(struct home *home, struct bot *bot, bool politely);

struct member {
    const char *name;
    const struct player *player; /* NULL: not a program of ours */
    struct peer *peer;           /* plays in place of a bot of ours; or NULL */
    const char *version;         /* of such a peer; NULL: it says so itself */
    const struct time_control *time;
};

enum { GROUP_ID_MAX = 63, GROUP_ABOUT_MAX = 255 };

struct group;

struct group_calls {
    /* Its owner is the group, and its on_over() is group_over(). */
    struct table_owner table;
    /* The file for the stderr of this member in this game; "": none. */
    void (*log_path)(struct group *group, int member, char *path, size_t size);
    /* A game is over; its bots and its table are still there, but ... */
    void (*on_over)(struct group *group, struct table *table);
    /* ... not here. This may free the group. */
    void (*on_next)(struct group *group);
};

/* What the owner says; it may change that between games. */
struct group {
    const struct group_calls *calls;
    struct loop *loop;
    struct home *home;
    struct match_config match; /* what does not depend on game and members */
    struct member member[SEATS_MAX];
    int game;                        /* its number, ... */
    int first, last;                 /* ... from this one to that */
    char id[GROUP_ID_MAX + 1];       /* of this game */
    char about[GROUP_ABOUT_MAX + 1]; /* of this game, or "" */

    /* The group's own. */
    uint8_t seed[SEED_BYTES];
    char entropy[ENTROPY_TEXT + 1]; /* added to it in the first game, or "" */
    struct buf deal;
    struct bot *bot[SEATS_MAX]; /* in a game: of the i-th member, or NULL */
    struct table *table;        /* NULL between games */
};

/* The owner has filled in calls, loop and home. */
void group_init(struct group *group);

/* Between games, when it has no bots any more. */
void group_release(struct group *group);

/* match.game and match.setup are known: deal from this seed. */
void group_deal(struct group *group, const uint8_t seed[SEED_BYTES]);

/* Deal anew with what seats have added to the seed; NULL: without. */
void group_mix(struct group *group, const char *entropy);

static inline int group_seats(const struct group *group)
{
    return group->match.setup.seats;
}

/* Which of its games this is, from 1. */
static inline int group_part(const struct group *group)
{
    return group->game - group->first + 1;
}

/* Who has a seat in this game; and in another, of so many seats. */
int group_rotate(int seats, int game, int seat);
int group_member_at(const struct group *group, int seat);

/* Send bots home: those that are no members any more, or all of them. */
void group_dismiss_strangers(struct group *group);
void group_dismiss(struct group *group, bool politely);

/* Start the bots that are missing. If one fails the others stay. */
bool group_start_bots(struct group *group, struct err *err) MUST_CHECK;

/* A game that was broken off, as match_resume() takes it. */
struct broken_game {
    struct replay *replay;
    struct lines *told;
    const struct buf *bytes;
};

/*
 * Play this game, or what is left of it if `broken` is not NULL. `record` is
 * for the table.
 */
void group_play(struct group *group, const struct broken_game *broken,
                int record);

/* Leave the game as it is, without a result. */
void group_break_off(struct group *group);

/* For the table_owner. */
void group_over(void *group, struct table *table);

#endif
