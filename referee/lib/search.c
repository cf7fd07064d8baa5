/*
 * Search: Monte Carlo over information sets, for every game.
 *
 * Each playout begins in another world that agrees with what the seat was
 * told. A node is what a seat to move can see, whatever the world: the key is
 * a hash of its view. In a simultaneous step every seat chooses in its own
 * node, without knowing what the others choose. Nodes choose by UCB1 over the
 * moves tried so far; one more is tried when the visits allow it. Behind the
 * tree, play goes on with the better of a few random moves, for a while if the
 * game can say how a seat stands (game->worth), else to the end.
 */

#include "lib/handles.h"

#include "base/alloc.h"

#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    NODES = 1 << 14,  /* places in the table */
    PATH = 64,        /* choices of one playout in the tree */
    TREE_LOOKS = 64,  /* moves among which a node chooses a new one, */
    ROLL_LOOKS = 16,  /* and a playout behind the tree */
    BEYOND = 1,       /* moves of each seat behind the tree, with a worth */
    ORDER_MAX = 4096, /* moves looked at when only the clock counts */
    CHECK_CLOCK = 16, /* playouts between two looks at the clock */
};

/* A move that was tried in a node. */
struct tried {
    int move;
    int visits;
    double value;
};

struct node {
    uint64_t key; /* 0: this place is free */
    int moves;
    int visits;
    int count, cap;
    struct tried *tried;
};

/* A choice on the way down. */
struct choice {
    struct node *node;
    int seat;
    int tried;
};

/* A move and how good it looks. */
struct ranked {
    int move;
    double worth;
};

struct search {
    const struct game *game;
    int seats;
    referee_state *world, *scratch;
    referee_rng *rng;
    struct node *nodes;
    int used;
    struct choice path[PATH];
    int depth;
    struct ranked *order; /* moves of the root, the best looking first */
    int ordered;
    struct node *root;
    struct buf view;
};

static uint64_t key_of(struct search *s, int seat)
{
    static const unsigned char salt[crypto_shorthash_KEYBYTES] = "search";
    unsigned char digest[crypto_shorthash_BYTES];
    uint64_t key;

    buf_reset(&s->view);
    s->game->view(s->world->state, seat, &s->view);
    crypto_shorthash(digest, (const unsigned char *)s->view.text, s->view.len,
                     salt);
    memcpy(&key, digest, sizeof key);
    key ^= (uint64_t)seat * UINT64_C(0x9e3779b97f4a7c15);
    return key ? key : 1;
}

/* The node of that key, or a free place; NULL if the table is full enough. */
static struct node *node_at(struct search *s, uint64_t key)
{
    size_t i = key % NODES;

    while (s->nodes[i].key && s->nodes[i].key != key)
        i = (i + 1) % NODES;
    if (s->nodes[i].key)
        return &s->nodes[i];
    if (s->used >= NODES / 2)
        return NULL;
    s->used++;
    s->nodes[i].key = key;
    return &s->nodes[i];
}

/* More visits open more moves; a node that knows few chooses sharply. */
static bool may_widen(const struct node *n)
{
    return n->count < n->moves && n->count <= 2 * sqrt((double)n->visits);
}

static bool is_tried(const struct node *n, int move)
{
    for (int i = 0; i < n->count; i++)
        if (n->tried[i].move == move)
            return true;
    return false;
}

/* How a seat stands against the best of the others, from 0 to 1. */
static double standing(const struct search *s, const struct state *state,
                       int seat)
{
    double own = s->game->worth(state, seat), best = -1e9;

    if (s->seats == 1)
        return 1 / (1 + exp(-own));
    for (int other = 0; other < s->seats; other++)
        if (other != seat) {
            double worth = s->game->worth(state, other);

            best = worth > best ? worth : best;
        }
    return 1 / (1 + exp(best - own));
}

/* How good does the seat look right after this move? */
static double look(struct search *s, int seat, const struct move *move)
{
    memcpy(s->scratch->state, s->world->state, s->world->rules->state_size);
    s->game->apply(s->scratch->state, seat, move, NULL);
    return standing(s, s->scratch->state, seat);
}

static int by_worth(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->worth != y->worth)
        return x->worth < y->worth ? 1 : -1;
    return x->move - y->move;
}

/* Look at moves of the root, as many as there will be playouts. */
static void order_root(struct search *s, int seat, int most)
{
    const struct moves *legal = lib_list(s->world, seat);
    int n = (int)legal->count;

    if (!s->game->worth)
        return;
    s->order = must_alloc(calloc((size_t)n, sizeof *s->order));
    for (int i = 0; i < n; i++)
        s->order[i].move = i;
    rng_shuffle(&s->rng->rng, s->order, (size_t)n, sizeof *s->order);
    s->ordered = n < most ? n : most;
    for (int i = 0; i < s->ordered; i++)
        s->order[i].worth = look(s, seat, &legal->move[s->order[i].move]);
    qsort(s->order, (size_t)s->ordered, sizeof *s->order, by_worth);
}

/* The best looking of a few moves that were not tried, or any of them. */
static int pick(struct search *s, const struct node *n, int seat, int looks)
{
    const struct moves *legal = lib_list(s->world, seat);
    uint32_t count = (uint32_t)legal->count;
    int best = -1;
    double most = 0;

    for (int i = 0; i < 4 * looks && looks > 0; i++) {
        int move = (int)rng_uniform(&s->rng->rng, count);
        double worth;

        if (n && is_tried(n, move))
            continue;
        looks--;
        if (!s->game->worth)
            return move;
        worth = look(s, seat, &legal->move[move]);
        if (best < 0 || worth > most) {
            best = move;
            most = worth;
        }
    }
    for (int move = 0; best < 0 && move < (int)count; move++)
        if (!n || !is_tried(n, move))
            best = move;
    return best;
}

static int add_tried(struct node *n, int move)
{
    if (n->count == n->cap) {
        n->cap = n->cap ? 2 * n->cap : 4;
        n->tried =
            must_alloc(realloc(n->tried, (size_t)n->cap * sizeof *n->tried));
    }
    n->tried[n->count] = (struct tried){.move = move};
    return n->count++;
}

/* With a worth to go by, values differ little and are sure: doubt less. */
static int best_by_bounds(const struct search *s, const struct node *n)
{
    double c = s->game->worth ? 0.02 : 0.25;
    double most = -1, log_visits = log(1 + n->visits);
    int best = 0;

    for (int i = 0; i < n->count; i++) {
        const struct tried *t = &n->tried[i];
        double bound = t->visits == 0 ? 2
                                      : t->value / t->visits +
                                            sqrt(c * log_visits / t->visits);

        if (bound > most) {
            most = bound;
            best = i;
        }
    }
    return best;
}

/* Choose in the node of a seat; the number of the move. */
static int choose(struct search *s, struct node *n, int seat)
{
    int tried;

    n->moves = (int)lib_list(s->world, seat)->count;
    if (may_widen(n))
        tried = add_tried(n, n == s->root && n->count < s->ordered
                                 ? s->order[n->count].move
                                 : pick(s, n, seat, TREE_LOOKS));
    else
        tried = best_by_bounds(s, n);
    s->path[s->depth++] = (struct choice){n, seat, tried};
    /* The list of a node follows from the view; a clash of keys might not. */
    return n->tried[tried].move % n->moves;
}

/* All seats to move choose, then all moves are played, in seat order. */
static bool descend(struct search *s)
{
    seat_set owing = s->game->to_move(s->world->state);
    struct move move[SEATS_MAX];
    bool fresh = false;

    if (!owing || s->depth + s->seats > PATH)
        return false;
    for (int seat = 0; seat < s->seats; seat++)
        if (owing & SEAT(seat)) {
            struct node *n = node_at(s, key_of(s, seat));
            int i;

            fresh |= !n || n->visits == 0;
            i = n ? choose(s, n, seat) : pick(s, NULL, seat, 1);
            move[seat] = lib_list(s->world, seat)->move[i];
        }
    for (int seat = 0; seat < s->seats; seat++)
        if (owing & SEAT(seat))
            lib_apply(s->world, seat, &move[seat]);
    return !fresh;
}

static void roll(struct search *s)
{
    int most = s->game->worth ? BEYOND * s->seats : 1 << 20;
    seat_set owing;

    while ((owing = s->game->to_move(s->world->state)) != 0 && most-- > 0) {
        int seat = __builtin_ctz(owing);
        int i = pick(s, NULL, seat, s->game->worth ? ROLL_LOOKS : 1);

        lib_apply(s->world, seat, &lib_list(s->world, seat)->move[i]);
    }
}

/* Who wins counts most, by how much a little. */
static double value_for(struct search *s, const double *values, bool over,
                        int seat)
{
    double value;

    if (!s->game->worth)
        return s->seats > 1 ? values[seat] : 1 / (1 + exp(-values[seat] / 10));
    value = standing(s, s->world->state, seat);
    return over && s->seats > 1 ? 0.7 * values[seat] + 0.3 * value : value;
}

static void learn(struct search *s)
{
    double values[REFEREE_SEATS];
    bool over = referee_values(s->world, values);

    for (int i = 0; i < s->depth; i++) {
        struct choice *c = &s->path[i];
        struct tried *t = &c->node->tried[c->tried];

        c->node->visits++;
        t->visits++;
        t->value += value_for(s, values, over, c->seat);
    }
}

static bool playout(struct search *s, referee_seat *seat, referee_error *err)
{
    if (!referee_seat_world(seat, s->world, s->rng, err))
        return false;
    s->depth = 0;
    while (descend(s))
        ;
    roll(s);
    learn(s);
    return true;
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The move that was visited most. */
static int most_visited(const struct node *n)
{
    int best = 0;

    for (int i = 1; i < n->count; i++)
        if (n->tried[i].visits > n->tried[best].visits ||
            (n->tried[i].visits == n->tried[best].visits &&
             n->tried[i].value > n->tried[best].value))
            best = i;
    return n->tried[best].move;
}

static void search_end(struct search *s)
{
    for (int i = 0; i < NODES; i++)
        free(s->nodes[i].tried);
    free(s->nodes);
    free(s->order);
    buf_release(&s->view);
    referee_rng_free(s->rng);
    referee_free(s->world);
    referee_free(s->scratch);
}

static void search_begin(struct search *s, const referee_rules *rules,
                         const char *seed)
{
    *s = (struct search){.game = rules->game, .seats = rules->setup.seats};
    s->world = referee_new(rules, "");
    referee_mute(s->world, 1);
    s->scratch = referee_clone(s->world);
    s->rng = referee_rng_new(seed);
    s->nodes = must_alloc(calloc(NODES, sizeof *s->nodes));
    buf_init(&s->view, REFEREE_VIEW_MAX);
}

/* Playouts until there are enough, the time is over, or nothing to choose. */
static int run(struct search *s, referee_seat *seat, int playouts, int ms,
               referee_error *err)
{
    int64_t end = now_ms() + ms;
    int done = 0;

    while (playouts <= 0 || done < playouts) {
        if (ms > 0 && done > 0 && done % CHECK_CLOCK == 0 && now_ms() >= end)
            break;
        if (!playout(s, seat, err))
            return -1;
        done++;
        if (playouts <= 0 && ms <= 0)
            break;
    }
    return done;
}

int referee_search(referee_seat *seat, int playouts, int ms, const char *seed,
                   char *move, size_t size, referee_error *error)
{
    int viewer = seat->follower.viewer, done = 0, best;
    struct search s;

    search_begin(&s, seat->rules, seed);
    if (viewer < 0 || !referee_seat_world(seat, s.world, s.rng, error) ||
        referee_moves(s.world, viewer + 1) == 0) {
        search_end(&s);
        return -1;
    }
    best = (int)referee_rng_below(s.rng,
                                  (uint32_t)referee_moves(s.world, viewer + 1));
    if (referee_moves(s.world, viewer + 1) > 1 && (playouts > 0 || ms > 0)) {
        s.root = node_at(&s, key_of(&s, viewer));
        order_root(&s, viewer, playouts > 0 ? playouts : ORDER_MAX);
        done = run(&s, seat, playouts, ms, error);
        if (done > 0)
            best = most_visited(s.root);
        if (done >= 0)
            referee_seat_world(seat, s.world, s.rng, NULL);
    }
    if (done >= 0)
        referee_move_text(s.world, viewer + 1, best, move, size);
    search_end(&s);
    return done;
}
