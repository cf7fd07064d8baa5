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
 * A member is one of our programs, of which the group starts a copy of its
 * own, or a peer that somebody else looks after. The group keeps its bots from
 * game to game, even for new members that the same bots can play for. There
 * are two exceptions: the player may ask for a restart before every game, and
 * if the next game has the same deal, a bot that stays would know all of it. A
 * bot that has failed or is no longer needed goes home.
 *
 * The owner decides when there is a next game and where its records go. It
 * does so by the table_owner in its calls and the descriptor of group_play().
 */

#include "run/bot.h"
#include "run/table.h"

/* How a program gets to another machine; who made it can pack its files. */
struct luggage {
    const char *about; /* how it is started there, as JSON */
    const char *pack;  /* SHA-256 of its files in one, or "" */
    bool (*make_pack)(const struct luggage *luggage, struct buf *out,
                      struct err *err);
    const void *from;
};

/* One of our own programs. */
struct player {
    struct bot_config bot;
    struct time_control time;
    const char *digest;            /* of its files, or NULL */
    const char *owner;             /* who answers for it, or NULL */
    const struct luggage *luggage; /* NULL: it stays on this machine */
};

/*
 * Where bots go when they are no longer needed. It says goodbye, or ends them
 * at once, and frees them when they have ended. It calls on_ended() after each.
 */
struct home {
    int bots; /* that have not ended yet */
    void (*on_ended)(void *arg);
    void *arg;
};

void home_take(struct home *home, struct bot *bot, bool politely);

struct member {
    const char *name;
    const struct player *player; /* NULL: not one of our programs */
    struct peer *peer;           /* plays instead of one of our bots; or NULL */
    const char *version;         /* of such a peer; NULL: the peer tells it */
    const struct time_control *time;
    bool is_muted; /* its notes are not kept */
};

enum { GROUP_ID_MAX = 63, GROUP_ABOUT_MAX = 255 };

/* Of a game that is played elsewhere. */
struct game_names {
    char id[GROUP_ID_MAX + 40];      /* unique for all times and machines */
    char name[GROUP_ID_MAX + 1];     /* what the bots are told */
    char about[GROUP_ABOUT_MAX + 1]; /* how that line of its record begins */
};

struct group;

struct group_calls {
    /* Its owner is the group, and its on_over() is group_over(). */
    struct table_owner table;
    /* The file for this member's stderr in this game; "": none. */
    void (*log_path)(struct group *group, int member, char *path, size_t size);
    /* A game is over; its bots and its table still exist, but ... */
    void (*on_over)(struct group *group, struct table *table);
    /* ... not any more. This may free the group. */
    void (*on_next)(struct group *group);
};

/* Set by the owner, who may change it between games. */
struct group {
    const struct group_calls *calls;
    struct loop *loop;
    struct home *home;
    struct match_config match; /* what does not depend on game and members */
    struct member member[SEATS_MAX];
    int game;                        /* its number, */
    int first, last;                 /* from this one to that one */
    char id[GROUP_ID_MAX + 1];       /* of this game */
    char about[GROUP_ABOUT_MAX + 1]; /* of this game, or "" */

    /* Set by the group. */
    uint8_t seed[SEED_BYTES];
    char entropy[ENTROPY_TEXT + 1]; /* added to it in the first game, or "" */
    struct buf deal;
    /* in a game: the bot of the i-th member, or NULL */
    struct bot *bot[SEATS_MAX];
    struct table *table; /* NULL between games */
};

/* The owner has filled in calls, loop and home. */
void group_init(struct group *group);

/* Between games, when it has no bots left. */
void group_release(struct group *group);

/* match.game and match.setup are known: deal from this seed. */
void group_deal(struct group *group, const uint8_t seed[SEED_BYTES]);

/* Deal again with what seats have added to the seed; NULL: without. */
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

/* Who has a seat in this game, and in another one with that many seats. */
int group_rotate(int seats, int game, int seat);
int group_member_at(const struct group *group, int seat);

/* Send bots home: those that are no longer members, or all of them. */
void group_dismiss_strangers(struct group *group);
void group_dismiss(struct group *group, bool politely);

/* Start the bots that are missing. If one fails, the others stay. */
bool group_start_bots(struct group *group, struct err *err) MUST_CHECK;

/* A game that was broken off, in the form that match_resume() takes. */
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
