#ifndef REFEREE_DAEMON_LOBBY_H
#define REFEREE_DAEMON_LOBBY_H

/*
 * lobby.h - who is waiting for a game, and who plays next.
 *
 * The lobby has the ladders of the configuration and a queue of network bots.
 * Local bots do not queue: they can play whenever fewer of their copies are
 * playing than the ladder allows.
 *
 *     lobby_join() --> queue --+
 *                              +--> the lobby chooses --> on_chosen()
 *     bots of the ladder ------+                              |
 *            ^                                                v
 *            +------------- lobby_ended() <-- a unit of games is played
 *
 * It looks at a ladder when something has changed there: a bot joined, a game
 * ended, the configuration was read. If there are enough bots but little choice
 * it waits a while for others, so that the same bots do not meet again and
 * again. A long search without a result is not repeated soon.
 */

#include "base/log.h"
#include "daemon/config.h"
#include "daemon/ladder.h"
#include "net/connection.h"

struct lobby;

/* One ladder. Others only read it, and count `closing` and `done` up. */
struct lobby_ladder {
    char name[BOT_NAME_MAX + 1];
    const struct ladder_config *config; /* NULL: removed by a reload */
    struct ladder *memory;
    int running;       /* units */
    int closing;       /* games that are over, but not in the index */
    int done;          /* games */
    bool is_exhausted; /* all who are there have met as often as they may */
    int64_t pause_us;  /* until then its two bots rest from each other */

    bool is_loading; /* its games are being learnt from the index */

    /* The lobby's own. */
    bool is_changed;  /* since no game could be started */
    int64_t again_us; /* when to look again all the same */
    int64_t rest_us;  /* but not before */
    int64_t spent_us; /* of the tables' time, by its share */
};

/* One who was chosen: a connection, or a local bot. */
struct guest {
    struct connection *connection;
    const struct player *player;
    struct person *person; /* or a visitor, who is never in the lobby */
    int entrant;           /* on the ladder */
    int64_t free_us;       /* since then */
};

struct lobby_owner {
    /* May another game start now? lobby_changed() when it may again. */
    bool (*can_start)(void *owner);
    /* Has the organiser said that this one plays no more there? Then why. */
    const char *(*keeps_out)(void *owner, const char *ladder, const char *name,
                             const char *version);
    /* These, as many as the ladder has seats, play next; in a random order.
     * The owner calls lobby_began() before it returns. */
    void (*on_chosen)(void *owner, struct lobby_ladder *ladder,
                      const struct guest *guest);
};

/* All pointers are borrowed for as long as the lobby lives. */
struct lobby *lobby_new(struct loop *loop, struct log *log, struct index *index,
                        const struct lobby_owner *calls, void *owner);
void lobby_free(struct lobby *lobby); /* NULL is none */

/*
 * The ladders of this configuration count from now on. New ones learn their
 * games from the index, at once or from turn to turn; those that are gone play
 * to the end, and lobby_tidy() removes them. If this fails the configuration
 * before it stays.
 */
bool lobby_configure(struct lobby *lobby, const struct serve_config *config,
                     bool at_once, struct err *err) MUST_CHECK;
void lobby_tidy(struct lobby *lobby);

/* A ladder by name, or NULL; and by number from 0, with NULL at the end. */
struct lobby_ladder *lobby_ladder(const struct lobby *lobby, const char *name);
struct lobby_ladder *lobby_ladder_at(const struct lobby *lobby, int number);

/* May a network bot of this name play there? */
bool lobby_admits(const struct ladder_config *ladder, const char *name);

/* The same for one that has said which games it plays. */
bool lobby_suits(const struct ladder_config *ladder,
                 const struct connection *connection);

/* Has its last game begun, by the configuration? And do the deadlines keep
 * this one out, for it came too late? */
bool lobby_is_frozen(const struct ladder_config *ladder);
bool lobby_is_late(const struct lobby_ladder *ladder, int entrant);

/* Until then this one gets no games there: it rests, or its name or its owner
 * has brought too many new versions. In the past: it may play. */
int64_t lobby_rests_until(const struct lobby_ladder *ladder, int entrant,
                          int64_t now_us);

/* The queue. A connection leaves it by itself when it is seated. */
void lobby_join(struct lobby *lobby, struct connection *connection);
void lobby_leave(struct lobby *lobby, struct connection *connection);

/* Those in the queue by number from 0, with NULL at the end; some of them are
 * not waiting any more. */
struct connection *lobby_queued(const struct lobby *lobby, int number);
bool lobby_is_waiting(const struct connection *connection);

/* A unit of so many games begins, and ends; `unplayed` of them never will. */
void lobby_began(struct lobby_ladder *ladder, const int *entrant, int games);
void lobby_added(struct lobby_ladder *ladder, const int *entrant, int games);
void lobby_ended(struct lobby *lobby, struct lobby_ladder *ladder,
                 const int *entrant, int seats, int unplayed);

/* A game is over, and then in the index; what it tells is learnt there. */
void lobby_learn(struct lobby *lobby, const struct game_summary *summary);
void lobby_indexed(struct lobby *lobby, struct lobby_ladder *ladder,
                   const int *entrant, int seats);

/* Anything may have changed on any ladder: look at all of them soon. */
void lobby_changed(struct lobby *lobby);

#endif
