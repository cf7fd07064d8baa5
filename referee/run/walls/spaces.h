#ifndef REFEREE_RUN_WALLS_SPACES_H
#define REFEREE_RUN_WALLS_SPACES_H

/*
 * spaces.h - namespaces of a bot's own, as bubblewrap makes them.
 *
 *     guard --- clone --- init (process 1) --- fork, exec --- bot
 *
 * The system calls are made here, not by the program bwrap. bwrap would be one
 * more process to start, and would make a network namespace for each bot, which
 * is slow and holds a global kernel lock. Here one empty network namespace is
 * made once, together with namespaces for IPC and the host's name, and every
 * guard joins them. No bot can open a socket or use IPC in them (calls.h).
 *
 * Root needs no user namespace, because each bot gets a user of its own. Other
 * users make one, in which they may mount. The bot's root is a new, small file
 * system in memory, in which everything that it may read is mounted read-only.
 * When process 1 ends, the kernel kills all other processes and drops the
 * mounts.
 */

#include "base/err.h"
#include "run/walls/walls.h"

/* What all bots share, made once. */
struct spaces_host {
    bool has_users; /* user namespaces are needed */
    uid_t uid;      /* who we are */
    gid_t gid;
    int user, net, ipc, uts; /* descriptors, or -1 */
};

bool spaces_open(struct spaces_host *host, struct err *err) MUST_CHECK;
void spaces_close(struct spaces_host *host);

/* The guard joins what is shared. */
bool spaces_join(const struct spaces_host *host);

/* Like fork(), but the child is process 1 of new namespaces. */
pid_t spaces_fork(const struct spaces_host *host);

/*
 * In that child: mount what the bot may see, and make it the root. `system`
 * lists what every bot may read. False with errno; *what then says what failed.
 */
bool spaces_furnish(const struct spaces_host *host, const char *const *system,
                    const struct walls *walls, const char **what);

/* Mount the scratch folder there, and everything else that is writable. */
#define SPACES_SCRATCH "/tmp"
extern const char *const spaces_writable[];

#endif
