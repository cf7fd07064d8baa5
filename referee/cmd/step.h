#ifndef REFEREE_STEP_H
#define REFEREE_STEP_H

/*
 * step.h - go through a record, position by position.
 *
 * At a terminal the keyboard turns the pages; otherwise all positions are
 * written one after the other.
 */

#include "base/buf.h"

/* `text` is the record as read; `viewer` as in game.h. */
bool step_through(const char *name, const struct buf *text, int viewer,
                  struct err *err) MUST_CHECK;

#endif
