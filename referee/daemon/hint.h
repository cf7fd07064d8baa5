#ifndef REFEREE_DAEMON_HINT_H
#define REFEREE_DAEMON_HINT_H

/*
 * hint.h - what the built-in bot would play in the place of a person.
 *
 * A search takes seconds, too long for the event loop. So another process does
 * it: "referee moves --hint" reads the record so far, searches with what the
 * seat was told, and prints a move.
 */

#include "base/buf.h"
#include "games/game.h"
#include "run/child.h"
#include "run/loop.h"

#include <event2/event.h>

/* Starts as zeroes. */
struct hint {
    struct loop *loop;
    struct child child;
    struct event *has_news;
    /* it searches now; it has searched this position */
    bool is_sought, was_sought;
    int at;                       /* moves played in this position */
    char move[MOVE_TEXT_MAX + 1]; /* or "" */
};

/* Start a search in this position, and end any other. */
bool hint_seek(struct hint *hint, struct loop *loop, int at, int seat,
               const struct buf *record, struct err *err) MUST_CHECK;

void hint_end(struct hint *hint);

#endif
