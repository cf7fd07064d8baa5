/*
 * A starter kit for bots of the referee, in standard C17.
 *
 *     #include "referee_bot.h"
 *
 *     static const char *choose(const struct game *game)
 *     {
 *         return game->moves.word[0];
 *     }
 *
 *     int main(void)
 *     {
 *         return run(&(struct bot){.name = "my-bot", .choose = choose});
 *     }
 *
 * The kit talks with the referee and keeps the game up to date. The referee
 * writes "ID COMMAND ARGS" and a line feed, the bot answers "=ID TEXT" and an
 * empty line, or "?ID TEXT" if it cannot. Everything else is for people and
 * belongs on stderr. KIT.md says more.
 */
#ifndef REFEREE_BOT_H
#define REFEREE_BOT_H

#include <stdbool.h>
#include <stddef.h>

enum { SEATS_MAX = 6, PIECES_MAX = 200 };

/* A line and its words. */
struct words {
    char *text, **word;
    size_t size, count, room;
};

/* What is told of a piece of second-chance, and how it looks when turned. */
struct shape {
    int height, width;
    unsigned row[9]; /* bit 0 is the leftmost column */
};

struct piece {
    char card[8];
    struct shape turned[8]; /* 4 x mirrored + clockwise quarter turns */
};

/* All that a bot knows of the game it plays. */
struct game {
    char name[33];        /* "rondo" */
    int seat, seats;      /* yours, counted from 1, and how many */
    long time_left_ms;    /* yours; -1 where there is no clock */
    struct words options; /* KEY=VALUE, as new_game told */
    struct words view;    /* KEY=VALUE, the state as your seat sees it */
    struct words moves;   /* the legal ones */
    int piece_count;      /* second-chance: all cards */
    struct piece piece[PIECES_MAX];
};

/* A bot is a name and a function that chooses; the rest may be left out. */
struct bot {
    const char *name, *version;
    const char *game;                               /* the only one it plays */
    const char *(*choose)(const struct game *game); /* a move, or "resign" */
    void (*hear)(const struct game *game, const char *event);
};

/* Play until the referee says quit or hangs up; what main returns. */
int run(const struct bot *bot);

/* The VALUE of a KEY, or "" if there is none: value(&game->view, "phase"). */
const char *value(const struct words *words, const char *key);

/* The K-th of the texts that the separator joins, from 1, up to its end. */
const char *part(const char *text, char separator, int k);

/* Equal values happen: this lets each of N have its chance. */
bool one_in(int n);

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
    char name[FIELDS_MAX][4], colour[FIELDS_MAX];
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

struct placement {
    const struct piece *piece;
    const struct shape *shape;
    int row, column;
};

/* The free squares of a seat; your hand is game->seat. */
struct grid grid_read(const struct game *game, int seat);
struct placement placement(const struct game *game, const char *text);
void grid_fill(struct grid *free, const struct placement *placement);
bool grid_fits(const struct grid *free, const struct piece *piece);
int grid_count(const struct grid *squares);

#endif
