#ifndef REFEREE_LEAGUE_SUMMARY_H
#define REFEREE_LEAGUE_SUMMARY_H

/*
 * summary.h - the statistics of each bot in a match.
 *
 * One struct bot_stats per bot, zero at first. Everything counted is a whole
 * number, so that games give the same result in any order: wins are kept in
 * parts of 1/840, in which a first place can be shared by up to eight bots,
 * and times in microseconds.
 *
 * Times go into a histogram with exact bins up to 63 us and then 32 bins per
 * doubling. A percentile is the middle of its bin, at most 1.6 % off; times of
 * 37 hours and more share the last bin. Sum and maximum are exact.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
    STATS_SEATS = 8,
    STATS_FORFEITS = 9, /* kinds, numbered 0 .. 8 */
    STATS_WIN = 840,
    STATS_NO_FORFEIT = -1,
    STATS_TIME_EXACT = 64,
    STATS_TIME_DOUBLINGS = 31,
    STATS_TIME_BINS = STATS_TIME_EXACT + 32 * STATS_TIME_DOUBLINGS,
};

struct time_stats {
    int64_t moves;
    int64_t sum_us;
    int64_t max_us;
    int64_t bin[STATS_TIME_BINS];
};

struct bot_stats {
    int64_t games; /* seats taken, if a bot may sit twice in a game */
    int64_t wins;  /* in parts of 1/840 */
    int64_t ranks; /* sums */
    int64_t scores;
    int64_t squares;         /* of scores */
    int64_t lowest, highest; /* score, if there are games */
    int64_t goals;           /* reached, by a single player */
    int64_t forfeits[STATS_FORFEITS];
    int64_t seat_games[STATS_SEATS];
    int64_t seat_wins[STATS_SEATS]; /* in parts of 1/840 */
    struct time_stats time;
};

/* A finished game; arrays by seat. */
struct outcome {
    int seats;
    int bot[STATS_SEATS];
    int rank[STATS_SEATS]; /* 1 is the best */
    int score[STATS_SEATS];
    int forfeit[STATS_SEATS]; /* its kind or STATS_NO_FORFEIT */
    bool reached_goal;
};

/* `stats` is the array of all bots. */
void stats_game(struct bot_stats *stats, const struct outcome *outcome);

/* Numbers of wins; means, which are 0 if there is nothing to take them of. */
double stats_wins(const struct bot_stats *stats);
double stats_seat_wins(const struct bot_stats *stats, int seat);
double stats_mean_rank(const struct bot_stats *stats);
double stats_mean_score(const struct bot_stats *stats);

/* The standard deviation of the scores; 0 for fewer than two. */
double stats_spread(const struct bot_stats *stats);

void time_add(struct time_stats *time, int64_t us);
double time_mean_us(const struct time_stats *time);

/* The least time that `percent` of the moves, 1 .. 100, did not exceed. */
int64_t time_percentile_us(const struct time_stats *time, int percent);

#endif
