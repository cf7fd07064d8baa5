#ifndef REFEREE_BASE_READABLE_H
#define REFEREE_BASE_READABLE_H

/*
 * readable.h - text that a bot wrote, made safe to show to people.
 *
 * UTF-8 stays as it is. Control characters and invalid bytes, which could move
 * the cursor or break JSON, become "\x1b" and the like.
 */

#include "base/buf.h"

/* The length of the valid UTF-8 sequence at `at`; 0 if there is none. */
size_t utf8_length(const char *at, size_t room);

/* Add the text; line feeds are kept, tabs become blanks. */
void buf_readable(struct buf *out, const char *text, size_t len);

#endif
