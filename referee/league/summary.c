#include "league/summary.h"

#include <assert.h>
#include <math.h>

static int count_winners(const struct outcome *outcome)
{
    int winners = 0;

    for (int seat = 0; seat < outcome->seats; seat++)
        winners += outcome->rank[seat] == 1;
    return winners;
}

/* Called when the game is counted. */
static void add_score(struct bot_stats *s, int64_t score)
{
    s->lowest = s->games == 1 || score < s->lowest ? score : s->lowest;
    s->highest = s->games == 1 || score > s->highest ? score : s->highest;
    s->scores += score;
    s->squares += score * score;
}

void stats_game(struct bot_stats *stats, const struct outcome *outcome)
{
    int winners = count_winners(outcome);

    assert(outcome->seats <= STATS_SEATS && winners > 0);
    for (int seat = 0; seat < outcome->seats; seat++) {
        struct bot_stats *s = &stats[outcome->bot[seat]];
        int won = outcome->rank[seat] == 1 ? STATS_WIN / winners : 0;

        s->games++;
        s->wins += won;
        s->ranks += outcome->rank[seat];
        add_score(s, outcome->score[seat]);
        s->goals += outcome->reached_goal;
        s->seat_games[seat]++;
        s->seat_wins[seat] += won;
        assert(outcome->forfeit[seat] < STATS_FORFEITS);
        if (outcome->forfeit[seat] != STATS_NO_FORFEIT)
            s->forfeits[outcome->forfeit[seat]]++;
    }
}

double stats_wins(const struct bot_stats *stats)
{
    return (double)stats->wins / STATS_WIN;
}

double stats_seat_wins(const struct bot_stats *stats, int seat)
{
    return (double)stats->seat_wins[seat] / STATS_WIN;
}

static double mean(int64_t sum, int64_t n)
{
    return n ? (double)sum / (double)n : 0;
}

double stats_mean_rank(const struct bot_stats *stats)
{
    return mean(stats->ranks, stats->games);
}

double stats_mean_score(const struct bot_stats *stats)
{
    return mean(stats->scores, stats->games);
}

double stats_spread(const struct bot_stats *stats)
{
    double n = (double)stats->games, sum = (double)stats->scores;

    if (stats->games < 2)
        return 0;
    return sqrt(fmax(0, ((double)stats->squares - sum * sum / n) / (n - 1)));
}

/*
 * From 64 on the top six bits of a time name its bin: the first is a 1, the
 * other five say which of the 32 bins between two powers of two.
 */
static int bin_of(int64_t us)
{
    int shift = 0;

    for (; us >= STATS_TIME_EXACT; us >>= 1)
        shift++;
    if (shift > STATS_TIME_DOUBLINGS)
        return STATS_TIME_BINS - 1;
    return 32 * shift + (int)us;
}

static int64_t middle_of(int bin)
{
    int shift = bin < STATS_TIME_EXACT ? 0 : bin / 32 - 1;
    int64_t low = (int64_t)(bin - 32 * shift) << shift;

    return low + ((int64_t)1 << shift) / 2;
}

void time_add(struct time_stats *time, int64_t us)
{
    us = us < 0 ? 0 : us;
    time->moves++;
    time->sum_us += us;
    time->max_us = us > time->max_us ? us : time->max_us;
    time->bin[bin_of(us)]++;
}

double time_mean_us(const struct time_stats *time)
{
    return mean(time->sum_us, time->moves);
}

int64_t time_percentile_us(const struct time_stats *time, int percent)
{
    /* Of 1000 moves the 990th, of 10 the 10th. */
    int64_t wanted = (time->moves * percent + 99) / 100;
    int64_t seen = 0, us = 0;
    int last = STATS_TIME_BINS - 1;

    for (int bin = 0; bin < STATS_TIME_BINS && seen < wanted; bin++) {
        seen += time->bin[bin];
        us = bin == last ? time->max_us : middle_of(bin);
    }
    return us < time->max_us ? us : time->max_us;
}
