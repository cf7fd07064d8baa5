#ifndef REFEREE_CMD_LIB_TERM_H
#define REFEREE_CMD_LIB_TERM_H

/*
 * term.h - what is printed for a person at a terminal, but not to a file or a
 * pipe.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * True if this stream may carry colours: a terminal, and NO_COLOR is not set.
 */
bool term_colours(FILE *stream);

/* The number of lines and columns of the terminal; 0: not a terminal, or
 * unknown. */
int term_rows(FILE *stream);
int term_columns(FILE *stream);

/*
 * A bar on stderr: "replay  [#####.....]  512 of 1000". Nothing unless stderr
 * is a terminal. progress_done() wipes it.
 */
struct progress {
    const char *what;
    size_t of;
    int shown; /* percent */
    bool on;
};

void progress_begin(struct progress *progress, const char *what, size_t of);
void progress_show(struct progress *progress, size_t done);
void progress_done(struct progress *progress);

#endif
