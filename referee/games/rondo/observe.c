/* Rondo in numbers; referee/doc/observations.md says which is what. */

#include "games/rondo/rondo.h"

static int32_t field(const struct state *s, int i, int viewer)
{
    const struct pile *pile = &s->pile[i];

    if (!bits_has(s->covered, i))
        return 0;
    if (pile->open)
        return pile->open;
    return may_see(viewer, pile->layer) ? -2 - s->colour[pile->down] : -1;
}

void rondo_observe(const struct state *s, int viewer, int32_t *out)
{
    int first = viewer < 0 ? 0 : viewer;

    for (int i = 0; i < RONDO_FIELDS_MAX; i++)
        *out++ = i < board_of(s)->fields ? field(s, i, viewer) : 0;
    for (int i = 0; i < RONDO_COLOURS; i++)
        out[i] = 0;
    for (int i = 0; viewer >= 0 && i < s->rack[viewer].count; i++)
        out[s->colour[s->rack[viewer].stone[i]]]++;
    out += RONDO_COLOURS;
    for (int i = 0; i < PLAYERS; i++) {
        int seat = (first + i) % s->seats;
        bool is_there = i < s->seats;

        *out++ = is_there ? s->rack[seat].count : 0;
        *out++ = is_there ? s->score[seat] : 0;
        *out++ = is_there && !(s->left.out & SEAT(seat));
        *out++ = is_there && s->turn == seat;
    }
    *out++ = in_bag(s);
    *out++ = (int32_t)s->end;
}
