#ifndef REFEREE_GAMES_AXIO_ROTA_AXIO_ROTA_H
#define REFEREE_GAMES_AXIO_ROTA_AXIO_ROTA_H

/*
 * axio_rota.h - a position of AXIO rota, for the files of this game alone.
 *
 * axio_rota.c has the rules and plays, axio_rota_view.c writes and draws,
 * axio_rota_board.c is the geometry, axio_rota_tiles.c the tiles and the deal.
 */

#include "games/axio_rota/board.h"
#include "games/game.h"

enum {
    SEATS_AT_MOST = 4,
    STACK = 12,  /* tiles of a seat */
    GOAL = 12,   /* where a track ends */
    BONUSES = 4, /* of a seat in a game: the fifth marker on 12 wins */
};

enum end { RUNNING, ALL_LAID, INSTANT, FORFEIT };

struct player {
    int drawn, laid; /* of the own twelve */
    int mark[COLOURS];
};

struct state {
    struct rota_set set;
    struct rota_deal deal; /* the square, the stack of each seat, the supply */
    int seats;
    int turn;
    bool bonus; /* the seat whose turn it is holds a bonus tile */
    int earned; /* bonus turns that have not begun */
    int supply; /* the place in the deal of the supply's top tile */
    enum end end;
    struct leavers leavers;
    struct player player[SEATS_AT_MOST];
    struct rota_board board;
};

/* Where in the deal the stack of a seat begins, and behind all of them ... */
static inline int first_of_stack(int seat)
{
    return SQUARE + STACK * seat;
}

/* ... the supply. */
static inline int first_of_supply(int seats)
{
    return first_of_stack(seats);
}

static inline bool is_out(const struct state *s, int seat)
{
    return (s->leavers.out & SEAT(seat)) != 0;
}

static inline bool holds_bonus(const struct state *s, int seat)
{
    return s->bonus && seat == s->turn;
}

/* The number of the tile in the hand of a seat, or 0. */
int rota_hand(const struct state *s, int seat);

/* The markers in colour order, "R/G/B/O/P", and from the lowest up. */
void rota_marks_write(const struct player *p, struct buf *out);
void rota_marks_sort(const struct player *p, int sorted[COLOURS]);

/* Has the viewer seen the tile at a place of the deal? */
bool rota_has_seen(const struct state *s, int viewer, int place);

/* Members of the game's table. */
bool rota_from_view(struct state *s, int viewer, const char *view);
void rota_fit(struct state *s, int viewer, const struct lines *told,
              bool starting);
enum { ROTA_OBSERVED = 6 * TILES + 12 * SEATS_AT_MOST + 3 };
void rota_observe(const struct state *s, int viewer, int32_t *out);
void rota_hint(const struct state *s, int seat, struct rng *rng,
               struct move *move);
void rota_event_facts(const struct state *s, const char *event,
                      struct buf *out);
void rota_result(const struct state *s, struct result *result);
void rota_view(const struct state *s, int viewer, struct buf *out);
void rota_show(const struct state *s, int viewer, bool colour, struct buf *out);

#endif
