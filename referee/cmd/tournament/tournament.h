#ifndef REFEREE_CMD_TOURNAMENT_TOURNAMENT_H
#define REFEREE_CMD_TOURNAMENT_TOURNAMENT_H

/*
 * tournament.h - a running tournament, and its display; for the files of
 * cmd/tournament/ and tournament.c only.
 */

#include "cmd/lib/contest_cmd.h"
#include "cmd/tournament/config.h"
#include "daemon/config.h"
#include "league/plackett.h"
#include "league/summary.h"

struct tournament {
    const struct tournament_config *config;
    struct schedule schedule;
    struct contest_run run;
    struct bot_stats *stats; /* indexed by entrant */
    struct plackett games;
    struct faults faults;
    int done, voids;
    int told_round; /* rounds already reported as over */

    /* The live display. */
    bool quiet;
    bool live; /* stderr is a terminal */
    int lines; /* currently on the screen */
    int64_t start_us, shown_us, kept_us;
};

static inline int entrants_of(const struct tournament *t)
{
    return t->config->schedule.entrants;
}

static inline const char *name_of(const struct tournament *t, int entrant)
{
    return t->config->contest.player[entrant].bot.name;
}

int name_width(const struct tournament *t);

/* tournament_live.c: on stderr. */
void live_begin(struct tournament *t, bool quiet);
void live_move(struct tournament *t);
void live_game(struct tournament *t);
void live_wipe(struct tournament *t);

/* "final" or "round 2"; rounds count from 0. */
void round_name(const struct tournament *t, int round, char text[24]);

/* tournament_print.c, tournament_json.c: on standard output. */
void tournament_print(const struct tournament *t);
void tournament_json(const struct tournament *t);

/* Write the same as TOURNAMENT_FILE in its records folder, if it has one;
 * servers show it on their site. */
void tournament_keep(const struct tournament *t);
void tournament_csv(const struct tournament *t);

/*
 * Write a page, and another one with the games in the records beside it, which
 * it links to.
 */
bool tournament_html(const struct tournament *t, const char *path,
                     struct err *err) MUST_CHECK;

/* The ratings, or none if no game was played; release them if there are any. */
bool tournament_rate(const struct tournament *t, struct ratings *ratings);

#endif
