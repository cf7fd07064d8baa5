#ifndef REFEREE_DAEMON_CONTROL_H
#define REFEREE_DAEMON_CONTROL_H

/*
 * control.h - orders to a running daemon, over a Unix socket.
 *
 * A caller sends one line and gets one line of JSON, then the connection ends:
 *
 *     status        what runs, see below
 *     games         the games that run
 *     pause         start no new games
 *     resume        start games again
 *     stop          start no new games, and end when the last one is over
 *     kick NAME     close all connections of a bot
 *     reload        read the configuration again
 *     order JSON    an order about a bot, as store/orders.h has it
 *
 * Only root and the user of the daemon may call: the file's mode says so, and
 * the kernel tells who calls. If the order cannot be carried out the answer is
 * {"error": SENTENCE}. Else it is
 *
 *     status   {"uptime_s": 7210,
 *               "state": "starting|running|paused|stopping",
 *               "walls": "walls: bwrap around 3 bots; ..." or "",
 *               "trouble": "games cannot be taken in: ..." or null,
 *               "games": {"running": 3, "done": 801, "void": 0, "closing": 0},
 *               "moves": 41023,
 *               "ladders": [{"name": "duel", "game": "rondo", "seats": 2,
 *                            "waiting": ["anna"], "resting": ["bob"],
 *                            "refusing": [], "running": 3, "done": 801,
 *                            "exhausted": false, "frozen": false}],
 *               "connections": [{"name": "anna", "address": "10.0.0.7:4411",
 *                                "kind": "tcp|tls|unix",
 *                                "state":
 * "login|greeting|submitting|idle|playing| away", "rtt_us": 1234, "games":
 * 12}], "refused": [{"name": "bob", "from": "10.0.0.8", "seconds": 41}],
 *               "handins": {"waiting": 3, "running": 2, "accepted": 14,
 *                           "refused": 6, "failed": 0} or null}
 *              "name" is "" before the login, and "rtt_us" is 0 if not known;
 *              "refused" lists names that failed to log in too often, with ""
 *              for a whole address;
 *              games that are closing are over, but not in the index yet;
 *              a bot rests after repeated failures, and refuses after it has
 *              said that it does not play the game; a ladder is exhausted
 *              when its bots have met as often as they may
 *     games    {"games": [{"id": "duel-802", "ladder": "duel",
 *                          "game": "rondo", "bots": ["anna", "bob"],
 *                          "moves": 17, "age_s": 4}]}
 *     pause, resume, stop
 *              {"state": "running|paused|stopping", "running": 3}
 *     kick     {"kicked": 2}
 *     order    the order, as it was written down
 *     reload   {"reloaded": true, "needs_restart": false,
 *               "changes": ["[bot anna] is a new version, 0123456789ab"]}
 */

#include "base/buf.h"

#include <event2/event.h>
#include <jansson.h>

enum control_verb {
    CONTROL_STATUS,
    CONTROL_GAMES,
    CONTROL_PAUSE,
    CONTROL_RESUME,
    CONTROL_STOP,
    CONTROL_KICK,
    CONTROL_RELOAD,
    CONTROL_ORDER,
    CONTROL_VERBS
};

enum {
    CONTROL_CALLERS_MAX = 16,
    CONTROL_LINE_MAX = 4096, /* of a request */
    CONTROL_WHO_MAX = 32,    /* of a caller's name */
    CONTROL_ANSWER_MAX = 16 << 20,
};

struct control_calls {
    /*
     * Carry out the order. `what` is the bot to kick, the text of an order, or
     * NULL; `who` is the user who gave it. Fill `answer` with control_answer(),
     * or fail. Do not free the control in this call.
     */
    bool (*on_request)(void *owner, enum control_verb verb, const char *what,
                       const char *who, struct buf *answer, struct err *err);
};

struct control;

/*
 * Make the socket. A file left behind by a daemon that died is replaced. Any
 * other file, a socket in use, and a second daemon are errors. PATH.lock stays
 * locked until the control is freed.
 */
struct control *control_new(struct event_base *base, const char *path,
                            const struct control_calls *calls, void *owner,
                            struct err *err);
void control_free(struct control *control);

int control_callers(const struct control *control);

/* Write an object as one line, and take over the reference. */
void control_answer(struct buf *answer, json_t *object);

#endif
