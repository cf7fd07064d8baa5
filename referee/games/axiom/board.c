/* Where the pieces of Axiom may go; axiom.c has the rules in words. */

#include "games/axiom/board.h"

#include <string.h>

#define FACE(face) (1u << (face))

const uint8_t axiom_domes[SHAPES] = {
    FACE(EAST),
    FACE(WEST),
    FACE(NORTH),
    FACE(SOUTH),
    FACE(UP),
    FACE(DOWN),
    FACE(EAST) | FACE(NORTH),
    FACE(EAST) | FACE(SOUTH),
    FACE(EAST) | FACE(UP),
    FACE(EAST) | FACE(DOWN),
    FACE(WEST) | FACE(NORTH),
    FACE(WEST) | FACE(SOUTH),
    FACE(WEST) | FACE(UP),
    FACE(WEST) | FACE(DOWN),
    FACE(NORTH) | FACE(UP),
    FACE(NORTH) | FACE(DOWN),
    FACE(SOUTH) | FACE(UP),
    FACE(SOUTH) | FACE(DOWN),
};

static bool is_double(unsigned domes)
{
    return (domes & (domes - 1)) != 0;
}

shape_set axiom_shapes(unsigned domes)
{
    shape_set singles = (1u << FACES) - 1;

    return is_double(domes) ? ((1u << SHAPES) - 1) & ~singles : singles;
}

void axiom_put_cube(struct position *p, int cube, int cell, unsigned domes)
{
    p->cube[cube] = cell;
    p->domes[cube] = (uint8_t)domes;
}

/* Four slots, which every machine of today looks at in one go. */
typedef int32_t four __attribute__((vector_size(4 * sizeof(int32_t))));
typedef uint64_t two __attribute__((vector_size(2 * sizeof(uint64_t))));

static four hits(const int *cubes, int cell, four slots)
{
    four cells;

    memcpy(&cells, cubes, sizeof cells);
    return (cells == cell) & slots;
}

/* The slots of the cubes in a cell: one at most, in a sound position. */
static unsigned slots_in(const struct position *p, int cell)
{
    four found = hits(p->cube, cell, (four){1, 2, 4, 8}) |
                 hits(p->cube + 4, cell, (four){16, 32, 64, 128}) |
                 hits(p->cube + 8, cell, (four){256, 512, 1024, 2048});
    uint64_t either = ((two)found)[0] | ((two)found)[1];

    return (unsigned)(either | either >> 32);
}

int axiom_cube_at(const struct position *p, int cell)
{
    unsigned slots = slots_in(p, cell);

    return slots ? __builtin_ctz(slots) : NONE;
}

int axiom_sceptre_in(const struct position *p, int cell, int face)
{
    for (int i = 0; i < SCEPTRES; i++)
        if (p->sceptre[i] == cell && p->face[i] == face)
            return i;
    return NONE;
}

static bool has_cube(const struct position *p, int cell)
{
    return slots_in(p, cell) != 0;
}

static bool carries_sceptre(const struct position *p, int cell)
{
    for (int i = 0; i < SCEPTRES; i++)
        if (p->sceptre[i] == cell)
            return true;
    return false;
}

bool axiom_shares_cube(const struct position *p, int sceptre, int side)
{
    int first = side * SCEPTRES_EACH;

    for (int i = first; i < first + SCEPTRES_EACH; i++)
        if (i != sceptre && p->sceptre[i] == p->sceptre[sceptre])
            return true;
    return false;
}

bool axiom_is_free(const struct position *p, int cube)
{
    int cell = p->cube[cube];

    return !carries_sceptre(p, cell) && !has_cube(p, cell_behind(cell, UP, 1));
}

static bool on_table(int cell)
{
    return cell_z(cell) == 1;
}

int axiom_cubes(const struct position *p, int order[CUBES])
{
    int n = 0;

    for (int cube = 0; cube < CUBES; cube++) {
        int i = n;

        if (p->cube[cube] == NOWHERE)
            continue;
        for (; i > 0 && p->cube[order[i - 1]] > p->cube[cube]; i--)
            order[i] = order[i - 1];
        order[i] = cube;
        n++;
    }
    return n;
}

static bool stands_before(const struct position *p, int a, int b)
{
    if (p->sceptre[a] != p->sceptre[b])
        return p->sceptre[a] < p->sceptre[b];
    return p->face[a] < p->face[b];
}

int axiom_sceptres(const struct position *p, int side, int order[SCEPTRES_EACH])
{
    int first = side * SCEPTRES_EACH, second = first + 1;
    bool swapped = stands_before(p, second, first);

    order[0] = first;
    if (p->sceptre[second] == NOWHERE)
        return 1;
    order[0] = swapped ? second : first;
    order[1] = swapped ? first : second;
    return 2;
}

/*
 * Sceptres. One stands in a recess, its body in the cell before that face. On
 * its way it passes recess after recess.
 */

struct recess {
    int cube;
    int face;
};

static bool is_blocked(const struct position *others, struct recess at)
{
    return has_face(others->domes[at.cube], at.face) ||
           axiom_sceptre_in(others, others->cube[at.cube], at.face) != NONE;
}

static bool has_body(const struct position *others, int cell)
{
    for (int i = 0; i < SCEPTRES; i++)
        if (cell_behind(others->sceptre[i], others->face[i], 1) == cell)
            return true;
    return false;
}

static bool has_room(const struct position *others, struct recess at)
{
    int cell = others->cube[at.cube];

    return !has_cube(others, cell_behind(cell, at.face, 2)) &&
           !has_body(others, cell_behind(cell, at.face, 1)) &&
           axiom_sceptre_in(others, cell_behind(cell, at.face, 3),
                            opposite(at.face)) == NONE;
}

/* One step straight on: up a wall, along the plane, or over the edge. */
static bool step_straight(const struct position *others, struct recess *at,
                          int *way)
{
    int cell = others->cube[at->cube];
    int ahead = cell_behind(cell, *way, 1);
    int wall = axiom_cube_at(others, cell_behind(ahead, at->face, 1));
    int next, face = at->face;

    if (wall != NONE) {
        *at = (struct recess){wall, opposite(*way)};
        *way = face;
        return true;
    }
    next = axiom_cube_at(others, ahead);
    if (next != NONE) {
        at->cube = next;
        return true;
    }
    if (*way == DOWN) /* only the table has no cube below */
        return false;
    at->face = *way;
    *way = opposite(face);
    return true;
}

/* One step across a corner, in the same plane; a closed corner stops it. */
static bool step_diagonal(const struct position *others, struct recess *at,
                          const int way[2])
{
    int cell = others->cube[at->cube];
    int before = cell_behind(cell, at->face, 1);
    int ahead = cell_behind(cell_behind(cell, way[0], 1), way[1], 1);
    int next = axiom_cube_at(others, ahead);

    if (next == NONE || has_cube(others, cell_behind(ahead, at->face, 1)))
        return false;
    if (has_cube(others, cell_behind(before, way[0], 1)) &&
        has_cube(others, cell_behind(before, way[1], 1)))
        return false;
    at->cube = next;
    return true;
}

enum { LINES = 8 }; /* out of a recess: four straight, then four diagonal */

/* A sceptre on its way. */
struct walk {
    struct recess from, at;
    bool diagonal;
    int way[2]; /* a straight line has one */
};

static struct walk line_from(struct recess from, int line)
{
    int first = from.face >> 1 == 0, second = from.face >> 1 == 2 ? 1 : 2;
    bool diagonal = line >= LINES / 2;
    int axis = diagonal || line < 2 ? first : second;

    return (struct walk){
        .from = from,
        .at = from,
        .diagonal = diagonal,
        .way = {2 * axis + (line & 1), 2 * second + (line >> 1 & 1)},
    };
}

/* To the next recess; a line round the structure ends where it began. */
static bool go_on(const struct position *others, struct walk *l)
{
    bool goes = l->diagonal ? step_diagonal(others, &l->at, l->way)
                            : step_straight(others, &l->at, &l->way[0]);

    return goes && !is_blocked(others, l->at) &&
           (l->at.cube != l->from.cube || l->at.face != l->from.face);
}

/* Follow one line to its end and note the recesses on it. */
static void follow(const struct position *others, struct recess from, int line,
                   struct reach *reach)
{
    struct walk l = line_from(from, line);

    while (go_on(others, &l)) {
        reach->passes[l.at.cube] |= (uint8_t)FACE(l.at.face);
        if (has_room(others, l.at))
            reach->stops[l.at.cube] |= (uint8_t)FACE(l.at.face);
    }
}

static bool can_follow(const struct position *others, struct recess from,
                       int line)
{
    struct walk l = line_from(from, line);

    while (go_on(others, &l))
        if (has_room(others, l.at))
            return true;
    return false;
}

static struct recess lift_sceptre(const struct position *p, int sceptre,
                                  struct position *others)
{
    *others = *p;
    others->sceptre[sceptre] = NOWHERE;
    return (struct recess){axiom_cube_at(p, p->sceptre[sceptre]),
                           p->face[sceptre]};
}

void axiom_reach(const struct position *p, int sceptre, struct reach *reach)
{
    struct position others;
    struct recess from = lift_sceptre(p, sceptre, &others);

    *reach = (struct reach){0};
    for (int line = 0; line < LINES; line++)
        follow(&others, from, line, reach);
}

static bool can_move_sceptre(const struct position *p, int sceptre)
{
    struct position others;
    struct recess from = lift_sceptre(p, sceptre, &others);

    for (int line = 0; line < LINES; line++)
        if (can_follow(&others, from, line))
            return true;
    return false;
}

static bool say_why_no_room(const struct position *others, int cell, int face,
                            struct err *err)
{
    struct spelt to = axiom_spell_recess(cell, face);
    int gap = cell_behind(cell, face, 2);

    if (has_cube(others, gap))
        return fail(err,
                    "no room in %s: the cube in %s leaves a gap of one "
                    "cell; a sceptre may pass there but not stop",
                    to.text, axiom_spell_cell(gap).text);
    if (has_body(others, cell_behind(cell, face, 1)))
        return fail(err,
                    "no room in %s: another sceptre fills %s; a sceptre may "
                    "pass there but not stop",
                    to.text, axiom_spell_cell(cell_behind(cell, face, 1)).text);
    return fail(err,
                "no room in %s: the sceptre opposite needs three empty cells "
                "between, not two",
                to.text);
}

/* Could a sceptre be in this recess at all, if there is room? */
static bool is_open_recess(const struct position *others, int cell, int face,
                           struct err *err)
{
    int cube = axiom_cube_at(others, cell);
    struct spelt to = axiom_spell_recess(cell, face);

    if (cube == NONE)
        return fail(err, "there is no cube in %s to carry a sceptre",
                    axiom_spell_cell(cell).text);
    if (face == DOWN)
        return fail(err, "%s is an underside; no sceptre stands there",
                    to.text);
    if (has_face(others->domes[cube], face))
        return fail(err, "%s is a dome; a sceptre stands in a recess", to.text);
    if (has_cube(others, cell_behind(cell, face, 1)))
        return fail(err, "%s is covered by the cube in %s", to.text,
                    axiom_spell_cell(cell_behind(cell, face, 1)).text);
    if (axiom_sceptre_in(others, cell, face) != NONE)
        return fail(err, "another sceptre is in %s", to.text);
    return true;
}

bool axiom_may_move(const struct position *p, int sceptre, int cell, int face,
                    struct err *err)
{
    struct position others;
    struct recess from = lift_sceptre(p, sceptre, &others);
    int cube = axiom_cube_at(p, cell);
    struct reach reach = {0};

    if (cube == from.cube && face == from.face)
        return fail(err, "the sceptre is already in %s; it must move",
                    axiom_spell_recess(cell, face).text);
    for (int line = 0; line < LINES && cube != NONE; line++) {
        follow(&others, from, line, &reach);
        if (has_face(reach.stops[cube], face))
            return true;
    }
    if (!is_open_recess(&others, cell, face, err))
        return false;
    if (has_face(reach.passes[cube], face))
        return say_why_no_room(&others, cell, face, err);
    return fail(err, "no straight line of empty recesses leads from %s to %s",
                axiom_spell_recess(p->sceptre[sceptre], from.face).text,
                axiom_spell_recess(cell, face).text);
}

/*
 * Cubes. Two that meet face to face never do so dome to dome; the joint of
 * one dome in one recess holds them together.
 */

static unsigned joints(const struct spot *spot, unsigned domes)
{
    return (spot->domes ^ domes) & spot->cubes;
}

static bool touches(const struct spot *spot, unsigned domes,
                    enum contact contact)
{
    if (contact == CONTACT_EDGE)
        return spot->round;
    return contact == CONTACT_FACE ? spot->cubes : joints(spot, domes);
}

/* The ways to turn a cube that have a dome in a set of faces, as bits. */
static shape_set with_dome(unsigned faces)
{
    static const shape_set with[FACES] = {
        [EAST] = 1u << 0 | 0xfu << 6,
        [WEST] = 1u << 1 | 0xfu << 10,
        [NORTH] = 1u << 2 | 1u << 6 | 1u << 10 | 3u << 14,
        [SOUTH] = 1u << 3 | 1u << 7 | 1u << 11 | 3u << 16,
        [UP] = 1u << 4 | 1u << 8 | 1u << 12 | 1u << 14 | 1u << 16,
        [DOWN] = 1u << 5 | 1u << 9 | 1u << 13 | 1u << 15 | 1u << 17,
    };
    shape_set set = 0;

    for (; faces; faces &= faces - 1)
        set |= with[__builtin_ctz(faces)];
    return set;
}

shape_set axiom_suiting(const struct spot *spot, enum contact contact)
{
    shape_set suiting = ~with_dome(spot->domes);

    if (!on_table(spot->cell)) {
        if (!has_face(spot->cubes, DOWN))
            return 0;
        return has_face(spot->domes, DOWN) ? suiting
                                           : suiting & with_dome(FACE(DOWN));
    }
    suiting &= ~with_dome(FACE(DOWN));
    if (contact == CONTACT_EDGE)
        return spot->round ? suiting : 0;
    if (contact == CONTACT_FACE)
        return spot->cubes ? suiting : 0;
    return spot->domes ? suiting : suiting & with_dome(spot->cubes);
}

/*
 * Most cells are empty. One bit for each of 64 hashes of a cell says so at
 * once: where it is not set there is nothing.
 */
struct sieve {
    uint64_t cubes, all; /* with the sceptres */
};

static uint64_t sieve_bit(int cell)
{
    return UINT64_C(1) << ((uint32_t)cell * UINT32_C(0x9e3779b1) >> 26);
}

static struct sieve sieve_of(const struct position *p)
{
    struct sieve sieve = {0, 0};

    for (int i = 0; i < CUBES; i++)
        sieve.cubes |= sieve_bit(p->cube[i]);
    sieve.all = sieve.cubes;
    for (int i = 0; i < SCEPTRES; i++)
        for (int n = 1; n <= 2; n++)
            sieve.all |= sieve_bit(cell_behind(p->sceptre[i], p->face[i], n));
    return sieve;
}

static inline __attribute__((always_inline)) void
note_neighbour(const struct position *p, const struct sieve *sieve,
               struct spot *spot, int face)
{
    int cell = cell_behind(spot->cell, face, 1), cube;

    if (!(sieve->cubes & sieve_bit(cell)))
        return;
    cube = axiom_cube_at(p, cell);
    if (cube == NONE)
        return;
    spot->round |= (uint16_t)(1u << cube);
    spot->cubes |= (uint8_t)FACE(face);
    if (has_face(p->domes[cube], opposite(face)))
        spot->domes |= (uint8_t)FACE(face);
}

static inline __attribute__((always_inline)) void
note_diagonal(const struct position *p, const struct sieve *sieve,
              struct spot *spot, int a, int b)
{
    int cell = cell_behind(cell_behind(spot->cell, a, 1), b, 1);

    if (sieve->cubes & sieve_bit(cell))
        spot->round |= (uint16_t)slots_in(p, cell);
}

/*
 * Look round in a cell. Only on the table does it matter what is diagonal.
 * Spelt out, since then every way is a constant.
 */
static struct spot survey(const struct position *p, const struct sieve *sieve,
                          int cell)
{
    struct spot spot = {.cell = cell};

    note_neighbour(p, sieve, &spot, EAST);
    note_neighbour(p, sieve, &spot, WEST);
    note_neighbour(p, sieve, &spot, NORTH);
    note_neighbour(p, sieve, &spot, SOUTH);
    note_neighbour(p, sieve, &spot, UP);
    note_neighbour(p, sieve, &spot, DOWN);
    if (!on_table(cell))
        return spot;
    note_diagonal(p, sieve, &spot, EAST, NORTH);
    note_diagonal(p, sieve, &spot, EAST, SOUTH);
    note_diagonal(p, sieve, &spot, WEST, NORTH);
    note_diagonal(p, sieve, &spot, WEST, SOUTH);
    return spot;
}

static struct spot survey_alone(const struct position *p, int cell)
{
    struct sieve sieve = sieve_of(p);

    return survey(p, &sieve, cell);
}

struct spot axiom_lifted(const struct spot *spot, const struct position *p,
                         int cube)
{
    struct spot left = *spot;

    if (!(spot->round >> cube & 1))
        return left;
    left.round &= (uint16_t) ~(1u << cube);
    for (int face = 0; face < FACES; face++)
        if (cell_behind(spot->cell, face, 1) == p->cube[cube]) {
            left.cubes &= (uint8_t)~FACE(face);
            left.domes &= (uint8_t)~FACE(face);
        }
    return left;
}

/* A sceptre is two cells long. */
static bool holds_sceptre(const struct position *p, int cell)
{
    for (int i = 0; i < SCEPTRES; i++) {
        int body = cell_behind(p->sceptre[i], p->face[i], 1);

        if (cell == body || cell == cell_behind(body, p->face[i], 1))
            return true;
    }
    return false;
}

/* Insert into an ascending list without doubles. */
static int insert_cell(int *cells, int n, int cell)
{
    int i = n;

    while (i > 0 && cells[i - 1] > cell)
        i--;
    if (i > 0 && cells[i - 1] == cell)
        return n;
    for (int j = n; j > i; j--)
        cells[j] = cells[j - 1];
    cells[i] = cell;
    return n + 1;
}

static bool is_open_cell(const struct position *p, const struct sieve *sieve,
                         int cell)
{
    if (p->table && is_beyond_edge(cell, p->table))
        return false;
    return !(sieve->all & sieve_bit(cell)) ||
           (!has_cube(p, cell) && !holds_sceptre(p, cell));
}

/* The cells round cubes on the table, then those on top of cubes. */
static int open_cells(const struct position *p, const struct sieve *sieve,
                      int *cells)
{
    int order[CUBES], n_cubes = axiom_cubes(p, order), n = 0;

    for (int i = 0; i < n_cubes && on_table(p->cube[order[i]]); i++) {
        int south = cell_behind(p->cube[order[i]], SOUTH, 1);

        for (int row = 0; row < 3; row++)
            for (int x = -1; x <= 1; x++) {
                int near = cell_behind(south, NORTH, row) + x;

                if (is_open_cell(p, sieve, near))
                    n = insert_cell(cells, n, near);
            }
    }
    for (int i = 0; i < n_cubes; i++) {
        int top = cell_behind(p->cube[order[i]], UP, 1);

        if (is_open_cell(p, sieve, top))
            cells[n++] = top;
    }
    return n;
}

int axiom_spots(const struct position *p, struct spot spots[SPOTS_MAX])
{
    struct sieve sieve = sieve_of(p);
    int cells[SPOTS_MAX];
    int n = open_cells(p, &sieve, cells);

    for (int i = 0; i < n; i++)
        spots[i] = survey(p, &sieve, cells[i]);
    return n;
}

static bool has_place(const struct position *p, int cube,
                      const struct spot *spots, int n, enum contact contact)
{
    shape_set own = axiom_shapes(p->domes[cube]);

    for (int i = 0; i < n; i++) {
        struct spot spot = axiom_lifted(&spots[i], p, cube);

        if (own & axiom_suiting(&spot, contact))
            return true;
    }
    return false;
}

static bool can_move_cubes(const struct position *p, enum contact contact)
{
    struct spot spots[SPOTS_MAX];
    int n = axiom_spots(p, spots), first = p->turn * CUBES_EACH;

    for (int i = first; i < first + CUBES_EACH; i++)
        if (p->cube[i] != NOWHERE && axiom_is_free(p, i) &&
            has_place(p, i, spots, n, contact))
            return true;
    return false;
}

bool axiom_can_move(const struct position *p, enum contact contact)
{
    int first = p->turn * SCEPTRES_EACH;

    for (int i = first; i < first + SCEPTRES_EACH; i++)
        if (p->sceptre[i] != NOWHERE && can_move_sceptre(p, i))
            return true;
    return can_move_cubes(p, contact);
}

static bool may_lift(const struct position *p, int cube, struct err *err)
{
    int cell = p->cube[cube];

    if (has_cube(p, cell_behind(cell, UP, 1)))
        return fail(err, "the cube in %s is not free: a cube stands on it",
                    axiom_spell_cell(cell).text);
    if (carries_sceptre(p, cell))
        return fail(err, "the cube in %s is not free: a sceptre stands in it",
                    axiom_spell_cell(cell).text);
    return true;
}

/* Can a cube with these domes stand here, whatever is beside it? */
static bool is_carried(const struct spot *spot, unsigned domes, struct err *err)
{
    int cell = spot->cell, below = cell_behind(cell, DOWN, 1);

    if (on_table(cell) && has_face(domes, DOWN))
        return fail(err, "a cube in %s stands on the table; D is not a dome",
                    axiom_spell_cell(cell).text);
    if (on_table(cell))
        return true;
    if (!has_face(spot->cubes, DOWN))
        return fail(err, "nothing carries a cube in %s: there is none in %s",
                    axiom_spell_cell(cell).text, axiom_spell_cell(below).text);
    if (!has_face(joints(spot, domes), DOWN))
        return fail(err,
                    "the cubes in %s and %s must interlock: of the two faces "
                    "that meet one is a dome, the other a recess",
                    axiom_spell_cell(below).text, axiom_spell_cell(cell).text);
    return true;
}

static bool meets_no_dome(const struct spot *spot, unsigned domes,
                          struct err *err)
{
    unsigned meeting = domes & spot->domes;

    if (!meeting)
        return true;
    return fail(
        err, "a dome of the cube in %s would meet a dome of the one in %s",
        axiom_spell_cell(spot->cell).text,
        axiom_spell_cell(cell_behind(spot->cell, __builtin_ctz(meeting), 1))
            .text);
}

static bool say_why_no_contact(int cell, enum contact contact, struct err *err)
{
    static const char *const needed[] = {
        [CONTACT_EDGE] = "touch another cube, at least along an edge",
        [CONTACT_FACE] = "stand face to face with another cube",
        [CONTACT_INTERLOCK] = "interlock with a cube beside it, dome in recess",
    };

    return fail(err, "a cube in %s must %s", axiom_spell_cell(cell).text,
                needed[contact]);
}

bool axiom_may_place(const struct position *p, int cube, int cell,
                     unsigned domes, enum contact contact, struct err *err)
{
    struct spot spot = survey_alone(p, cell);

    if (!may_lift(p, cube, err))
        return false;
    if (cell == p->cube[cube])
        return fail(err, "the cube in %s must move to another cell",
                    axiom_spell_cell(cell).text);
    if (is_double(domes) != is_double(p->domes[cube]))
        return fail(
            err, "the cube in %s has %s", axiom_spell_cell(p->cube[cube]).text,
            is_double(domes) ? "one dome, not two" : "two domes, not one");
    if (has_cube(p, cell))
        return fail(err, "%s is not empty", axiom_spell_cell(cell).text);
    if (p->table && is_beyond_edge(cell, p->table))
        return fail(
            err, "%s is beyond the edge of the table: x and y stay within %d",
            axiom_spell_cell(cell).text, p->table);
    spot = axiom_lifted(&spot, p, cube);
    if (!is_carried(&spot, domes, err) || !meets_no_dome(&spot, domes, err))
        return false;
    if (on_table(cell) && !touches(&spot, domes, contact))
        return say_why_no_contact(cell, contact, err);
    if (holds_sceptre(p, cell))
        return fail(err, "a sceptre reaches into %s",
                    axiom_spell_cell(cell).text);
    return true;
}

/* Does this cube stand as some move could have put it? */
static bool cube_stands(const struct position *p, int cube, struct err *err)
{
    int cell = p->cube[cube];
    struct spot spot = survey_alone(p, cell);

    if (axiom_cube_at(p, cell) != cube)
        return fail(err, "there are two cubes in %s",
                    axiom_spell_cell(cell).text);
    return is_carried(&spot, p->domes[cube], err) &&
           meets_no_dome(&spot, p->domes[cube], err);
}

static bool sceptre_stands(const struct position *p, int sceptre,
                           struct err *err)
{
    int cell = p->sceptre[sceptre], face = p->face[sceptre];
    struct position others;
    struct recess at = lift_sceptre(p, sceptre, &others);

    if (!is_open_recess(&others, cell, face, err))
        return false;
    for (int i = 0; i < SCEPTRES; i++)
        if (p->sceptre[i] == cell && sceptre_owner(i) != sceptre_owner(sceptre))
            return fail(err, "sceptres of both sides are in the cube in %s",
                        axiom_spell_cell(cell).text);
    return has_room(&others, at) || say_why_no_room(&others, cell, face, err);
}

bool axiom_stands(const struct position *p, struct err *err)
{
    for (int i = 0; i < CUBES; i++)
        if (p->cube[i] != NOWHERE && !cube_stands(p, i, err))
            return false;
    for (int i = 0; i < SCEPTRES; i++)
        if (p->sceptre[i] != NOWHERE && !sceptre_stands(p, i, err))
            return false;
    return true;
}
