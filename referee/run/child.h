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
 * Between the referee and the bot stands a guard: a copy of the referee that
 * does nothing but wait. It is the subreaper of all that the bot starts, so
 * no descendant can run away, not even into a session of its own; it kills
 * them all when it is told to, or when the referee dies. The bytes of the bot
 * go through pipes straight to the referee.
 *
 * A guard may wait for another start of its bot, which then costs no second
 * process. It knows the configuration as it was when it was made itself, so
 * whoever changes one ends the idle guards (children.h).
 *
 * If the bot kills its guard, the bot dies with it, and the children
 * (children.h) end what is left. If it kills the referee, the guards end all
 * bots. What it has started lives on only if it kills both at once, or keeps
 * its guard stopped while the referee is killed.
 */

#include "base/err.h"
#include "run/children.h"
#include "run/meter.h"
#include "run/walls/cell.h"

#include <stdint.h>
#include <sys/types.h>

struct child_config {
    char *const *argv;
    const struct walls *walls; /* NULL: none */
    const char *directory;     /* NULL: as the referee's */
    char *const *environment;  /* see environment.h; NULL: the referee's */
    bool counts_cpu;           /* child_cpu_us() will be asked for */
    bool restarts; /* the guard waits for the next bot of these `argv`;
                    * not if CPU time counts, for it would be added up */
};

/* All descriptors are ours, do not block, and close on exec. */
struct child {
    struct children *children;
    pid_t guard;         /* -1 when it has ended */
    struct meter *meter; /* NULL: nobody counts, or its control group does */
    struct cell *cell;   /* its walls, or NULL */
    int listener; /* readable when they refuse a call (notice.h); or -1 */
    enum cell_limit exceeded;
    int to;      /* its standard input */
    int from;    /* its standard output */
    int error;   /* its standard error */
    int control; /* readable when there is news */
    bool has_exited;
    int status;       /* as from waitpid(), if it has exited */
    bool is_orphan;   /* the guard was killed before the rest had ended */
    bool is_idle;     /* all is gone, and the guard waits */
    const void *argv; /* what it can start again */
};

bool child_start(struct child *child, struct children *children,
                 const struct child_config *config, struct err *err) MUST_CHECK;

/* What the guard has to say. */
enum child_news {
    CHILD_NOTHING,
    CHILD_FAILED,   /* the program cannot be run; *error is an errno */
    CHILD_EXITED,   /* the bot itself; its children may live on */
    CHILD_WALLED,   /* it is behind its walls: `listener` is there */
    CHILD_EXCEEDED, /* it used too much, and is being ended */
    CHILD_GONE,     /* all of it is gone and reaped; or the guard alone, and the
                     * children end the rest */
};

enum child_news child_news(struct child *child, int *error);

/* Ask all of it to end, or end all of it. */
void child_terminate(struct child *child);
void child_kill(struct child *child);

/* Stop all of it, or let it go on. */
void child_freeze(const struct child *child, bool frozen);

/* Which of its limits it has run into. */
enum cell_limit child_exceeded(const struct child *child);

/* The guard itself does not obey: end it, and leave the rest to the children.
 */
void child_abandon(struct child *child);

/*
 * CPU time of the bot and all its descendants, dead or alive. While it matters
 * it must be watched; child_watch_cpu() returns when to do it again.
 */
int64_t child_cpu_us(const struct child *child);
int64_t child_watch_cpu(const struct child *child);

/* Close what is open; before CHILD_GONE this ends everything. */
void child_close(struct child *child);

#endif
