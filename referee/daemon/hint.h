#ifndef REFEREE_DAEMON_HINT_H
#define REFEREE_DAEMON_HINT_H

/*
 * hint.h - what the built-in bot would play in the place of a person.
 *
 * A search takes seconds, too long for the event loop. So a process does it,
 * "referee moves --hint": it reads the record so far, searches with what the
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
    bool is_sought, was_sought;   /* now; or before, in this position */
    int at;                       /* moves played in this position */
    char move[MOVE_TEXT_MAX + 1]; /* or "" */
};

/* Search in this position, and forget any other. */
bool hint_seek(struct hint *hint, struct loop *loop, int at, int seat,
               const struct buf *record, struct err *err) MUST_CHECK;

void hint_end(struct hint *hint);

#endif
