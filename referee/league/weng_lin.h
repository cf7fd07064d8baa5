#ifndef REFEREE_WENG_LIN_H
#define REFEREE_WENG_LIN_H

/*
 * weng_lin.h - strengths from one game at a time.
 *
 * For the choice of the next opponents only: it forgets games and depends on
 * their order. The published table is the fit of plackett.h to all games.
 *
 * What is known of a bot is a normal distribution: a mean in points, 400 of
 * which are odds of ten to one, and a standard deviation, sigma. A game moves
 * both as in Weng and Lin, "A Bayesian approximation method for online
 * ranking", JMLR 12 (2011), for the Plackett-Luce model: with the share of the
 * game in the log likelihood (share.h) taken at the means,
 *
 *     mean    += sigma^2 slope
 *     sigma^2 *= 1 - sigma^2 bend sigma / c
 *
 * Points are divided by c before they are strengths. As in Weng and Lin it
 * grows with the uncertainty of those at the table, so that an upset among
 * bots of whom little is known is no great surprise. Two things are ours:
 *
 * Seats. c^2 is (400 / log 10)^2 plus twice the mean sigma^2. For two seats
 * that is Weng and Lin's sum. For more, their c would grow with the number of
 * seats, and a point would mean less at larger tables.
 *
 * Ties count as in plackett.h: as the mean of all orders that the tied bots
 * might have come in. For two bots this is half a win for either, as in Weng
 * and Lin; of a larger tie they count one choice only, and learn less from it.
 *
 * Sigma has a floor. Without it a bot with many games would hardly move any
 * more, and yet its owner may have changed it, or the bots that it now meets.
 * With the floor a bot that became 200 points stronger has made up half of
 * that after some 35 games of two, and a bot that stays the same swings by
 * about 35 points around its true strength.
 *
 * A bot may sit on several seats: each seat moves it.
 */

struct skill {
    double mean, sigma;
};

enum { SKILL_SEATS = 8 };

#define SKILL_SIGMA_MIN 50.
#define SKILL_SIGMA_MAX 350.

/*
 * Of a bot without games. The sigma is that of the prior in plackett.h, so
 * that the numbers compare.
 */
extern const struct skill skill_unknown;

/* By seat; of the ranks 1 is the best, equal ranks tie. */
void weng_lin_update(struct skill *const *seat, const int *rank, int seats);

#endif
