#ifndef REFEREE_GAMES_AXIOM_BOARD_H
#define REFEREE_GAMES_AXIOM_BOARD_H

/*
 * board.h - the cubes and sceptres of Axiom, and where they may go.
 *
 * A cell of the lattice is one number. Numbers are ordered as cells are listed,
 * by height, then from south to north, then from west to east, and the cell
 * behind a face is one addition away. A cube is known by its slot in the
 * position; six slots are Black's, then six are White's. A set of faces, such
 * as the domes of a cube, has one bit per face.
 *
 * Whoever moves a piece lifts it first, so the functions that look for a new
 * place see a position without it, called `others`.
 */

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { BLACK, WHITE };

enum face { EAST, WEST, NORTH, SOUTH, UP, DOWN, FACES };

enum {
    CUBES = 12,
    CUBES_EACH = CUBES / 2,
    DOUBLES_EACH = 3, /* cubes with two domes */
    SCEPTRES = 4,
    SCEPTRES_EACH = SCEPTRES / 2,
    SHAPES = 18,        /* ways to turn a cube: 6 with one dome, 12 with two */
    SPOTS_MAX = 9 * 12, /* on top of each cube and round each */
};

enum { NOWHERE = 0, NONE = -1 };

/* What a cube on the table must have: the option `contact`. */
enum contact { CONTACT_EDGE, CONTACT_FACE, CONTACT_INTERLOCK };

struct position {
    int cube[CUBES];       /* its cell, or NOWHERE */
    int sceptre[SCEPTRES]; /* the cell of the cube that carries it */
    uint8_t domes[CUBES];
    uint8_t face[SCEPTRES];
    int turn;
    int table; /* x and y of a cube are at most this far from 0; 0: any */
};

enum {
    AXIS_BITS = 13, /* no cube gets as far as 4096 cells from the middle */
    AXIS_MIDDLE = 1 << (AXIS_BITS - 1),
    AXIS_MAX = 4000,
    HEIGHT_MAX = 15,
};

static inline int cell_at(int x, int y, int z)
{
    return (z * (1 << AXIS_BITS) + y + AXIS_MIDDLE) * (1 << AXIS_BITS) + x +
           AXIS_MIDDLE;
}

static inline int cell_x(int cell)
{
    return cell % (1 << AXIS_BITS) - AXIS_MIDDLE;
}

static inline int cell_y(int cell)
{
    return cell / (1 << AXIS_BITS) % (1 << AXIS_BITS) - AXIS_MIDDLE;
}

static inline int cell_z(int cell)
{
    return cell / (1 << 2 * AXIS_BITS);
}

static inline bool is_beyond_edge(int cell, int table)
{
    int x = cell_x(cell), y = cell_y(cell);

    return x < -table || x > table || y < -table || y > table;
}

/* The cell behind a face, n cells away. */
static inline int cell_behind(int cell, int face, int n)
{
    static const int way[FACES] = {
        [EAST] = 1,
        [WEST] = -1,
        [NORTH] = 1 << AXIS_BITS,
        [SOUTH] = -(1 << AXIS_BITS),
        [UP] = 1 << 2 * AXIS_BITS,
        [DOWN] = -(1 << 2 * AXIS_BITS),
    };

    return cell + n * way[face];
}

static inline int opposite(int face)
{
    return face ^ 1;
}

static inline bool has_face(unsigned set, int face)
{
    return set >> face & 1;
}

static inline int cube_owner(int cube)
{
    return cube / CUBES_EACH;
}

static inline int sceptre_owner(int sceptre)
{
    return sceptre / SCEPTRES_EACH;
}

static inline const char *colour_name(int colour)
{
    return colour == BLACK ? "Black" : "White";
}

/* Put a cube into a cell, or with NOWHERE take it away for good. */
void axiom_put_cube(struct position *position, int cube, int cell,
                    unsigned domes);

/* The cube in a cell, the sceptre in a recess; NONE if there is none. */
int axiom_cube_at(const struct position *position, int cell);
int axiom_sceptre_in(const struct position *position, int cell, int face);

/* Is another sceptre, one of that side, on the cube of this one? */
bool axiom_shares_cube(const struct position *position, int sceptre, int side);

/* A cube is free if nothing stands on it and no sceptre in it. */
bool axiom_is_free(const struct position *position, int cube);

/*
 * All cubes, or the sceptres of one side, in the order of their cells (and
 * faces); how many there are.
 */
int axiom_cubes(const struct position *position, int order[CUBES]);
int axiom_sceptres(const struct position *position, int side,
                   int order[SCEPTRES_EACH]);

/* The recesses that a sceptre may stop in, and those it can at least pass. */
struct reach {
    uint8_t stops[CUBES]; /* faces of each cube */
    uint8_t passes[CUBES];
};

void axiom_reach(const struct position *position, int sceptre,
                 struct reach *reach);

/* An empty cell where a cube may stand if its domes suit the neighbours. */
struct spot {
    int cell;
    uint16_t round; /* the slots of the cubes that it touches */
    uint8_t cubes;  /* faces behind which there is a cube */
    uint8_t domes;  /* faces behind which there is one with a dome this way */
};

/* All spots in order; how many there are. */
int axiom_spots(const struct position *position, struct spot spots[SPOTS_MAX]);

/* The same spot after a cube was lifted. */
struct spot axiom_lifted(const struct spot *spot,
                         const struct position *position, int cube);

/*
 * Sets of ways to turn a cube, one bit each, in the order in which they are
 * listed: those of a cube like this one, and those that suit a spot.
 */
typedef uint32_t shape_set;
shape_set axiom_shapes(unsigned domes);
shape_set axiom_suiting(const struct spot *spot, enum contact contact);
extern const uint8_t axiom_domes[SHAPES]; /* of each */

/* May the side to move do this? Says why not. */
bool axiom_may_move(const struct position *position, int sceptre, int cell,
                    int face, struct err *err) MUST_CHECK;
bool axiom_may_place(const struct position *position, int cube, int cell,
                     unsigned domes, enum contact contact,
                     struct err *err) MUST_CHECK;

/* Has the side to move any move at all? */
bool axiom_can_move(const struct position *position, enum contact contact);

/* Could these pieces stand like this on a table? */
bool axiom_stands(const struct position *position, struct err *err) MUST_CHECK;

/*
 * Text: a cell is X,Y,Z; a cell too far out for any cube is read as NOWHERE.
 * Domes that do not meet at an edge are read as the empty set.
 */
bool axiom_take_cell(const char **at, int *cell);
bool axiom_take_face(const char **at, int *face);
bool axiom_take_domes(const char **at, unsigned *domes);
char *axiom_jot_cell(char *at, int cell);
char *axiom_jot_face(char *at, int face);
char *axiom_jot_domes(char *at, unsigned domes);

enum { CELL_TEXT_MAX = 24 }; /* with its side, two faces, a mark and a NUL */

/* A cell or recess as an argument for printf(). */
struct spelt {
    char text[CELL_TEXT_MAX];
};

struct spelt axiom_spell_cell(int cell);
struct spelt axiom_spell_recess(int cell, int face);

/* A whole position, "CUBES|SCEPTRES|SIDE"; read() checks form and numbers. */
bool axiom_read(const char *text, struct position *position,
                struct err *err) MUST_CHECK;
void axiom_write(const struct position *position, struct buf *out);

/* In numbers, the viewer's pieces first. */
enum {
    AXIOM_SIDE_OBSERVED = 4 * (CUBES_EACH + SCEPTRES_EACH),
    AXIOM_OBSERVED = 2 * AXIOM_SIDE_OBSERVED + 3,
};
void axiom_observe(const struct position *position, int viewer, int32_t *out);

/* Level by level, as seen from above. */
void axiom_draw(const struct position *position, bool colour, struct buf *out);

#endif
