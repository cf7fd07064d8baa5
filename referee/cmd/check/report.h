#ifndef REFEREE_CMD_CHECK_REPORT_H
#define REFEREE_CMD_CHECK_REPORT_H

/*
 * report.h - what `referee check` has to say: one line per check, and advice
 * where something is wrong.
 */

#include "base/buf.h"

#include <jansson.h>
#include <stdint.h>

enum verdict { VERDICT_PASSED, VERDICT_REMARK, VERDICT_FAULT, VERDICTS };

enum {
    QUOTE_BYTES = 160,
    QUOTES_MAX = 6,
};

/* A line of the talk, cut if it is long. */
struct quote {
    bool sent; /* sent by the referee; otherwise by the bot */
    char text[QUOTE_BYTES];
};

struct finding {
    enum verdict verdict;
    char check[24];
    char text[240];
    struct quote quote[QUOTES_MAX];
    int quotes;
    char last_words[4096]; /* of the bot's stderr */
    char wanted[320];
    const char *where; /* section of protocol.md */
    char hint[640];
    json_t *facts; /* for machines, or NULL; the report owns it */
};

/* The subject. */
struct report_words {
    const char *what; /* "bot": a key in JSON */
    const char *good, *bad;
};

struct report {
    bool as_json;
    bool colour;
    const struct report_words *words;
    const char *name;
    char section[40];
    json_t *checks;
    int count[VERDICTS];
    struct buf out;
};

void report_begin(struct report *report, const struct report_words *words,
                  const char *name, bool as_json);
void report_section(struct report *report, const char *title);
void report_add(struct report *report, const struct finding *finding);

/* Write the summary; `complete` if nothing was left out. True if it passed. */
bool report_end(struct report *report, bool complete);

/* A finding that needs no explanation. */
void report_ok(struct report *report, const char *check, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* "0.3 ms", "18 ms", "2.5 s"; in one of a few static buffers. */
const char *short_time(int64_t us);

#endif
