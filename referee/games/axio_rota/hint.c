/*
 * A quick good move. The lowest marker counts, so far behind hurts more than
 * far ahead helps, and the more so the fewer tiles are left. A circle with room
 * for more corners is a chance for the next seat, and a small one for oneself.
 * The figures were tuned in games against a hint that only counts its points.
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

/* What a marker costs at each place, 0 to GOAL and beyond. */
struct costs {
    double at[GOAL + CORNERS * (CORNERS - 1) + 1];
};

static struct costs costs_of(int tiles_left)
{
    static const double first[GOAL] = {107, 93, 80, 68, 56, 46,
                                       37,  28, 21, 14, 9,  5},
                        last[GOAL] = {107.0, 77.4, 54.0, 36.0, 22.6, 13.1,
                                      6.8,   3.0,  1.0,  0.2,  0.0,  0};
    double early = tiles_left / (double)STACK;
    struct costs costs = {{0}};

    for (int m = 0; m < GOAL; m++)
        costs.at[m] = early * first[m] + (1 - early) * last[m];
    return costs;
}

struct hint {
    const int *mark;
    struct costs costs;
    double own[COLOURS], next[COLOURS]; /* what one more point saves */
    uint32_t noise;                     /* breaks ties */
    double least;
    struct move best;
};

/* What a circle with so many corners, which would save so much to lay beside,
 * promises us, less what the next seat may take. */
static double promise(int corners, double own, double next)
{
    static const double for_next = 0.3, for_own = 0.06; /* for each corner */

    if (corners == 0 || corners >= CORNERS)
        return 0;
    return (corners - 1) * for_own * own - for_next * next;
}

/* How the promise of a circle changes with a corner of each colour. */
static void promises(const struct hint *h, uint32_t here,
                     double change[COLOURS + 1])
{
    int corners = 0;
    double own = 0, next = 0, before;

    for (int i = 0; i < COLOURS; i++) {
        int count = (int)(here >> PER_COLOUR * i & 7);

        corners += count;
        own += count * h->own[i];
        next += count * h->next[i];
    }
    before = promise(corners, own, next);
    for (int i = 0; i < COLOURS; i++)
        change[i] =
            promise(corners + 1, own + h->own[i], next + h->next[i]) - before;
    change[EMPTY] = 0;
}

static void weigh(struct hint *h, const int *gain, double promised,
                  struct move move)
{
    double cost = -promised;

    for (int i = 0; i < COLOURS; i++)
        cost += h->costs.at[h->mark[i] + gain[i]];
    h->noise = h->noise * 1664525 + 1013904223;
    cost += 1e-6 * (h->noise >> 26);
    if (cost >= h->least)
        return;
    h->least = cost;
    h->best = move;
}

/* A cell, and what the four circles there have and promise. */
struct cell {
    int x, y;
    uint32_t here[CORNERS];
    double change[CORNERS][COLOURS + 1];
};

/* The tile on a cell, turned in one way. */
static void weigh_turned(struct hint *h, const struct cell *cell,
                         const struct rota_tile *tile, int turned)
{
    int gain[COLOURS + 1] = {0}, empty = -1;
    double promised = 0;

    for (int i = 0; i < CORNERS; i++) {
        int colour = tile->corner[(i - turned) & (CORNERS - 1)];

        promised += cell->change[i][colour];
        if (colour == EMPTY)
            empty = i;
        else
            gain[colour] += (int)(cell->here[i] >> PER_COLOUR * colour & 3);
    }
    weigh(h, gain, promised, (struct move){{cell->x, cell->y, turned}});
    for (int name = 0; empty >= 0 && name < COLOURS; name++) {
        int more = (int)(cell->here[empty] >> PER_COLOUR * name & 3);

        gain[name] += more;
        if (more)
            weigh(h, gain, promised,
                  (struct move){{cell->x, cell->y, turned, name + 1}});
        gain[name] -= more;
    }
}

static void weigh_cell(struct hint *h, struct circles *c,
                       const struct rota_tile *tile, int x, int y)
{
    struct cell cell = {.x = x, .y = y};

    for (int i = 0; i < CORNERS; i++) {
        cell.here[i] = *circle(c, x + east_of[i], y + north_of[i]);
        promises(h, cell.here[i], cell.change[i]);
    }
    for (int turned = 0; turned < TURNS; turned++)
        weigh_turned(h, &cell, tile, turned);
}

static void saved(const struct costs *costs, const struct player *p,
                  double save[COLOURS])
{
    for (int i = 0; i < COLOURS; i++)
        save[i] = costs->at[p->mark[i]] - costs->at[p->mark[i] + 1];
}

/* The seat that plays after this one; alone, the same. */
static int next_seat(const struct state *s, int seat)
{
    int next = seat;

    do
        next = (next + 1) % s->seats;
    while (is_out(s, next) && next != seat);
    return next;
}

void rota_hint(const struct state *s, int seat, struct rng *rng,
               struct move *move)
{
    const struct rota_board *b = &s->board;
    const struct player *own = &s->player[seat];
    int next = next_seat(s, seat);
    struct hint h = {.mark = own->mark,
                     .costs = costs_of(STACK - own->laid),
                     .noise = rng_uniform(rng, UINT32_MAX),
                     .least = 1e18};
    struct circles circles;

    saved(&h.costs, own, h.own);
    if (next != seat)
        saved(&h.costs, &s->player[next], h.next);
    draw_circles(b, &circles);
    for (int x = b->west - 1; x <= b->east + 1; x++)
        for (uint64_t rest = rota_board_free(b, x); rest; rest &= rest - 1)
            weigh_cell(&h, &circles, &s->set.tile[rota_hand(s, seat)], x,
                       b->south - 1 + __builtin_ctzll(rest));
    *move = h.best;
}
