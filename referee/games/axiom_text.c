/* Cells, faces and whole positions of Axiom as text. */

#include "games/axiom_board.h"

#include "base/text.h"

enum {
    FIGURES = 9999, /* a coordinate has up to four digits */
    SETUP_XY_MAX = 99,
};

static const char letters[] = "EWNSUD";
static const char sides[] = "bw";

static bool take_place(const char **at, int xy_max, int z_max, int place[3])
{
    const char *from = *at;

    if (take_int(at, -xy_max, xy_max, &place[0]) && take_char(at, ',') &&
        take_int(at, -xy_max, xy_max, &place[1]) && take_char(at, ',') &&
        take_int(at, 1, z_max, &place[2]))
        return true;
    *at = from;
    return false;
}

static bool is_far(int x)
{
    return x < -AXIS_MAX || x > AXIS_MAX;
}

bool axiom_take_cell(const char **at, int *cell)
{
    int place[3];

    if (!take_place(at, FIGURES, FIGURES, place))
        return false;
    *cell = is_far(place[0]) || is_far(place[1]) || place[2] > HEIGHT_MAX
                ? NOWHERE
                : cell_at(place[0], place[1], place[2]);
    return true;
}

bool axiom_take_face(const char **at, int *face)
{
    if (!take_one_of(at, "EWNSUDewnsud", face))
        return false;
    *face %= FACES;
    return true;
}

bool axiom_take_domes(const char **at, unsigned *domes)
{
    int first, second;

    if (!axiom_take_face(at, &first))
        return false;
    *domes = 1u << first;
    if (axiom_take_face(at, &second))
        *domes = first >> 1 == second >> 1 ? 0 : *domes | 1u << second;
    return true;
}

/* Up to four digits, as all coordinates have. */
static char *write_number(char *at, int n)
{
    int unit = 1;

    if (n < 0) {
        *at++ = '-';
        n = -n;
    }
    while (unit * 10 <= n)
        unit *= 10;
    for (; unit > 0; unit /= 10)
        *at++ = (char)('0' + n / unit % 10);
    return at;
}

static char *write_cell(char *at, int cell)
{
    at = write_number(at, cell_x(cell));
    *at++ = ',';
    at = write_number(at, cell_y(cell));
    *at++ = ',';
    return write_number(at, cell_z(cell));
}

void axiom_put_cell(int cell, struct buf *out)
{
    char text[CELL_TEXT_MAX];

    buf_put(out, text, (size_t)(write_cell(text, cell) - text));
}

void axiom_put_face(int face, struct buf *out)
{
    buf_char(out, letters[face]);
}

void axiom_put_domes(unsigned domes, struct buf *out)
{
    for (int face = 0; face < FACES; face++)
        if (has_face(domes, face))
            buf_char(out, letters[face]);
}

struct spelt axiom_spell_cell(int cell)
{
    struct spelt spelt;

    *write_cell(spelt.text, cell) = '\0';
    return spelt;
}

struct spelt axiom_spell_recess(int cell, int face)
{
    struct spelt spelt;
    char *end = write_cell(spelt.text, cell);

    end[0] = letters[face];
    end[1] = '\0';
    return spelt;
}

static bool expect(const char *what, const char *at, struct err *err)
{
    if (at_end(at))
        return fail(err, "the position ends where %s should be", what);
    return fail(err, "%s should be where it says \"%.24s\"", what, at);
}

static bool take_setup_cell(const char **at, int *cell)
{
    int place[3];

    if (!take_place(at, SETUP_XY_MAX, CUBES, place))
        return false;
    *cell = cell_at(place[0], place[1], place[2]);
    return true;
}

/* An empty one among the n slots from `first` on, or NONE. */
static int empty_slot(const int *slots, int first, int n)
{
    for (int i = first; i < first + n; i++)
        if (slots[i] == NOWHERE)
            return i;
    return NONE;
}

static bool read_cube(const char **at, struct position *p, struct err *err)
{
    const char *from = *at;
    unsigned domes;
    int side, cell, cube;

    if (!take_one_of(at, sides, &side) || !take_setup_cell(at, &cell) ||
        !axiom_take_domes(at, &domes))
        return expect("a cube such as b-1,0,2E (x and y from -99 to 99, z "
                      "from 1 to 12)",
                      from, err);
    if (domes == 0)
        return fail(err,
                    "the domes of \"%.*s\" must be on two faces that meet at "
                    "an edge, as in WU",
                    (int)(*at - from), from);
    cube = empty_slot(p->cube, side * CUBES_EACH, CUBES_EACH);
    if (cube == NONE)
        return fail(err, "%s has more than %d cubes", colour_name(side),
                    CUBES_EACH);
    axiom_put_cube(p, cube, cell, domes);
    return true;
}

static bool read_sceptre(const char **at, struct position *p, struct err *err)
{
    const char *from = *at;
    int side, cell, face, sceptre;

    if (!take_one_of(at, sides, &side) || !take_setup_cell(at, &cell) ||
        !axiom_take_face(at, &face))
        return expect("a sceptre such as b-1,0,2U", from, err);
    sceptre = empty_slot(p->sceptre, side * SCEPTRES_EACH, SCEPTRES_EACH);
    if (sceptre == NONE)
        return fail(err, "%s has more than %d sceptres", colour_name(side),
                    SCEPTRES_EACH);
    p->sceptre[sceptre] = cell;
    p->face[sceptre] = (uint8_t)face;
    return true;
}

static bool is_double(unsigned domes)
{
    return (domes & (domes - 1)) != 0;
}

static bool has_right_numbers(const struct position *p, int side,
                              struct err *err)
{
    int doubles = 0;

    for (int i = 0; i < CUBES_EACH; i++)
        doubles += is_double(p->domes[side * CUBES_EACH + i]);
    if (doubles > DOUBLES_EACH)
        return fail(err, "%s has %d cubes with two domes; there are only %d",
                    colour_name(side), doubles, DOUBLES_EACH);
    if (p->sceptre[side * SCEPTRES_EACH] == NOWHERE)
        return fail(err, "%s has no sceptre; one or two are needed",
                    colour_name(side));
    return true;
}

static bool read_pieces(const char **at, struct position *p, struct err *err)
{
    do
        if (!read_cube(at, p, err))
            return false;
    while (take_char(at, ';'));
    if (!take_char(at, '|'))
        return expect("; and a cube, or | and the sceptres", *at, err);
    do
        if (!read_sceptre(at, p, err))
            return false;
    while (take_char(at, ';'));
    if (!take_char(at, '|'))
        return expect("; and a sceptre, or | and the side to move", *at, err);
    return true;
}

bool axiom_read(const char *text, struct position *p, struct err *err)
{
    const char *at = text;

    *p = (struct position){0};
    if (!read_pieces(&at, p, err))
        return false;
    if (!take_one_of(&at, sides, &p->turn))
        return expect("the side to move, b or w,", at, err);
    if (!at_end(at))
        return expect("the end of the position", at, err);
    return has_right_numbers(p, BLACK, err) && has_right_numbers(p, WHITE, err);
}

static void write_cubes(const struct position *p, struct buf *out)
{
    int order[CUBES];
    int n = axiom_cubes(p, order);

    for (int i = 0; i < n; i++) {
        if (i > 0)
            buf_char(out, ';');
        buf_char(out, sides[cube_owner(order[i])]);
        axiom_put_cell(p->cube[order[i]], out);
        axiom_put_domes(p->domes[order[i]], out);
    }
}

static void write_sceptres(const struct position *p, int side, struct buf *out)
{
    int order[SCEPTRES_EACH];
    int n = axiom_sceptres(p, side, order);

    for (int i = 0; i < n; i++) {
        if (i > 0 || side != BLACK)
            buf_char(out, ';');
        buf_char(out, sides[side]);
        axiom_put_cell(p->sceptre[order[i]], out);
        axiom_put_face(p->face[order[i]], out);
    }
}

void axiom_write(const struct position *p, struct buf *out)
{
    write_cubes(p, out);
    buf_char(out, '|');
    write_sceptres(p, BLACK, out);
    write_sceptres(p, WHITE, out);
    buf_char(out, '|');
    buf_char(out, sides[p->turn]);
}
