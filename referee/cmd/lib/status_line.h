#ifndef REFEREE_CMD_LIB_STATUS_LINE_H
#define REFEREE_CMD_LIB_STATUS_LINE_H

/*
 * status_line.h - what a long-running command prints on stderr: lines with the
 * time, the output of other programs, and on a terminal a status line below
 * them.
 *
 * Nothing here waits for the reader of stderr.
 */

#include "base/err.h"

#include <stddef.h>

struct status_line {
    bool terminal;
    bool shown;      /* the status line is on the screen */
    bool mid_line;   /* another program's last line is unfinished */
    char status[80]; /* keep to one line, whatever the window's size */
};

void status_line_init(struct status_line *line);

/* "12:34:56 TEXT" */
void status_line_say(struct status_line *line, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* Print bytes of another program, at most 4096; false if stderr is full. */
bool status_line_pass(struct status_line *line, const char *bytes, size_t len);

/* Set the status line; only on a terminal. */
void status_line_status(struct status_line *line, const char *fmt, ...)
    PRINTF_LIKE(2, 3);
void status_line_end(struct status_line *line);

#endif
