/*
 * Axio Rota: the lowest marker counts, so far behind hurts more than far ahead
 * helps. Lay the tile that leaves the smallest sum of (12 - marker) squared.
 */
#include "referee_bot.h"

#include <limits.h>

static int missing(const struct rota *rota, const int mark[5],
                   const char *text)
{
    struct rota_move move = rota_move(text);
    int gains[5], sum = 0;

    rota_gains(rota, &move, gains);
    for (int i = 0; i < 5; i++) {
        int left = 12 - mark[i] - gains[i];

        sum += left > 0 ? left * left : 0;
    }
    return sum;
}

static const char *choose(const struct game *game)
{
    const char *best = "resign";
    int least = INT_MAX, equal = 0;
    struct rota rota;

    rota_read(&rota, game);
    for (size_t i = 0; i < game->moves.count; i++) {
        const char *move = game->moves.word[i];
        int sum = missing(&rota, rota.mark[game->seat - 1], move);

        if (sum < least)
            equal = 0;
        if (sum < least || (sum == least && one_in(equal + 1)))
            best = move;
        if (sum <= least)
            equal++;
        least = sum < least ? sum : least;
    }
    return best;
}

int main(void)
{
    return run(&(struct bot){.name = "greedy-axio-rota-c",
                             .game = "axio-rota",
                             .choose = choose});
}
