#ifndef REFEREE_RUN_GUARD_H
#define REFEREE_RUN_GUARD_H

/*
 * guard.h - the process between the referee and a bot, from the inside.
 *
 * child.h says what a guard is for, and is all that others need. A guard is a
 * copy of the referee. So it first closes everything that is not the bot's,
 * builds the walls, and starts the bot. Then it waits: it reaps what ends,
 * obeys orders, and enforces the limits that the kernel does not.
 *
 *     guard_run()
 *        |
 *        v
 *      STARTING --> WAITING --all below it has ended--> GONE, or IDLE
 *        ^                                                       |
 *        +-------------------- GUARD_START ----------------------+
 */

#include "run/child.h"

/* What a guard tells the referee. A counter may come along. */
struct guard_message {
    enum child_news news;
    int value;
};

/* One byte, from the referee. */
enum guard_order { GUARD_TERMINATE = 'T', GUARD_KILL = 'K', GUARD_START = 'S' };

enum { GUARD_ENDS = 3 }; /* of pipes, that a bot gets */

/*
 * Be the guard. The bot gets the three `ends` as its standard input, output and
 * error; `control` leads to the referee. This process ends with it.
 */
void guard_run(const struct child_config *config, struct cell *walled,
               bool in_crowd, int *ends, int control);

/*
 * A guard, and so its bot, uses these processors. What a bot may use was there
 * a moment ago; where it has gone since, it uses what there is.
 */
void guard_keep_to(pid_t guard, const struct child_config *config);

/* Send a message with descriptors. */
bool guard_send(int to, void *message, size_t len, const int *fd, size_t count);

/* The number of bytes. `count` is set to the number of descriptors. */
ssize_t guard_receive(int from, int flags, void *message, size_t len,
                      int fd[GUARD_ENDS], size_t *count);

#endif
