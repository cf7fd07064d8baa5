/* Cells, faces and whole positions of Axiom as text. */

#include "games/axiom/board.h"

#include "base/text.h"

enum {
    FIGURES = 9999, /* a coordinate has up to four digits */
    SETUP_XY_MAX = 99,
    POSITION_TEXT = (CUBES + SCEPTRES) * CELL_TEXT_MAX, /* and its marks */
};

static const char letters[] = "EWNSUD";
static const char sides[] = "bw";

/* Like take_int(), for max >= 9: nearly every coordinate has one digit. */
static bool take_number(const char **at, int min, int max, int *n)
{
    const char *c = *at;

    if (!is_digit(c[0]) || is_digit(c[1]) || c[0] - '0' < min)
        return take_int(at, min, max, n);
    *n = c[0] - '0';
    *at = c + 1;
    return true;
}

static bool take_place(const char **at, int xy_max, int z_max, int place[3])
{
    const char *from = *at;

    if (take_number(at, -xy_max, xy_max, &place[0]) && take_char(at, ',') &&
        take_number(at, -xy_max, xy_max, &place[1]) && take_char(at, ',') &&
        take_number(at, 1, z_max, &place[2]))
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
    static const uint8_t known[256] = {
        ['E'] = EAST + 1,  ['W'] = WEST + 1, ['N'] = NORTH + 1,
        ['S'] = SOUTH + 1, ['U'] = UP + 1,   ['D'] = DOWN + 1,
        ['e'] = EAST + 1,  ['w'] = WEST + 1, ['n'] = NORTH + 1,
        ['s'] = SOUTH + 1, ['u'] = UP + 1,   ['d'] = DOWN + 1,
    };
    int found = known[(unsigned char)**at];

    if (!found)
        return false;
    *face = found - 1;
    ++*at;
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

char *axiom_jot_cell(char *at, int cell)
{
    at = jot_int(at, cell_x(cell));
    *at++ = ',';
    at = jot_int(at, cell_y(cell));
    *at++ = ',';
    return jot_int(at, cell_z(cell));
}

char *axiom_jot_face(char *at, int face)
{
    *at = letters[face];
    return at + 1;
}

char *axiom_jot_domes(char *at, unsigned domes)
{
    for (; domes; domes &= domes - 1)
        *at++ = letters[__builtin_ctz(domes)];
    return at;
}

struct spelt axiom_spell_cell(int cell)
{
    struct spelt spelt;

    *axiom_jot_cell(spelt.text, cell) = '\0';
    return spelt;
}

struct spelt axiom_spell_recess(int cell, int face)
{
    struct spelt spelt;

    *axiom_jot_face(axiom_jot_cell(spelt.text, cell), face) = '\0';
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

static char *jot_cubes(char *at, const struct position *p)
{
    int order[CUBES];
    int n = axiom_cubes(p, order);

    for (int i = 0; i < n; i++) {
        if (i > 0)
            *at++ = ';';
        *at++ = sides[cube_owner(order[i])];
        at = axiom_jot_cell(at, p->cube[order[i]]);
        at = axiom_jot_domes(at, p->domes[order[i]]);
    }
    return at;
}

static char *jot_sceptres(char *at, const struct position *p, int side)
{
    int order[SCEPTRES_EACH];
    int n = axiom_sceptres(p, side, order);

    for (int i = 0; i < n; i++) {
        if (i > 0 || side != BLACK)
            *at++ = ';';
        *at++ = sides[side];
        at = axiom_jot_cell(at, p->sceptre[order[i]]);
        at = axiom_jot_face(at, p->face[order[i]]);
    }
    return at;
}

void axiom_write(const struct position *p, struct buf *out)
{
    char *at = buf_room(out, POSITION_TEXT);

    if (!at)
        return;
    at = jot_cubes(at, p);
    *at++ = '|';
    at = jot_sceptres(at, p, BLACK);
    at = jot_sceptres(at, p, WHITE);
    *at++ = '|';
    *at++ = sides[p->turn];
    buf_upto(out, at);
}
