#include "web/rules.h"

#include "base/alloc.h"
#include "match/record.h"
#include "web/steps.h"

#include <stdlib.h>
#include <string.h>

enum { EXAMPLE_MOVES = 60, EXAMPLE_SEATS = 2, LOOKS = 16 };

#define RULES(name, text) {name, text},
static const struct {
    const char *name, *text;
} rules[] = {
#include "web/rules_list.h"
};

const char *rules_text(const struct game *game)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, game->name) == 0)
            return rules[i].text;
    return "";
}

/* A game in the making. */
struct example {
    const struct game *game;
    struct state *state;
    struct moves moves;
    struct rng rng;
    struct buf text; /* "play 1 a3:1" of each move */
};

/* How the seat stands after this move; 0: the game cannot say. */
static double worth_after(const struct example *e, int seat,
                          const struct move *move)
{
    struct state *next;
    double worth;

    if (!e->game->worth)
        return 0;
    next = game_clone(e->state);
    game_apply(e->game, next, seat, move, NULL);
    worth = e->game->worth(next, seat) - e->game->worth(next, !seat);
    game_free(next);
    return worth;
}

/* The best of some moves by chance. */
static struct move look_for_move(struct example *e, int seat)
{
    struct move best = {{0}};
    double most = 0;

    moves_reset(&e->moves);
    e->game->list(e->state, seat, &e->moves);
    for (int i = 0; i < LOOKS; i++) {
        const struct move *move =
            &e->moves.move[rng_uniform(&e->rng, (uint32_t)e->moves.count)];
        double worth = worth_after(e, seat, move);

        if (i == 0 || worth > most) {
            best = *move;
            most = worth;
        }
    }
    return best;
}

static void play_one(struct example *e, int seat)
{
    struct move move;

    if (e->game->hint)
        e->game->hint(e->state, seat, &e->rng, &move);
    else
        move = look_for_move(e, seat);
    buf_add(&e->text, "play %d ", seat + 1);
    e->game->format(e->state, seat, &move, &e->text);
    buf_char(&e->text, '\n');
    game_apply(e->game, e->state, seat, &move, NULL);
}

/* Whole steps only. */
static void play_on(struct example *e)
{
    seat_set owing;

    for (int n = 0; n < EXAMPLE_MOVES && (owing = e->game->to_move(e->state));)
        for (int seat = 0; seat < EXAMPLE_SEATS; seat++)
            if (owing & SEAT(seat)) {
                play_one(e, seat);
                n++;
            }
}

static void play(struct example *e, const struct setup *setup, struct err *err)
{
    static const uint8_t seed[SEED_BYTES] = "an example for the rules";
    struct lines events;
    struct buf deal;
    const char *dealt;

    buf_init(&deal, DEAL_TEXT_MAX);
    lines_init(&events, EVENTS_MAX);
    dealt = game_deal(e->game, setup, seed, &deal);
    rng_seed(&e->rng, seed);
    buf_add(&e->text, "record 1\ngame %s\nseats %d\n", e->game->name,
            setup->seats);
    if (dealt)
        buf_add(&e->text, "deal %s\n", dealt);
    e->state = game_new(e->game, setup, dealt, &events, err);
    if (e->state)
        play_on(e);
    buf_release(&deal);
    lines_release(&events);
}

json_t *rules_example(const struct game *game)
{
    const struct setup setup = {.seats = EXAMPLE_SEATS};
    struct example e = {.game = game};
    struct steps steps;
    struct err err;
    json_t *document = NULL;

    buf_init(&e.text, RECORD_FILE_MAX);
    steps_init(&steps, AUDIENCE_REFEREE);
    play(&e, &setup, &err);
    if (!e.state || !steps_read(&steps, "example", 0, e.text.text, e.text.len,
                                &document, &err))
        document = NULL;
    steps_release(&steps);
    game_free(e.state);
    moves_release(&e.moves);
    buf_release(&e.text);
    return document;
}
