/*
 * A quick good move: the lowest marker counts, so far behind hurts more than
 * far ahead helps. Lay the tile that leaves the smallest sum of what the
 * markers lack, squared.
 */

#include "games/axio_rota/axio_rota.h"

#include <string.h>

/* How many corners of each colour lie in each circle, PER_COLOUR bits each. */
enum { PER_COLOUR = 4, CIRCLES = WRAP };

struct circles {
    uint32_t at[CIRCLES][CIRCLES]; /* of the south-west point of cell x,y */
};

static uint32_t *circle(struct circles *c, int x, int y)
{
    return &c->at[x & (CIRCLES - 1)][y & (CIRCLES - 1)];
}

static const int8_t east_of[CORNERS] = {[NE] = 1, [SE] = 1};
static const int8_t north_of[CORNERS] = {[NW] = 1, [NE] = 1};

static void draw_circles(const struct rota_board *b, struct circles *c)
{
    for (int x = b->west - 1; x <= b->east + 2; x++)
        for (int y = b->south - 1; y <= b->north + 2; y++)
            *circle(c, x, y) = 0;
    for (int i = 0; i < b->count; i++)
        for (int corner = 0; corner < CORNERS; corner++) {
            const struct rota_lying *l = &b->lying[i];
            int colour = l->tile.corner[corner];

            if (colour != EMPTY)
                *circle(c, l->x + east_of[corner], l->y + north_of[corner]) +=
                    1u << PER_COLOUR * colour;
        }
}

struct hint {
    const int *mark;
    uint32_t noise; /* breaks ties */
    int least;
    struct move best;
};

static int lacking(const int *mark, const int *gain)
{
    int sum = 0;

    for (int i = 0; i < COLOURS; i++) {
        int left = GOAL - mark[i] - gain[i];

        sum += left > 0 ? left * left : 0;
    }
    return sum;
}

static void weigh(struct hint *h, const int *gain, struct move move)
{
    int lack;

    h->noise = h->noise * 1664525 + 1013904223;
    lack = lacking(h->mark, gain) * 64 + (int)(h->noise >> 26);
    if (lack >= h->least)
        return;
    h->least = lack;
    h->best = move;
}

/* The tile on a cell, turned in each way. */
static void weigh_cell(struct hint *h, struct circles *c,
                       const struct rota_tile *tile, int x, int y)
{
    uint32_t here[CORNERS];

    for (int i = 0; i < CORNERS; i++)
        here[i] = *circle(c, x + east_of[i], y + north_of[i]);
    for (int turned = 0; turned < TURNS; turned++) {
        int gain[COLOURS + 1] = {0}, empty = -1;

        for (int i = 0; i < CORNERS; i++) {
            int colour = tile->corner[(i - turned) & (CORNERS - 1)];

            if (colour == EMPTY)
                empty = i;
            else
                gain[colour] += (int)(here[i] >> PER_COLOUR * colour & 3);
        }
        weigh(h, gain, (struct move){{x, y, turned}});
        for (int name = 0; empty >= 0 && name < COLOURS; name++) {
            int more = (int)(here[empty] >> PER_COLOUR * name & 3);

            gain[name] += more;
            if (more)
                weigh(h, gain, (struct move){{x, y, turned, name + 1}});
            gain[name] -= more;
        }
    }
}

void rota_hint(const struct state *s, int seat, struct rng *rng,
               struct move *move)
{
    const struct rota_board *b = &s->board;
    struct hint h = {.mark = s->player[seat].mark,
                     .noise = rng_uniform(rng, UINT32_MAX),
                     .least = INT32_MAX};
    struct circles circles;

    draw_circles(b, &circles);
    for (int x = b->west - 1; x <= b->east + 1; x++)
        for (uint64_t rest = rota_board_free(b, x); rest; rest &= rest - 1)
            weigh_cell(&h, &circles, &s->set.tile[rota_hand(s, seat)], x,
                       b->south - 1 + __builtin_ctzll(rest));
    *move = h.best;
}
