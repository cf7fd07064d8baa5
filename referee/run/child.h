#ifndef REFEREE_RUN_CHILD_H
#define REFEREE_RUN_CHILD_H

/*
 * child.h - a bot's process, and everything that it starts.
 *
 *     referee --- fork --- guard --- fork, exec --- bot --- its children ...
 *        |                   |                       |
 *        |<==== control ====>|                       |
 *        |<============ stdin, stdout, stderr ======>|
 *
 * The guard between the referee and the bot is a copy of the referee that only
 * waits. It is the subreaper of everything that the bot starts, so no
 * descendant can escape, not even into a session of its own. The guard kills
 * them all when it is told to, or when the referee dies. The bot's bytes go
 * through pipes straight to the referee.
 *
 * A guard may stay and wait for the next start of its bot, which then saves the
 * fork of a guard. The guard has a copy of the configuration from when it was
 * forked, so a caller that changes the configuration ends the idle guards
 * (children.h).
 *
 * If the bot kills its guard, the bot dies too, and children.h ends what is
 * left. If it kills the referee, the guards end all bots. What a bot has
 * started survives only if the bot kills both at once, or keeps its guard
 * stopped while the referee is killed.
 */

#include "base/err.h"
#include "run/children.h"
#include "run/meter.h"
#include "run/walls/cell.h"

#include <sched.h>
#include <stdint.h>
#include <sys/types.h>

struct child_config {
    char *const *argv;
    const struct walls *walls; /* NULL: none */
    const char *directory;     /* NULL: the referee's own */
    char *const *environment;  /* see environment.h; NULL: the referee's own */
    /* It may use these. NULL: those that are left when cores are handed out
     * (cores.h), for the referee's own core is for the referee alone. */
    const cpu_set_t *processors;
    bool counts_cpu; /* child_cpu_us() will be asked for */
    /*
     * Keep the guard for the next bot with this `argv`. Not possible if CPU
     * time counts, because it would add up over the bots.
     */
    bool restarts;
};

/* We own all descriptors. They do not block, and close on exec. */
struct child {
    struct children *children;
    pid_t guard;         /* -1 when it has ended */
    struct meter *meter; /* NULL: not measured, or its control group measures */
    struct cell *cell;   /* its walls, or NULL */
    int listener; /* readable when they refuse a call (notice.h); or -1 */
    enum cell_limit exceeded;
    int to;      /* its standard input */
    int from;    /* its standard output */
    int error;   /* its standard error */
    int control; /* readable when there is news */
    bool has_exited;
    int status;       /* as from waitpid(), if it has exited */
    bool is_orphan;   /* the guard was killed before all processes had ended */
    bool is_idle;     /* everything has ended, and the guard waits */
    const void *argv; /* the bots that an idle guard can start */
};

bool child_start(struct child *child, struct children *children,
                 const struct child_config *config, struct err *err) MUST_CHECK;

/* What the guard reports. */
enum child_news {
    CHILD_NOTHING,
    CHILD_FAILED,   /* the program cannot be run; *error is an errno */
    CHILD_EXITED,   /* the bot itself; its children may still live */
    CHILD_WALLED,   /* it is behind its walls; `listener` is set */
    CHILD_EXCEEDED, /* it exceeded a limit and is being ended */
    /*
     * Everything has ended and is reaped. Or only the guard has ended; then
     * children.h ends the rest.
     */
    CHILD_GONE,
};

enum child_news child_news(struct child *child, int *error);

/* Ask all processes of the bot to end; kill all of them. */
void child_terminate(struct child *child);
void child_kill(struct child *child);

/* Stop all processes of the bot, or let them continue. */
void child_freeze(const struct child *child, bool frozen);

/* Which of its limits has it reached? */
enum cell_limit child_exceeded(const struct child *child);

/* The guard does not obey: kill it, and leave its descendants to children.h. */
void child_abandon(struct child *child);

/*
 * CPU time of the bot and all its descendants, dead or alive. Call
 * child_watch_cpu() while the time matters; it returns when to call it again.
 */
int64_t child_cpu_us(const struct child *child);
int64_t child_watch_cpu(const struct child *child);

/* Close what is open. Before CHILD_GONE, this kills everything. */
void child_close(struct child *child);

#endif
