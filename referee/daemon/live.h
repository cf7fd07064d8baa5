#ifndef REFEREE_DAEMON_LIVE_H
#define REFEREE_DAEMON_LIVE_H

/*
 * live.h - running games as server-sent events, for spectators.
 *
 * Two kinds of streams:
 *
 *     one game   every step from a number on, then how it ended
 *     all        which games run, and the latest step of each
 *
 * Steps are made for one audience (web/steps.h), from the record as far as it
 * is written. Spectators get the public steps; a person at a table gets the
 * steps of that seat. Nothing hidden from them is ever in the bytes. The stream
 * also has the clocks, and who has answered. Four times a second, watched games
 * that have moved are read again. Each event is formatted once for all
 * watchers. Without watchers nothing is done, and the games themselves are
 * never involved.
 */

#include "daemon/http.h"

#include <jansson.h>

struct live;

/* What live asks its owner. */
struct live_calls {
    /* Moves played in a running game, or -1 if it is not running. */
    int (*moves)(void *owner, const char *id);
    /*
     * Clocks, and who has been asked or has answered. NULL if the game is not
     * running, or if the fingerprint has not changed.
     */
    json_t *(*now)(void *owner, const char *id, unsigned *print);
    /* Its record so far; fails if there is none. */
    bool (*read)(void *owner, const char *id, struct buf *bytes,
                 struct err *err);
    /* Ids of at most `most` running games. Returns how many. */
    int (*running)(void *owner, char (*id)[64], int most);
};

enum { LIVE_GRID = 12, LIVE_GAMES_MAX = 64 };

struct live *live_new(struct loop *loop, const struct live_calls *calls,
                      void *owner);

/* After http_free(), which ends its streams. */
void live_free(struct live *live);

/*
 * Answer with a stream; returns a status code as in http.h. `id` NULL: all
 * games. `viewer` is a seat or PUBLIC. The caller must check that the client
 * may see it.
 */
int live_answer(struct live *live, struct http_ask *ask, const char *id,
                int viewer);

/* Something has happened that a watcher waits for: check at once. */
void live_look(struct live *live);

/* Is there a stream of this game for this viewer? */
bool live_is_watched(const struct live *live, const char *id, int viewer);

#endif
