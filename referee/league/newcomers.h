#ifndef REFEREE_LEAGUE_NEWCOMERS_H
#define REFEREE_LEAGUE_NEWCOMERS_H

/*
 * newcomers.h - games with bots about which little is known yet; used by the
 * fit only.
 *
 * A new bot says little about the others: anybody can bring a hundred new bots
 * that lose on purpose. So the weight of a game is the square of a ratio: how
 * well its least known bot is known, divided by how well its best known bot is
 * known. With more than two seats it is taken apart in layers: all seats, then
 * those that are better known, and so on. A ranking of some of the seats
 * follows the same model, so each layer is a game of its own:
 *
 *     known 20, 20, 5:  all three weigh 1/16, the first two 15/16 more
 *
 * If all are known equally well, as on a ladder that has just begun, every game
 * weighs 1.
 *
 * For the newcomer itself, each of its games counts in full; otherwise it would
 * look average for a long time. When the others have their places, each
 * newcomer gets its most likely place among them. There the weight of a game
 * depends on how well the others in it are known, and nobody else moves.
 */

#include "league/plackett_rows.h"

struct layer {
    double weight;
    int seats;
    int place[PLACKETT_SEATS]; /* in the row */
    unsigned tied;
};

/*
 * The layers of a game; returns their number. `own` is the place of whom it is
 * to weigh for, or LAYERS_FOR_ALL.
 */
enum { LAYERS_FOR_ALL = -1 };

int layers_of(const struct plackett_row *row, const int *known, int own,
              struct layer layer[PLACKETT_SEATS]);

/* Half a virtual tie with a bot of strength 1: its share, as in likelihood.h.
 */
struct prior {
    double log_likelihood, slope, bend;
};

struct prior prior_at(double place);

/*
 * Move the newcomers to their places, and put in what follows for the
 * covariance, whose rows have `n` numbers.
 */
void newcomers_place(const struct plackett *sorted, double *place,
                     double *covariance, size_t n);

#endif
