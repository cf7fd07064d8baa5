#ifndef REFEREE_BASE_DATE_H
#define REFEREE_BASE_DATE_H

/*
 * date.h - dates as text, in UTC.
 *
 * Records, logs and the index write 2026-11-16T04:41:00Z; names of files and
 * games write 20261116-044100. Formatting a date is slow, and many dates are
 * needed within one second, so a frequent caller keeps a struct date.
 */

#include <stdbool.h>

enum {
    DATE_TEXT = 20,      /* "2026-11-16T04:41:00Z" */
    DATE_SECONDS = 19,   /* up to the Z */
    DATE_NAME_TEXT = 15, /* "20261116-044100" */
    DATE_DAY = 8,        /* up to the time of day */
};

struct date {
    long long second; /* the second last written; 0: none yet */
    char text[DATE_TEXT + 4];
};

/* This second as text, valid until the next call. */
const char *date_text(struct date *date, long long second);

/* The same for a name: digits and one '-'. */
void date_name(long long second, char name[DATE_NAME_TEXT + 1]);

/* Is this "2026-11-16T04:41:00Z", or another time that exists? */
bool date_is(const char *text);

#endif
