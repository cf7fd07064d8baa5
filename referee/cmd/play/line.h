#ifndef REFEREE_CMD_PLAY_LINE_H
#define REFEREE_CMD_PLAY_LINE_H

/*
 * line.h - lines that a person types on a terminal.
 *
 * Where the program was built with libedit, the line can be edited, earlier
 * ones come back with the arrow keys, and Tab completes it; else it is read as
 * it is.
 */

#include "base/buf.h"

#include <stdio.h>

struct line_reader;

/* Write every word that begins with `start`, and a line feed behind each. */
typedef void line_words(void *arg, const char *start, struct buf *out);

struct line_reader *line_new(FILE *in, FILE *out, const char *prompt,
                             line_words *words, void *arg);
void line_free(struct line_reader *reader);

/* The next line, without its line feed, or NULL at the end. */
const char *line_read(struct line_reader *reader);

#endif
