#ifndef REFEREE_GAMES_GAME_H
#define REFEREE_GAMES_GAME_H

/*
 * game.h - what the referee needs to know about a game.
 *
 * A game is a table of functions over a flat state. It does no I/O, reads no
 * clock, and remembers nothing from one call to the next. The one exception is
 * built-in data, such as a board or a set of tiles: it may be prepared at its
 * first use and is constant from then on. (A caller that starts games in
 * several threads holds a lock.) Everything that chance decides in a whole game
 * is one line of text, the deal. After start() a game is pure rules. So a deal
 * and a list of moves replay a game exactly. A game is saved in that form, not
 * as a memory image.
 *
 * Four rules carry the design:
 *
 *   1. What can fail changes nothing; what changes something cannot fail.
 *      parse() may refuse but gets a const state; apply() changes the state
 *      but has nothing to return.
 *
 *   2. Hidden means never written. view() and tell() name the reader before
 *      the text exists. No layer above masks or filters.
 *
 *   3. A state holds no pointers, except to built-in data. Copying it is
 *      memcpy().
 *
 *   4. A struct move names hidden things by where they are (the second stone
 *      on my rack), not by what they are (a red one). So the same moves can be
 *      played in another world, whose hidden things differ.
 *
 * To add a game, write games/NAME/NAME.c, which defines `const struct game
 * NAME_game`, and add it to GAMES in games/files.am. `make check` then holds it
 * to the laws at the end of this header.
 */

#include "base/buf.h"
#include "base/err.h"
#include "base/lines.h"
#include "base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MOVE_PARTS = 8,
    MOVE_TEXT_MAX = 64, /* of the canonical spelling */
    OPTIONS_MAX = 10,
    OPTION_TEXT_MAX = 7 * 1024, /* fits into a line with the rest */
    /* of a seat; the referee's view has more room */
    VIEW_TEXT_MAX = LINE_MAX_BYTES - 16,
    REFEREE_VIEW_MAX = 1 << 20,
    DEAL_TEXT_MAX = LINE_MAX_BYTES - 16,
    EVENTS_MAX = 1 << 20, /* bytes told in one step */
};

/* Who looks at a state: a seat number from 0, or one of these. */
enum {
    AUDIENCE_PUBLIC = -1,  /* a spectator, who sees what every seat sees */
    AUDIENCE_REFEREE = -2, /* sees everything; this view is the state as text */
};

/*
 * A move in its game's own terms, such as kind, from, to. Only the game that
 * filled it in reads it. Unused parts are zero, so equal moves compare equal
 * with memcmp().
 */
struct move {
    int32_t part[MOVE_PARTS];
};

/* Moves collected by list(); release with moves_release(). */
struct moves {
    struct move *move;
    size_t count;
    size_t cap;
    size_t max; /* this many are enough; 0: all. Set it first. */
};

/* Make room for one more. False if there are enough. */
bool moves_grow(struct moves *moves);
void moves_reset(struct moves *moves);

static inline void moves_add(struct moves *moves, const struct move *move)
{
    if (moves->count < moves->cap || moves_grow(moves))
        moves->move[moves->count++] = *move;
}

/* A list that can be very long need not be completed. */
static inline bool moves_are_enough(const struct moves *moves)
{
    return moves->max && moves->count == moves->max;
}

void moves_release(struct moves *moves);

/*
 * A text that an organiser may set. `values` are its built-in words joined by
 * '|', the default first, or NULL. `form` says what else is allowed, or NULL. A
 * default of NULL means that the option is not set.
 */
struct game_option {
    const char *name;
    const char *preset;
    const char *values;
    const char *form;
    const char *help;
    /* Is this text, which is none of `values`, valid? NULL: never. */
    bool (*check)(const char *text, struct err *err);
    const char *unless; /* no default where this other option is set */
};

/*
 * A game about to start. An option that was not given is NULL. The texts belong
 * to the caller that made the setup.
 */
struct setup {
    int seats;
    const char *option[OPTIONS_MAX];
};

/*
 * How a game ended. Rank 1 is best and ties share a rank (1 2 2 4). Scores are
 * in the game's own points. The reason is one word from game->reasons.
 */
struct result {
    int rank[SEATS_MAX];
    int score[SEATS_MAX];
    const char *reason;
};

/* What bots and organisers may rely on. The laws check that it is true. */
enum trait {
    TRAIT_HIDDEN = 1 << 0,       /* seats see different things */
    TRAIT_CHANCE = 1 << 1,       /* has a deal */
    TRAIT_SIMULTANEOUS = 1 << 2, /* several seats may move at once */
};

/*
 * The position, complete with everything hidden. It is declared here and
 * defined by each game. Nobody else looks inside.
 */
struct state;

struct game {
    /* one lower-case word, used in the protocol and records */
    const char *name;
    const char *title;
    const char *about; /* one sentence */
    int version;       /* raised when an old record would replay differently */

    int min_seats, max_seats;
    unsigned traits;                   /* enum trait */
    size_t state_size;                 /* sizeof(struct state), ... */
    const struct game_option *options; /* ends with a NULL name; may be NULL */
    const char *notation; /* how a move is written: lines of help */
    const char *events;   /* the words of its events: "play|score|draw" */
    const char *reasons;  /* how it may end: "grey|bag|forfeit" */
    bool fewer_is_better; /* points */

    /* ... or the size of a state with this setup, if this is not NULL. */
    size_t (*size)(const struct setup *setup);

    /*
     * How many bytes at its beginning make a state; NULL: all of them. The rest
     * is room for later moves, which a copy to be played in may lack.
     */
    size_t (*used)(const struct state *state);

    /* No game with this setup has more moves, whatever the bots do. */
    int (*max_moves)(const struct setup *setup);

    /*
     * Refuse a setup whose options are valid one by one but not together, or
     * not with this number of seats. May be NULL.
     */
    bool (*accepts)(const struct setup *setup, struct err *err);

    /*
     * Name, one line each, things in this setup that are allowed but probably
     * not intended. May be NULL.
     */
    void (*warn)(const struct setup *setup, struct buf *out);

    /* Write everything that chance decides as one line; NULL without chance. */
    void (*deal)(const struct setup *setup, struct rng *rng, struct buf *out);

    /*
     * Fill a zeroed state for an accepted setup and tell each seat what it
     * starts with. Refuse an impossible deal with a sentence. `deal` is NULL if
     * and only if the game has no chance.
     */
    bool (*start)(struct state *state, const struct setup *setup,
                  const char *deal, struct lines *events, struct err *err);

    /*
     * The seats that owe a move now. One bit is a turn, several bits are a
     * simultaneous choice, none means that the game is over. While several
     * seats must move, one seat's apply() does not change what another may
     * play, and nothing is told before the last of them.
     */
    seat_set (*to_move)(const struct state *state);

    /*
     * Read a move of a seat in to_move(). A refusal says what is wrong and what
     * would be right, using nothing that the seat may not know.
     */
    bool (*parse)(const struct state *state, int seat, const char *text,
                  struct move *move, struct err *err);

    /* Write a move as parse() reads it, in its only canonical spelling. */
    void (*format)(const struct state *state, int seat, const struct move *move,
                   struct buf *out);

    /* Add every legal move of a seat in to_move(), each once, in order. */
    void (*list)(const struct state *state, int seat, struct moves *out);

    /*
     * Play a move that parse() or list() returned for this state, settle its
     * consequences, and tell each audience what it may see. The game tells
     * "play SEAT MOVE" itself. In apply() and leave() events may be NULL: then
     * nobody listens, as in a search.
     */
    void (*apply)(struct state *state, int seat, const struct move *move,
                  struct lines *events);

    /*
     * Write the state as the viewer sees it, one line of KEY=VALUE pairs. A
     * seat's view must determine its legal moves. The referee's view must
     * determine the state: it is hashed, compared and shown in bug reports.
     */
    void (*view)(const struct state *state, int viewer, struct buf *out);

    /* Rank the seats. Called only when to_move() is empty. */
    void (*result)(const struct state *state, struct result *result);

    /*
     * Has a single player with this score reached the goal of the rules? NULL:
     * the game has no goal.
     */
    bool (*goal)(const struct setup *setup, int score, bool *reached);

    /*
     * A set of seats is out at once: resigned, late, dead. The others play on.
     * What another seat may play in this step does not change. Any seats that
     * are still in may leave, at any time before the end.
     */
    void (*leave)(struct state *state, seat_set seats, struct lines *events);

    /*
     * Draw the position for a person, in several lines. NULL: print the view.
     */
    void (*show)(const struct state *state, int viewer, bool colour,
                 struct buf *out);

    /*
     * What a drawing must know besides the view, stays the same during a game
     * and is known to everyone, as KEY=VALUE pairs. NULL: nothing.
     */
    void (*facts)(const struct state *state, struct buf *out);

    /*
     * The same of one event, for everyone who was told it; the state is the one
     * after the step that told it. NULL: nothing.
     */
    void (*event_facts)(const struct state *state, const char *event,
                        struct buf *out);

    /*
     * Replace everything that the viewer (a seat or AUDIENCE_PUBLIC) cannot
     * know by another equally possible truth; and write the deal line of the
     * truth that a state holds. From that deal, the same moves lead to the same
     * state. Both are NULL without chance. In the middle of a simultaneous step
     * redeal() also replaces the answers of the others by other legal ones.
     */
    void (*redeal)(struct state *state, int viewer, struct rng *rng);
    void (*dealt)(const struct state *state, struct buf *out);

    /*
     * Exchange things that the viewer has not seen, so that the next step can
     * tell the viewer these lines; with `starting`, so that start() could have
     * told them. Then only the deal counts, and the state is started again from
     * it. If the lines are impossible, any deal will do. NULL without chance.
     * follow.h builds worlds with this, and afterwards checks what was told.
     */
    void (*fit)(struct state *state, int viewer, const struct lines *told,
                bool starting);

    /*
     * Change a state that has just begun, with any deal, into one in which
     * somebody is to move and that looks so to a viewer (a seat or PUBLIC).
     * What cannot be seen may be anything. False if the line is no such view.
     * It may overlook a mistake, for the view of the state is compared with the
     * line afterwards; but the state must then bear all calls. NULL: no
     * state can be made from a view.
     */
    bool (*from_view)(struct state *state, int viewer, const char *view);

    /*
     * How well a seat stands, for a search that cannot play to the end. If two
     * seats differ by 1, the better one wins three games of four. It is a rule
     * of thumb; no result depends on it. NULL: there is none.
     */
    double (*worth)(const struct state *state, int seat);

    /*
     * A good move of a seat in to_move(), found quickly from what the seat can
     * see. A search uses it for the players whose moves it does not search.
     * NULL: there is none.
     */
    void (*hint)(const struct state *state, int seat, struct rng *rng,
                 struct move *move);

    /*
     * A seat's view, or the public one, as numbers for programs that learn. It
     * always has `observed` numbers, with seats counted from the viewer on. 0
     * and NULL: use the bytes of the view.
     */
    int observed;
    void (*observe)(const struct state *state, int viewer, int32_t *out);
};

/* The games in this build, in the order of games/files.am. */
size_t game_count(void);
const struct game *game_at(size_t i);
const struct game *game_find(const char *name);

/* The game of that name, or a refusal that names the nearest one. */
bool game_named(const char *name, const struct game **game,
                struct err *err) MUST_CHECK;

/* The i-th option, as set or by default; NULL if it has neither. */
const char *setup_option(const struct game *game, const struct setup *setup,
                         int i);

/*
 * Set one option from "NAME=VALUE". The text is checked and then borrowed for
 * as long as the setup lives.
 */
bool setup_set(const struct game *game, struct setup *setup, const char *text,
               struct err *err) MUST_CHECK;

/* Check the number of seats, and that the options go together. */
bool game_accepts(const struct game *game, const struct setup *setup,
                  struct err *err) MUST_CHECK;

/*
 * What chance decides in a whole game, derived from a seed. `out` then holds
 * nothing else. Returns its text, or NULL if the game has no chance.
 */
const char *game_deal(const struct game *game, const struct setup *setup,
                      const uint8_t seed[SEED_BYTES], struct buf *out);

/* A state started with this deal, or NULL. Free it with game_free(). */
struct state *game_new(const struct game *game, const struct setup *setup,
                       const char *deal, struct lines *events, struct err *err);
struct state *game_clone(const struct state *state);
bool game_same(const struct state *a, const struct state *b); /* all bytes */
void game_free(struct state *state);

/*
 * The table's functions with the contract checked. game_parse() also refuses a
 * seat that does not owe a move, and text that is not one plain word.
 */
bool game_parse(const struct game *game, const struct state *state, int seat,
                const char *text, struct move *move,
                struct err *err) MUST_CHECK;
void game_apply(const struct game *game, struct state *state, int seat,
                const struct move *move, struct lines *events);
void game_leave(const struct game *game, struct state *state, seat_set seats,
                struct lines *events);
void game_result(const struct game *game, const struct state *state,
                 struct result *result);

/* "reached" or "missed" for a single player, or NULL without a goal. */
const char *game_goal(const struct game *game, const struct setup *setup,
                      const struct result *result);
void game_show(const struct game *game, const struct state *state, int viewer,
               bool colour, struct buf *out);

/* A fingerprint of the referee's view. Equal states have equal hashes. */
uint64_t game_hash(const struct game *game, const struct state *state);

/* Helpers that every game needs. */

static inline bool may_see(int viewer, int owner)
{
    return viewer == owner || viewer == AUDIENCE_REFEREE;
}

static inline bool same_move(const struct move *a, const struct move *b)
{
    for (int i = 0; i < MOVE_PARTS; i++)
        if (a->part[i] != b->part[i])
            return false;
    return true;
}

/* Who has left, and in which order. A part of every state. */
struct leavers {
    seat_set out;
    uint8_t calls;
    uint8_t when[SEATS_MAX]; /* 1 for the first call of leave(), ... */
};

void leavers_add(struct leavers *leavers, seat_set seats);

/* The seats joined by ',' and counted from 1, "-" for none. */
void seats_write(seat_set seats, struct buf *out);

/*
 * Read what seats_write() wrote of those that left. Their order is lost: they
 * count as having left together.
 */
bool seats_read(const char **at, int seats, struct leavers *leavers);

/*
 * The order of leaving, as "SEAT.CALL" joined by ',' or "-". For the REFEREE
 * view, which must tell everything.
 */
void leavers_write(const struct leavers *leavers, struct buf *out);

/*
 * Fill result->rank. First come the seats that stayed, by key: higher is
 * better, and equal keys share a rank. Then come those that left, the latest
 * first; seats of one call share a rank.
 */
void result_rank(struct result *result, int seats, const int64_t *key,
                 const struct leavers *leavers);

/*
 * The laws. tests/laws/ plays thousands of random games of every game in the
 * build, with every number of seats and every built-in option value, and
 * checks:
 *
 *   ends       no game outlasts max_moves; to_move() is empty only at the end
 *   replays    the same deal and moves give the same hashes and events
 *   copies     a clone, played on, leaves the original as it was
 *   refuses    parse() accepts exactly what list() lists, and says why not
 *   spells     parse(format(move)) == move
 *   at once    simultaneous moves give one result in any order of arrival
 *   blind      redeal() changes nothing the viewer can read: not its view, its
 *              legal moves, its hint, the text of any refusal, or any event
 *              so far
 *   view       two positions that look the same to a seat allow it the same
 *              moves
 *   prints     every text is printable and within its limit
 *   ranks      ranks are 1-based, ties share, gaps follow ties
 *   leaves     any seats may leave at any time; no other seat's legal moves
 *              change, and the rest ends with valid ranks
 *   traits     the declared traits are the true ones
 */

#endif
