#ifndef REFEREE_BASE_PAINT_H
#define REFEREE_BASE_PAINT_H

/*
 * paint.h - colours on a terminal.
 *
 * A drawing is text in a buf. paint() switches a colour on and PLAIN switches
 * it off. Without colour both write nothing, so the letters alone must be
 * enough.
 */

#include "base/buf.h"

enum paint {
    PAINT_PLAIN,
    PAINT_BOLD,
    PAINT_DIM,
    PAINT_RED,
    PAINT_GREEN,
    PAINT_YELLOW,
    PAINT_BLUE,
    PAINT_PURPLE,
    PAINT_CYAN,
    PAINT_ORANGE,
    PAINT_ON_RED,
    PAINT_ON_GREEN,
    PAINT_ON_YELLOW,
    PAINT_ON_BLUE,
    PAINT_ON_PURPLE,
    PAINT_ON_CYAN,
    PAINT_ON_ORANGE,
    PAINT_ON_GREY,
    PAINT_ON_WHITE,
    PAINT_ON_BLACK,
};

void paint(struct buf *out, bool colour, enum paint paint);

/* Write the text in that colour, then PLAIN. */
void painted(struct buf *out, bool colour, enum paint paint, const char *text);

#endif
