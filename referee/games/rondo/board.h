#ifndef REFEREE_GAMES_RONDO_BOARD_H
#define REFEREE_GAMES_RONDO_BOARD_H

/*
 * board.h - the boards of Rondo: blue, red, and any other.
 *
 * A board is a set of fields, each with a colour and a value, some of them
 * grey, joined by links with each other and with the centre. Whoever owns the
 * printed game can write its board as a file:
 *
 *     rondo-board 1
 *     name mine                        one to sixteen of a-z, 0-9 and -
 *     centre m
 *     field NAME COLOUR VALUE [grey]   a1 .. z99, one of R P G B Y, 1 .. 5
 *     link A B                         the centre may be one of them
 *
 * As the text of an option the file is one line: blanks are written ',' and
 * line ends ';'. The order of fields in the text is the order of the board.
 */

#include "base/bits.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RONDO_COLOURS = 5,
    RONDO_FIELDS_MAX = 128,
    RONDO_LINKS_MAX = 256,
    RONDO_NEIGHBOURS_MAX = 8,
    RONDO_BOARD_NAME_MAX = 16,
    RONDO_CENTRE = RONDO_FIELDS_MAX, /* its place in `near` */
    RONDO_NAMES = 256, /* a power of two, so that half stay empty */
};

/* Colours count from 0 in this order. */
#define RONDO_LETTERS "RPGBY"

/* The built-in boards. */
#define RONDO_BOARDS "blue|red"

/* A letter and up to two digits, filled up with NULs. */
struct rondo_name {
    char text[4];
};

struct rondo_field {
    char name[4];
    uint8_t colour;
    uint8_t value;
};

struct rondo_board {
    bits all;                        /* every field */
    bits grey;                       /* those that end the game */
    bits near[RONDO_FIELDS_MAX + 1]; /* the fields next to one, or to the
                                        centre */
    struct rondo_field field[RONDO_FIELDS_MAX];
    int fields;
    char name[RONDO_BOARD_NAME_MAX + 1];
    char centre[4];
    uint8_t by_name[RONDO_NAMES]; /* 1 + field, hashed by name */
};

/*
 * Fill a zeroed board from the name of a built-in one or from a text. A
 * refusal names the entry, what was found, and what would be right.
 */
bool rondo_board_load(struct rondo_board *board, const char *text,
                      struct err *err) MUST_CHECK;

/* A built-in board, read once; NULL if that is not its name. */
const struct rondo_board *rondo_board_printed(const char *name);

/* Read a letter such as "R". */
bool rondo_take_colour(const char **at, int *colour);

/* Read a name such as "b12" or "m": no leading zero, nothing above 99. */
bool rondo_take_name(const char **at, struct rondo_name *name);

/* The field or RONDO_CENTRE of that name, or -1. */
int rondo_find(const struct rondo_board *board, struct rondo_name name);

#endif
