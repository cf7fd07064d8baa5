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
 * is written: spectators get those of the public, a person at a table those of
 * the own seat. Nothing hidden from them is ever in the bytes. With the steps
 * comes what goes on at this moment: clocks, and who has answered. Four times a
 * second the games that somebody watches and that have moved are read again;
 * each event is formatted once, for all who watch. While nobody watches,
 * nothing is done, and the games themselves never know.
 */

#include "daemon/http.h"

#include <jansson.h>

struct live;

/* What live asks of its owner. */
struct live_calls {
    /* Moves played in a running game, or -1 if it is not running. */
    int (*moves)(void *owner, const char *id);
    /* Clocks, and who is asked or has answered; NULL if it is not running, or
     * if the fingerprint of that is the same as before. */
    json_t *(*now)(void *owner, const char *id, unsigned *print);
    /* Its record so far; fails if there is none. */
    bool (*read)(void *owner, const char *id, struct buf *bytes,
                 struct err *err);
    /* Ids of at most `most` running games; returns how many. */
    int (*running)(void *owner, char (*id)[64], int most);
};

enum { LIVE_GRID = 12, LIVE_GAMES_MAX = 64 };

struct live *live_new(struct loop *loop, const struct live_calls *calls,
                      void *owner);

/* After http_free(), which ends its streams. */
void live_free(struct live *live);

/*
 * Answer with a stream; returns a status code as in http.h. `id` NULL: all.
 * `viewer` is a seat or PUBLIC: whether it may be is for the caller to know.
 */
int live_answer(struct live *live, struct http_ask *ask, const char *id,
                int viewer);

/* Something has happened that somebody waits for: look at once. */
void live_look(struct live *live);

/* Is there a stream of this game for this viewer? */
bool live_is_watched(const struct live *live, const char *id, int viewer);

#endif
