#ifndef REFEREE_CMD_LIB_TERM_H
#define REFEREE_CMD_LIB_TERM_H

/*
 * term.h - what a person at a terminal gets, and a file or a pipe does not.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* May this stream carry colours? A terminal, and NO_COLOR is not set. */
bool term_colours(FILE *stream);

/* How many lines and columns the terminal has; 0: it is none, or does not say.
 */
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
