/*
 * bench_games GAME GAMES apply|list - what the rules of a game cost.
 *
 * Random games are played first and remembered as texts. Then one pass over
 * them does only the work to be measured, in measured(), which callgrind can
 * be told to watch. Prints "COUNT NANOSECONDS GAMES_PER_SECOND": how many
 * moves (or positions), what one of them took, and how many whole random games
 * (list, choose, apply) were played per second.
 */

#include "games/random_game.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct played {
    int seats;
    char *deal;
    struct turn {
        int seat;
        char text[MOVE_TEXT_MAX + 1];
    } * turn;
    int turns;
};

static const struct game *game;
static bool only_list;
static struct lines events;
static struct moves moves;
static struct err err;

/* The work: read and play one move, or list the moves of one position. */
__attribute__((noinline)) static void measured(struct state *state, int seat,
                                               const char *text)
{
    struct move move;

    if (only_list) {
        game->list(state, seat, &moves);
        return;
    }
    if (!game_parse(game, state, seat, text, &move, &err))
        abort();
    game_apply(game, state, seat, &move, &events);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void remember(struct played *p, const struct random_game *random,
                     int seat, const struct move *move)
{
    struct buf text;

    buf_init(&text, MOVE_TEXT_MAX);
    game->format(random->state, seat, move, &text);
    p->turn = realloc(p->turn, (size_t)(p->turns + 1) * sizeof *p->turn);
    if (!p->turn)
        abort();
    p->turn[p->turns].seat = seat;
    strcpy(p->turn[p->turns].text, text.text);
    p->turns++;
    buf_release(&text);
}

static void play(struct played *p, int number)
{
    const uint8_t seed[SEED_BYTES] = {(uint8_t)number, (uint8_t)(number >> 8)};
    int range = game->max_seats - game->min_seats + 1;
    struct setup setup = {.seats = game->min_seats + number % range};
    struct random_game random;
    struct move move;
    int seat;

    random_game_begin(&random, game, &setup, seed);
    *p =
        (struct played){.seats = setup.seats, .deal = strdup(random.deal.text)};
    while (random_game_pick(&random, &seat, &move)) {
        remember(p, &random, seat, &move);
        random_game_play(&random, seat, &move);
    }
    random_game_end(&random);
}

/* Play it again; in list mode the moves are played off the clock. */
static double again(const struct played *p)
{
    struct setup setup = {.seats = p->seats};
    struct state *state =
        game_new(game, &setup, game->deal ? p->deal : NULL, &events, &err);
    double spent = 0;

    for (int i = 0; i < p->turns; i++) {
        const struct turn *turn = &p->turn[i];
        struct move move;
        double start = now();

        lines_reset(&events);
        moves_reset(&moves);
        measured(state, turn->seat, turn->text);
        spent += now() - start;
        if (only_list) {
            if (!game_parse(game, state, turn->seat, turn->text, &move, &err))
                abort();
            game_apply(game, state, turn->seat, &move, &events);
        }
    }
    game_free(state);
    return spent;
}

/* Reading the clock twice is not the work. */
static double clock_cost(void)
{
    double start = now();

    for (int i = 0; i < 100000; i++)
        now();
    return (now() - start) / 100000;
}

int main(int argc, char **argv)
{
    int count, turns = 0;
    struct played *played;
    double start, playing, spent = 0;

    if (argc != 4 || sodium_init() < 0 || !(game = game_find(argv[1])) ||
        (count = atoi(argv[2])) < 1)
        return 2;
    only_list = strcmp(argv[3], "list") == 0;
    lines_init(&events, EVENTS_MAX);
    played = calloc((size_t)count, sizeof *played);
    if (!played)
        abort();
    start = now();
    for (int i = 0; i < count; i++)
        play(&played[i], i);
    playing = now() - start;
    for (int i = 0; i < count; i++) {
        spent += again(&played[i]);
        turns += played[i].turns;
        free(played[i].deal);
        free(played[i].turn);
    }
    printf("%d %.0f %.0f\n", turns, (spent / turns - clock_cost()) * 1e9,
           count / playing);
    free(played);
    lines_release(&events);
    moves_release(&moves);
    return 0;
}
