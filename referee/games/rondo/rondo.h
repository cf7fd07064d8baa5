#ifndef REFEREE_GAMES_RONDO_RONDO_H
#define REFEREE_GAMES_RONDO_RONDO_H

/*
 * rondo.h - the state and the moves of Rondo, for its own files only.
 *
 *     rondo.c        the rules: deal, turns, end, result
 *     rondo_moves.c  moves as text: parse, format, list
 *     rondo_show.c   views and drawings: what each viewer may see
 *     rondo_facts.c  where fields lie, for drawings
 *     rondo_board.c  the boards
 */

#include "base/bits.h"
#include "games/game.h"
#include "games/rondo/board.h"

enum {
    PLAYERS = 4,
    EACH = 24, /* stones of one colour */
    STONES = RONDO_COLOURS * EACH,
    RACK_MAX = 5,
    FIRST_DRAW = 2,
    STEPS_MAX = RACK_MAX,
    OVER = -1, /* instead of the seat whose turn it is */
};

enum end { NOT_YET, GREY, BAG };

/*
 * A stone is its place in the deal, and `colour` says what lies there.
 * Racks keep the order of drawing, so a slot is the same in every world.
 */
struct rack {
    uint8_t count;
    uint8_t stone[RACK_MAX];
};

struct pile {
    uint8_t open;  /* how many; 0 on a covered field: one face down, ... */
    uint8_t down;  /* ... this stone */
    uint8_t layer; /* the seat that laid them */
};

struct state {
    bits covered;
    bits touched; /* fields next to a covered one or the centre */
    struct pile pile[RONDO_FIELDS_MAX];
    uint8_t colour[STONES]; /* in drawing order */
    int drawn;
    int seats;
    int turn;
    enum end end; /* the first trigger */
    int score[PLAYERS];
    struct rack rack[PLAYERS];
    struct leavers left;
    const struct rondo_board *printed; /* a built-in board ... */
    struct rondo_board own[];          /* ... or else this one */
};

static inline const struct rondo_board *board_of(const struct state *s)
{
    return s->printed ? s->printed : s->own;
}

/* A word for each enum end. */
extern const char *const rondo_end_words[];

static inline int in_bag(const struct state *s)
{
    return STONES - s->drawn;
}

static inline int seats_in(const struct state *s)
{
    return __builtin_popcount(SEATS(s->seats) & ~s->left.out);
}

static inline bool is_full(const struct state *s)
{
    return s->covered == board_of(s)->all;
}

static inline bool may_pass(const struct state *s, int seat)
{
    return s->rack[seat].count < RACK_MAX || is_full(s);
}

/* Why the game is over. */
static inline const char *end_reason(const struct state *s)
{
    return seats_in(s) <= 1 ? "forfeit" : rondo_end_words[s->end];
}

/*
 * A move has one part for each step: which field, which slots of the rack,
 * and whether the stone lies face down. A pass has no step. Where stones of
 * one colour are alike, parse() and list() take the lowest slots.
 */

enum { DOWN = 1 << 16 };

static inline int32_t pack(int field, unsigned slots, bool down)
{
    return (int32_t)((unsigned)field + 1 + (slots << 8)) | (down ? DOWN : 0);
}

static inline int field_of(int32_t part)
{
    return (part & 0xff) - 1;
}

static inline unsigned slots_of(int32_t part)
{
    return (unsigned)part >> 8 & 0x1f;
}

static inline bool is_down(int32_t part)
{
    return part & DOWN;
}

static inline bool is_pass(const struct move *move)
{
    return move->part[0] == 0;
}

static inline unsigned slots_of_chain(const struct move *move)
{
    int32_t all = 0;

    for (int i = 0; i < STEPS_MAX; i++)
        all |= move->part[i];
    return slots_of(all);
}

/* The stones that the viewer has not seen; how many? */
int rondo_unseen(const struct state *s, int viewer, uint8_t unseen[STONES]);

/* The slots of a rack by the colour they hold. */
void rondo_slots(const struct state *s, int seat,
                 unsigned slots[RONDO_COLOURS]);

/* As in struct game. */
enum { RONDO_OBSERVED = RONDO_FIELDS_MAX + RONDO_COLOURS + 4 * PLAYERS + 2 };
void rondo_observe(const struct state *s, int viewer, int32_t *out);
void rondo_hint(const struct state *s, int seat, struct rng *rng,
                struct move *move);
bool rondo_from_view(struct state *s, int viewer, const char *view);
void rondo_fit(struct state *state, int viewer, const struct lines *told,
               bool starting);
bool rondo_parse(const struct state *state, int seat, const char *text,
                 struct move *move, struct err *err);
void rondo_format(const struct state *state, int seat, const struct move *move,
                  struct buf *out);
void rondo_list(const struct state *state, int seat, struct moves *out);
void rondo_view(const struct state *state, int viewer, struct buf *out);
void rondo_show(const struct state *state, int viewer, bool colour,
                struct buf *out);
void rondo_facts(const struct state *state, struct buf *out);

/* Are all its fields and links found on the built-in boards? */
bool rondo_fits_map(const struct rondo_board *board);

/* Write a move as its layer knows it, or as others do: c1:xR or c1:x. */
void rondo_write(const struct state *state, int seat, const struct move *move,
                 bool known, struct buf *out);

#endif
