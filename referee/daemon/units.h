#ifndef REFEREE_DAEMON_UNITS_H
#define REFEREE_DAEMON_UNITS_H

/*
 * units.h - the games of a daemon.
 *
 * A unit is a group (group.h) that plays one game on a ladder, or with
 * `duplicate` one for every rotation of the seats; part k is its game k - 1.
 * Its records go to the archive.
 *
 *                    bots, record            over          was it the last?
 *     begin --> READY -----------> PLAYING -------> READY ... ------------> end
 *
 * Where records go and come from:
 *
 *     memory, then running/ID.rec if the game takes long    while it plays
 *     the file of the day                                   when it is over
 *     the index                                             closing.h
 */

#include "base/date.h"
#include "daemon/closing.h"
#include "daemon/doors.h"
#include "daemon/generations.h"
#include "daemon/hands.h"
#include "daemon/lobby.h"
#include "daemon/metrics.h"
#include "daemon/person.h"
#include "store/session.h"

_Static_assert((int)GROUP_ID_MAX == (int)PART_ID_MAX, "a part is a game");

enum { UNIT_ID_MAX = HAND_ID_MAX, PATH_BYTES = 1024 };

struct units;

/* What units use; all of it is borrowed for as long as they live. */
struct units_context {
    struct loop *loop;
    struct log *log;
    struct metrics *metrics;
    struct archive *archive;
    struct syncer *syncer;
    struct troubles *troubles;
    struct doors *doors;
    struct lobby *lobby;
    struct closing *closing;
};

struct unit {
    struct group group; /* first: its calls get from there to here */
    struct units *units;
    const struct units_context *its;
    struct generation *generation;
    const struct ladder_config *config;
    struct lobby_ladder *ladder;
    struct hands hands;
    char id[UNIT_ID_MAX + 1]; /* of the hand that is being played */
    /* By member: its connection, also of a local bot that is gone; or NULL. */
    struct connection *connection[SEATS_MAX];
    struct person *person[SEATS_MAX]; /* or a visitor of the site */
    int entrant[SEATS_MAX];           /* on its ladder */
    int record;                       /* until the table has it; or -1 */
    char location[LOCATION_MAX + 1];  /* of its record; "": not kept */
    bool has_file;                    /* in running/, too */
    char closed[GROUP_ID_MAX + 1];    /* the part that is over, or "" */
    struct game_summary *summary;     /* of that one, if it is known */
    bool in_doubt;                    /* its record could not be written once */
    char start[DATE_TEXT + 1];        /* of this part */
    int64_t start_us;
    int unplayed;        /* games of hands that were dropped */
    bool was_refused;    /* so its other parts are not played */
    bool was_broken_off; /* it continues after a restart of the daemon */
    struct deferred go;  /* continue with the next part */
    struct unit *next;
};

struct units_owner {
    /* May a game start now? units_wake() when it may again. */
    bool (*can_start)(void *owner);
    /* Start no more parts. Break off units that are between two parts. */
    bool (*is_stopping)(void *owner);
    /* A move was made in a game with people. */
    void (*on_move)(void *owner, const struct unit *unit);
    /* A unit is gone; others may be left. */
    void (*on_ended)(void *owner);
};

/* `games_max` are played in all; 0: any number. */
struct units *units_new(const struct units_context *context, int64_t games_max,
                        const struct units_owner *calls, void *owner);
void units_free(struct units *units); /* when none is left; NULL is none */

/* The name of this run, which makes ids unique. */
void units_name(struct units *units, const char *session);

/* Units that are new play under this configuration. */
void units_configure(struct units *units, struct generation *generation);

/*
 * All units as a list, newest first; and the unit that plays this game, or
 * NULL.
 */
struct unit *units_list(const struct units *units);
struct unit *units_playing(const struct units *units, const char *id);

/* Have as many games begun as --games allows? */
bool units_are_enough(const struct units *units);

/* This many games begin elsewhere (away.h), or never will. */
void units_count(struct units *units, int games);

/* An id for a unit, which no other has. */
void units_next_id(struct units *units, char id[UNIT_ID_MAX + 1]);

/* These bots play a unit on the ladder, from now on. */
void units_start(struct units *units, struct lobby_ladder *ladder,
                 const struct guest *guest);

/* Where the standard error of bots is kept. */
struct bot_logs *units_logs(const struct units *units);

/* Continue the units that wait between two parts. */
void units_wake(struct units *units);

/* Leave all games as they are, for the next run. */
void units_break_off(struct units *units);

/* Step by step, for a unit of another run. */

struct unit *unit_new(struct units *units, struct lobby_ladder *ladder,
                      const char *id);

/* The i-th member is a network bot, or a local one, or that is gone. */
void unit_enter(struct unit *unit, int i, struct connection *connection,
                const struct player *player, int entrant);

/* It is a visitor of the site, who then belongs to the unit. */
void unit_enter_person(struct unit *unit, int i, struct person *person);

/* Another hand that was begun in that run, for the same members. False if there
 * is no room. */
bool unit_add_hand(struct unit *unit, const char *id, int part,
                   const char *entropy);

/* All members are set: seat them, and play from this part on. */
void unit_begin(struct unit *unit, int part);

/*
 * The same for a part that was broken off. If this fails, the unit is freed and
 * its record is unchanged.
 */
bool unit_resume(struct unit *unit, int part, const struct broken_game *broken,
                 struct err *err) MUST_CHECK;

const char *unit_name_at(const struct unit *unit, int seat);

#endif
