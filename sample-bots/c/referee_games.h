/*
 * The starter kit's help for the four games: states and moves as structs, and a
 * little of the rules. Everything is read from the texts in a struct game.
 */
#ifndef REFEREE_GAMES_H
#define REFEREE_GAMES_H

#include "referee_bot.h"

/*
 * Axiom. A cell is one number, so that its neighbour is one addition away. A
 * face is a number, its opposite is face ^ 1; a set of faces has a bit for
 * each.
 */
enum face { EAST, WEST, NORTH, SOUTH, UP, DOWN, FACES };

struct cube {
    char side; /* 'b' or 'w' */
    int cell;
    unsigned domes;
};

struct sceptre {
    char side;
    int cell, face;
};

struct axiom {
    int cubes, sceptres;
    struct cube cube[12];
    struct sceptre sceptre[4];
    char side; /* to move */
};

struct axiom_move {
    bool is_cube;
    int from, to;
    int from_face, to_face; /* of a sceptre */
    unsigned domes;         /* of a cube, after the move */
};

void axiom_read(struct axiom *position, const struct game *game);
struct axiom_move axiom_move(const char *text);
void axiom_play(struct axiom *position, const struct axiom_move *move);

/* How many recesses the sceptres of a side could move to now, and how many of
 * these moves would win. */
struct prospects {
    int room, wins;
};
struct prospects axiom_prospects(const struct axiom *position, char side);

/* Axio Rota. Corners go clockwise from the north-west, colours are "RGBOP". */
struct tile {
    int x, y;
    char corners[5];
};

struct rota {
    int mark[SEATS_MAX][5];
    char hand[5]; /* the tile to lay now */
    int tiles;
    struct tile tile[64];
};

struct rota_move {
    int x, y, turn; /* clockwise quarters */
    char name;      /* the colour for the empty corner, or 0 */
};

void rota_read(struct rota *rota, const struct game *game);
struct rota_move rota_move(const char *text);
/* The points per colour for laying the tile in hand. */
void rota_gains(const struct rota *rota, const struct rota_move *move,
                int gains[5]);

/* Rondo. Field 0 is the centre, which counts as occupied. */
enum { FIELDS_MAX = 129, NEAR_MAX = 8, STEPS_MAX = 5 };

struct board {
    int fields; /* with the centre */
    char name[FIELDS_MAX][8], colour[FIELDS_MAX];
    int value[FIELDS_MAX], nears[FIELDS_MAX], near[FIELDS_MAX][NEAR_MAX];
    bool grey[FIELDS_MAX];
};

struct rondo {
    int score[SEATS_MAX], bag;
    char rack[6];            /* yours */
    char stones[FIELDS_MAX]; /* 0 empty, '1' to '5' open, 'x' face down */
    bool last_round;
};

struct rondo_move {
    int steps; /* none: pass */
    struct {
        int field, count; /* open stones, or 0: face down */
        char colour;      /* of the stone that lies face down */
    } step[STEPS_MAX];
};

/* The board of the option "board": blue, red, or one on one line. */
void board_read(struct board *board, const struct game *game);
int board_field(const struct board *board, const char *name); /* or -1 */
void rondo_read(struct rondo *rondo, const struct board *board,
                const struct game *game);
struct rondo_move rondo_move(const struct board *board, const char *text);

/* Second Chance. A grid has a bit for each free square, column a is bit 0. */
struct grid {
    unsigned row[9];
};

struct shape {
    int height, width;
    unsigned row[9];
};

/* A shape, and where the top left square of its box goes. */
struct placement {
    struct shape shape;
    int row, column;
};

/* A piece as it lies after TURN: 4 x mirrored + clockwise quarter turns. */
struct shape shape_read(const char *rows, int turn);
/* The free squares of a seat; yours is game->seat. */
struct grid grid_read(const struct game *game, int seat);
struct placement placement(const struct game *game, const char *text);
void grid_fill(struct grid *free, const struct placement *placement);
/* Does it fit anywhere as it lies? */
bool grid_fits(const struct grid *free, const struct shape *shape);
int grid_count(const struct grid *squares);

#endif
