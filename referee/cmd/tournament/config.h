#ifndef REFEREE_CMD_TOURNAMENT_CONFIG_H
#define REFEREE_CMD_TOURNAMENT_CONFIG_H

/*
 * config.h - read and check the ini file of a tournament.
 *
 * All mistakes are found in one pass. Nothing is created or changed.
 */

#include "base/lines.h"
#include "base/pool.h"
#include "cmd/lib/contest_cmd.h"
#include "league/schedule.h"

enum { TOURNAMENT_REMARKS_BYTES = 4 << 20 };

/* Player i of the contest is entrant i of the schedule. */
struct tournament_config {
    const char *name;
    struct schedule_config schedule;
    struct contest_config contest;
    const char *time; /* time control of bots without their own */
    bool duplicate;
    struct pool pool;
};

/* The command line overrides the file. */
struct tournament_args {
    const char *records, *key;
    int concurrency; /* 0: not given */
    struct workers_args workers;
};

/*
 * True if there is no mistake; the caller then frees *out. `remarks`, of
 * TOURNAMENT_REMARKS_BYTES, gets one line for each mistake and each warning.
 */
bool tournament_config_read(const char *path,
                            const struct tournament_args *args,
                            struct tournament_config **out,
                            struct lines *remarks) MUST_CHECK;
void tournament_config_free(struct tournament_config *config);

/* Help: every section and key. */
void tournament_config_help(struct buf *out);

#endif
