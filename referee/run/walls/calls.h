#ifndef REFEREE_RUN_WALLS_CALLS_H
#define REFEREE_RUN_WALLS_CALLS_H

/*
 * calls.h - what a bot can ask of the kernel, by seccomp.
 *
 * Everything that programs usually need is allowed. Refused is what reaches
 * other processes, the network or the machine, and what two bots could pass a
 * bit through: sockets, locks, keyrings, System V IPC, watches on files. A row
 * of the table in calls.c names each call and the words for it.
 *
 * A refused call waits until the referee has seen it (notice.h); then it fails
 * with EPERM. If nobody listens any more it fails with ENOSYS, as do calls
 * that this program does not know.
 */

#include "base/err.h"
#include "run/walls/walls.h"

#include <linux/filter.h>

/* A filter, ready for the kernel. */
struct calls_filter {
    struct sock_filter *code;
    unsigned short len; /* in instructions; 0: there is none */
};

/* What else keeps a bot in: what that covers need not be refused here. */
struct calls_needs {
    int landlock_abi; /* 0: no Landlock */
    bool own_user;    /* nobody else runs as its user */
    bool own_mounts;  /* read-only ones */
    bool own_pids;    /* it sees no other processes */
};

bool calls_build(struct calls_filter *filter, const struct calls_needs *needs,
                 struct err *err) MUST_CHECK;
void calls_release(struct calls_filter *filter);

/* From now on it holds for this process and all that it starts. Returns the
 * descriptor for those who listen, or -1 with errno. */
int calls_restrict(const struct calls_filter *filter);

/* And from now on it sends no more messages, by which descriptors could leave
 * its processes: a guard that counts would not find them. The first filter
 * knows which machine the numbers are for. */
bool calls_end_messages(void);

/* What a refused call was for: "tried to open a socket: bots have no network".
 */
const char *calls_words(int number);

/* Is there a library to build filters with? */
bool calls_are_known(void);

#endif
