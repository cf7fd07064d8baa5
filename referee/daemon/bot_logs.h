#ifndef REFEREE_DAEMON_BOT_LOGS_H
#define REFEREE_DAEMON_BOT_LOGS_H

/*
 * bot_logs.h - the standard error of local bots, in data/logs/LADDER/DAY/.
 *
 * Everything there counts for the budgets of log-budget and bot-log-budget,
 * also what earlier runs left. A bot over its budget plays on without a log.
 * Days older than keep-logs are removed, some files per turn of the loop, at
 * the start and every hour; that makes room again.
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

/* These limits hold from now on; the first time, what is there is counted. */
void bot_logs_configure(struct bot_logs *logs,
                        const struct serve_config *config);

/* A bot's log of one game. `start` is the game's. */
struct bot_log {
    const char *ladder, *start, *id;
    const struct player *player;
};

/* Its file; "" if the bot has no budget left, or there can be none. */
void bot_logs_path(struct bot_logs *logs, const struct bot_log *of, char *path,
                   size_t size);

/* The game is over: its log has become as long as it is. */
void bot_logs_charge(struct bot_logs *logs, const struct bot_log *of);

#endif
