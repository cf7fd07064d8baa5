#ifndef REFEREE_RUN_CONTEST_STATE_H
#define REFEREE_RUN_CONTEST_STATE_H

/*
 * contest_state.h - what the contest*.c files share.
 */

#include "base/date.h"
#include "run/contest.h"
#include "store/pack.h"
#include "store/session.h"
#include "store/signing.h"

/* A game that was played elsewhere. */
struct brought {
    struct buf record;
    struct buf log[SEATS_MAX];   /* by member */
    char detail[SEATS_MAX][128]; /* by seat: why it left, or "" */
};

/* Plays one group after another, with its own copies of the bots. */
struct slot {
    struct group group; /* first: its calls get from there to here */
    struct contest *contest;
    struct contest_unit unit; /* that the group plays */
    struct home home;         /* the next game waits until this is empty */
    bool has_game;            /* a game that is not over */
    struct buf old;           /* an unfinished record */
    struct lines told;        /* what the record says */
    int file;                /* descriptor of the pack, for its record; or -1 */
    int away;                /* games that are played elsewhere now */
    struct brought *brought; /* records from there that are not counted yet, */
    int brought_from, brought_to; /* of these games */
    bool waits;                   /* for a unit */
    bool retired;                 /* the slot has nothing left to play */
    bool empty;                   /* ... and no bots left */
    struct deferred next;
};

struct contest {
    struct loop *loop;
    struct contest_config config;
    const struct contest_owner *calls;
    void *owner;
    struct slot *slot;
    int slots;
    int running;                        /* games */
    int waiting, empty;                 /* slots */
    crypto_auth_hmacsha256_state keyed; /* with its seed */
    struct pack *pack;                  /* of records, or NULL */
    struct signing_key key;             /* if the config names one */
    struct chain chain;                 /* for that key */
    struct replay replay;
    struct buf bytes; /* for the chain */
    struct date date; /* for the records */
    char session[SESSION_TEXT + 1];
    bool stopping;
    bool failed;
    struct err err;
};

static inline int seats(const struct slot *s)
{
    return s->contest->config.setup.seats;
}

/* Which of all players has this seat. */
static inline int player_at(const struct slot *s, int seat)
{
    return s->unit.player[group_member_at(&s->group, seat)];
}

/* Was the current game played elsewhere? */
static inline bool is_brought(const struct slot *s)
{
    return s->brought && s->group.game >= s->brought_from &&
           s->group.game <= s->brought_to;
}

/* contest_away.c */

/* Have the current game and the later ones of the unit played elsewhere. */
void hand_out(struct slot *slot);

/*
 * Find why seats left, and store what bots wrote in files beside the records.
 */
void tell_brought(struct slot *slot, struct game_report *report);

/* The current game arrived and was counted. */
void drop_brought(struct slot *slot);
void forget_brought(struct slot *slot);

/* contest.c */

/* "game-000001", the name of a game of this slot; and what its record says. */
void name_of_game(const struct slot *slot, int number,
                  char id[GROUP_ID_MAX + 1]);
void about_game(const struct slot *slot, int number, const char *id,
                char about[GROUP_ABOUT_MAX + 1]);

/* Look for the next game at the end of this turn of the loop. */
void go_on(struct slot *slot);

/* contest.c: where a bot's standard error goes. */
void log_path(struct group *group, int member, char *path, size_t size);

/* contest_records.c */

/* What follows "WORD SEAT " in this line; NULL if it is another line. */
const char *after_seat(const char *line, const char *word, int seats,
                       int *seat);

/* Is this game over: is there a whole record of it? */
bool has_closed_record(const struct slot *slot, int number);

/*
 * Look for a record of this game. If it is closed, set *done and replay it to
 * its end. If it is unfinished, keep its whole lines in s->old and replay them.
 */
bool look_for_record(struct slot *slot, bool *done, struct err *err) MUST_CHECK;

/* Replay the moves in s->old as if they were made now. */
void tell_old_moves(const struct slot *slot);

/* The outcome that the replay of a closed record shows. */
void fill_old_report(const struct slot *slot, struct game_report *report);

/* Read the existing records: how far they got, and whether there is a key. */
bool open_pack(struct contest *contest, struct err *err) MUST_CHECK;

/* Put a seal after the hash of a record that is closed. */
void seal_record(struct contest *contest, struct record_writer *record);

/* Open a file, or keep the open one, to append to s->old; the game is over. */
bool open_record(struct slot *slot, struct err *err) MUST_CHECK;
void leave_record(struct slot *slot);

#endif
