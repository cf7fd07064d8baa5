#ifndef REFEREE_GAMES_SECOND_CHANCE_STATE_H
#define REFEREE_GAMES_SECOND_CHANCE_STATE_H

/*
 * state.h - a position of Second Chance.
 *
 *            settle_start      settle_main        settle_second
 *     START ------> MAIN ----------> SECOND -----------+
 *       ^            ^  ^------+       |               |
 *       |            |   nobody        |               |
 *       |            |   affected      |               |
 *       |            +-----------------+---------------+
 *       +-- the next part of a solo game        any of them -> OVER
 *
 * In each step some seats are asked. Their answers wait in `answer` until the
 * last one is in; only then does the step settle.
 */

#include "games/game.h"
#include "games/second_chance/pieces.h"

enum { PARTS_MAX = 3, NO_CARD = 255, NO_SQUARE = 255 };

enum phase { START, MAIN, SECOND, OVER };

enum reason { FULL, NOSECOND, ALLOUT, DECK, FORFEIT };

/* A card by its place in the set, drawn with its corner on a square. */
struct placement {
    uint8_t card;
    uint8_t corner;
    uint8_t turn;
};

struct state {
    int cards, puzzles; /* how many, and how many of them are puzzle cards */
    int seats;
    int starts; /* start cards dealt: one for each seat, or one for all */
    bool full_ends_round; /* and not at once */

    int parts; /* 3 in a solo game, else 1 */
    int part;  /* from 0; at the end of a solo game still the last */
    int sum;   /* free squares in the parts that are finished */
    uint8_t dealt[PARTS_MAX][SEATS_MAX]; /* the start cards */
    uint8_t deck[PARTS_MAX][CARDS_MAX];  /* from the top */
    uint8_t turned[PARTS_MAX];           /* cards of the deck that were shown */

    enum phase phase;
    enum reason reason; /* once OVER */
    int round;
    int first_out;           /* the round of the first dropping out, or 0 */
    uint8_t offer[2];        /* the two cards of the round, or NO_CARD */
    uint8_t card[SEATS_MAX]; /* start card or second chance, or NO_CARD */
    seat_set asked;          /* in this step */
    seat_set answered;
    struct placement answer[SEATS_MAX];

    seat_set dropped; /* those who left are no longer among them */
    struct leavers leavers;
    bits free[SEATS_MAX];
    uint8_t one[SEATS_MAX]; /* the square of the bonus, or NO_SQUARE */
    /* The round that filled a square, plus 1; 0 if none did. */
    uint8_t filled[SEATS_MAX][SIDE * STRIDE];

    /* The built-in cards, or NULL and they are here, in the order of the text;
     * while a deal is made all cards are `printed`. */
    const struct piece *printed;
    struct piece own[];
};

static inline const struct piece *card_piece(const struct state *s, int card)
{
    return (s->printed ? s->printed : s->own) + card;
}

static inline seat_set seats_in(const struct state *s)
{
    return SEATS(s->seats) & ~s->dropped & ~s->leavers.out;
}

static inline seat_set seats_owing(const struct state *s)
{
    return s->asked & ~s->answered;
}

static inline int cards_left(const struct state *s)
{
    return s->puzzles - s->turned[s->part];
}

static inline int free_count(const struct state *s, int seat)
{
    return bits_count(s->free[seat]);
}

/* The cards from which a seat may choose in this step; how many? */
static inline int cards_for(const struct state *s, int seat,
                            const uint8_t **cards)
{
    *cards = s->phase == MAIN ? s->offer : &s->card[seat];
    return s->phase == MAIN ? 2 : 1;
}

extern const char *const second_chance_reasons[];

/* "P01", or "-" for NO_CARD, or several joined by ',', or "P01:c3:5". */
char *second_chance_jot_card(char *at, const struct state *s, int card);
void second_chance_write_card(const struct state *s, int card, struct buf *out);
void second_chance_write_cards(const struct state *s, const uint8_t *cards,
                               int count, struct buf *out);
void second_chance_write_placement(const struct state *s, struct placement p,
                                   struct buf *out);

/* What a struct move says. */
struct placement second_chance_placement(const struct move *move);

/* Where the corner of a shape's box may lie in this step. */
bits second_chance_corners(const struct state *s, int seat, bits shape);

/* Members of the game that have a file of their own. */
bool second_chance_from_view(struct state *s, int viewer, const char *view);
void second_chance_fit(struct state *s, int viewer, const struct lines *told,
                       bool starting);
enum {
    SECOND_CHANCE_OBSERVED =
        SEATS_MAX * (SQUARES + 4) + 3 * SQUARES + PIECES_MAX + 5
};
void second_chance_observe(const struct state *s, int viewer, int32_t *out);
void second_chance_hint(const struct state *s, int seat, struct rng *rng,
                        struct move *move);
double second_chance_worth(const struct state *s, int seat);
void second_chance_list(const struct state *s, int seat, struct moves *out);
void second_chance_format(const struct state *s, int seat,
                          const struct move *move, struct buf *out);
bool second_chance_parse(const struct state *s, int seat, const char *text,
                         struct move *move, struct err *err);
void second_chance_result(const struct state *s, struct result *result);
void second_chance_view(const struct state *s, int viewer, struct buf *out);
void second_chance_show(const struct state *s, int viewer, bool colour,
                        struct buf *out);

#endif
