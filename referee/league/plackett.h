#ifndef REFEREE_LEAGUE_PLACKETT_H
#define REFEREE_LEAGUE_PLACKETT_H

/*
 * plackett.h - the strengths of many bots from the ranks of many games.
 *
 * The Plackett-Luce model: each bot has a strength w > 0, and a game is a row
 * of choices. The winner is chosen among all seats with chances in the
 * proportion of their w, the second among the others, and so on. For two
 * seats this is the model behind Elo. The strengths reported are the most
 * likely ones, as 400 log10(w), so that 400 points make odds of ten to one.
 *
 * Ties. The log likelihood of a game with ties is the mean of the log
 * likelihoods of all orders that the tied bots might have come in. So a tie
 * counts half a win for either side, as in elo.h, and a tie of all pulls
 * everybody together. (The likelihood of "any of these orders" would be 1 for
 * two bots: it would take a tie for no news.) The mean is exact: if t bots tie
 * and j of them are still to be placed, each set of j of them was equally
 * often the one that was left, which makes 2^t - 1 choices in place of t!
 * orders. It stays concave: there is one best fit, and Newton finds it.
 *
 * Prior. Each bot has half a virtual tie with a bot of strength 1. This keeps
 * finite a bot that won or lost all its games, and groups that never met; it
 * weighs a quarter of a game. A bot without games gets 0 +- 963. That is wide
 * on purpose: with few games the intervals hold if the bots' true strengths
 * have a standard deviation of up to 500 points or so. If they are closer, the
 * intervals are wider than they need be, until there are more games.
 *
 * Intervals are 1.96 standard errors, from the inverse of the information
 * matrix at the best fit, stretched or shrunk to the spread that the results
 * really have, as in elo.h: ties make it less than the model says. It is the
 * sum of the squared slopes of all seats in all games, divided by what the
 * model expects of it after a fit, and beside the games there are two virtual
 * ones per bot that spread as the model says. Games count as independent. Each
 * bot is compared with the zero of the scale, the mean of all bots that played
 * or the anchor. It is also compared with the mean of the field, in which each
 * bot counts by its games. An anchor that wins all its games has an uncertain
 * strength, which makes the first interval wide for everybody.
 *
 * The same games give the same bits, in whatever order they were added, on
 * every machine (exact.h). Fitting costs memory for 2 N^2 doubles and a copy
 * of the games, and time for N^3 and for the different results among the
 * games; equal ones are merged. 1000 bots and 1,000,000 games take a second or
 * two.
 */

#include "league/likelihood.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLACKETT_SEATS = LIKELIHOOD_SEATS, PLACKETT_BOTS = 4096 };

struct plackett_row;

struct plackett {
    int bots;
    const int *known; /* as plackett_know() says, or NULL */
    struct plackett_row *rows;
    size_t len, cap;
};

/* Bots are numbered 0 .. bots-1. Out of memory ends the program. */
void plackett_init(struct plackett *games, int bots);
void plackett_release(struct plackett *games);

/*
 * One game, by seat: who sat there, and the rank, 1 being the best; seats with
 * equal ranks tie. A bot may sit on several seats. Fewer than two seats say
 * nothing and are skipped.
 */
void plackett_add(struct plackett *games, const int *bot, const int *rank,
                  int seats);

/*
 * How well each bot is known, from 1 on. A less known bot in a game moves the
 * others less; see newcomers.h. Borrowed until the fit.
 */
void plackett_know(struct plackett *games, const int *known);

struct rating {
    double elo;
    double low, high; /* 95 % interval, of the distance to zero */
    double from_mean; /* half of that of the distance to the field */
    int64_t seats;    /* taken, in all games */
    int group;        /* from 0: bots that met, if only through others */
};

struct ratings {
    int bots;
    struct rating *bot;
    int groups;     /* if more than 1, strengths compare within groups only */
    bool converged; /* else the games are absurd, and so is the fit */
    int steps;
    double log_likelihood; /* with the prior */
    double spread;         /* of the results; 1 is what the model says */
};

enum { PLACKETT_NO_ANCHOR = -1 };

/* The anchor has 0 points; without one the bots that played have mean 0. */
void plackett_fit(const struct plackett *games, int anchor,
                  struct ratings *ratings);
void ratings_release(struct ratings *ratings);

#endif
