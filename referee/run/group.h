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
 * A member is either one of our programs, of which the group starts its own
 * copy, or a peer that somebody else manages. The group keeps its bots from
 * game to game, even for new members that the same bots can play for. There are
 * two exceptions. The player may ask for a restart before every game. And if
 * the next game has the same deal, the bots are restarted, because a bot that
 * stays would know the whole deal. A bot that has failed or is no longer needed
 * is sent home.
 *
 * The owner decides when the next game starts and where its record goes, with
 * the table_owner in its calls and the descriptor that it gives to
 * group_play().
 */

#include "run/bot.h"
#include "run/table.h"

/*
 * How a program gets to another machine. Whoever made this can pack its files.
 */
struct luggage {
    const char *about; /* how it is started there, as JSON */
    const char *pack;  /* one SHA-256 over all its files, or "" */
    bool (*make_pack)(const struct luggage *luggage, struct buf *out,
                      struct err *err);
    const void *from;
};

/* One of our own programs. */
struct player {
    struct bot_config bot;
    struct time_control time;
    const char *digest;            /* of its files, or NULL */
    const char *owner;             /* who is responsible for it, or NULL */
    const struct luggage *luggage; /* NULL: it is not sent to other machines */
};

/*
 * Where bots go when they are no longer needed. The home sends quit or ends
 * them at once, and frees each one when it has ended. It calls on_ended() after
 * each.
 */
struct home {
    int bots; /* bots that have not ended yet */
    void (*on_ended)(void *arg);
    void *arg;
};

void home_take(struct home *home, struct bot *bot, bool politely);

struct member {
    const char *name;
    const struct player *player; /* NULL: not one of our programs */
    /* a peer that plays in place of one of our bots; or NULL */
    struct peer *peer;
    const char *version; /* digest of such a peer; NULL: the peer states it */
    const struct time_control *time;
    bool is_muted; /* its notes are not stored */
};

enum { GROUP_ID_MAX = 63, GROUP_ABOUT_MAX = 255 };

/* For a game that is played elsewhere. */
struct game_names {
    char id[GROUP_ID_MAX + 40];      /* globally unique */
    char name[GROUP_ID_MAX + 1];     /* what the bots are told */
    char about[GROUP_ABOUT_MAX + 1]; /* prefix of that line in its record */
};

struct group;

struct group_calls {
    /* Its owner is the group, and its on_over() is group_over(). */
    struct table_owner table;
    /* The file for this member's stderr in this game; "": discard it. */
    void (*log_path)(struct group *group, int member, char *path, size_t size);
    /* A game is over; its bots and its table still exist, but ... */
    void (*on_over)(struct group *group, struct table *table);
    /* ... not any more. This may free the group. */
    void (*on_next)(struct group *group);
};

/* Set by the owner, which may change it between games. */
struct group {
    const struct group_calls *calls;
    struct loop *loop;
    struct home *home;
    /* what does not depend on the game or the members */
    struct match_config match;
    struct member member[SEATS_MAX];
    int game;                        /* its number, */
    int first, last;                 /* the range of games to play */
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

/* Call it between games, when the group has no bots left. */
void group_release(struct group *group);

/* match.game and match.setup are known: deal from this seed. */
void group_deal(struct group *group, const uint8_t seed[SEED_BYTES]);

/*
 * Deal again, with what the seats have added to the seed; NULL: nothing added.
 */
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

/*
 * The member in a seat of this game, and of another game with that many seats.
 */
int group_rotate(int seats, int game, int seat);
int group_member_at(const struct group *group, int seat);

/* Send bots home: those whose members have left, or all of them. */
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
 * Play this game, or the rest of it if `broken` is not NULL. `record` goes to
 * the table.
 */
void group_play(struct group *group, const struct broken_game *broken,
                int record);

/* Abandon the game as it is, without a result. */
void group_break_off(struct group *group);

/* For the table_owner. */
void group_over(void *group, struct table *table);

#endif
