#ifndef REFEREE_BASE_PAINT_H
#define REFEREE_BASE_PAINT_H

/*
 * paint.h - colours on a terminal.
 *
 * A drawing is text in a buf. paint() switches a colour on, PLAIN switches it
 * off; without colour both write nothing, so the letters alone must do.
 */

#include "base/buf.h"

enum paint {
    PLAIN,
    BOLD,
    DIM,
    RED,
    GREEN,
    YELLOW,
    BLUE,
    PURPLE,
    CYAN,
    ORANGE,
    ON_RED,
    ON_GREEN,
    ON_YELLOW,
    ON_BLUE,
    ON_PURPLE,
    ON_CYAN,
    ON_ORANGE,
    ON_GREY,
    ON_WHITE,
    ON_BLACK,
};

void paint(struct buf *out, bool colour, enum paint paint);

/* The text in that colour, then PLAIN. */
void painted(struct buf *out, bool colour, enum paint paint, const char *text);

#endif
