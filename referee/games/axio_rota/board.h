#ifndef REFEREE_GAMES_AXIO_ROTA_BOARD_H
#define REFEREE_GAMES_AXIO_ROTA_BOARD_H

/*
 * board.h - the tiles of AXIO rota as they lie.
 *
 * Cells are x,y with x to the east and y to the north. The board only knows
 * geometry: who touches whom, and which corners meet in a circle.
 */

#include "games/axio_rota/tiles.h"

struct rota_lying {
    int8_t x, y;
    struct rota_tile tile; /* as it lies, turned */
};

/*
 * All zero is a board without tiles; 0,0 is among the first that are laid.
 * Sixty tiles that touch span fewer than WRAP cells, so the columns and the
 * bits of a column are numbered modulo WRAP.
 */
enum { WRAP = 64 };

struct rota_board {
    int west, east, south, north; /* the outermost cells */
    int count;
    struct rota_lying lying[TILES]; /* in the order of laying */
    uint64_t column[WRAP];          /* bit y of column x: a tile lies there */
};

void rota_board_put(struct rota_board *board, const struct rota_lying *lying);

/* Any cell may be asked for, however far. */
bool rota_board_lies(const struct rota_board *board, int x, int y);
bool rota_board_touches(const struct rota_board *board, int x, int y);

/*
 * The empty cells of a column that touch a side, where x is at most one beyond
 * the outermost columns: bit i is y = south - 1 + i.
 */
uint64_t rota_board_free(const struct rota_board *board, int x);

/*
 * Add, for each corner of a tile about to lie there, the corners of its colour
 * that already lie in the same circle; the last gain is of empty ones, and
 * counts for nothing.
 */
void rota_board_gains(const struct rota_board *board,
                      const struct rota_lying *tile, int gain[COLOURS + 1]);

/*
 * How many corners of this colour meet in the circle at the south-west corner
 * of a cell?
 */
int rota_board_circle(const struct rota_board *board, int x, int y, int colour);

/* "x,y:TILE" */
void rota_lying_write(const struct rota_lying *lying, struct buf *out);

/* Draw the board, in several parts if it is wide; the last tile has a star. */
void rota_board_draw(const struct rota_board *board, bool colour,
                     struct buf *out);

/* Draw two corners of a tile beside each other, five letters wide. */
void rota_corners_draw(const struct rota_tile *tile, int left, int right,
                       char middle, bool colour, struct buf *out);

#endif
