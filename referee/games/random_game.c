#include "games/random_game.h"

#include <assert.h>

void random_game_begin(struct random_game *w, const struct game *game,
                       const struct setup *setup,
                       const uint8_t seed[SEED_BYTES])
{
    const char *deal;
    struct err err;

    *w = (struct random_game){.game = game, .setup = *setup};
    buf_init(&w->deal, DEAL_TEXT_MAX);
    lines_init(&w->events, EVENTS_MAX);
    rng_seed_apart(&w->choice, seed);
    deal = game_deal(game, setup, seed, &w->deal);
    assert(buf_ok(&w->deal));
    w->state = game_new(game, setup, deal, &w->events, &err);
    assert(w->state);
}

void random_game_end(struct random_game *w)
{
    game_free(w->state);
    buf_release(&w->deal);
    lines_release(&w->events);
    moves_release(&w->legal);
}

bool random_game_pick(struct random_game *w, int *seat, struct move *move)
{
    seat_set owing = w->game->to_move(w->state);

    if (!owing)
        return false;
    for (*seat = 0; !(owing & SEAT(*seat));)
        ++*seat;
    moves_reset(&w->legal);
    w->game->list(w->state, *seat, &w->legal);
    assert(w->legal.count > 0);
    *move = w->legal.move[rng_uniform(&w->choice, (uint32_t)w->legal.count)];
    return true;
}

void random_game_play(struct random_game *w, int seat, const struct move *move)
{
    lines_reset(&w->events);
    game_apply(w->game, w->state, seat, move, &w->events);
    w->moves++;
}
