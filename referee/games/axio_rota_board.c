#include "games/axio_rota_board.h"

#include "base/paint.h"

#include <stddef.h>

/* So many tiles, drawn six letters wide, are less than 100 letters. */
enum { PART_WIDTH = 15 };

bool rota_board_lies(const struct rota_board *b, int x, int y)
{
    return x >= -FAR && x < FAR && y >= -FAR && y < FAR &&
           bits_has(b->column[x + FAR], y + FAR);
}

bool rota_board_touches(const struct rota_board *b, int x, int y)
{
    return rota_board_lies(b, x - 1, y) || rota_board_lies(b, x + 1, y) ||
           rota_board_lies(b, x, y - 1) || rota_board_lies(b, x, y + 1);
}

bits rota_board_free(const struct rota_board *b, int x)
{
    const bits *here = &b->column[x + FAR];

    return (here[-1] | here[1] | *here << 1 | *here >> 1) & ~*here;
}

void rota_board_put(struct rota_board *b, const struct rota_lying *lying)
{
    b->lying[b->count++] = *lying;
    b->column[lying->x + FAR] |= bit(lying->y + FAR);
    b->west = lying->x < b->west ? lying->x : b->west;
    b->east = lying->x > b->east ? lying->x : b->east;
}

/*
 * The corner of a tile that lies at the point of corner i of another one, from
 * which it is dx to the east and dy to the north; -1 if it does not reach it.
 */
static int facing(int i, int dx, int dy)
{
    static const int east[CORNERS] = {[NE] = 1, [SE] = 1};
    static const int north[CORNERS] = {[NW] = 1, [NE] = 1};
    static const int at[2][2] = {
        {SW, SE},
        {NW, NE}
    };
    int x = east[i] - dx, y = north[i] - dy;

    return x < 0 || x > 1 || y < 0 || y > 1 ? -1 : at[y][x];
}

static void add_gains(const struct rota_tile *tile,
                      const struct rota_tile *other, int dx, int dy,
                      int gain[COLOURS])
{
    for (int i = 0; i < CORNERS; i++) {
        int colour = tile->corner[i], met = facing(i, dx, dy);

        if (colour != EMPTY && met >= 0 && other->corner[met] == colour)
            gain[colour]++;
    }
}

/* -1, 0 or 1 */
static bool is_near(int way)
{
    return (unsigned)way + 1 <= 2;
}

void rota_board_gains(const struct rota_board *b, const struct rota_lying *tile,
                      int gain[COLOURS])
{
    for (int i = 0; i < b->count; i++) {
        const struct rota_lying *other = &b->lying[i];
        int dx = other->x - tile->x, dy = other->y - tile->y;

        if (is_near(dx) && is_near(dy))
            add_gains(&tile->tile, &other->tile, dx, dy, gain);
    }
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

static struct frame frame_of(const struct rota_board *b)
{
    struct frame f = {.west = b->west, .east = b->east};

    for (int i = 0; i < b->count; i++) {
        int y = b->lying[i].y;

        f.south = y < f.south ? y : f.south;
        f.north = y > f.north ? y : f.north;
    }
    return f;
}

static const struct rota_lying *find(const struct rota_board *b, int x, int y)
{
    for (int i = 0; i < b->count; i++)
        if (b->lying[i].x == x && b->lying[i].y == y)
            return &b->lying[i];
    return NULL;
}

static void end_line(struct buf *out)
{
    while (out->len > 0 && out->text[out->len - 1] == ' ')
        out->text[--out->len] = '\0';
    buf_char(out, '\n');
}

static void draw_corner(int corner, bool on_the_left, bool colour,
                        struct buf *out)
{
    static const enum paint ground[] = {ON_RED,    ON_GREEN,  ON_BLUE,
                                        ON_ORANGE, ON_PURPLE, ON_GREY};
    char letter = CORNER_LETTERS[corner];

    paint(out, colour, ground[corner]);
    buf_char(out, on_the_left ? letter : ' ');
    buf_char(out, on_the_left ? ' ' : letter);
    paint(out, colour, PLAIN);
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
    struct frame whole = frame_of(b);

    for (int x = whole.west; x <= whole.east; x += PART_WIDTH) {
        struct frame part = whole;

        part.west = x;
        if (part.east >= x + PART_WIDTH)
            part.east = x + PART_WIDTH - 1;
        draw_part(b, &part, colour, out);
    }
}
