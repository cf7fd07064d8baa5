#ifndef TESTS_SECOND_CHANCE_TABLE_H
#define TESTS_SECOND_CHANCE_TABLE_H

/*
 * second_chance_table.h - a table at which the tests of Second Chance are
 * played.
 *
 * What is told gathers until TOLD() looks at it. Seats count from 1 here.
 */

#include "games/game.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct game second_chance_game;

static const struct game *const game = &second_chance_game;

/* The table; each test runs in a process of its own. */
static struct setup setup;
static char options[8000];
static struct state *state;
static struct lines events;
static struct buf told; /* since the last TOLD(), joined by '|' */
static struct buf text;

static inline void keep_events(void)
{
    for (size_t i = 0; i < events.count; i++) {
        const char *line = lines_text(&events, i);

        cr_assert_eq(events.line[i].to, EVERYONE, "%s", line);
        if (strncmp(line, "piece ", 6) == 0)
            continue;
        buf_add(&told, "%s%s", told.len ? "|" : "", line);
    }
    lines_reset(&events);
}

static inline void begin(int seats, const char *set, const char *deal)
{
    char *word, *save = NULL;
    struct err err = {0};

    setup = (struct setup){.seats = seats};
    snprintf(options, sizeof options, "%s", set);
    for (word = strtok_r(options, " ", &save); word;
         word = strtok_r(NULL, " ", &save))
        cr_assert(setup_set(game, &setup, word, &err), "%s", err.text);
    cr_assert(game_accepts(game, &setup, &err), "%s", err.text);
    lines_init(&events, EVENTS_MAX);
    buf_init(&told, EVENTS_MAX);
    buf_init(&text, REFEREE_VIEW_MAX);
    state = game_new(game, &setup, deal, &events, &err);
    cr_assert(state, "%s", err.text);
    keep_events();
}

static inline void end(void)
{
    game_free(state);
    lines_release(&events);
    buf_release(&told);
    buf_release(&text);
}

static inline void play(int seat, const char *move_text)
{
    struct err err = {0};
    struct move move;

    cr_assert(game_parse(game, state, seat - 1, move_text, &move, &err),
              "%d %s: %s", seat, move_text, err.text);
    game_apply(game, state, seat - 1, &move, &events);
    keep_events();
}

static inline void leave(seat_set seats)
{
    game_leave(game, state, seats, &events);
    keep_events();
}

/* The i-th move that list() lists, in its spelling. */
static inline const char *listed(int seat, size_t i)
{
    struct moves moves = {0};

    game->list(state, seat - 1, &moves);
    buf_reset(&text);
    if (i < moves.count)
        game->format(state, seat - 1, &moves.move[i], &text);
    moves_release(&moves);
    return text.text;
}

static inline size_t count_listed(int seat)
{
    struct moves moves = {0};
    size_t count;

    game->list(state, seat - 1, &moves);
    count = moves.count;
    moves_release(&moves);
    return count;
}

static inline const char *view(int viewer)
{
    buf_reset(&text);
    buf_char(&text, ' ');
    game->view(state, viewer, &text);
    return text.text + 1;
}

/* The value of a key in a view. */
static inline const char *value(int viewer, const char *key)
{
    static char found[2000];
    char pattern[40];
    const char *at;

    snprintf(pattern, sizeof pattern, " %s=", key);
    view(viewer);
    at = strstr(text.text, pattern);
    cr_assert(at, "no %s in %s", key, text.text);
    at += strlen(pattern);
    snprintf(found, sizeof found, "%.*s", (int)strcspn(at, " "), at);
    return found;
}

static inline void told_is(int line, const char *expected)
{
    cr_assert_str_eq(told.text, expected, "line %d: %s, not %s", line,
                     told.text, expected);
    buf_reset(&told);
}

static inline void result_is(int line, const char *expected)
{
    struct result r;

    game_result(game, state, &r);
    buf_reset(&text);
    for (int i = 0; i < setup.seats; i++)
        buf_add(&text, "%s%d", i ? "," : "ranks=", r.rank[i]);
    for (int i = 0; i < setup.seats; i++)
        buf_add(&text, "%s%d", i ? "," : " scores=", r.score[i]);
    buf_add(&text, " reason=%s", r.reason);
    cr_assert_str_eq(text.text, expected, "line %d: %s, not %s", line,
                     text.text, expected);
}

static inline void owing_is(int line, const char *expected)
{
    struct buf out;

    buf_init(&out, 40);
    seats_write(game->to_move(state), &out);
    cr_assert_str_eq(out.text, expected, "line %d: %s, not %s", line, out.text,
                     expected);
    buf_release(&out);
}

static inline void value_is(int line, const char *key, const char *expected)
{
    const char *found = value(AUDIENCE_PUBLIC, key);

    cr_assert_str_eq(found, expected, "line %d: %s=%s, not %s", line, key,
                     found, expected);
}

static inline void is_refused(int line, int seat, const char *move_text,
                              const char *fragment)
{
    struct err err = {0};
    struct move move;

    cr_assert(!game_parse(game, state, seat - 1, move_text, &move, &err),
              "line %d: %s", line, move_text);
    cr_assert(strstr(err.text, fragment), "line %d: %s: %s", line, move_text,
              err.text);
}

#define TOLD(expected)                told_is(__LINE__, expected)
#define RESULT(expected)              result_is(__LINE__, expected)
#define OWING(expected)               owing_is(__LINE__, expected)
#define VALUE(key, expected)          value_is(__LINE__, key, expected)
#define REFUSED(seat, move, fragment) is_refused(__LINE__, seat, move, fragment)

/*
 * A scene: puzzle cards P01, P02, ... of these shapes in this order, and for
 * each seat a start piece that fills its grid but for some squares.
 */
static inline void add_start(int seat, const char *free, char *out)
{
    sprintf(out + strlen(out), ";S%02d:", seat);
    for (int r = 0; r < 9; r++) {
        for (int c = 0; c < 9; c++) {
            char square[3] = {(char)('a' + c), (char)('1' + r), '\0'};

            strcat(out, strstr(free, square) ? "." : "x");
        }
        if (r < 8)
            strcat(out, "/");
    }
}

static inline void set_scene(const char *set, const char *shapes, int seats,
                             ...)
{
    char all[8000] = "pieces=", deal[2000] = "", deck[1000] = "", copy[1000];
    char *shape, *save = NULL;
    int parts = seats == 1 ? 3 : 1, n = 0;
    va_list ap;

    snprintf(copy, sizeof copy, "%s", shapes);
    for (shape = strtok_r(copy, " ", &save); shape;
         shape = strtok_r(NULL, " ", &save)) {
        n++;
        sprintf(all + strlen(all), "%sP%02d:%s", n > 1 ? ";" : "", n, shape);
        sprintf(deck + strlen(deck), "%sP%02d", n > 1 ? "," : "", n);
    }
    va_start(ap, seats);
    for (int seat = 1; seat <= seats; seat++)
        add_start(seat, va_arg(ap, const char *), all);
    va_end(ap);
    strcat(all, " ");
    strcat(all, set);
    for (int part = 0; part < parts; part++) {
        strcat(deal, part ? " ; " : "");
        for (int seat = 1; seat <= seats; seat++)
            sprintf(deal + strlen(deal), "%sS%02d", seat > 1 ? "," : "", seat);
        sprintf(deal + strlen(deal), " %s", deck);
    }
    begin(seats, all, deal);
}

static inline void draw_start(int seat)
{
    char move[32];

    snprintf(move, sizeof move, "S%02d:a1:0", seat);
    play(seat, move);
}

/* Forget what was told before the first event that starts like this. */
static inline void forget_before(const char *event)
{
    char *at = strstr(told.text, event);

    cr_assert(at, "no %s in %s", event, told.text);
    memmove(told.text, at, strlen(at) + 1);
    told.len = strlen(told.text);
}

/* Draw all start pieces; what is told of it is tested elsewhere. */
static inline void draw_starts(void)
{
    for (int seat = 1; seat <= setup.seats; seat++)
        draw_start(seat);
    forget_before("round 1 ");
}

/* The formula games: deck P(i * mul + add mod 40 + 1), S(5 k mod 13 + 1). */
static inline void begin_formula(int seats, int mul, int add)
{
    char deal[2000] = "";

    for (int part = 0; part < (seats == 1 ? 3 : 1); part++) {
        strcat(deal, part ? " ; " : "");
        for (int k = 0; k < seats; k++)
            sprintf(deal + strlen(deal), "%sS%02d", k ? "," : "",
                    k * 5 % 13 + 1);
        for (int i = 0; i < 40; i++)
            sprintf(deal + strlen(deal), "%sP%02d", i ? "," : " ",
                    (i * mul + add) % 40 + 1);
    }
    begin(seats, "", deal);
}

static inline void draw_first(int seat)
{
    char move[16];

    snprintf(move, sizeof move, "%s", listed(seat, 0));
    play(seat, move);
}

/* Every seat draws the first legal placement. */
static inline void play_first_moves(void)
{
    while (game->to_move(state))
        draw_first(__builtin_ctz(game->to_move(state)) + 1);
}

static inline int free_of(int seat)
{
    const char *grid = value(AUDIENCE_PUBLIC, "grids") + 90 * (seat - 1);
    int free = 0;

    for (int i = 0; i < 89; i++)
        free += grid[i] == '.';
    return free;
}

#endif
