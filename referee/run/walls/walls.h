#ifndef REFEREE_RUN_WALLS_WALLS_H
#define REFEREE_RUN_WALLS_WALLS_H

/*
 * walls.h - the walls between a bot and everything that is not its own.
 *
 *     none       nothing: the bot runs as the referee does
 *     limits     memory, processes, files, scratch space; clean environment
 *     landlock   limits, and: it sees its own folder, the system's libraries
 *                and a scratch folder; no sockets, no signals, no locks, no
 *                other way to reach a process outside
 *     bwrap      all of that, and namespaces of its own for processes,
 *                mounts, network, IPC and users, as bubblewrap makes them
 *
 * Each row is stronger than the one before. What a machine offers is probed
 * once, by building each wall and looking from inside; `auto` is the strongest
 * that works. If a wall is requested by name and does not work, it is refused
 * with the reason. It is never replaced by a weaker one.
 *
 * The parts, each in a file of its own:
 *
 *     cgroup.h   limits, CPU time and freezing by control group
 *     files.h    what a bot can open: Landlock
 *     calls.h    what it can ask of the kernel: seccomp
 *     spaces.h   namespaces, and the mounts in them
 *     scratch.h  the folder that it may write to
 *     cell.h     all of these around one bot, from its start to its end
 *     notice.h   what a wall stopped, in the words of the bot's author
 */

#include "base/err.h"
#include "base/pool.h"

#include <stdint.h>
#include <sys/types.h>

enum wall { WALL_NONE, WALL_LIMITS, WALL_LANDLOCK, WALL_BWRAP, WALLS };

#define WALL_WORDS "none|limits|landlock|bwrap|auto"

const char *wall_word(enum wall wall);

/* The limits of a bot, together with everything that it starts. */
struct walls_limits {
    int64_t memory_bytes;
    int64_t scratch_bytes;
    int processes; /* including threads */
};

extern const struct walls_limits walls_preset;

/* The limits that it can exceed. */
enum cell_limit {
    CELL_IN_LIMITS,
    CELL_MEMORY,
    CELL_PROCESSES,
    CELL_SCRATCH,
    CELL_HIDING
};

enum { WALLS_REASON_MAX = 200, WALLS_PATHS_MAX = 64 };

/* This machine, and this user. */
struct walls_host;

/* Try every wall. The host must live as long as bots may start with it. */
struct walls_host *walls_probe(void);
void walls_host_free(struct walls_host *host);

/* Why a wall does not work here; NULL if it works. */
const char *walls_why_not(const struct walls_host *host, enum wall wall);

/*
 * Does each start of a bot have a user of its own, behind landlock and bwrap?
 */
bool walls_give_users(const struct walls_host *host);

/* The wall that "none", "auto", ... means here, or a refusal. */
bool walls_choose(const struct walls_host *host, const char *word,
                  enum wall *wall, struct err *err) MUST_CHECK;

/* One line for the log: what works, what does not, and why. */
void walls_describe(const struct walls_host *host, char *text, size_t size);

/* The walls of one bot. */
struct walls {
    struct walls_host *host;
    enum wall wall;
    struct walls_limits limits;
    const char *readable[WALLS_PATHS_MAX]; /* absolute; NULL at the end */
    int readable_count;
    bool is_hidden; /* other users cannot reach one of these */
};

/* Let the bot read a file, or a folder and what is below it. */
bool walls_allow(struct walls *walls, const char *path, struct pool *pool,
                 struct err *err) MUST_CHECK;

/*
 * Let it read what belongs to its command: the folders of the files that its
 * words name, relative to `directory` (NULL: the current one), and the files
 * that its program or interpreter was installed with, if it is not part of the
 * system.
 */
bool walls_allow_command(struct walls *walls, char *const *argv,
                         const char *directory, struct pool *pool,
                         struct err *err) MUST_CHECK;

/* Could the bot open this? */
bool walls_can_read(const struct walls *walls, const char *path);

#endif
