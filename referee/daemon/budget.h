#ifndef REFEREE_DAEMON_BUDGET_H
#define REFEREE_DAEMON_BUDGET_H

/*
 * budget.h - how much of the disk a bot may take: with its log, its notes, or
 * lines about it in our own log.
 *
 * Whatever it uses counts for its name, for its owner, and for all bots. An
 * owner may use twice as much as a bot. A budget may have a window: then only
 * what was used in this one counts, and the next one begins at nothing.
 */

#include "daemon/accounts.h"

struct budget_limits {
    int64_t each, all;
};

struct budget {
    int64_t window_us; /* 0: what was used counts until it is given back */
    int64_t since_us;  /* the window's begin */
    struct accounts names, owners;
    int64_t all;
};

/* Starts as zeroes, with or without a window. */
void budget_release(struct budget *budget);

/* So much was used; or given back, if it is negative. `owner` may be "" or
 * NULL. */
void budget_charge(struct budget *budget, const char *name, const char *owner,
                   int64_t amount, int64_t now_us);

/* Is any of it left? `*is_news` if this name has just lost it. */
bool budget_allows(struct budget *budget, const char *name, const char *owner,
                   const struct budget_limits *limits, int64_t now_us,
                   bool *is_news);

#endif
