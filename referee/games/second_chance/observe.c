/* Second Chance in numbers; referee/doc/observations.md says which is what. */

#include "games/second_chance/state.h"

static int32_t *put_squares(int32_t *out, bits squares)
{
    for (int i = 0; i < SQUARES; i++)
        *out++ = bits_has(squares, i / SIDE * STRIDE + i % SIDE);
    return out;
}

static bits shape_of(const struct state *s, int card)
{
    return card == NO_CARD ? 0 : piece_turn(card_piece(s, card), 0);
}

static int32_t *put_seat(int32_t *out, const struct state *s, int seat)
{
    out = put_squares(out, s->free[seat]);
    *out++ = (s->dropped & SEAT(seat)) != 0;
    *out++ = (s->leavers.out & SEAT(seat)) != 0;
    *out++ = (s->asked & SEAT(seat)) != 0;
    *out++ = s->one[seat] != NO_SQUARE;
    return out;
}

void second_chance_observe(const struct state *s, int viewer, int32_t *out)
{
    int first = viewer < 0 ? 0 : viewer;
    int32_t *at = out;

    memset(out, 0, SECOND_CHANCE_OBSERVED * sizeof *out);
    for (int i = 0; i < s->seats; i++)
        at = put_seat(at, s, (first + i) % s->seats);
    at = out + SEATS_MAX * (SQUARES + 4);
    at = put_squares(at, shape_of(s, s->offer[0]));
    at = put_squares(at, shape_of(s, s->offer[1]));
    at = put_squares(at, shape_of(s, viewer < 0 ? NO_CARD : s->card[viewer]));
    for (int i = 0; i < s->turned[s->part]; i++)
        at[s->deck[s->part][i]] = 1;
    at += PIECES_MAX;
    *at++ = s->part;
    *at++ = (int32_t)s->phase;
    *at++ = s->round;
    *at++ = cards_left(s);
    *at++ = s->sum;
}
