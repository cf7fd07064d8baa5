#ifndef REFEREE_CMD_WORKERS_REPORT_H
#define REFEREE_CMD_WORKERS_REPORT_H

/*
 * report.h - find odd workers, from the games of the last days on them and on
 * others: referee workers --report.
 *
 * A worker is compared with all others together, bot by bot, because workers
 * get different bots. Four things are compared:
 *
 *     moves    units that two workers have played. A difference counts only if
 *              it is by a bot that has never differed between other workers,
 *              in STEADY comparisons at least.
 *     points   of a bot here and elsewhere
 *     time     seats that were lost on time, if they were as many as elsewhere
 *     pace     time per move, here by elsewhere
 *
 * "Odd" means that chance alone makes it so in less than one case in 10,000
 * for each thing that is compared; for the pace, that it is twice or half as
 * long. With two workers, nobody can say which of them is odd.
 */

#include "many/pg.h"

#include <jansson.h>

enum { REPORT_DAYS = 7 };

/* An array with one object per worker; NULL with a reason. */
json_t *workers_report(struct pg *pg, struct err *err);

#endif
