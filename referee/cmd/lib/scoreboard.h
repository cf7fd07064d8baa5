#ifndef REFEREE_CMD_LIB_SCOREBOARD_H
#define REFEREE_CMD_LIB_SCOREBOARD_H

/* scoreboard.h - the results of a match so far, for people and for machines. */

#include "cmd/lib/contest_cmd.h"
#include "league/elo.h"
#include "league/plackett.h"
#include "league/sprt.h"
#include "league/summary.h"

/* An incomplete duplicate group, or an incomplete game. */
struct unit {
    double score; /* sum for the first bot */
    int games;
};

struct scoreboard {
    const struct contest_config *config;
    const char *time; /* the time control, in words */
    int players;
    int due; /* games */
    bool duplicate;
    struct bot_stats *stats; /* indexed by player */
    struct plackett games;
    struct units units; /* for two players */
    struct unit *unit;  /* indexed by number */
    int done, voids;
    struct faults faults;
    const struct sprt *sprt; /* NULL: none */
    const struct contest_run *run;
    int64_t start_us;
    int64_t shown_us;
    bool live; /* stderr is a terminal */
};

void scoreboard_init(struct scoreboard *board,
                     const struct contest_config *config, int games,
                     bool duplicate, const char *time, const struct sprt *sprt,
                     const struct contest_run *run);
void scoreboard_release(struct scoreboard *board);

void scoreboard_move(struct scoreboard *board, int player, int64_t used_us);
void scoreboard_game(struct scoreboard *board,
                     const struct game_report *report);

/* True if the test has reached a verdict. */
bool scoreboard_is_decided(const struct scoreboard *board);

/* True if the first bot has proved to be better. */
bool scoreboard_is_accepted(const struct scoreboard *board);

/* Update the live line while games run; wiped at the end. */
void scoreboard_show(struct scoreboard *board, bool last);

/* Print the final tables on standard output. */
void scoreboard_print(const struct scoreboard *board);
void scoreboard_json(const struct scoreboard *board);
void scoreboard_csv(const struct scoreboard *board);

/* "time 2, exit 1", or "-"; and as a JSON object. */
const char *forfeits_text(const struct bot_stats *stats, char *text,
                          size_t size);
struct json_t *forfeits_json(const struct bot_stats *stats);

#endif
