/*
 * Axiom: win if you can, else leave the enemy no win, else hope. Among the safe
 * moves it takes one with threats, and with more room than the enemy has.
 */
#include "referee_games.h"

#include <string.h>

struct plan {
    struct axiom position;
    bool pair_loses; /* two own sceptres on one cube */
};

/* Is a sceptre of that side, other than the one that moves, on the cube? */
static bool meets(const struct axiom *p, const struct axiom_move *move,
                  bool enemy)
{
    for (int i = 0; i < p->sceptres; i++)
        if (p->sceptre[i].cell == move->to && move->from != move->to &&
            (p->sceptre[i].side != p->side) == enemy)
            return true;
    return false;
}

static double safe_and_strong(const char *text, const void *context)
{
    const struct plan *plan = context;
    struct axiom after = plan->position;
    struct axiom_move move = axiom_move(text);
    struct prospects own, enemy;

    if (!move.is_cube && meets(&plan->position, &move, true))
        return 1000;
    if (!move.is_cube && plan->pair_loses &&
        meets(&plan->position, &move, false))
        return -10000;
    axiom_play(&after, &move);
    enemy = axiom_prospects(&after, after.side);
    if (enemy.wins)
        return -100 * enemy.wins;
    own = axiom_prospects(&after, plan->position.side);
    return 5 * own.wins + own.room - enemy.room;
}

static const char *choose(const struct game *game)
{
    struct plan plan;

    axiom_read(&plan.position, game);
    plan.pair_loses = strcmp(value(&game->options, "ownpair"), "loss") == 0;
    return best_move(game, safe_and_strong, &plan);
}

int main(void)
{
    return run(&(struct bot){
        .name = "greedy-axiom-c", .game = "axiom", .choose = choose});
}
