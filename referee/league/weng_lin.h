#ifndef REFEREE_LEAGUE_WENG_LIN_H
#define REFEREE_LEAGUE_WENG_LIN_H

/*
 * weng_lin.h - strengths from one game at a time.
 *
 * For the choice of the next opponents only: it forgets games and depends on
 * their order. The published table is the fit of plackett.h to all games; its
 * numbers, with their standard errors, may take the place of these any time.
 *
 * What is known of a bot is a normal distribution: a mean in points, 400 of
 * which are odds of ten to one, and a standard deviation, sigma. A game moves
 * both, by a formula: with the slope and the bend of the game's share in the
 * log likelihood (share.h), taken at the means divided by c,
 *
 *     sigma^2 becomes sigma^2 / (1 + bend sigma^2 / c^2)
 *     mean    grows by the new sigma^2 times slope / c
 *
 * This is after Weng and Lin, "A Bayesian approximation method for online
 * ranking", JMLR 12 (2011), for the Plackett-Luce model, with these changes,
 * each of which was needed to find known strengths at tables of any size. (In
 * simulated games of four among 40 bots, 250 points apart, their own formula
 * is off by 335 points after 20 games each, this one by 78.)
 *
 * Steps. Weng and Lin have 1 - x in place of 1 / (1 + x), and step by the old
 * sigma^2. That is the same for small steps, but the first games of a bot at
 * a large table overshoot.
 *
 * Seats. c^2 is (400 / log 10)^2 plus 3 / pi^2 times the mean sigma^2 at the
 * table: an upset among bots of whom little is known is no great surprise, as
 * in Glickman's rating, where the constant is from. Weng and Lin take a sum
 * over the seats, so that a point would mean less at larger tables.
 *
 * Ties count as in plackett.h: as the mean of all orders that the tied bots
 * might have come in. For two bots this is half a win for either, as in Weng
 * and Lin; of a larger tie they count one choice only, and learn less from it.
 *
 * Sigma has a floor. Without it a bot with many games would hardly move any
 * more, and yet its owner may have changed it, or the bots that it now meets.
 * With the floor a bot that became stronger has made up half of it after some
 * 35 games of two or 15 of six, and a bot that stays the same swings by about
 * 35 points around its true strength.
 *
 * A bot may sit on several seats: each seat moves it.
 */

struct skill {
    double mean, sigma;
};

enum { SKILL_SEATS = 8 };

#define SKILL_SIGMA_MIN 50.
#define SKILL_SIGMA_MAX 400.

/*
 * Of a bot without games. With a smaller sigma strengths far off are found
 * late, with a larger one the first games of a bot say too much; this is
 * between what is best for bots 250 and 500 points apart.
 */
extern const struct skill skill_unknown;

/* By seat; of the ranks 1 is the best, equal ranks tie. */
void weng_lin_update(struct skill *const *seat, const int *rank, int seats);

#endif
