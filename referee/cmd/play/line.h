#ifndef REFEREE_CMD_PLAY_LINE_H
#define REFEREE_CMD_PLAY_LINE_H

/*
 * line.h - read the lines that a person types on a terminal.
 *
 * With libedit, the line can be edited, the arrow keys recall earlier lines,
 * and Tab completes words. Without it, lines are read as typed.
 */

#include "base/buf.h"

#include <stdio.h>

struct line_reader;

/* Write every word that begins with `start`, each followed by a line feed. */
typedef void line_words(void *arg, const char *start, struct buf *out);

struct line_reader *line_new(FILE *in, FILE *out, const char *prompt,
                             line_words *words, void *arg);
void line_free(struct line_reader *reader);

/* The next line, without its line feed, or NULL at the end. */
const char *line_read(struct line_reader *reader);

#endif
