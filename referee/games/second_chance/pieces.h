#ifndef REFEREE_GAMES_SECOND_CHANCE_PIECES_H
#define REFEREE_GAMES_SECOND_CHANCE_PIECES_H

/*
 * pieces.h - the cards of Second Chance, and how pieces lie.
 *
 * A square is a number, row * STRIDE + column, and a piece is the set of the
 * squares it covers when the corner of its box lies on a1. The tenth column
 * and all rows below the ninth do not exist. A piece has no empty row or
 * column in its box, so one that is pushed over an edge always covers such a
 * square: shifting a set never wraps it round unnoticed.
 */

#include "base/bits.h"
#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    SIDE = 9,
    STRIDE = SIDE + 1,
    SQUARES = SIDE * SIDE,
    CENTRE = 4 * STRIDE + 4, /* e5 */
    TURNS = 8,
    CARDS_MAX = 99, /* of each kind */
    PIECES_MAX = 2 * CARDS_MAX,
    PRINTED_PUZZLES = 40, /* in the built-in set, which begins with them */
    PRINTED_STARTS = 13,
    ID_TEXT = 4,                /* "P01" and its NUL */
    ROWS_TEXT = SQUARES + SIDE, /* nine rows, '/' between them, a NUL */
};

/* Every square of the grid. */
extern const bits whole_grid;

struct piece {
    char id[ID_TEXT]; /* P01 .. P99 puzzle cards, S01 .. S99 start cards */
    uint8_t size;
    uint8_t height, width; /* of its box */
    uint8_t printed;       /* 1 + its place in the built-in set, or 0 */
    uint8_t least[TURNS];  /* the smallest turn that covers the same squares */
    bits shape;            /* in turn 0 */
};

struct pieces {
    int count;
    int puzzles;
    int starts;
    struct piece piece[PIECES_MAX]; /* in the order of their text */
};

extern const char default_pieces[];

/*
 * Read "P01:x;P03,2,xx;S01:xxxx/xx.x/x..." or say which entry is wrong, why,
 * and what would be right.
 */
bool pieces_load(struct pieces *pieces, const char *text,
                 struct err *err) MUST_CHECK;

/* The same for a text that has been checked. */
void pieces_must_load(struct pieces *pieces, const char *text);

/* The built-in set: loaded once, for thousands of games are played with it. */
const struct pieces *printed_pieces(void);

/* Say, one line each, how the set differs from the printed one. */
void pieces_warn(const struct pieces *pieces, struct buf *out);

static inline bool same_id(const char *a, const char *b)
{
    return memcmp(a, b, ID_TEXT) == 0;
}

/* The place of a card among others, or -1. */
int pieces_find(const struct piece *pieces, int count, const char *id);

/*
 * The squares of a piece in turn 4 * m + q: mirror left to right if m is 1,
 * then q quarter-turns clockwise. Those of the built-in set are kept. Others
 * are worked out when they are needed: a position holds all its cards, and few
 * of them are drawn.
 */
bits piece_turn(const struct piece *piece, int turn);

/* Where the corner of the box may lie so that the shape covers only `free`. */
bits shape_corners(bits shape, bits free);

/* Where the corner of the box lies when the shape covers that square. */
bits shape_corners_over(bits shape, int square);

bool piece_fits(const struct piece *piece, bits free);
bool same_piece(const struct piece *a, const struct piece *b);

int shape_height(bits shape);
int shape_width(bits shape);

/* Its rows in a turn, such as xxx/x.. */
void piece_rows(const struct piece *piece, int turn, char rows[ROWS_TEXT]);

/* "P01", or "s13" if small letters are allowed; the number may be 0. */
bool card_take(const char **at, bool small, char id[ID_TEXT]);

/* "e5" or "E5" is CENTRE. */
bool square_take(const char **at, int *square);
char *square_jot(char *at, int square);

#endif
