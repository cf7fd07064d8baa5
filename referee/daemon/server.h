#ifndef REFEREE_DAEMON_SERVER_H
#define REFEREE_DAEMON_SERVER_H

/*
 * server.h - the daemon: listeners, ladders, games, the index over them.
 *
 * Bots log in over the network and wait; local bots are started to play.
 * Whenever enough of them are free, a game starts on one of the ladders.
 * Everything runs in one event loop, except for waiting for the disk.
 *
 *     STARTING  games continue that were under way when the last run ended
 *         |
 *         v
 *     RUNNING <--pause, resume--> PAUSED     no new games
 *         |                          |
 *         +------ stop, SIGTERM -----+----> STOPPING   games end, or are
 *                                                      broken off
 *
 * While records or the index cannot be written, the daemon behaves as if it
 * were paused: running games continue, and nothing is lost.
 */

#include "daemon/config.h"

struct serve_options {
    /*
     * Read the configuration again, for SIGHUP; NULL after reporting an error.
     */
    struct serve_config *(*reread)(const char *path);
    /* A sentence for each difference. */
    void (*changes)(const struct serve_config *old,
                    const struct serve_config *now, struct lines *out);
    void (*release)(struct serve_config *config);
    int games; /* stop after this many games; 0: never */
};

/* Serve until told to stop. Returns the exit code. */
int server_run(struct serve_config *config,
               const struct serve_options *options);

#endif
