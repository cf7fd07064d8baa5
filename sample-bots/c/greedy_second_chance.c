/*
 * Second Chance: keep the free squares together, and room for what may come. A
 * placement is good if it leaves few edges and few parts of the free area, and
 * if many of the cards that are still to come would fit.
 */
#include "referee_games.h"

#include <string.h>

static const double per_square = 0.5, per_part = 5, per_card = 2;

struct plan {
    const struct game *game;
    struct grid free;
    int coming; /* cards not shown yet */
    struct shape turned[PIECES_MAX][8];
};

/* The length of the border: each square has four edges, two neighbours hide
 * two of them. */
static int edges(const struct grid *free)
{
    struct grid right = *free, below = *free;

    for (int r = 0; r < 9; r++) {
        right.row[r] &= free->row[r] >> 1;
        below.row[r] &= r < 8 ? free->row[r + 1] : 0;
    }
    return 4 * grid_count(free) - 2 * (grid_count(&right) + grid_count(&below));
}

/* Take a square away, and all that hang together with it. */
static void take_part(struct grid *free, int row, int column)
{
    if (row < 0 || row > 8 || column < 0 || !(free->row[row] >> column & 1))
        return;
    free->row[row] &= ~(1u << column);
    take_part(free, row - 1, column);
    take_part(free, row + 1, column);
    take_part(free, row, column - 1);
    take_part(free, row, column + 1);
}

static int parts(struct grid free)
{
    int count = 0;

    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 9; c++)
            if (free.row[r] >> c & 1) {
                take_part(&free, r, c);
                count++;
            }
    return count;
}

/* How many of the cards that are still to come would fit? */
static int fitting(const struct plan *plan, const struct grid *free)
{
    int cards = 0;

    for (int i = 0; i < plan->coming; i++) {
        int turn = 0;

        while (turn < 8 && !grid_fits(free, &plan->turned[i][turn]))
            turn++;
        cards += turn < 8;
    }
    return cards;
}

static double tidiness(const char *text, const void *context)
{
    const struct plan *plan = context;
    struct placement p = placement(plan->game, text);
    struct grid free = plan->free;

    grid_fill(&free, &p);
    return per_card * fitting(plan, &free) - edges(&free) -
           per_part * parts(free) - per_square * grid_count(&free);
}

static const char *choose(const struct game *game)
{
    static struct plan plan;
    const char *shown = value(&game->view, "shown");

    plan.game = game;
    plan.free = grid_read(game, game->seat);
    plan.coming = 0;
    for (int i = 0; i < game->piece_count; i++) {
        const struct piece *piece = &game->piece[i];

        if (piece->card[0] != 'P' || strstr(shown, piece->card))
            continue;
        for (int turn = 0; turn < 8; turn++)
            plan.turned[plan.coming][turn] = shape_read(piece->rows, turn);
        plan.coming++;
    }
    return best_move(game, tidiness, &plan);
}

int main(void)
{
    return run(&(struct bot){.name = "greedy-second-chance-c",
                             .game = "second-chance",
                             .choose = choose});
}
