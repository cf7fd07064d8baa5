#ifndef REFEREE_CMD_LIB_STEP_H
#define REFEREE_CMD_LIB_STEP_H

/*
 * step.h - step through a record, position by position.
 *
 * At a terminal, keys move between positions; otherwise, all positions are
 * written in order.
 */

#include "base/buf.h"

struct stepping {
    const char *title;
    const char *path; /* name of its file, for messages, ... */
    int lines_before; /* ... and the number of lines before it in that file */
    const struct buf *text; /* as it was read */
    int viewer;             /* as in game.h */
    bool quit;              /* the user has seen enough, of other records too */
};

bool step_through(struct stepping *record, struct err *err) MUST_CHECK;

#endif
