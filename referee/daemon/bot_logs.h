#ifndef REFEREE_DAEMON_BOT_LOGS_H
#define REFEREE_DAEMON_BOT_LOGS_H

/*
 * bot_logs.h - the standard error of local bots, in data/logs/LADDER/DAY/.
 *
 * Everything there counts towards log-budget and bot-log-budget, including the
 * logs of earlier runs. A bot over its budget continues without a log. At the
 * start and every hour, days older than keep-logs are removed, a few files per
 * turn of the loop. That makes room again.
 */

#include "base/log.h"
#include "daemon/config.h"
#include "run/loop.h"
#include "store/archive.h"

struct bot_logs;

/* All pointers are borrowed. */
struct bot_logs *bot_logs_new(struct loop *loop, struct log *log,
                              struct archive *archive);
void bot_logs_free(struct bot_logs *logs); /* NULL is none */

/* These limits apply from now on. The first call counts the logs that exist. */
void bot_logs_configure(struct bot_logs *logs,
                        const struct serve_config *config);

/* A bot's log of one game. `start` is the game's. */
struct bot_log {
    const char *ladder, *start, *id;
    const struct player *player;
};

/* Its file; "" if the bot has no budget left or the file cannot be made. */
void bot_logs_path(struct bot_logs *logs, const struct bot_log *of, char *path,
                   size_t size);

/* The game is over, and its log has its final length. */
void bot_logs_charge(struct bot_logs *logs, const struct bot_log *of);

#endif
