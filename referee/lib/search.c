/*
 * Search: Monte Carlo over information sets, for every game.
 *
 * Each playout begins in another world that agrees with what the seat was told.
 * A node stands for everything that a seat to move can see, in any world: its
 * key is a hash of the seat's view. In a simultaneous step every seat chooses
 * in its own node, without knowing the others' choices. Nodes choose by UCB1
 * among the moves tried so far, and try another move when the visits allow it.
 * Below the tree, all seats play to the end as the game advises (game->hint).
 * Without advice, if the game can evaluate a seat (game->worth), they play the
 * better of a few random moves for a while; otherwise, they play random moves
 * to the end.
 *
 * With both, one playout says much. So sequential halving divides the playouts
 * among the best-looking moves of the root, each in the same worlds. That finds
 * the better of two close moves sooner than UCB1, which spends most playouts on
 * the leader.
 *
 * Where nothing is hidden or left to chance, minimax.c does better.
 */

#include "lib/handles.h"
#include "lib/minimax.h"

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
    TREE_LOOKS = 64,  /* untried moves that a node picks from, ... */
    ROLL_LOOKS = 16,  /* ... and that a playout below the tree picks from */
    BEYOND = 1,       /* moves of each seat below the tree, with a worth */
    ORDER_MAX = 4096, /* moves evaluated when only the clock counts */
    LOOK_WEIGHT =
        10, /* an evaluation of a root move counts as this many playouts */
    CHECK_CLOCK = 16, /* playouts between two looks at the clock */
    FINALISTS = 48,   /* root moves that compete for playouts */
    NONE = -1,
};

/* A move tried in a node: the sum of its values and, in the root, its
 * evaluation before any playout. */
struct tried {
    int move;
    int visits;
    double value, look;
};

struct node {
    uint64_t key; /* 0: this slot is free */
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

/* A move, how good it looks, and a random rank among equals. */
struct ranked {
    int move, place;
    double worth;
};

struct search {
    const struct game *game;
    int seats, viewer;
    referee_state *world, *scratch;
    referee_rng *rng;
    struct node *nodes;
    int used;
    struct choice path[PATH];
    int depth;
    struct ranked *order; /* root moves, the best-looking first */
    int ordered;
    struct node *root;
    uint8_t seed[SEED_BYTES]; /* for drawing worlds */
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

/* The node of that key, or a free slot; NULL if the table is full enough. */
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

/* More visits open more moves, the best-looking first. Only a few, because
 * evaluations are more reliable than a few playouts. */
static bool may_widen(const struct search *s, const struct node *n)
{
    double most = s->game->worth ? pow(n->visits, 0.4) : 2 * sqrt(n->visits);

    return n->count < n->moves && n->count <= most;
}

static bool is_tried(const struct node *n, int move)
{
    for (int i = 0; i < n->count; i++)
        if (n->tried[i].move == move)
            return true;
    return false;
}

/* A seat's position relative to the best of the others, from 0 to 1. */
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

/* Evaluate the position of a seat right after this move. */
static double look(struct search *s, int seat, const struct move *move)
{
    lib_try(s->scratch, s->world);
    s->game->apply(s->scratch->state, seat, move, NULL);
    return standing(s, s->scratch->state, seat);
}

static int by_worth(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->worth != y->worth)
        return x->worth < y->worth ? 1 : -1;
    return x->place - y->place;
}

/* Evaluate as many root moves as there will be playouts. */
static void order_root(struct search *s, int seat, int most)
{
    const struct moves *legal = lib_list(s->world, seat);
    int n = (int)legal->count;

    s->order = must_alloc(calloc((size_t)n, sizeof *s->order));
    for (int i = 0; i < n; i++)
        s->order[i].move = i;
    rng_shuffle(&s->rng->rng, s->order, (size_t)n, sizeof *s->order);
    s->ordered = n < most ? n : most;
    for (int i = 0; i < s->ordered; i++) {
        s->order[i].place = i;
        if (s->game->worth)
            s->order[i].worth = look(s, seat, &legal->move[s->order[i].move]);
    }
    qsort(s->order, (size_t)s->ordered, sizeof *s->order, by_worth);
}

/* Pick the best-looking of a few untried moves, or any of them. */
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

/*
 * The average result of playouts for a root move whose evaluation is 0; a
 * move's own evaluation is added to this. An evaluation is not a value, but the
 * difference between two evaluations predicts the difference in value.
 */
static double level_of(const struct node *n)
{
    double sum = 0;

    for (int i = 0; i < n->count; i++)
        sum += n->tried[i].value - n->tried[i].look * n->tried[i].visits;
    return n->visits > 0 ? sum / n->visits : 0;
}

/*
 * With a worth function, values differ little and are reliable: explore less.
 */
static int best_by_bounds(const struct search *s, const struct node *n)
{
    double c = s->game->worth ? 0.02 : 0.25;
    double most = -1e9, log_visits = log(1 + n->visits);
    double looks = s->game->worth && n == s->root ? LOOK_WEIGHT : 0;
    double level = looks > 0 ? level_of(n) : 0;
    int best = 0;

    for (int i = 0; i < n->count; i++) {
        const struct tried *t = &n->tried[i];
        double bound =
            t->visits + looks == 0
                ? 2
                : (t->value + looks * (level + t->look)) / (t->visits + looks) +
                      sqrt(c * log_visits / (t->visits + 1));

        if (bound > most) {
            most = bound;
            best = i;
        }
    }
    return best;
}

/* Choose in a node whose legal moves are known; returns an index in it. */
static int choose(struct search *s, struct node *n, int seat)
{
    const struct ranked *next = n == s->root ? &s->order[n->count] : NULL;
    int tried;

    if (!may_widen(s, n))
        return best_by_bounds(s, n);
    if (!next)
        return add_tried(n, pick(s, n, seat, TREE_LOOKS));
    tried = add_tried(n, next->move);
    n->tried[tried].look = next->worth;
    return tried;
}

static void take(struct search *s, struct node *n, int seat, int tried,
                 struct move *move)
{
    const struct moves *legal = lib_list(s->world, seat);

    s->path[s->depth++] = (struct choice){n, seat, tried};
    /* The view determines the list of a node, but two views may share a key. */
    *move = legal->move[(size_t)n->tried[tried].move % legal->count];
}

/* A move that is good enough where no search is made. */
static void play_on(struct search *s, int seat, struct move *move)
{
    if (s->game->hint)
        s->game->hint(s->world->state, seat, &s->rng->rng, move);
    else
        *move =
            lib_list(s->world, seat)
                ->move[pick(s, NULL, seat, s->game->worth ? ROLL_LOOKS : 1)];
}

/* The move of one seat in the tree; false: the tree has just grown. */
static bool go_down(struct search *s, int seat, struct move *move)
{
    struct node *n = node_at(s, key_of(s, seat));

    if (!n || n->visits == 0) {
        if (n)
            n->visits = 1;
        play_on(s, seat, move);
        return false;
    }
    n->moves = (int)lib_list(s->world, seat)->count;
    take(s, n, seat, choose(s, n, seat), move);
    return true;
}

/* All seats to move choose; then all moves are played, in seat order. */
static bool descend(struct search *s, int first)
{
    seat_set owing = s->game->to_move(s->world->state);
    struct move move[SEATS_MAX];
    bool known = true;

    if (!owing || s->depth + s->seats > PATH)
        return false;
    for (int seat = 0; seat < s->seats; seat++) {
        if (!(owing & SEAT(seat)))
            continue;
        if (first != NONE && seat == s->viewer)
            take(s, s->root, seat, first, &move[seat]);
        else
            known &= go_down(s, seat, &move[seat]);
    }
    for (int seat = 0; seat < s->seats; seat++)
        if (owing & SEAT(seat))
            lib_apply(s->world, seat, &move[seat]);
    return known;
}

static void roll(struct search *s)
{
    bool cut = s->game->worth && !s->game->hint;
    int most = cut ? BEYOND * s->seats : INT32_MAX;
    seat_set owing;

    while ((owing = s->game->to_move(s->world->state)) != 0 && most-- > 0) {
        int seat = __builtin_ctz(owing);
        struct move move;

        play_on(s, seat, &move);
        lib_apply(s->world, seat, &move);
    }
}

/* Winning counts most; the margin counts a little. */
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

/*
 * The n-th playout of every root move begins in the same world, so that all
 * moves have the same luck.
 */
static bool playout(struct search *s, referee_seat *seat, int first, int nth,
                    referee_error *err)
{
    memcpy(s->seed, &nth, sizeof nth);
    rng_seed(&s->rng->rng, s->seed);
    if (!referee_seat_world(seat, s->world, s->rng, err))
        return false;
    s->depth = 0;
    if (descend(s, first))
        while (descend(s, NONE))
            ;
    roll(s);
    learn(s);
    return true;
}

int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The most visited move. */
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
    lib_seed(seed, s->seed);
    s->nodes = must_alloc(calloc(NODES, sizeof *s->nodes));
    buf_init(&s->view, REFEREE_VIEW_MAX);
}

/*
 * Run playouts until the limit or the time is reached, or there is no choice.
 */
static int run(struct search *s, referee_seat *seat, int playouts, int ms,
               referee_error *err)
{
    int64_t end = now_ms() + ms;
    int done = 0;

    while (playouts <= 0 || done < playouts) {
        if (ms > 0 && done > 0 && done % CHECK_CLOCK == 0 && now_ms() >= end)
            break;
        int first = choose(s, s->root, s->viewer);

        if (!playout(s, seat, first, s->root->tried[first].visits, err))
            return -1;
        done++;
        if (playouts <= 0 && ms <= 0)
            break;
    }
    return done;
}

/* The value of a root move from its playouts and its evaluation. */
static double estimate(const struct node *n, double level,
                       const struct tried *t)
{
    return (t->value + LOOK_WEIGHT * (level + t->look)) /
           (t->visits + LOOK_WEIGHT);
}

/* Move the better half of the first moves to the front; returns its size. */
static int keep_half(struct node *n, int count)
{
    double level = level_of(n);

    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && estimate(n, level, &n->tried[k]) >
                                     estimate(n, level, &n->tried[k - 1]);
             k--) {
            struct tried t = n->tried[k];

            n->tried[k] = n->tried[k - 1];
            n->tried[k - 1] = t;
        }
    return (count + 1) / 2;
}

static int finalists(const struct search *s, int playouts)
{
    int most = playouts > 0 ? (int)sqrt(playouts) : FINALISTS;

    most = most < 2 ? 2 : most > FINALISTS ? FINALISTS : most;
    return s->ordered < most ? s->ordered : most;
}

/*
 * Sequential halving: the best-looking moves all get the same number of
 * playouts; then the better half gets as many again, until one is left. So no
 * move is chosen because of luck.
 */
static int halve(struct search *s, referee_seat *seat, int playouts, int ms,
                 referee_error *err)
{
    int left = finalists(s, playouts), rounds = 0, done = 0, worlds = 0;
    int64_t begin = now_ms();

    for (int i = 0; i < left; i++) {
        int tried = add_tried(s->root, s->order[i].move);

        s->root->tried[tried].look = s->order[i].worth;
    }
    for (int n = left; n > 1; n = (n + 1) / 2)
        rounds++;
    for (int r = 1; r <= rounds; r++) {
        int64_t until = begin + (int64_t)ms * r / rounds;
        int64_t enough = (int64_t)playouts * r / rounds;

        for (int i = 0; playouts <= 0 || done < enough; i++) {
            if (!playout(s, seat, i % left, worlds + i / left, err))
                return -1;
            done++;
            if (ms > 0 && done % CHECK_CLOCK == 0 && now_ms() >= until)
                break;
        }
        worlds = done;
        left = keep_half(s->root, left);
    }
    return done;
}

/* Run playouts in one tree over all worlds; returns the best move, or -1. */
static int search_worlds(struct search *s, referee_seat *seat, int playouts,
                         int ms, int *done, referee_error *error)
{
    bool halves = s->game->hint && s->game->worth;

    s->root = node_at(s, key_of(s, s->viewer));
    s->root->moves = referee_moves(s->world, s->viewer + 1);
    order_root(s, s->viewer, playouts > 0 ? playouts : ORDER_MAX);
    *done = halves ? halve(s, seat, playouts, ms, error)
                   : run(s, seat, playouts, ms, error);
    if (*done < 0 || !referee_seat_world(seat, s->world, s->rng, NULL))
        return -1;
    return halves ? s->root->tried[0].move : most_visited(s->root);
}

static int search_lines(struct search *s, int playouts, int ms, int *done)
{
    struct minimax m = {.game = s->game,
                        .viewer = s->viewer,
                        .start = s->world,
                        .world = referee_clone(s->world),
                        .scratch = s->scratch,
                        .rng = &s->rng->rng};
    int best = minimax_run(&m, playouts, ms > 0 ? now_ms() + ms : 0, done);

    referee_free(m.world);
    return best;
}

int referee_search(referee_seat *seat, int playouts, int ms, const char *seed,
                   char *move, size_t size, referee_error *error)
{
    int viewer = seat->follower.viewer, done = 0, best, moves;
    struct search s;

    search_begin(&s, seat->rules, seed);
    if (viewer < 0 || !referee_seat_world(seat, s.world, s.rng, error) ||
        referee_moves(s.world, viewer + 1) == 0) {
        search_end(&s);
        return -1;
    }
    s.viewer = viewer;
    moves = referee_moves(s.world, viewer + 1);
    best = (int)referee_rng_below(s.rng, (uint32_t)moves);
    if (moves > 1 && (playouts > 0 || ms > 0))
        best = minimax_suits(seat->rules)
                   ? search_lines(&s, playouts, ms, &done)
                   : search_worlds(&s, seat, playouts, ms, &done, error);
    if (best >= 0)
        referee_move_text(s.world, viewer + 1, best, move, size);
    search_end(&s);
    return best >= 0 ? done : -1;
}
