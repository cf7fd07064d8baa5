/*
 * Any bytes as a game: the first three choose game, seats and deal, then every
 * line is a move. What parse() accepts must be legal; what it refuses must say
 * why.
 */

#include "fuzz/fuzz.h"
#include "games/game.h"

static bool is_listed(const struct game *game, const struct state *state,
                      int seat, const struct move *move)
{
    struct moves moves = {0};
    bool found = false;

    game->list(state, seat, &moves);
    for (size_t i = 0; i < moves.count; i++)
        found = found || same_move(move, &moves.move[i]);
    moves_release(&moves);
    return found;
}

static int owing_seat(const struct game *game, const struct state *state)
{
    seat_set owing = game->to_move(state);

    for (int seat = 0; seat < SEATS_MAX; seat++)
        if (owing & SEAT(seat))
            return seat;
    return -1;
}

static void play_line(const struct game *game, struct state *state,
                      const char *text, struct lines *events)
{
    int seat = owing_seat(game, state);
    struct err err = {0};
    struct move move;

    if (seat < 0)
        return;
    if (!game_parse(game, state, seat, text, &move, &err)) {
        insist(err.text[0] && is_plain(err.text) && !strchr(err.text, '#'));
        return;
    }
    insist(is_listed(game, state, seat, &move));
    lines_reset(events);
    game_apply(game, state, seat, &move, events);
}

static struct state *begin(const struct game *game, const uint8_t *data,
                           struct lines *events)
{
    int range = game->max_seats - game->min_seats + 1;
    struct setup setup = {.seats = game->min_seats + data[1] % range};
    uint8_t seed[SEED_BYTES] = {data[2]};
    struct rng rng;
    struct buf deal;
    struct err err;
    struct state *state;

    rng_seed(&rng, seed);
    buf_init(&deal, DEAL_TEXT_MAX);
    if (game->deal)
        game->deal(&setup, &rng, &deal);
    state = game_new(game, &setup, game->deal ? deal.text : NULL, events, &err);
    buf_release(&deal);
    insist(state);
    return state;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct game *game;
    struct state *state;
    struct lines events;
    char *text, *at, *line;

    if (size < 3)
        return 0;
    game = game_at(data[0] % game_count());
    lines_init(&events, EVENTS_MAX);
    state = begin(game, data, &events);
    text = calloc(1, size);
    insist(text);
    memcpy(text, data + 3, size - 3);
    for (at = text; (line = strsep(&at, "\n")) != NULL;)
        play_line(game, state, line, &events);
    free(text);
    game_free(state);
    lines_release(&events);
    return 0;
}
