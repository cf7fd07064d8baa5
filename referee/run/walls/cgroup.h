#ifndef REFEREE_RUN_WALLS_CGROUP_H
#define REFEREE_RUN_WALLS_CGROUP_H

/*
 * cgroup.h - a control group for each bot, below the referee's own.
 *
 * Version 2 where it can be had, version 1 for what is left, and some machines
 * have a bit of both. Limits, CPU time and freezing are parts that are there
 * or not, each for itself. Whoever needs one asks cgroup_has().
 *
 * With version 2, a group that has processes cannot limit others below it. Root
 * makes the groups of bots at the top then. Others need a group that was given
 * to them (Delegate=yes in systemd); the referee and all that is in it go into
 * a group `referee-self` below, and stay there.
 *
 * A frozen process of version 1 does not even die: thaw before you kill.
 */

#include "base/err.h"
#include "run/walls/walls.h"

enum cgroup_part { CGROUP_MEMORY, CGROUP_PIDS, CGROUP_CPU, CGROUP_FREEZER };
enum { CGROUP_PARTS = 4, CGROUP_PATH_MAX = 512, CGROUP_NAME_MAX = 48 };

/* Where groups can be made. */
struct cgroup_host {
    char parent[CGROUP_PARTS][CGROUP_PATH_MAX]; /* by part; "": not here */
    bool is_v2[CGROUP_PARTS];
    char why[WALLS_REASON_MAX]; /* if none of them can be had */
};

void cgroup_probe(struct cgroup_host *host);

/* The same with another folder than /proc, for tests. */
void cgroup_probe_in(struct cgroup_host *host, const char *proc);

/* Write to one of the files of a group; false with errno. */
bool cgroup_put(const char *path, const char *text);

static inline bool cgroup_has(const struct cgroup_host *host,
                              enum cgroup_part part)
{
    return host->parent[part][0] != '\0';
}

/* One group. */
struct cgroup {
    const struct cgroup_host *host;
    char name[CGROUP_NAME_MAX]; /* "": there is none */
    int freezer, cpu;           /* descriptors, or -1 */
};

bool cgroup_make(struct cgroup *group, const struct cgroup_host *host,
                 int number, const struct walls_limits *limits,
                 struct err *err) MUST_CHECK;

/* This process, and all that it starts, belongs to the group from now on. */
bool cgroup_join(const struct cgroup *group);

bool cgroup_freeze(const struct cgroup *group, bool frozen);
int64_t cgroup_cpu_us(const struct cgroup *group); /* -1: nobody counts */

/* Which limit it has run into. */
enum cell_limit cgroup_exceeded(const struct cgroup *group);

/* Thaw without the descriptor. */
void cgroup_thaw(const struct cgroup *group);

/* Close what is open; and remove a group in which nobody is left, or false. */
void cgroup_close(struct cgroup *group);
bool cgroup_remove(const struct cgroup *group);

#endif
