#ifndef REFEREE_DAEMON_BUDGET_H
#define REFEREE_DAEMON_BUDGET_H

/*
 * budget.h - how much of the disk a bot may take: with its log, its notes, or
 * lines about it in our own log.
 *
 * Its use counts for its name, for its owner, and for all bots. An owner may
 * use twice as much as a bot. A budget may have a window. Then only use in the
 * current window counts, and the next one starts at zero.
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

/* This much was used or, if negative, given back. `owner` may be "" or NULL. */
void budget_charge(struct budget *budget, const char *name, const char *owner,
                   int64_t amount, int64_t now_us);

/* Is any of it left? Sets `*is_news` if this name has just run out. */
bool budget_allows(struct budget *budget, const char *name, const char *owner,
                   const struct budget_limits *limits, int64_t now_us,
                   bool *is_news);

#endif
