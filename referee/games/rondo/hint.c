/*
 * A quick good move: a stone on the rack is worth about as much as it will
 * score later. Lay the chain with the most points above that price, or pass.
 */

#include "games/rondo/rondo.h"

#include <string.h>

enum { SCALE = 64 }; /* of points, so that chance can break ties */

/* A chain is tried step by step; which stones lie face down is left open. */
struct hint {
    const struct rondo_board *board;
    bits empty;
    int price, dear; /* of a stone; what an open one brings at most */
    int held[RONDO_COLOURS];
    int stones; /* that are left */
    uint32_t noise;

    int steps, best_steps;
    struct step {
        int8_t field, open; /* open 0: one face down */
    } step[STEPS_MAX], best_step[STEPS_MAX];
    int best;
};

static void try_from(struct hint *h, bits fields, int profit);

static void try_step(struct hint *h, int field, int open, int profit)
{
    int colour = h->board->field[field].colour;
    int stones = open ? open : 1;

    h->step[h->steps++] = (struct step){(int8_t)field, (int8_t)open};
    h->held[colour] -= open;
    h->stones -= stones;
    h->empty &= ~bit(field);
    profit += open * h->board->field[field].value * SCALE - stones * h->price;
    h->noise = h->noise * 1664525 + 1013904223;
    if (profit + (int)(h->noise >> 28) > h->best) {
        h->best = profit + (int)(h->noise >> 28);
        h->best_steps = h->steps;
        memcpy(h->best_step, h->step, sizeof h->step);
    }
    if (h->stones > 0 && profit + h->stones * h->dear > h->best)
        try_from(h, h->board->near[field], profit);
    h->empty |= bit(field);
    h->stones += stones;
    h->held[colour] += open;
    h->steps--;
}

/* Each way to go on; stones that lie face down may be of any colour, as long
 * as there are stones left for the open ones. */
static void try_from(struct hint *h, bits fields, int profit)
{
    for (fields &= h->empty; fields; fields &= fields - 1) {
        int field = bits_first(fields);
        int held = h->held[h->board->field[field].colour];

        if (held > h->stones)
            held = h->stones;
        for (int open = 0; open <= held; open++)
            try_step(h, field, open, profit);
    }
}

/* Face down goes what the open stones leave over, most of it first. */
static int spare(int left[RONDO_COLOURS])
{
    int most = 0;

    for (int c = 1; c < RONDO_COLOURS; c++)
        if (left[c] > left[most])
            most = c;
    left[most]--;
    return most;
}

static unsigned take_slots(unsigned *slots, int count)
{
    unsigned before = *slots;

    for (; count > 0; count--)
        *slots &= *slots - 1;
    return before & ~*slots;
}

static void write_chain(const struct state *s, int seat, const struct hint *h,
                        struct move *move)
{
    unsigned slots[RONDO_COLOURS];
    int left[RONDO_COLOURS];

    rondo_slots(s, seat, slots);
    memcpy(left, h->held, sizeof left);
    for (int i = 0; i < h->best_steps; i++)
        left[h->board->field[h->best_step[i].field].colour] -=
            h->best_step[i].open;
    for (int i = 0; i < h->best_steps; i++) {
        const struct step *step = &h->best_step[i];
        int colour =
            step->open ? h->board->field[step->field].colour : spare(left);
        unsigned taken =
            take_slots(&slots[colour], step->open ? step->open : 1);

        move->part[i] = pack(step->field, taken, !step->open);
    }
}

/* Four fifths of what the fields are worth on average. */
static int price_of(const struct state *s)
{
    const struct rondo_board *b = board_of(s);
    int sum = 0;

    if (s->end)
        return 1;
    for (int i = 0; i < b->fields; i++)
        sum += b->field[i].value;
    return sum * SCALE * 4 / 5 / b->fields;
}

void rondo_hint(const struct state *s, int seat, struct rng *rng,
                struct move *move)
{
    const struct rack *rack = &s->rack[seat];
    struct hint h = {.board = board_of(s),
                     .empty = board_of(s)->all & ~s->covered,
                     .price = price_of(s),
                     .stones = rack->count,
                     .noise = rng_uniform(rng, UINT32_MAX),
                     .best = may_pass(s, seat) ? 0 : INT32_MIN / 2};

    h.dear = 5 * SCALE - h.price;
    for (int i = 0; i < rack->count; i++)
        h.held[s->colour[rack->stone[i]]]++;
    memset(move, 0, sizeof *move);
    try_from(&h, s->touched, 0);
    write_chain(s, seat, &h, move);
}
