#include "games/second_chance/pieces.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

#define GRID_ROW ((bits)0x1ff)
#define ROW(r)   (GRID_ROW << (r)*STRIDE)

const bits whole_grid = ROW(0) | ROW(1) | ROW(2) | ROW(3) | ROW(4) | ROW(5) |
                        ROW(6) | ROW(7) | ROW(8);

/*
 * The shapes of the printed cards are not public; these follow a rule. Puzzle
 * cards: one square and two squares twice each, both pieces of three twice
 * each, all of four and of five, those of six with a block of 2 x 2, those of
 * seven that lie in 3 x 3 without a hole or have two such blocks. Start cards:
 * 13 out of the 50 pieces of eight with one such block, no hole, and a box of
 * 3 x 4 or 4 x 4.
 */
const char default_pieces[] =
    "P01:x;P02:x;P03:xx;P04:xx;P05:xxx;P06:xxx;P07:xx/x.;P08:xx/x.;"
    "P09:xxxx;P10:xx/xx;P11:xxx/x..;P12:xxx/.x.;P13:xx./.xx;"
    "P14:xxxxx;P15:xxx/xx.;P16:xxx/x.x;P17:xxxx/x...;P18:xxxx/.x..;"
    "P19:xxx./..xx;P20:xxx/x../x..;P21:xxx/.x./.x.;P22:xx./.xx/.x.;"
    "P23:xx./.xx/..x;P24:xx./.x./.xx;P25:.x./xxx/.x.;"
    "P26:xxx/xxx;P27:xxxx/xx..;P28:xxxx/.xx.;P29:xxx./.xxx;"
    "P30:xxx/xx./x..;P31:xxx/xx./.x.;P32:xx./xxx/.x.;P33:xx./xxx/..x;"
    "P34:xxxx/xxx.;P35:xxx/xxx/x..;P36:xxx/xxx/.x.;P37:xxx/xx./.xx;"
    "P38:xxx/x.x/x.x;P39:xxx/.x./xxx;P40:xx./xxx/.xx;"
    "S01:xxxx/xx.x/x...;S02:xxxx/xx../.xx.;S03:xxx./.xxx/xx..;"
    "S04:xx.x/xxxx/..x.;S05:xx../xxxx/x.x.;S06:x..x/xxxx/.xx.;"
    "S07:xxx./.xxx/.x../.x..;S08:xxx./.xx./..xx/..x.;"
    "S09:xxx./..x./..xx/..xx;S10:xx../xxx./..xx/...x;"
    "S11:xx../.xxx/..xx/..x.;S12:xx../.xx./.xx./..xx;"
    "S13:.x../xxxx/.xx./.x..";

/* A shape in its box. */
struct box {
    int height, width;
    bits shape;
};

bits shape_corners(bits shape, bits free)
{
    bits corners = whole_grid;

    for (; shape; shape >>= 64, free >>= 64)
        for (uint64_t rest = (uint64_t)shape; rest; rest &= rest - 1)
            corners &= free >> __builtin_ctzll(rest);
    return corners;
}

bits shape_corners_over(bits shape, int square)
{
    bits corners = 0;

    for (bits rest = shape & bits_below(square + 1); rest; rest &= rest - 1)
        corners |= bit(square - bits_first(rest));
    return corners;
}

/* How far a square moves when it was one row down or one column right. */
static const struct {
    int down, right;
} steps[TURNS] = {
    {STRIDE, 1},  {-1, STRIDE},  {-STRIDE, -1}, {1, -STRIDE},
    {STRIDE, -1}, {-1, -STRIDE}, {-STRIDE, 1},  {1, STRIDE},
};

static bits turned(const struct piece *piece, int turn)
{
    int down = steps[turn].down, right = steps[turn].right;
    int origin = 0; /* what was the upper left corner of the box */
    bits shape = 0;

    origin -= down < 0 ? (piece->height - 1) * down : 0;
    origin -= right < 0 ? (piece->width - 1) * right : 0;
    for (bits rows = piece->shape; rows; rows >>= STRIDE, origin += down)
        for (unsigned row = (unsigned)(rows & GRID_ROW); row; row &= row - 1)
            shape |= bit(origin + __builtin_ctz(row) * right);
    return shape;
}

/* The built-in pieces in all turns. */
static bits printed_turn[PRINTED_PUZZLES + PRINTED_STARTS][TURNS];

bits piece_turn(const struct piece *piece, int turn)
{
    if (piece->printed)
        return printed_turn[piece->printed - 1][turn];
    return turn == 0 ? piece->shape : turned(piece, turn);
}

static void find_least(struct piece *piece)
{
    for (int turn = 0; turn < TURNS; turn++) {
        bits shape = piece_turn(piece, turn);
        uint8_t least = 0;

        while (piece_turn(piece, least) != shape)
            least++;
        piece->least[turn] = least;
    }
}

bool piece_fits(const struct piece *piece, bits free)
{
    for (int turn = 0; turn < TURNS; turn++)
        if (piece->least[turn] == turn &&
            shape_corners(piece_turn(piece, turn), free))
            return true;
    return false;
}

bool same_piece(const struct piece *a, const struct piece *b)
{
    for (int turn = 0; turn < TURNS; turn++)
        if (piece_turn(a, turn) == b->shape)
            return true;
    return false;
}

int shape_height(bits shape)
{
    int height = 0;

    while (shape >> height * STRIDE)
        height++;
    return height;
}

int shape_width(bits shape)
{
    int width = 0;

    for (bits rest = shape; rest; rest &= rest - 1)
        if (bits_first(rest) % STRIDE >= width)
            width = bits_first(rest) % STRIDE + 1;
    return width;
}

/* Most sets have the cards of the built-in one, in its order. */
int pieces_find(const struct piece *pieces, int count, const char *id)
{
    int number = 10 * (id[1] - '0') + id[2] - '0';
    int at = number - 1 + (id[0] == 'S' ? PRINTED_PUZZLES : 0);

    if (at >= 0 && at < count && same_id(pieces[at].id, id))
        return at;
    for (at = 0; at < count; at++)
        if (same_id(pieces[at].id, id))
            return at;
    return -1;
}

void piece_rows(const struct piece *piece, int turn, char rows[ROWS_TEXT])
{
    bits shape = piece_turn(piece, turn);
    bool lies = turn % 2 == 1; /* on its side */
    int height = lies ? piece->width : piece->height;
    int width = lies ? piece->height : piece->width;

    for (int r = 0; r < height; r++, shape >>= STRIDE) {
        unsigned row = (unsigned)shape;

        for (int c = 0; c < width; c++, row >>= 1)
            *rows++ = row & 1 ? 'x' : '.';
        *rows++ = '/';
    }
    rows[-1] = '\0';
}

/* A capital letter and its small one differ in one bit. */
enum { SMALL = 'a' ^ 'A' };

bool card_take(const char **at, bool small, char id[ID_TEXT])
{
    const char *c = *at;
    char kind = small ? (char)(c[0] & ~SMALL) : c[0];

    if ((kind != 'P' && kind != 'S') || !is_digit(c[1]) || !is_digit(c[2]))
        return false;
    id[0] = kind;
    id[1] = c[1];
    id[2] = c[2];
    id[3] = '\0';
    *at = c + 3;
    return true;
}

bool square_take(const char **at, int *square)
{
    const char *c = *at;
    int column = (c[0] | SMALL) - 'a', row;

    if (column < 0 || column >= SIDE)
        return false;
    row = c[1] - '1';
    if (row < 0 || row >= SIDE)
        return false;
    *square = row * STRIDE + column;
    *at = c + 2;
    return true;
}

char *square_jot(char *at, int square)
{
    at[0] = (char)('a' + square % STRIDE);
    at[1] = (char)('1' + square / STRIDE);
    return at + 2;
}

/* Do the squares hang together by their edges? */
static bool is_connected(bits shape)
{
    bits reached = shape & (~shape + 1), last;

    do {
        last = reached;
        reached |= last << 1 | last >> 1 | last << STRIDE | last >> STRIDE;
        reached &= shape;
    } while (reached != last);
    return reached == shape;
}

static bool can_cover_centre(const struct piece *piece)
{
    for (int turn = 0; turn < TURNS; turn++) {
        bits shape = piece_turn(piece, turn);

        if (shape_corners(shape, whole_grid) &
            shape_corners_over(shape, CENTRE))
            return true;
    }
    return false;
}

static bool take_id(const char **at, struct piece *piece, struct err *err)
{
    const char *c = *at;

    if (!card_take(&c, false, piece->id) || strcmp(piece->id + 1, "00") == 0)
        return fail(err,
                    "\"%.12s\" does not start with a card: cards are P01 to "
                    "P99 and S01 to S99",
                    *at);
    *at = c;
    return true;
}

static void take_commas(const char **at)
{
    while (take_char(at, ','))
        ;
}

/* ":ROWS" or ",SIZE,ROWS"; *size is 0 if it is not given. */
static bool take_size(const char **at, int *size, struct err *err)
{
    const char *c = *at;

    *size = 0;
    if (take_char(at, ':'))
        return true;
    if (!take_char(at, ','))
        return fail(err,
                    "\"%.12s\" follows the card: write ID:ROWS or "
                    "ID,SIZE,ROWS",
                    c);
    take_commas(at);
    c = *at;
    if (!take_int(at, 1, SQUARES, size))
        return fail(err, "the size is 1 to %d, not \"%.12s\"", SQUARES, c);
    c = *at;
    if (!take_char(at, ','))
        return fail(err, "\"%.12s\" follows the size: write ID,SIZE,ROWS", c);
    take_commas(at);
    return true;
}

static bool take_row(const char **at, struct box *box, struct err *err)
{
    int width = 0, square;

    for (; take_one_of(at, ".x", &square); width++)
        if (square && width < SIDE)
            box->shape |= bit(box->height * STRIDE + width);
    if (**at && !strchr("/;", **at))
        return fail(err,
                    "row %d has a \"%c\": rows are written with x and . and "
                    "joined by /",
                    box->height + 1, **at);
    if (width == 0)
        return fail(err, "row %d is missing", box->height + 1);
    if (width > SIDE)
        return fail(err, "row %d is %d wide: the grid is 9 x 9",
                    box->height + 1, width);
    if (box->height > 0 && width != box->width)
        return fail(err,
                    "row %d is %d wide but row 1 is %d: all rows are "
                    "equally wide, fill up with .",
                    box->height + 1, width, box->width);
    box->width = width;
    box->height++;
    return true;
}

static bool take_box(const char **at, struct box *box, struct err *err)
{
    *box = (struct box){0};
    do {
        if (box->height == SIDE)
            return fail(err, "it has more than 9 rows: the grid is 9 x 9");
        if (!take_row(at, box, err))
            return false;
    } while (take_char(at, '/'));
    return true;
}

/* Which edge of the box has no square? NULL if each has one. */
static const char *empty_edge(const struct box *box)
{
    bits row = bits_below(box->width), column = 0;

    for (int r = 0; r < box->height; r++)
        column |= bit(r * STRIDE);
    if (!(box->shape & row))
        return "first row";
    if (!(box->shape & row << (box->height - 1) * STRIDE))
        return "last row";
    if (!(box->shape & column))
        return "first column";
    if (!(box->shape & column << (box->width - 1)))
        return "last column";
    return NULL;
}

static bool check_piece(struct piece *piece, const struct box *box, int size,
                        struct err *err)
{
    int count = bits_count(box->shape);

    if (empty_edge(box))
        return fail(err, "its %s is empty: leave it out", empty_edge(box));
    if (size && size != count)
        return fail(err, "its rows have %d squares but its size says %d", count,
                    size);
    if (!is_connected(box->shape))
        return fail(err, "its squares must be joined edge to edge");
    piece->size = (uint8_t)count;
    piece->height = (uint8_t)box->height;
    piece->width = (uint8_t)box->width;
    piece->shape = box->shape;
    find_least(piece);
    if (piece->id[0] == 'S' && !can_cover_centre(piece))
        return fail(err, "it cannot cover e5, as a start piece must");
    return true;
}

static bool take_piece(const char **at, const struct pieces *known,
                       struct piece *piece, struct err *err)
{
    struct box box;
    int size;

    if (!take_id(at, piece, err))
        return fail_at(err, "entry %d", known->count + 1);
    if (pieces_find(known->piece, known->count, piece->id) >= 0)
        return fail(err,
                    "entry %d: %s appears twice; each card has its own "
                    "number",
                    known->count + 1, piece->id);
    if (!take_size(at, &size, err) || !take_box(at, &box, err) ||
        !check_piece(piece, &box, size, err))
        return fail_at(err, "entry %d, %s", known->count + 1, piece->id);
    return true;
}

bool pieces_load(struct pieces *pieces, const char *text, struct err *err)
{
    pieces->count = pieces->puzzles = pieces->starts = 0;
    do {
        struct piece piece = {0};

        if (!take_piece(&text, pieces, &piece, err))
            return false;
        pieces->piece[pieces->count++] = piece;
        *(piece.id[0] == 'P' ? &pieces->puzzles : &pieces->starts) += 1;
    } while (take_char(&text, ';') && !at_end(text));
    if (pieces->puzzles < 2)
        return fail(
            err,
            "puzzle cards: %d, but a round turns up two: give P01 and P02 "
            "at least",
            pieces->puzzles);
    return true;
}

void pieces_must_load(struct pieces *pieces, const char *text)
{
    struct err err;
    bool loaded = pieces_load(pieces, text, &err);

    assert(loaded);
    (void)loaded;
}

static void load_printed(struct pieces *printed)
{
    pieces_must_load(printed, default_pieces);
    assert(printed->puzzles == PRINTED_PUZZLES &&
           printed->starts == PRINTED_STARTS);
    for (int i = 0; i < printed->count; i++) {
        for (int turn = 0; turn < TURNS; turn++)
            printed_turn[i][turn] = piece_turn(&printed->piece[i], turn);
        printed->piece[i].printed = (uint8_t)(i + 1);
    }
}

const struct pieces *printed_pieces(void)
{
    static struct pieces printed;

    if (printed.count == 0)
        load_printed(&printed);
    return &printed;
}

static void warn_piece(const struct pieces *pieces, int i, struct buf *out)
{
    const struct piece *piece = &pieces->piece[i], *other = pieces->piece;

    if (piece->id[0] == 'P') {
        if (piece->size > 7)
            buf_add(out, "%s has %d squares; puzzle cards have 1 to 7\n",
                    piece->id, piece->size);
        return;
    }
    if (piece->size != 8)
        buf_add(out, "%s has %d squares; start cards have 8\n", piece->id,
                piece->size);
    while (other < piece && (other->id[0] != 'S' || !same_piece(other, piece)))
        other++;
    if (other < piece)
        buf_add(out, "%s is the same piece as %s; start cards all differ\n",
                piece->id, other->id);
}

void pieces_warn(const struct pieces *pieces, struct buf *out)
{
    if (pieces->puzzles != PRINTED_PUZZLES)
        buf_add(out, "puzzle cards: %d; the printed game has %d\n",
                pieces->puzzles, PRINTED_PUZZLES);
    if (pieces->starts != PRINTED_STARTS)
        buf_add(out, "start cards: %d; the printed game has %d\n",
                pieces->starts, PRINTED_STARTS);
    for (int i = 0; i < pieces->count; i++)
        warn_piece(pieces, i, out);
}
