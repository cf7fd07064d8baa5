#ifndef REFEREE_DAEMON_TROUBLE_H
#define REFEREE_DAEMON_TROUBLE_H

/*
 * trouble.h - problems that keep games from starting, although nobody ordered a
 * pause.
 *
 * Each kind of trouble is either on or off. The first sentence that turns it on
 * is logged and shown in the status; it stays until the trouble is over. While
 * records or the index cannot be written, nothing starts. A game that could not
 * start is tried again every second, because only another try shows whether it
 * can start now.
 */

#include "base/err.h"
#include "base/log.h"

#include <stdbool.h>
#include <stdint.h>

enum trouble_kind {
    TROUBLE_RECORD, /* running games cannot be written */
    TROUBLE_INDEX,  /* finished games cannot be indexed */
    TROUBLE_START,  /* a game could not be started */
    TROUBLES
};

struct trouble {
    bool is_on;
    char text[256];
    int64_t again_us; /* TROUBLE_START: when to try again */
};

struct troubles {
    struct log *log;
    void (*on_over)(void *owner); /* a problem is over: look again */
    void *owner;
    struct trouble of[TROUBLES];
};

void trouble_begin(struct troubles *troubles, enum trouble_kind kind,
                   const char *fmt, ...) PRINTF_LIKE(3, 4);
void trouble_end(struct troubles *troubles, enum trouble_kind kind);

/* The sentence for people, or NULL if there is no trouble. */
const char *trouble_text(const struct troubles *troubles);

/* Do these problems allow a game to start? */
bool trouble_allows_start(const struct troubles *troubles);

#endif
