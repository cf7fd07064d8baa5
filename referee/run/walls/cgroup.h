#ifndef REFEREE_RUN_WALLS_CGROUP_H
#define REFEREE_RUN_WALLS_CGROUP_H

/*
 * cgroup.h - a control group for each bot, below the referee's own.
 *
 * It uses version 2 if possible and version 1 for the rest; some machines have
 * a mixture of both. Limits, CPU time and freezing are separate parts, and each
 * may be missing. Ask cgroup_has() before using one.
 *
 * In version 2, a group that has processes cannot limit groups below it. So
 * root makes the groups of bots at the top. Other users need a delegated group
 * (Delegate=yes in systemd); the referee and all other processes in it move
 * into a subgroup `referee-self`, and stay there.
 *
 * In version 1, a frozen process cannot even be killed: thaw it first.
 */

#include "base/err.h"
#include "run/walls/walls.h"

enum cgroup_part { CGROUP_MEMORY, CGROUP_PIDS, CGROUP_CPU, CGROUP_FREEZER };
enum { CGROUP_PARTS = 4, CGROUP_PATH_MAX = 512, CGROUP_NAME_MAX = 48 };

/* The place where groups can be made. */
struct cgroup_host {
    char parent[CGROUP_PARTS][CGROUP_PATH_MAX]; /* by part; "": not here */
    bool is_v2[CGROUP_PARTS];
    char why[WALLS_REASON_MAX]; /* why none of the parts can be had */
};

void cgroup_probe(struct cgroup_host *host);

/* The same with another folder in place of /proc, for tests. */
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

/* Move this process, and everything that it starts, into the group. */
bool cgroup_join(const struct cgroup *group);

bool cgroup_freeze(const struct cgroup *group, bool frozen);
int64_t cgroup_cpu_us(const struct cgroup *group); /* -1: nothing counts it */

/* Which limit it has run into. */
enum cell_limit cgroup_exceeded(const struct cgroup *group);

/* Thaw after the descriptor has been closed. */
void cgroup_thaw(const struct cgroup *group);

/*
 * Close the descriptors; and remove the group, or return false if processes are
 * left in it.
 */
void cgroup_close(struct cgroup *group);
bool cgroup_remove(const struct cgroup *group);

#endif
