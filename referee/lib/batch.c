/* Many states at once, on several threads. */

#include "lib/handles.h"

#include "base/alloc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    THREADS_MAX = 64,
    SHARE = 64, /* playouts that share a generator, for any number of threads */
};

/* One call, split into pieces that the threads take in turn. */
struct batch {
    void (*piece)(struct batch *batch, int i);
    int pieces;
    int next; /* the first piece not yet taken */
    long moves;

    referee_state *const *states;
    int n;
    const int32_t *chosen;
    uint8_t seed[SEED_BYTES];
    uint8_t *masks;
    int32_t *counts;
    int width;
    const referee_state *root;
    int viewer;
    double (*values)[REFEREE_SEATS]; /* indexed by piece */
};

static void *work(void *arg)
{
    struct batch *b = arg;
    int i;

    while ((i = __atomic_fetch_add(&b->next, 1, __ATOMIC_RELAXED)) < b->pieces)
        b->piece(b, i);
    return NULL;
}

/* This thread works too; fewer helpers than requested are enough. */
static void run(struct batch *b, int threads)
{
    pthread_t helper[THREADS_MAX];
    int helpers = 0;

    if (threads <= 0)
        threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (threads > THREADS_MAX)
        threads = THREADS_MAX;
    if (threads > b->pieces)
        threads = b->pieces;
    while (helpers < threads - 1 &&
           pthread_create(&helper[helpers], NULL, work, b) == 0)
        helpers++;
    work(b);
    while (helpers > 0)
        pthread_join(helper[--helpers], NULL);
}

static int pieces_of(int n)
{
    return (n + SHARE - 1) / SHARE;
}

/* The range of states, or playouts, of a piece. */
static int first_of(int piece)
{
    return piece * SHARE;
}

static int end_of(const struct batch *b, int piece)
{
    return first_of(piece + 1) < b->n ? first_of(piece + 1) : b->n;
}

/* Each piece has its own generator, whichever thread runs it. */
static void seed_piece(const struct batch *b, int piece, struct rng *rng)
{
    uint8_t seed[SEED_BYTES];

    memcpy(seed, b->seed, sizeof seed);
    for (int i = 0; i < 4; i++)
        seed[i] ^= (uint8_t)((unsigned)piece >> 8 * i);
    rng_seed(rng, seed);
}

static bool step(referee_state *s, int32_t chosen, struct rng *rng)
{
    int seat = referee_turn(s) - 1;
    const struct moves *legal;

    if (seat < 0)
        return false;
    legal = lib_list(s, seat);
    if (chosen < 0)
        chosen = (int32_t)rng_uniform(rng, (uint32_t)legal->count);
    if ((size_t)chosen >= legal->count)
        return false;
    lib_apply(s, seat, &legal->move[chosen]);
    return true;
}

static void step_piece(struct batch *b, int piece)
{
    struct rng rng;
    long played = 0;

    seed_piece(b, piece, &rng);
    for (int i = first_of(piece); i < end_of(b, piece); i++)
        played += step(b->states[i], b->chosen ? b->chosen[i] : -1, &rng);
    __atomic_fetch_add(&b->moves, played, __ATOMIC_RELAXED);
}

long referee_batch_step(referee_state *const *states, int n,
                        const int32_t *moves, const char *seed, int threads)
{
    struct batch b = {.piece = step_piece,
                      .pieces = pieces_of(n),
                      .states = states,
                      .n = n,
                      .chosen = moves};

    lib_seed(seed ? seed : "", b.seed);
    run(&b, threads);
    return b.moves;
}

static void mask_piece(struct batch *b, int piece)
{
    for (int i = first_of(piece); i < end_of(b, piece); i++) {
        uint8_t *row = b->masks + (size_t)i * (size_t)b->width;
        int seat = referee_turn(b->states[i]);
        int n = seat ? referee_moves(b->states[i], seat) : 0;
        int ones = n < b->width ? n : b->width;

        memset(row, 1, (size_t)ones);
        memset(row + ones, 0, (size_t)(b->width - ones));
        b->counts[i] = n;
    }
}

void referee_batch_masks(referee_state *const *states, int n, uint8_t *masks,
                         int width, int32_t *counts, int threads)
{
    struct batch b = {.piece = mask_piece,
                      .pieces = pieces_of(n),
                      .states = states,
                      .n = n,
                      .masks = masks,
                      .counts = counts,
                      .width = width};

    run(&b, threads);
}

static void playout_piece(struct batch *b, int piece)
{
    referee_state *s = referee_clone(b->root);
    referee_rng rng;
    double values[REFEREE_SEATS];
    long played = 0;

    seed_piece(b, piece, &rng.rng);
    for (int i = first_of(piece); i < end_of(b, piece); i++) {
        referee_copy(s, b->root);
        referee_redeal(s, b->viewer, &rng);
        played += referee_playout(s, &rng);
        referee_values(s, values);
        for (int seat = 0; seat < REFEREE_SEATS; seat++)
            b->values[piece][seat] += values[seat];
    }
    referee_free(s);
    __atomic_fetch_add(&b->moves, played, __ATOMIC_RELAXED);
}

/*
 * Add up the sums of the pieces in order: floating-point sums depend on order.
 */
long referee_batch_playouts(const referee_state *state, int viewer, int n,
                            const char *seed, int threads, double *values)
{
    struct batch b = {.piece = playout_piece,
                      .pieces = pieces_of(n),
                      .n = n,
                      .root = state,
                      .viewer = viewer};

    b.values = must_alloc(calloc((size_t)b.pieces + 1, sizeof *b.values));
    lib_seed(seed, b.seed);
    run(&b, threads);
    for (int seat = 0; seat < REFEREE_SEATS; seat++) {
        values[seat] = 0;
        for (int i = 0; i < b.pieces; i++)
            values[seat] += b.values[i][seat];
    }
    free(b.values);
    return b.moves;
}
