#ifndef REFEREE_RUN_WALLS_CALLS_H
#define REFEREE_RUN_WALLS_CALLS_H

/*
 * calls.h - the system calls that a bot may make, by seccomp.
 *
 * Everything that programs usually need is allowed. Calls are refused if they
 * reach other processes, the network or the machine, or if two bots could pass
 * a bit through them: sockets, locks, keyrings, System V IPC, watches on files.
 * The table in calls.c has a row for each such call, with a description.
 *
 * A refused call waits until the referee has seen it (notice.h); then it fails
 * with EPERM. If the referee no longer listens, it fails with ENOSYS, as do
 * calls that this program does not know.
 */

#include "base/err.h"
#include "run/walls/walls.h"

#include <linux/filter.h>

/* A filter, ready for the kernel. */
struct calls_filter {
    struct sock_filter *code;
    unsigned short len; /* in instructions; 0: there is none */
};

/* The other walls around the bot: what they cover need not be refused here. */
struct calls_needs {
    int landlock_abi; /* 0: no Landlock */
    bool own_user;    /* each bot has a user of its own */
    bool own_mounts;  /* read-only ones */
    bool own_pids;    /* it sees no other processes */
};

bool calls_build(struct calls_filter *filter, const struct calls_needs *needs,
                 struct err *err) MUST_CHECK;
void calls_release(struct calls_filter *filter);

/*
 * Apply it to this process and everything that it starts. Returns the
 * descriptor that reports refused calls, or -1 with errno.
 */
int calls_restrict(const struct calls_filter *filter);

/*
 * Also forbid messages that carry descriptors out of its processes, because a
 * guard that counts memory would not find them. Apply the first filter first:
 * it checks which machine the call numbers are for.
 */
bool calls_end_messages(void);

/*
 * A description of a refused call: "tried to open a socket: bots have no
 * network".
 */
const char *calls_words(int number);

/* Is the library for building filters there? */
bool calls_are_known(void);

#endif
