#ifndef REFEREE_RUN_GUARD_H
#define REFEREE_RUN_GUARD_H

/*
 * guard.h - the process between the referee and a bot, from the inside.
 *
 * child.h says what a guard is for; other modules need only that. A guard is a
 * copy of the referee, so it first closes everything that the bot must not
 * have. It builds the walls and starts the bot. Then it waits: it reaps
 * processes that end, obeys orders, and enforces the limits that the kernel
 * does not enforce.
 *
 *     guard_run()
 *        |
 *        v
 *      STARTING --> WAITING --all below it has ended--> GONE, or IDLE
 *        ^                                                       |
 *        +-------------------- GUARD_START ----------------------+
 */

#include "run/child.h"

/*
 * What a guard tells the referee. The message may carry a counter's descriptor.
 */
struct guard_message {
    enum child_news news;
    int value;
};

/* One byte, from the referee. */
enum guard_order { GUARD_TERMINATE = 'T', GUARD_KILL = 'K', GUARD_START = 'S' };

enum { GUARD_ENDS = 3 }; /* of pipes, that a bot gets */

/*
 * Act as the guard, and never return. The bot gets the three `ends` as its
 * standard input, output and error; `control` leads to the referee.
 */
void guard_run(const struct child_config *config, struct cell *walled,
               bool in_crowd, int *ends, int control);

/*
 * Run the guard, and so its bot, on these processors. They existed a moment
 * ago; if they have gone offline since, the bot uses the processors that are
 * left.
 */
void guard_keep_to(pid_t guard, const struct child_config *config);

/* Send a message with descriptors. */
bool guard_send(int to, void *message, size_t len, const int *fd, size_t count);

/* Returns the number of bytes. `count` is set to the number of descriptors. */
ssize_t guard_receive(int from, int flags, void *message, size_t len,
                      int fd[GUARD_ENDS], size_t *count);

#endif
