#ifndef REFEREE_LEAGUE_PERFORMANCE_H
#define REFEREE_LEAGUE_PERFORMANCE_H

/*
 * performance.h - which rating explains a few results?
 *
 * The performance is the rating that expects exactly the score that was made
 * against opponents of known ratings. A game of several seats counts as one
 * result against each opponent. One tie against an opponent of the bot's own
 * rating is added: so the performance is finite if everything was won, and few
 * results say little.
 */

struct encounter {
    double elo;   /* of the opponent */
    double score; /* 1, 0.5 or 0 */
};

/* `own` is the bot's rating. Without encounters it is the performance. */
double performance(const struct encounter *encounters, int count, double own);

#endif
