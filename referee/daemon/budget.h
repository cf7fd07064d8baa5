#ifndef REFEREE_DAEMON_BUDGET_H
#define REFEREE_DAEMON_BUDGET_H

/*
 * budget.h - how much of the disk the logs of local bots may take.
 *
 * Everything below data/logs/ counts, also what earlier runs left there, for
 * each bot by its name and for all of them. A bot that has used up its budget,
 * or finds all of it used up, plays on without a log. Whoever deletes old logs
 * makes room from the next start on.
 */

#include "daemon/accounts.h"

#include <stddef.h>

struct budget {
    struct accounts names;
    int64_t all; /* bytes */
};

/* Starts as zeroes; then count what is in this folder. */
void budget_count(struct budget *budget, const char *logs);
void budget_release(struct budget *budget);

/* The log of a game has become that long. */
void budget_charge(struct budget *budget, const char *name, int64_t bytes);

/* Is there room? `*is_news` if this bot has just lost its log. */
bool budget_allows(struct budget *budget, const char *name, int64_t most,
                   int64_t most_in_all, bool *is_news);

#endif
