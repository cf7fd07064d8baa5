#ifndef REFEREE_NOTICE_H
#define REFEREE_NOTICE_H

/*
 * notice.h - what a long-running command says on stderr: lines with the time,
 * what other programs say, and on a terminal one line below that changes.
 *
 * Nothing here waits for whoever reads stderr.
 */

#include "base/err.h"

#include <stddef.h>

struct notice {
    bool terminal;
    bool shown;      /* the status line is on the screen */
    bool mid_line;   /* another program has not ended its line */
    char status[80]; /* one line, whatever its window */
};

void notice_init(struct notice *notice);

/* "12:34:56 TEXT" */
void notice_say(struct notice *notice, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Bytes of another program, at most 4096; false if stderr is full. */
bool notice_pass(struct notice *notice, const char *bytes, size_t len);

/* The line below; only on a terminal. */
void notice_status(struct notice *notice, const char *fmt, ...)
    PRINTF_LIKE(2, 3);
void notice_end(struct notice *notice);

#endif
