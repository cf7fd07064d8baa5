#ifndef REFEREE_DAEMON_LOBBY_H
#define REFEREE_DAEMON_LOBBY_H

/*
 * lobby.h - the bots that wait for a game, and the choice of who plays next.
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
 * The lobby looks at a ladder when something has changed there: a bot joined, a
 * game ended, the configuration was read. If there are enough bots but few to
 * choose from, it waits a while for more, so that the same bots do not meet
 * again and again. After a long search without a result it waits before the
 * next one.
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
    bool is_exhausted; /* all who are there have met as often as allowed */
    int64_t pause_us;  /* until then its two bots rest from each other */

    bool is_loading; /* it is still learning its games from the index */

    /* The lobby's own. */
    bool is_changed;  /* since no game could be started */
    int64_t again_us; /* when to look again in any case */
    int64_t rest_us;  /* but not before */
    int64_t spent_us; /* of the tables' time, by its share */
};

/* One who was chosen: a connection, or a local bot. */
struct guest {
    struct connection *connection;
    const struct player *player;
    struct person *person; /* or a visitor, which is never in the lobby */
    int entrant;           /* on the ladder */
    int64_t free_us;       /* free since then */
};

struct lobby_owner {
    /* May another game start now? If not, call lobby_changed() when it may. */
    bool (*can_start)(void *owner);
    /* Has the organiser excluded this one from the ladder? Returns why. */
    const char *(*keeps_out)(void *owner, const char *ladder, const char *name,
                             const char *version);
    /*
     * These bots play next, one for each seat, in random order. The owner calls
     * lobby_began() before it returns.
     */
    void (*on_chosen)(void *owner, struct lobby_ladder *ladder,
                      const struct guest *guest);
};

/* All pointers are borrowed for as long as the lobby lives. */
struct lobby *lobby_new(struct loop *loop, struct log *log, struct index *index,
                        const struct lobby_owner *calls, void *owner);
void lobby_free(struct lobby *lobby); /* NULL is none */

/*
 * Use the ladders of this configuration from now on. New ladders learn their
 * games from the index, at once or a part each turn. Removed ladders finish
 * their games, and then lobby_tidy() removes them. If this fails, the previous
 * configuration stays.
 */
bool lobby_configure(struct lobby *lobby, const struct serve_config *config,
                     bool at_once, struct err *err) MUST_CHECK;
void lobby_tidy(struct lobby *lobby);

/* A ladder by name, or NULL; and by number from 0, with NULL at the end. */
struct lobby_ladder *lobby_ladder(const struct lobby *lobby, const char *name);
struct lobby_ladder *lobby_ladder_at(const struct lobby *lobby, int number);

/* May a network bot of this name play there? */
bool lobby_admits(const struct ladder_config *ladder, const char *name);

/* The same, for a bot that has said which games it plays. */
bool lobby_suits(const struct ladder_config *ladder,
                 const struct connection *connection);

/*
 * Has the time for new games ended? Do the deadlines exclude this bot because
 * it came too late?
 */
bool lobby_is_frozen(const struct ladder_config *ladder);
bool lobby_is_late(const struct lobby_ladder *ladder, int entrant);

/*
 * The bot gets no games there until then: it rests, or its name or its owner
 * has brought too many new versions. A time in the past: it may play.
 */
int64_t lobby_rests_until(const struct lobby_ladder *ladder, int entrant,
                          int64_t now_us);

/* The queue. A connection leaves it by itself when it is seated. */
void lobby_join(struct lobby *lobby, struct connection *connection);
void lobby_leave(struct lobby *lobby, struct connection *connection);

/*
 * The queue by number from 0, with NULL at the end. Some of these are no longer
 * waiting.
 */
struct connection *lobby_queued(const struct lobby *lobby, int number);
bool lobby_is_waiting(const struct connection *connection);

/*
 * A unit of this many games begins; it ends, and `unplayed` of its games are
 * never played.
 */
void lobby_began(struct lobby_ladder *ladder, const int *entrant, int games);
void lobby_added(struct lobby_ladder *ladder, const int *entrant, int games);
void lobby_ended(struct lobby *lobby, struct lobby_ladder *ladder,
                 const int *entrant, int seats, int unplayed);

/* A game is over; it is in the index, and its ladder learns from it. */
void lobby_learn(struct lobby *lobby, const struct game_summary *summary);
void lobby_indexed(struct lobby *lobby, struct lobby_ladder *ladder,
                   const int *entrant, int seats);

/* Something may have changed on any ladder: look at all of them soon. */
void lobby_changed(struct lobby *lobby);

#endif
