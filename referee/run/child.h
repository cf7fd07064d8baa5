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
 * A guard may wait for the next start of its bot, which then needs no second
 * process. It knows the configuration of the time when it was made, so a
 * caller that changes the configuration ends the idle guards (children.h).
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
     * The guard waits for the next bot with these `argv`. Not possible if CPU
     * time counts: it would add up over the bots.
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
    bool is_orphan;   /* the guard was killed before the rest had ended */
    bool is_idle;     /* all is gone, and the guard waits */
    const void *argv; /* what it can start again */
};

bool child_start(struct child *child, struct children *children,
                 const struct child_config *config, struct err *err) MUST_CHECK;

/* What the guard reports. */
enum child_news {
    CHILD_NOTHING,
    CHILD_FAILED,   /* the program cannot be run; *error is an errno */
    CHILD_EXITED,   /* the bot itself; its children may still live */
    CHILD_WALLED,   /* it is behind its walls: `listener` is there */
    CHILD_EXCEEDED, /* it used too much and is being ended */
    /*
     * Everything is gone and reaped; or the guard alone is, and the children
     * end the rest.
     */
    CHILD_GONE,
};

enum child_news child_news(struct child *child, int *error);

/* Ask all of it to end; or end all of it. */
void child_terminate(struct child *child);
void child_kill(struct child *child);

/* Stop all of it, or let it continue. */
void child_freeze(const struct child *child, bool frozen);

/* Which of its limits has it reached? */
enum cell_limit child_exceeded(const struct child *child);

/*
 * The guard itself does not obey: end it, and leave the rest to the children.
 */
void child_abandon(struct child *child);

/*
 * CPU time of the bot and all its descendants, dead or alive. It must be
 * watched while it matters; child_watch_cpu() returns the time of the next
 * look.
 */
int64_t child_cpu_us(const struct child *child);
int64_t child_watch_cpu(const struct child *child);

/* Close what is open. Before CHILD_GONE this ends everything. */
void child_close(struct child *child);

#endif
