/*
 * What a grid is worth, and a quick good move: keep the free squares together,
 * and room for what may come.
 */

#include "games/second_chance/state.h"

/* The parts into which the free squares fall, and the small ones of them. */
struct parts {
    int count, single, small; /* squares in parts of three at most */
};

static struct parts parts_in(bits open)
{
    struct parts parts = {0};

    for (; open; parts.count++) {
        bits part = open & -open, before;
        int size;

        do {
            before = part;
            part |= (part << 1 | part >> 1 | part << STRIDE | part >> STRIDE) &
                    open;
        } while (part != before);
        open &= ~part;
        size = bits_count(part);
        parts.single += size == 1;
        parts.small += size <= 3 ? size : 0;
    }
    return parts;
}

/*
 * The cards that are still in the deck and fit, each with places far apart
 * where it does: as long as one stays free there is nothing to look for.
 */
enum { PLACES = 2 };

struct coming {
    int left; /* cards in the deck */
    int count;
    struct fit {
        const struct piece *piece;
        bits place[PLACES];
    } fit[CARDS_MAX];
};

/* The first and the last place in the first turn that can be drawn. */
static bool find_places(struct fit *f, bits open)
{
    for (int turn = 0; turn < TURNS; turn++) {
        bits shape = piece_turn(f->piece, turn), corners;

        if (f->piece->least[turn] != turn ||
            (corners = shape_corners(shape, open)) == 0)
            continue;
        f->place[0] = shape << bits_first(corners);
        f->place[1] = shape << bits_last(corners);
        return true;
    }
    return false;
}

static void find_coming(struct coming *c, const struct state *s, bits open)
{
    c->left = cards_left(s);
    c->count = 0;
    for (int i = s->turned[s->part]; i < s->puzzles; i++) {
        struct fit *f = &c->fit[c->count];

        f->piece = card_piece(s, s->deck[s->part][i]);
        c->count += find_places(f, open);
    }
}

/* How many of them still fit when no more than this is open, and how many
 * squares have these? */
static int fitting(const struct coming *c, bits open, int *squares)
{
    int count = 0;

    *squares = 0;
    for (int i = 0; i < c->count; i++) {
        const struct fit *f = &c->fit[i];

        if ((f->place[0] & ~open) && (f->place[1] & ~open) &&
            !piece_fits(f->piece, open))
            continue;
        count++;
        *squares += f->piece->size;
    }
    return count;
}

/* The border of the free squares: a square at the edge counts too. Each square
 * has four sides, two neighbours hide two of them. */
static int edges_of(bits open)
{
    return 4 * bits_count(open) - 2 * (bits_count(open & open << 1) +
                                       bits_count(open & open << STRIDE));
}

/*
 * How good it is that only this is open. Late in a game it counts more that
 * large cards still fit, and that one of three cards will. The figures were
 * tuned in games of this rule of thumb against others.
 */
static double tidiness(const struct coming *c, bits open)
{
    struct parts parts = parts_in(open);
    int squares, fit = fitting(c, open, &squares);
    double early = bits_count(open) / (double)(SQUARES - 8), late = 1 - early;
    double missing = c->left > 0 ? 1 - fit / (double)c->left : 1;

    return (2 + 0.6 * early) * fit + 0.24 * late * squares +
           7 * late * missing * missing * missing - edges_of(open) -
           (3 + 2 * early) * parts.count + (1.4 + early) * parts.single +
           late * parts.small - 0.5 * bits_count(open);
}

/* An answer that is not told yet counts as drawn. */
double second_chance_worth(const struct state *s, int seat)
{
    bits open = s->free[seat];
    struct placement p = s->answer[seat];
    struct coming coming;

    if (s->phase == OVER)
        return -bits_count(open) / 3.0;
    if (s->answered & SEAT(seat))
        open &= ~(piece_turn(card_piece(s, p.card), p.turn) << p.corner);
    find_coming(&coming, s, open);
    return tidiness(&coming, open) / 10;
}

/* The placements with the shortest borders; only these are looked at well. */
enum { BEST = 12 };

struct hint {
    const struct state *s;
    bits free;
    uint32_t noise; /* breaks ties */
    int count;
    struct candidate {
        int edges;
        bits open;
        struct move move;
    } best[BEST];
};

static void keep(struct hint *h, const struct candidate *c)
{
    int at = h->count;

    if (at == BEST && c->edges >= h->best[BEST - 1].edges)
        return;
    if (at == BEST)
        at--;
    else
        h->count++;
    for (; at > 0 && h->best[at - 1].edges > c->edges; at--)
        h->best[at] = h->best[at - 1];
    h->best[at] = *c;
}

static void weigh(struct hint *h, int seat, int card, int turn)
{
    bits shape = piece_turn(card_piece(h->s, card), turn);
    bits corners = second_chance_corners(h->s, seat, shape);

    for (; corners; corners &= corners - 1) {
        int corner = bits_first(corners);
        struct candidate c = {.open = h->free & ~(shape << corner),
                              .move = {{card, corner, turn}}};

        h->noise = h->noise * 1664525 + 1013904223;
        c.edges = edges_of(c.open) * 16 + (int)(h->noise >> 28);
        keep(h, &c);
    }
}

void second_chance_hint(const struct state *s, int seat, struct rng *rng,
                        struct move *move)
{
    struct hint h = {
        .s = s, .free = s->free[seat], .noise = rng_uniform(rng, UINT32_MAX)};
    const uint8_t *cards;
    int count = cards_for(s, seat, &cards);
    struct coming coming;
    double most = 0;

    find_coming(&coming, s, h.free);
    for (int i = 0; i < count; i++)
        for (int turn = 0; turn < TURNS; turn++)
            if (card_piece(s, cards[i])->least[turn] == turn)
                weigh(&h, seat, cards[i], turn);
    for (int i = 0; i < h.count; i++) {
        double value = tidiness(&coming, h.best[i].open);

        if (i > 0 && value <= most)
            continue;
        most = value;
        *move = h.best[i].move;
    }
}
