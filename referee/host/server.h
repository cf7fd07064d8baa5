#ifndef REFEREE_SERVER_H
#define REFEREE_SERVER_H

/*
 * server.h - the daemon: listeners, ladders, games.
 *
 * Bots log in over the network and wait. Whenever enough of them wait for a
 * ladder, or have waited long enough for local bots to fill the empty seats, a
 * game starts. All runs in one event loop.
 *
 *     RUNNING <--pause, resume--> PAUSED     no new games
 *        |                          |
 *        +------ stop, SIGTERM -----+----> STOPPING   games end, or are cut off
 */

#include "host/serve.h"

/* Reads the configuration anew, for SIGHUP; NULL, and it has complained. */
typedef struct serve_config *serve_reader(const char *path);
typedef void serve_freer(struct serve_config *config);

/* Serve until told to stop; returns the exit code. */
int server_run(struct serve_config *config, serve_reader *reread,
               serve_freer *release);

#endif
