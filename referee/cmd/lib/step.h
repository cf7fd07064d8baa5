#ifndef REFEREE_CMD_LIB_STEP_H
#define REFEREE_CMD_LIB_STEP_H

/*
 * step.h - go through a record, position by position.
 *
 * At a terminal the keyboard turns the pages; otherwise all positions are
 * written one after the other.
 */

#include "base/buf.h"

struct stepping {
    const char *title;
    const char *path;       /* of its file, for messages, ... */
    int lines_before;       /* ... where it stands behind so many lines */
    const struct buf *text; /* as read */
    int viewer;             /* as in game.h */
    bool quit;              /* the user has seen enough, also of others */
};

bool step_through(struct stepping *record, struct err *err) MUST_CHECK;

#endif
