/* AXIO rota in numbers; referee/doc/observations.md says which is what. */

#include "games/axio_rota/axio_rota.h"

#include <string.h>

/* The corners of a tile from 1; nothing is 0. */
static int32_t *put_tile(int32_t *out, const struct rota_tile *tile)
{
    for (int i = 0; i < CORNERS; i++)
        *out++ = tile ? tile->corner[i] + 1 : 0;
    return out;
}

static const struct rota_tile *seen_hand(const struct state *s, int seat,
                                         int viewer)
{
    bool known = may_see(viewer, seat) || holds_bonus(s, seat);

    return known && rota_hand(s, seat) ? &s->set.tile[rota_hand(s, seat)]
                                       : NULL;
}

static int32_t *put_seat(int32_t *out, const struct state *s, int seat,
                         int viewer)
{
    const struct player *p = &s->player[seat];

    for (int i = 0; i < COLOURS; i++)
        *out++ = p->mark[i];
    *out++ = STACK - p->drawn;
    *out++ = !is_out(s, seat);
    *out++ = s->end == RUNNING && s->turn == seat;
    return put_tile(out, seen_hand(s, seat, viewer));
}

void rota_observe(const struct state *s, int viewer, int32_t *out)
{
    int first = viewer < 0 ? 0 : viewer;

    memset(out, 0, ROTA_OBSERVED * sizeof *out);
    for (int i = 0; i < s->board.count; i++) {
        const struct rota_lying *lying = &s->board.lying[i];

        out[6 * i] = lying->x;
        out[6 * i + 1] = lying->y;
        put_tile(&out[6 * i + 2], &lying->tile);
    }
    out += 6 * TILES;
    for (int i = 0; i < s->seats; i++)
        put_seat(out + 12 * i, s, (first + i) % s->seats, viewer);
    out += 12 * SEATS_AT_MOST;
    *out++ = TILES - s->supply;
    *out++ = s->bonus;
    *out++ = s->earned;
}
