/*
 * Axio Rota: the lowest marker counts, so far behind hurts more than far ahead
 * helps. Lay the tile that leaves the smallest sum of (12 - marker) squared.
 */
#include "referee_games.h"

struct plan {
    struct rota rota;
    const int *mark;
};

static double few_missing(const char *text, const void *context)
{
    const struct plan *plan = context;
    struct rota_move move = rota_move(text);
    int gains[5], sum = 0;

    rota_gains(&plan->rota, &move, gains);
    for (int i = 0; i < 5; i++) {
        int left = 12 - plan->mark[i] - gains[i];

        sum += left > 0 ? left * left : 0;
    }
    return -sum;
}

static const char *choose(const struct game *game)
{
    struct plan plan;

    rota_read(&plan.rota, game);
    plan.mark = plan.rota.mark[game->seat - 1];
    return best_move(game, few_missing, &plan);
}

int main(void)
{
    return run(&(struct bot){
        .name = "greedy-axio-rota-c", .game = "axio-rota", .choose = choose});
}
