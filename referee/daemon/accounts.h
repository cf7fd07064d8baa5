#ifndef REFEREE_DAEMON_ACCOUNTS_H
#define REFEREE_DAEMON_ACCOUNTS_H

/*
 * accounts.h - what the server remembers of names and owners on a ladder.
 *
 * A bot states its own version, so a mark against one version is forgotten as
 * soon as the bot states another one. An account outlives versions. It has a
 * number, from 0, and is never removed: there are as many as there are keys.
 */

#include <stdbool.h>
#include <stdint.h>

/* Failed games in a row, and the rest that follows them. */
struct streak {
    int failures;
    int64_t failed_us; /* the last time */
    int64_t rests_us;  /* until then */
};

enum { REST_FIRST_US = 1000000, REST_MAX_US = 60000000 };

/*
 * A game that began at that time is over: was it a failure? More than `free`
 * failures in a row cost a rest: a second, then twice as long each time, up to
 * a minute. Failures of games that ran side by side count once. Returns the
 * length of the rest, or 0.
 */
int64_t streak_count(struct streak *streak, int free, bool failed,
                     int64_t began_us, int64_t now_us);

struct account {
    char *key; /* a name, or an owner in any words */
    struct streak streak;
    int fresh;         /* versions that were new ... */
    int64_t fresh_us;  /* ... in the hour that began then */
    int64_t played_us; /* on this ladder, for so long */
    int64_t used;      /* budget.h, ... */
    bool is_out;       /* ... and more than it may */
};

struct accounts {
    struct account *account;
    int count, cap;
    int *slot; /* by key: a number, or -1 */
    int slot_cap;
};

enum { NO_ACCOUNT = -1 };

/* Starts as zeroes. */
void accounts_release(struct accounts *accounts);

/* The number of an account, new or known. */
int accounts_of(struct accounts *accounts, const char *key);

/* The account of that number; NULL for NO_ACCOUNT. */
struct account *accounts_at(const struct accounts *accounts, int number);

/*
 * Count a new version. The second function returns the time from which another
 * new one is allowed, if `most` are allowed in an hour; 0: now.
 */
void account_fresh(struct account *account, int64_t now_us);
int64_t account_full_until(const struct account *account, int most,
                           int64_t now_us);

#endif
