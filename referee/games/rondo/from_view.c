/* Rondo: a position that looks so to a viewer. */

#include "games/rondo/rondo.h"

#include "base/text.h"

#include <string.h>

/* The stones are given out anew, from the first place of the deal on. */
struct making {
    struct state *s;
    int viewer;
    int given;
    int colour[STONES]; /* or UNKNOWN */
};

enum { UNKNOWN = -1 };

static bool give(struct making *m, int colour, uint8_t *stone)
{
    if (m->given == STONES)
        return false;
    m->colour[m->given] = colour;
    *stone = (uint8_t)m->given++;
    return true;
}

static bool take_rack(struct making *m, const char **at, struct rack *rack)
{
    int colour, count;

    rack->count = 0;
    if (take_char(at, '-'))
        return true;
    if (take_int(at, 0, RACK_MAX, &count)) {
        while (rack->count < count)
            if (!give(m, UNKNOWN, &rack->stone[rack->count++]))
                return false;
        return true;
    }
    while (rack->count < RACK_MAX && take_one_of(at, RONDO_LETTERS, &colour))
        if (!give(m, colour, &rack->stone[rack->count++]))
            return false;
    return rack->count > 0;
}

/* A stone face down belongs to the viewer if its colour is shown, else to any
 * other seat. */
static bool take_down(struct making *m, const char **at, struct pile *p)
{
    int colour = UNKNOWN;
    bool own = take_one_of(at, RONDO_LETTERS, &colour);

    if (own && m->viewer < 0)
        return false;
    p->layer = (uint8_t)(own ? m->viewer : m->viewer == 0);
    return give(m, own ? colour : UNKNOWN, &p->down);
}

static bool take_open(struct making *m, const char **at, int colour,
                      struct pile *p)
{
    uint8_t stone;
    int count;

    if (!take_int(at, 1, RACK_MAX, &count))
        return false;
    p->open = (uint8_t)count;
    while (count-- > 0)
        if (!give(m, colour, &stone))
            return false;
    return true;
}

static bool take_pile(struct making *m, const char **at)
{
    const struct rondo_board *board = board_of(m->s);
    struct rondo_name name;
    struct pile pile = {0};
    int field;

    if (!rondo_take_name(at, &name) || !take_char(at, ':'))
        return false;
    field = rondo_find(board, name);
    if (field < 0 || field == RONDO_CENTRE || bits_has(m->s->covered, field))
        return false;
    if (take_char(at, 'x')
            ? !take_down(m, at, &pile)
            : !take_open(m, at, board->field[field].colour, &pile))
        return false;
    m->s->pile[field] = pile;
    m->s->covered |= bit(field);
    m->s->touched |= board->near[field];
    return true;
}

static bool take_seats(struct making *m, const char *view)
{
    struct state *s = m->s;
    const char *score, *rack, *stones;

    if (!value_of_key(view, "score", &score) ||
        !value_of_key(view, "rack", &rack) ||
        !value_of_key(view, "stones", &stones))
        return false;
    for (int seat = 0; seat < s->seats; seat++)
        if ((seat > 0 && (!take_char(&score, ',') || !take_char(&rack, ','))) ||
            !take_int(&score, 0, INT32_MAX, &s->score[seat]) ||
            !take_rack(m, &rack, &s->rack[seat]))
            return false;
    if (take_char(&stones, '-'))
        return true;
    do
        if (!take_pile(m, &stones))
            return false;
    while (take_char(&stones, ','));
    return true;
}

static bool take_turn(struct state *s, const char *view)
{
    const char *at;

    if (!value_of_key(view, "seat", &at) ||
        !take_int(&at, 1, s->seats, &s->turn))
        return false;
    s->turn--;
    if (!value_of_key(view, "end", &at))
        return false;
    for (s->end = NOT_YET; s->end < BAG; s->end++)
        if (take_word(&at, rondo_end_words[s->end]))
            return true;
    return take_word(&at, rondo_end_words[s->end]);
}

/* What is not known is any of the stones that are left over; those that lie in
 * the bag come last. */
static bool colour_all(struct making *m)
{
    int left[RONDO_COLOURS], colour = 0;

    for (int i = 0; i < RONDO_COLOURS; i++)
        left[i] = EACH;
    for (int i = 0; i < m->given; i++)
        if (m->colour[i] != UNKNOWN && left[m->colour[i]]-- == 0)
            return false;
    for (int i = 0; i < STONES; i++) {
        while (colour < RONDO_COLOURS - 1 && left[colour] == 0)
            colour++;
        if (i < m->given && m->colour[i] != UNKNOWN)
            m->s->colour[i] = (uint8_t)m->colour[i];
        else if (left[colour]-- > 0)
            m->s->colour[i] = (uint8_t)colour;
    }
    return true;
}

bool rondo_from_view(struct state *s, int viewer, const char *view)
{
    struct making m = {.s = s, .viewer = viewer};
    const char *out;

    s->covered = 0;
    s->touched = board_of(s)->near[RONDO_CENTRE];
    memset(s->pile, 0, sizeof s->pile);
    if (!take_turn(s, view) || !value_of_key(view, "out", &out) ||
        !seats_read(&out, s->seats, &s->left) || !take_seats(&m, view))
        return false;
    s->drawn = m.given;
    return colour_all(&m);
}
