#ifndef REFEREE_GAMES_AXIO_ROTA_TILES_H
#define REFEREE_GAMES_AXIO_ROTA_TILES_H

/*
 * tiles.h - what is printed on the 60 tiles of AXIO rota.
 *
 * A set is data: the built-in one, or the organiser's on one line,
 *
 *     axio-rota-tiles,1;name,NAME;tile,1,GBOP;tile,2,.PRG;...;tile,60,RGBO
 *
 * with the corners clockwise from the top left. The printed distribution has
 * never been published, so whoever owns the game can count and write it down.
 *
 * The deal is the order in which chance stacks them and how it turns the four
 * tiles of the start, "22,32,21,...,29 0003".
 */

#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TILES = 60,
    CORNERS = 4,
    COLOURS = 5,
    EMPTY = COLOURS,
    TURNS = 4,  /* ways to turn a tile */
    SQUARE = 4, /* tiles at the start */
};

/* The corners of a tile, and the tiles of the start, clockwise. */
enum { NW, NE, SE, SW };

/* A corner is a place in this text: a colour, or EMPTY. */
#define CORNER_LETTERS "RGBOP."

#define ROTA_TILES_FORM \
    "axio-rota-tiles,1;name,NAME;tile,1,CORNERS;...;tile,60,CORNERS"

struct rota_tile {
    uint8_t corner[CORNERS];
};

/* The tiles by number; [0] is not used. */
struct rota_set {
    struct rota_tile tile[TILES + 1];
};

/* Read a set: the word "default", or its text. */
bool rota_set_read(struct rota_set *set, const char *text,
                   struct err *err) MUST_CHECK;

/* Say what is allowed in a set but hardly meant, one line each. */
void rota_set_warn(const struct rota_set *set, struct buf *out);

/* Write the four letters of a tile. */
void rota_tile_write(const struct rota_tile *tile, struct buf *out);

/* The place of the empty corner, or -1. */
int rota_tile_empty(const struct rota_tile *tile);

/* The tile turned clockwise. */
struct rota_tile rota_tile_turn(const struct rota_tile *tile, int quarters);

struct rota_deal {
    uint8_t order[TILES]; /* numbers from 1 */
    uint8_t turned[SQUARE];
};

void rota_deal_shuffle(struct rota_deal *deal, struct rng *rng);
void rota_deal_write(const struct rota_deal *deal, char gap, struct buf *out);
bool rota_deal_read(struct rota_deal *deal, const char *text,
                    struct err *err) MUST_CHECK;

/* Write n tile numbers. */
void rota_numbers_write(const uint8_t *number, int n, char between,
                        struct buf *out);

#endif
