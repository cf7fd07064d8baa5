/* referee perft - count the games of a given number of moves. */

#include "cmd/cmd.h"
#include "cmd/lib/setup.h"

#include <inttypes.h>
#include <stdio.h>

enum { DEPTH_MAX = 12 };

static struct setup_args args;
static int depth = 1;

static const struct opt opts[] = {
    {"depth", "D", "number of moves (default 1)", OPT_INT, &depth, 1,
     DEPTH_MAX},
    SETUP_OPTS(args),
    {0},
};

struct walker {
    const struct game *game;
    struct lines events; /* events are generated and discarded */
    struct moves moves[DEPTH_MAX];
};

static int next_seat(seat_set owing)
{
    int seat = 0;

    while (!(owing & SEAT(seat)))
        seat++;
    return seat;
}

/* Count sequences of exactly `left` moves; a finished game has none. */
static uint64_t count(struct walker *w, const struct state *state, int left)
{
    seat_set owing = w->game->to_move(state);
    struct moves *moves = &w->moves[left - 1];
    uint64_t leaves = 0;
    int seat;

    if (!owing)
        return 0;
    seat = next_seat(owing);
    moves_reset(moves);
    w->game->list(state, seat, moves);
    if (left == 1)
        return moves->count;
    for (size_t i = 0; i < moves->count; i++) {
        struct state *next = game_clone(state);

        lines_reset(&w->events);
        game_apply(w->game, next, seat, &moves->move[i], &w->events);
        leaves += count(w, next, left - 1);
        game_free(next);
    }
    return leaves;
}

static void print_counts(const struct game *game, const struct setup *setup,
                         const char *deal)
{
    struct walker w = {.game = game};
    struct state *start;
    struct err err;

    lines_init(&w.events, EVENTS_MAX);
    start = game_new(game, setup, deal, &w.events, &err);
    for (int d = 1; d <= depth; d++) {
        printf("perft %d = %" PRIu64 "\n", d, count(&w, start, d));
        fflush(stdout);
    }
    game_free(start);
    lines_release(&w.events);
    for (int d = 0; d < DEPTH_MAX; d++)
        moves_release(&w.moves[d]);
}

static int run(int argc, char **argv)
{
    const struct game *game;
    struct setup setup;
    uint8_t seed[SEED_BYTES];
    struct buf deal;
    struct err err;

    if (argc > 0)
        return complain("perft takes options only, not \"%.40s\"", argv[0]);
    if (!setup_read(&args, &game, &setup, &err) ||
        !seed_read(&args, seed, &err))
        return complain("%s", err.text);
    buf_init(&deal, DEAL_TEXT_MAX);
    print_counts(game, &setup, game_deal(game, &setup, seed, &deal));
    buf_release(&deal);
    return 0;
}

const struct subcommand cmd_perft = {
    .name = "perft",
    .args = "--game G --depth D [--seats N] [--set K=V] [--seed HEX]",
    .about = "count the move sequences of a given length",
    .more =
        "Counts the sequences of exactly 1, 2, ... D moves from the start,\n"
        "to compare one move generator with another. A finished game has no\n"
        "continuation. In a simultaneous step the seats move in seat order.",
    .opts = opts,
    .run = run,
};
