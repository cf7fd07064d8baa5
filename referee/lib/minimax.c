/*
 * Best-first search for two players, where nothing is hidden and nothing is
 * left to chance.
 *
 * A node has the moves of one position, each with its value for the mover.
 * Every playout walks down from the root along the best moves, with some credit
 * for moves visited less, and opens one more position: it evaluates all moves
 * there and keeps the best few. Then the best value is passed up: a move is
 * worth what the best answer to it leaves.
 */

#include "lib/minimax.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 32, /* moves kept in a node */
    DEPTH = 64,
};

static const double credit = 0.6; /* credit for moves visited less */
static const double contempt = 2; /* value of a draw */
static const double decided = 6;  /* beyond this value a win needs no proof */

struct branch {
    struct move move;
    int number; /* in the list of legal moves */
    int visits;
    double value; /* for the seat that moves */
    struct fork *below;
};

struct fork {
    int seat;
    int count;
    int visits;
    struct branch branch[];
};

static void free_fork(struct fork *f)
{
    if (!f)
        return;
    for (int i = 0; i < f->count; i++)
        free_fork(f->branch[i].below);
    free(f);
}

/* If the other line is equal, the searcher hopes for more than a draw. */
static double stands(const struct minimax *m, const struct state *state,
                     int seat)
{
    double lead = m->game->worth(state, seat) - m->game->worth(state, !seat);

    if (lead == 0 && m->game->to_move(state) == 0)
        return seat == m->viewer ? -contempt : contempt;
    return lead;
}

/* The rank of a branch among the best so far, or -1. */
static int place_of(const struct fork *f, double value)
{
    int at = f->count;

    if (at == WIDTH && value <= f->branch[WIDTH - 1].value)
        return -1;
    while (at > 0 && f->branch[at - 1].value < value)
        at--;
    return at;
}

static void insert(struct fork *f, int at, const struct branch *branch)
{
    int behind = f->count - at;

    if (f->count < WIDTH)
        f->count++;
    else
        behind--;
    memmove(&f->branch[at + 1], &f->branch[at],
            (size_t)behind * sizeof *f->branch);
    f->branch[at] = *branch;
}

/* Evaluate the moves of a position, up to a limit, picked at random. */
static struct fork *open_fork(struct minimax *m, referee_state *state, int most)
{
    int seat = referee_turn(state) - 1;
    const struct moves *legal = lib_list(state, seat);
    uint32_t left = (uint32_t)legal->count, wanted = (uint32_t)most;
    struct fork *f =
        must_alloc(calloc(1, sizeof *f + (WIDTH + 1) * sizeof(struct branch)));

    f->seat = seat;
    for (int i = 0; i < (int)legal->count; i++, left--) {
        struct branch b = {.move = legal->move[i], .number = i};
        int at;

        if (wanted < left && rng_uniform(m->rng, left) >= wanted)
            continue;
        wanted -= wanted > 0;
        lib_try(m->scratch, state);
        m->game->apply(m->scratch->state, seat, &b.move, NULL);
        /*
         * Add a little chance, or equal moves would always come in the same
         * order.
         */
        b.value = stands(m, m->scratch->state, seat) +
                  rng_uniform(m->rng, 1000) * 1e-5;
        at = place_of(f, b.value);
        if (at >= 0)
            insert(f, at, &b);
    }
    return f;
}

static struct branch *best_branch(struct fork *f)
{
    struct branch *best = &f->branch[0];

    for (int i = 1; i < f->count; i++)
        if (f->branch[i].value > best->value)
            best = &f->branch[i];
    return best;
}

/* Choose a branch to walk down: a good one, or one hardly visited yet. */
static struct branch *next_branch(struct fork *f)
{
    double most = -1e9, all = log(1.0 + f->visits);
    struct branch *next = NULL;

    for (int i = 0; i < f->count; i++) {
        struct branch *b = &f->branch[i];
        double value = b->value + credit * sqrt(all / (1 + b->visits));

        if (value > most) {
            most = value;
            next = b;
        }
    }
    return next;
}

static void hand_up(struct branch *const *path, int depth)
{
    while (depth-- > 0) {
        path[depth]->visits++;
        if (path[depth]->below)
            path[depth]->value = -best_branch(path[depth]->below)->value;
    }
}

static void walk(struct minimax *m, struct fork *root)
{
    struct branch *path[DEPTH];
    struct fork *at = root;
    int depth = 0;

    lib_try(m->world, m->start);
    m->world->listed = -1;
    while (at && depth < DEPTH) {
        struct branch *b = next_branch(at);

        at->visits++;
        path[depth++] = b;
        lib_apply(m->world, at->seat, &b->move);
        if (!b->below && referee_to_move(m->world) != 0) {
            b->below = open_fork(m, m->world, INT32_MAX);
            break;
        }
        at = b->below;
    }
    hand_up(path, depth);
}

/* The most visited move; a known win takes precedence. */
static int chosen(struct fork *root)
{
    struct branch *best = best_branch(root);

    if (best->value > decided)
        return best->number;
    for (int i = 0; i < root->count; i++)
        if (root->branch[i].visits > best->visits)
            best = &root->branch[i];
    return best->number;
}

int minimax_run(struct minimax *m, int playouts, int64_t end_ms, int *done)
{
    struct fork *root =
        open_fork(m, m->start, playouts > 0 ? playouts : INT32_MAX);
    int best;

    for (*done = 1; playouts <= 0 || *done < playouts; ++*done) {
        if (root->count == 1 || fabs(best_branch(root)->value) > 2 * decided ||
            (end_ms > 0 && now_ms() >= end_ms))
            break;
        walk(m, root);
    }
    best = chosen(root);
    free_fork(root);
    return best;
}
