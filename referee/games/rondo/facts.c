/*
 * Where the fields of a Rondo board lie, for drawings.
 *
 * Each place has a radius, in hundredths of the distance between neighbours,
 * and an angle clockwise from the north, in thousandths of a turn. On a board
 * like the built-in ones the letters are rings. On any other, each ring holds
 * the fields equally far from the centre, near the fields they hang on.
 */

#include "games/rondo/rondo.h"

#include <stdlib.h>
#include <string.h>

enum { TURN = 1000, STEP = 100, UNKNOWN = -1 };

struct spot {
    int radius, angle;
};

/* As printed: the rings b and e, the cross a, the spokes c and d. */
static struct spot printed_spot(const char *name)
{
    static const int radius[] = {160, 320, 427, 533, 640};
    static const int spoke[] = {50, 200, 300, 450, 550, 700, 800, 950};
    int ring = name[0] - 'a', number = atoi(name + 1) - 1;

    switch (ring) {
    case 0:
        return (struct spot){radius[ring], number * TURN / 4};
    case 1:
        return (struct spot){radius[ring], number * TURN / 20};
    case 4:
        return (struct spot){radius[ring], number * TURN / 40};
    default:
        return (struct spot){radius[ring], spoke[number % 8]};
    }
}

/* How many links each field is away from the centre. */
static void measure(const struct rondo_board *b, int *depth)
{
    bits reached = b->near[RONDO_CENTRE], last = reached;

    for (int f = 0; f < b->fields; f++)
        depth[f] = UNKNOWN;
    for (int ring = 1; last; ring++) {
        bits next = 0;

        for (bits rest = last; rest; rest &= rest - 1) {
            int f = bits_first(rest);

            depth[f] = ring;
            next |= b->near[f];
        }
        last = next & ~reached;
        reached |= next;
    }
}

/* The angle of a neighbour nearer to the centre, or the field's own rank. */
static int wish(const struct rondo_board *b, int f, const int *depth,
                const struct spot *spot)
{
    for (bits rest = b->near[f]; rest; rest &= rest - 1) {
        int to = bits_first(rest);

        if (depth[to] == depth[f] - 1)
            return spot[to].angle;
    }
    return f;
}

/* Spread one ring evenly, in the order of the wishes. */
static int spread(const struct rondo_board *b, int ring, const int *depth,
                  int inner, struct spot *spot)
{
    int order[RONDO_FIELDS_MAX], want[RONDO_FIELDS_MAX], n = 0, radius;

    for (int f = 0; f < b->fields; f++)
        if (depth[f] == ring) {
            int w = wish(b, f, depth, spot), i = n++;

            for (; i > 0 && want[i - 1] > w; i--) {
                want[i] = want[i - 1];
                order[i] = order[i - 1];
            }
            want[i] = w;
            order[i] = f;
        }
    radius = n * STEP * 100 / 628;
    radius = radius > inner + STEP ? radius : inner + STEP;
    for (int i = 0; i < n; i++)
        spot[order[i]] = (struct spot){radius, i * TURN / n};
    return n ? radius : 0;
}

static void lay_out(const struct rondo_board *b, struct spot *spot)
{
    int depth[RONDO_FIELDS_MAX], radius = 0, ring = 1;

    if (rondo_fits_map(b)) {
        for (int f = 0; f < b->fields; f++)
            spot[f] = printed_spot(b->field[f].name);
        return;
    }
    measure(b, depth);
    do
        radius = spread(b, ring++, depth, radius, spot);
    while (radius);
}

static void write_links(const struct rondo_board *b, int place,
                        const char *name, struct buf *out)
{
    for (bits rest = b->near[place]; rest; rest &= rest - 1) {
        int to = bits_first(rest);

        if (place == RONDO_CENTRE || to > place)
            buf_add(out, "%s%s-%s", out->text[out->len - 1] == '=' ? "" : ",",
                    name, b->field[to].name);
    }
}

void rondo_facts(const struct state *s, struct buf *out)
{
    const struct rondo_board *b = board_of(s);
    struct spot spot[RONDO_FIELDS_MAX] = {0};

    lay_out(b, spot);
    buf_add(out, "centre=%s fields=", b->centre);
    for (int f = 0; f < b->fields; f++)
        buf_add(out, "%s%s:%c:%d:%s:%d:%d", f ? "," : "", b->field[f].name,
                RONDO_LETTERS[b->field[f].colour], b->field[f].value,
                bits_has(b->grey, f) ? "grey" : "-", spot[f].radius,
                spot[f].angle);
    buf_str(out, " links=");
    write_links(b, RONDO_CENTRE, b->centre, out);
    for (int f = 0; f < b->fields; f++)
        write_links(b, f, b->field[f].name, out);
}
