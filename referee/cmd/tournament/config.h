#ifndef REFEREE_CMD_TOURNAMENT_CONFIG_H
#define REFEREE_CMD_TOURNAMENT_CONFIG_H

/*
 * config.h - the ini file of a tournament, read and checked.
 *
 * All mistakes are found at once. Nothing is created or changed.
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
    const char *time; /* the control of who has none of its own */
    bool duplicate;
    struct pool pool;
};

/* What the command line says counts more than the file. */
struct tournament_args {
    const char *records, *key;
    int concurrency; /* 0: not given */
    struct workers_args workers;
};

/*
 * True if there is no mistake; *out is then to be freed. `remarks`, of
 * TOURNAMENT_REMARKS_BYTES, gets a line for each mistake and each warning.
 */
bool tournament_config_read(const char *path,
                            const struct tournament_args *args,
                            struct tournament_config **out,
                            struct lines *remarks) MUST_CHECK;
void tournament_config_free(struct tournament_config *config);

/* Every section and key that there is. */
void tournament_config_help(struct buf *out);

#endif
