/*
 * Rondo: a stone in the rack is worth about as much as it will score later.
 * Play the chain with the most points above that price, or pass.
 */
#include "referee_games.h"

#include <string.h>

struct plan {
    struct board board;
    double price; /* of a stone */
};

static double profit(const char *text, const void *context)
{
    const struct plan *plan = context;
    struct rondo_move move = rondo_move(&plan->board, text);
    double sum = 0;

    for (int i = 0; i < move.steps; i++) {
        int count = move.step[i].count;

        sum += count * plan->board.value[move.step[i].field];
        sum -= plan->price * (count ? count : 1);
    }
    return sum;
}

static double price(const struct board *board, const char *name)
{
    int sum = 0;

    if (strcmp(name, "blue") == 0)
        return 2;
    for (int i = 0; i < board->fields; i++)
        sum += board->value[i];
    return 0.8 * sum / (board->fields - 1); /* red: 2.4 */
}

static const char *choose(const struct game *game)
{
    struct plan plan;
    struct rondo rondo;

    board_read(&plan.board, game);
    rondo_read(&rondo, &plan.board, game);
    plan.price = price(&plan.board, value(&game->view, "board"));
    if (rondo.last_round)
        plan.price = 0.01; /* the last turn: stones only break a tie */
    return best_move(game, profit, &plan);
}

int main(void)
{
    return run(&(struct bot){
        .name = "greedy-rondo-c", .game = "rondo", .choose = choose});
}
