#ifndef REFEREE_RUN_WALLS_HOST_H
#define REFEREE_RUN_WALLS_HOST_H

/* host.h - what walls_probe() has found; for the files of this folder only. */

#include "run/walls/calls.h"
#include "run/walls/cgroup.h"
#include "run/walls/spaces.h"

/*
 * User numbers that no Linux system assigns. Each referee takes some of them.
 */
enum {
    WALLS_FIRST_USER = 1900000000,
    WALLS_USERS = 1 << 16,
    WALLS_REFEREES = 1 << 11,
    WALLS_ENDED = 64,
};

struct walls_host {
    struct pool pool;
    char why_not[WALLS][WALLS_REASON_MAX]; /* "": it works */
    int landlock_abi;
    struct cgroup_host cgroups;
    struct spaces_host spaces;
    struct calls_filter filter[WALLS];
    const char *const *system; /* files that every bot may read */
    bool gives_users;          /* root: each bot gets a user of its own, ... */
    uid_t first_user;          /* the first of these */
    int started;               /* bots started so far */
    /* groups of the last bots, used in turn */
    struct cgroup ended[WALLS_ENDED];
    int closed; /* bots ended so far */
};

#endif
