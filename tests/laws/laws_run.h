#ifndef TESTS_LAWS_RUN_H
#define TESTS_LAWS_RUN_H

/*
 * laws_run.h - one random game, looked at from all sides.
 *
 * A run remembers every step of the game: what was played, what was told, and
 * what each viewer could read. Most laws compare that memory with another
 * course of events: the same moves from the same deal (replays), from a deal
 * that a viewer cannot tell from the true one (blind), in another order (at
 * once), or on a copy (copies, leaves).
 *
 * A function that checks something returns true, or false after broken().
 */

#include "laws.h"

/* Not a seat: for a fault that concerns no seat, or a step that is no move. */
enum { NOBODY = -1 };

/* A move, or some seats' leaving; the first step is the start. */
struct step {
    int seat; /* NOBODY if it is no move */
    struct move move;
    seat_set leave;
    size_t text;   /* of the move, in run->texts */
    size_t events; /* how many had been told after it */
};

struct run {
    const struct game *game;
    const struct setup *setup;
    struct laws_report *report;
    uint32_t seed;
    struct rng rng;

    struct buf deal;
    struct state *state;
    struct lines events; /* of the whole game */
    struct step *step;
    size_t steps;
    struct buf texts; /* of all moves, each ended by a NUL */
    struct buf views; /* of all viewers after all steps, likewise */
    size_t *view;     /* offsets: see view_after() */
    int moves, max_moves;

    struct moves legal[SEATS_MAX]; /* now; empty for who does not owe */
    seat_set answered;             /* in the step under way */
    seat_set gone;
    int calls, when[SEATS_MAX]; /* of leave() */
    uint32_t leave_odds;        /* one in so many; 0 for never */
    bool edgy;                  /* likes the ends of the list, like "pass" */
};

/* Name the law, the place and the reason; `seat` may be any viewer. */
bool broken(struct run *run, const char *law, int seat, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

/* Are both texts the same? If not, show where they part. */
bool same(struct run *run, const char *law, int seat, const char *what,
          const char *a, const char *b);

/* May each of these seats still play in `state` what it may play now? */
bool same_lists(struct run *run, const char *law, seat_set seats,
                const struct state *state, const char *because);

/* A viewer, in a sentence. */
const char *reader(int viewer);

/* The step has been played; `text` is "" if it was no move. */
bool remember(struct run *run, int seat, const struct move *move,
              const char *text, seat_set leave);

/* A trait shows; it must be declared. */
bool shows(struct run *run, unsigned trait, const char *how);
bool traits_are_whole(struct run *run);

bool prints_text(struct run *run, int seat, const char *what, const char *text,
                 size_t max);
bool prints_event(struct run *run, seat_set to, const char *line);
bool law_prints(struct run *run);

/* A text that a bot might send: right, nearly right, or wild. */
void some_text(struct run *run, struct buf *text, struct buf *scratch);

/* Is this listed move written, and read back, as it should be? */
bool spells(struct run *run, int seat, const struct move *move,
            struct buf *text);
bool law_spells(struct run *run);
bool law_refuses(struct run *run);

/* Deals that a hand might have typed: refused in words, or kept as typed. */
bool try_deals(struct run *run);

bool law_replays(struct run *run);
bool law_at_once(struct run *run);
bool law_blind(struct run *run);
bool law_view(struct run *run);

/* One of several owing seats has answered in the game itself. */
bool answered_alone(struct run *run, int seat, seat_set owing);

static inline uint32_t draw(struct run *run, uint32_t k)
{
    return rng_uniform(&run->rng, k);
}

static inline int count(seat_set seats)
{
    return __builtin_popcount(seats);
}

static inline seat_set seats_in(const struct run *run)
{
    return SEATS(run->setup->seats) & ~run->gone;
}

static inline int draw_seat(struct run *run, seat_set seats)
{
    int n = (int)draw(run, (uint32_t)count(seats));

    for (int seat = 0;; seat++)
        if (seats & SEAT(seat) && n-- == 0)
            return seat;
}

static inline size_t viewers(const struct run *run)
{
    return (size_t)run->setup->seats + 2;
}

/* What a viewer read after a step. */
static inline const char *view_after(const struct run *run, size_t step,
                                     int viewer)
{
    size_t i = step * viewers(run) + (size_t)(viewer - AUDIENCE_REFEREE);

    return run->views.text + run->view[i];
}

static inline const char *view_now(const struct run *run, int viewer)
{
    return view_after(run, run->steps - 1, viewer);
}

static inline void write_view(const struct run *run, const struct state *state,
                              int viewer, struct buf *out)
{
    buf_reset(out);
    run->game->view(state, viewer, out);
}

static inline void write_move(const struct run *run, const struct state *state,
                              int seat, const struct move *move,
                              struct buf *out)
{
    buf_reset(out);
    run->game->format(state, seat, move, out);
}

#endif
