#ifndef REFEREE_BASE_LOG_H
#define REFEREE_BASE_LOG_H

/*
 * log.h - the log, for the person who runs the referee.
 *
 *     2025-11-03T17:20:05.123Z info [rondo-41] anna wins
 *     <6>info [rondo-41] anna wins
 *
 * The second form is for the journal, which has its own clock and reads the
 * level from the number. It is used if systemd has set JOURNAL_STREAM. The id
 * of a game is in brackets, so `grep -F '[rondo-41]'` finds its log.
 *
 * Each entry is one line, whatever it contains. Bytes that are not printable
 * ASCII are written like \x1b, and long entries end in "...". Secrets do not
 * belong in a log. In case somebody logs a login line unchanged, a word that
 * begins with "token:" is blotted out.
 */

#include "base/date.h"
#include "base/err.h"

#include <stdio.h>

enum log_level {
    LOG_ERROR,   /* something does not work and needs attention */
    LOG_WARNING, /* something is wrong, but the referee copes */
    LOG_INFO,    /* what it does */
    LOG_DEBUG,   /* how it does it */
    LOG_LEVELS
};

enum { LOG_LINE_MAX = 1024 }; /* including its line feed */

struct log {
    FILE *to;
    enum log_level level;
    bool journal;
    struct date date; /* of the last entry */
};

/* The stream is borrowed. */
void log_init(struct log *log, FILE *to, enum log_level level);

/* One entry, if `level` is wanted. `game` is the id of a game, or NULL. */
void log_line(struct log *log, enum log_level level, const char *game,
              const char *fmt, ...) PRINTF_LIKE(4, 5);

/* The level for a word such as "warning". */
bool log_level_read(const char *word, enum log_level *level);

#endif
