#include "games/axio_rota/board.h"

#include "base/paint.h"

#include <stddef.h>

/* So many tiles, drawn six letters wide, are less than 100 letters. */
enum { PART_WIDTH = 15 };

/* Is it at most so many cells beyond the outermost tiles? */
static bool is_within(const struct rota_board *b, int x, int y, int beyond)
{
    return x >= b->west - beyond && x <= b->east + beyond &&
           y >= b->south - beyond && y <= b->north + beyond;
}

static uint64_t column(const struct rota_board *b, int x)
{
    return b->column[x & (WRAP - 1)];
}

/* The bits of a column, seen from y on. */
static uint64_t from(uint64_t column, int y)
{
    int by = y & (WRAP - 1);

    return column >> by | column << (-by & (WRAP - 1));
}

bool rota_board_lies(const struct rota_board *b, int x, int y)
{
    return is_within(b, x, y, 0) && from(column(b, x), y) & 1;
}

bool rota_board_touches(const struct rota_board *b, int x, int y)
{
    enum { BELOW = 1, BESIDE = 2, ABOVE = 4 };

    return is_within(b, x, y, 1) &&
           (from(column(b, x), y - 1) & (BELOW | ABOVE) ||
            from(column(b, x - 1) | column(b, x + 1), y - 1) & BESIDE);
}

uint64_t rota_board_free(const struct rota_board *b, int x)
{
    uint64_t here = from(column(b, x), b->south - 1);
    uint64_t beside = from(column(b, x - 1) | column(b, x + 1), b->south - 1);

    return (beside | here << 1 | here >> 1) & ~here;
}

void rota_board_put(struct rota_board *b, const struct rota_lying *lying)
{
    int x = lying->x, y = lying->y;

    b->lying[b->count++] = *lying;
    b->column[x & (WRAP - 1)] |= (uint64_t)1 << (y & (WRAP - 1));
    b->west = x < b->west ? x : b->west;
    b->east = x > b->east ? x : b->east;
    b->south = y < b->south ? y : b->south;
    b->north = y > b->north ? y : b->north;
}

/* Bit i: tile i shares a point with a tile on this cell. No branches. */
static uint64_t near(const struct rota_board *b, int x, int y)
{
    uint64_t set = 0;

    for (int i = 0; i < b->count; i++) {
        unsigned dx = (unsigned)(b->lying[i].x - x + 1);
        unsigned dy = (unsigned)(b->lying[i].y - y + 1);

        set |= (uint64_t)((dx <= 2) & (dy <= 2)) << i;
    }
    return set;
}

/*
 * The corners of a tile that share points with those of another one, which is
 * dx - 1 to the east and dy - 1 to the north of it: of one point or two.
 */
static const struct contact {
    uint8_t own[2], other[2];
    bool two;
} contacts[3][3] = {
    {{{SW}, {NE}, 0}, {{NW, SW}, {NE, SE}, 1}, {{NW}, {SE}, 0}},
    {{{SE, SW}, {NE, NW}, 1}, {{0}, {0}, 0}, {{NW, NE}, {SW, SE}, 1}},
    {{{SE}, {NW}, 0}, {{NE, SE}, {NW, SW}, 1}, {{NE}, {SW}, 0}},
};

void rota_board_gains(const struct rota_board *b, const struct rota_lying *tile,
                      int gain[COLOURS + 1])
{
    const uint8_t *own = tile->tile.corner;

    for (uint64_t rest = near(b, tile->x, tile->y); rest; rest &= rest - 1) {
        const struct rota_lying *there = &b->lying[__builtin_ctzll(rest)];
        const struct contact *c =
            &contacts[there->x - tile->x + 1][there->y - tile->y + 1];
        const uint8_t *other = there->tile.corner;

        gain[own[c->own[0]]] += own[c->own[0]] == other[c->other[0]];
        gain[own[c->own[1]]] += c->two & (own[c->own[1]] == other[c->other[1]]);
    }
}

static const struct rota_lying *find(const struct rota_board *b, int x, int y)
{
    for (int i = 0; i < b->count; i++)
        if (b->lying[i].x == x && b->lying[i].y == y)
            return &b->lying[i];
    return NULL;
}

int rota_board_circle(const struct rota_board *b, int x, int y, int colour)
{
    static const struct {
        int8_t x, y, corner;
    } around[CORNERS] = {{0, 0, SW}, {-1, 0, SE}, {-1, -1, NE}, {0, -1, NW}};
    int count = 0;

    for (int i = 0; i < CORNERS; i++) {
        const struct rota_lying *tile =
            find(b, x + around[i].x, y + around[i].y);

        count += tile && tile->tile.corner[around[i].corner] == colour;
    }
    return count;
}

void rota_lying_write(const struct rota_lying *lying, struct buf *out)
{
    char *at = buf_room(out, 2 * NUMBER_TEXT + 2);

    if (!at)
        return;
    at = jot_int(at, lying->x);
    *at++ = ',';
    at = jot_int(at, lying->y);
    *at++ = ':';
    buf_upto(out, at);
    rota_tile_write(&lying->tile, out);
}

/* The drawing. */

struct frame {
    int west, east, south, north;
};

static void end_line(struct buf *out)
{
    while (out->len > 0 && out->text[out->len - 1] == ' ')
        out->text[--out->len] = '\0';
    buf_char(out, '\n');
}

static void draw_corner(int corner, bool on_the_left, bool colour,
                        struct buf *out)
{
    static const enum paint ground[] = {PAINT_ON_RED,    PAINT_ON_GREEN,
                                        PAINT_ON_BLUE,   PAINT_ON_ORANGE,
                                        PAINT_ON_PURPLE, PAINT_ON_GREY};
    char letter = CORNER_LETTERS[corner];

    paint(out, colour, ground[corner]);
    buf_char(out, on_the_left ? letter : ' ');
    buf_char(out, on_the_left ? ' ' : letter);
    paint(out, colour, PAINT_PLAIN);
}

void rota_corners_draw(const struct rota_tile *tile, int left, int right,
                       char middle, bool colour, struct buf *out)
{
    draw_corner(tile->corner[left], true, colour, out);
    buf_char(out, middle);
    draw_corner(tile->corner[right], false, colour, out);
}

/* The line between the cells of row y and those above it. */
static void draw_border(const struct rota_board *b, const struct frame *f,
                        int y, struct buf *out)
{
    buf_str(out, "     ");
    for (int x = f->west; x <= f->east + 1; x++) {
        bool east = rota_board_lies(b, x, y) || rota_board_lies(b, x, y + 1);
        bool west =
            rota_board_lies(b, x - 1, y) || rota_board_lies(b, x - 1, y + 1);

        buf_char(out, east || west ? '+' : ' ');
        if (x <= f->east)
            buf_str(out, east ? "-----" : "     ");
    }
    end_line(out);
}

/* The upper or the lower half of row y. */
static void draw_half(const struct rota_board *b, const struct frame *f, int y,
                      bool upper, bool colour, struct buf *out)
{
    if (upper)
        buf_add(out, "%4d ", y);
    else
        buf_str(out, "     ");
    for (int x = f->west; x <= f->east + 1; x++) {
        const struct rota_lying *here = find(b, x, y);
        bool last = here == &b->lying[b->count - 1];

        buf_char(out, here || find(b, x - 1, y) ? '|' : ' ');
        if (x > f->east)
            break;
        if (here)
            rota_corners_draw(&here->tile, upper ? NW : SW, upper ? NE : SE,
                              last && upper ? '*' : ' ', colour, out);
        else
            buf_str(out, "     ");
    }
    end_line(out);
}

static void draw_part(const struct rota_board *b, const struct frame *f,
                      bool colour, struct buf *out)
{
    for (int y = f->north; y >= f->south; y--) {
        draw_border(b, f, y, out);
        draw_half(b, f, y, true, colour, out);
        draw_half(b, f, y, false, colour, out);
    }
    draw_border(b, f, f->south - 1, out);
    buf_str(out, " y/x ");
    for (int x = f->west; x <= f->east; x++)
        buf_add(out, "%4d  ", x);
    end_line(out);
}

void rota_board_draw(const struct rota_board *b, bool colour, struct buf *out)
{
    for (int x = b->west; x <= b->east; x += PART_WIDTH) {
        struct frame part = {x, b->east, b->south, b->north};

        if (part.east >= x + PART_WIDTH)
            part.east = x + PART_WIDTH - 1;
        draw_part(b, &part, colour, out);
    }
}
