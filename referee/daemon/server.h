#ifndef REFEREE_DAEMON_SERVER_H
#define REFEREE_DAEMON_SERVER_H

/*
 * server.h - the daemon: listeners, ladders, games, the index over them.
 *
 * Bots log in over the network and wait; local bots are started when they are
 * to play. Whenever enough of them are free, a game starts on one of the
 * ladders. All runs in one event loop; only the waiting for the disk does not.
 *
 *     STARTING  what was under way when the last run ended goes on
 *         |
 *         v
 *     RUNNING <--pause, resume--> PAUSED     no new games
 *         |                          |
 *         +------ stop, SIGTERM -----+----> STOPPING   games end, or are
 *                                                      broken off
 *
 * If records or the index cannot be written it is as if it were paused, until
 * they can: games that run go on, and nothing is lost.
 */

#include "daemon/config.h"

struct serve_options {
    /* Read the configuration anew, for SIGHUP; NULL, and it has complained. */
    struct serve_config *(*reread)(const char *path);
    /* A sentence for each thing that differs. */
    void (*changes)(const struct serve_config *old,
                    const struct serve_config *now, struct lines *out);
    void (*release)(struct serve_config *config);
    int games; /* stop when so many have been played; 0: never */
};

/* Serve until told to stop; returns the exit code. */
int server_run(struct serve_config *config,
               const struct serve_options *options);

#endif
