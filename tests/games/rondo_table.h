#ifndef TESTS_RONDO_TABLE_H
#define TESTS_RONDO_TABLE_H

/* A table of Rondo for tests: stones as wanted, moves as texts. */

#include "games/game.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct game rondo_game;

static const struct game *const game = &rondo_game;

/* The table; each test runs in a process of its own. */
static struct setup setup;
static char option[8000];
static char deal[121];
static struct state *state;
static struct lines events;
static struct buf told; /* by the last step, with audiences, joined by '|' */
static struct buf text;

/* A deal that begins so, blanks apart; the rest of the bag follows in turn. */
static inline void write_deal(const char *first)
{
    int left[5] = {24, 24, 24, 24, 24}, n = 0;

    for (; *first; first++)
        if (*first != ' ') {
            left[strchr("RPGBY", *first) - "RPGBY"]--;
            deal[n++] = *first;
        }
    for (int c = 0; n < 120; c = (c + 1) % 5)
        if (left[c]-- > 0)
            deal[n++] = "RPGBY"[c];
}

static inline void add_audience(seat_set to)
{
    seat_set all = SEATS(setup.seats) | WATCHERS;
    const char *comma = "";

    cr_assert(to & RECORD || (to & all) != all);
    if ((to & all) == all)
        return;
    buf_char(&told, '@');
    for (int seat = 0; seat < setup.seats; seat++)
        if (to & SEAT(seat)) {
            buf_add(&told, "%s%d", comma, seat + 1);
            comma = ",";
        }
    buf_str(&told, to & WATCHERS ? ",w " : " ");
}

/* What is told to some only is told to the record once, in full. */
static inline void keep_events(void)
{
    buf_reset(&told);
    for (size_t i = 0; i < events.count; i++) {
        const char *line = lines_text(&events, i);

        if (i > 0)
            buf_char(&told, '|');
        add_audience(events.line[i].to);
        buf_str(&told, line);
        cr_assert_eq(!(events.line[i].to & RECORD),
                     strchr(line, '?') || strstr(line, ":x,") ||
                         strcmp(line + strlen(line) - 2, ":x") == 0,
                     "%s", line);
    }
    lines_reset(&events);
}

static inline void clear_table(void)
{
    game_free(state);
    state = NULL;
    lines_release(&events);
    buf_release(&told);
    buf_release(&text);
}

static inline void begin(int seats, const char *board, const char *first)
{
    struct err err = {0};

    clear_table();
    setup = (struct setup){.seats = seats};
    snprintf(option, sizeof option, "board=%s", board);
    cr_assert(setup_set(game, &setup, option, &err), "%s", err.text);
    cr_assert(game_accepts(game, &setup, &err), "%s", err.text);
    write_deal(first);
    lines_init(&events, EVENTS_MAX);
    buf_init(&told, EVENTS_MAX);
    buf_init(&text, REFEREE_VIEW_MAX);
    state = game_new(game, &setup, deal, &events, &err);
    cr_assert(state, "%s", err.text);
    keep_events();
}

/* The seat whose turn it is, from 1; 0 when the game is over. */
static inline int turn(void)
{
    seat_set owing = game->to_move(state);

    return owing ? 1 + __builtin_ctz(owing) : 0;
}

static inline void play(const char *move_text)
{
    struct err err = {0};
    struct move move;
    int seat = turn() - 1;

    cr_assert(game_parse(game, state, seat, move_text, &move, &err), "%s: %s",
              move_text, err.text);
    game_apply(game, state, seat, &move, &events);
    keep_events();
}

/* Moves of the seats in turn, between blanks. */
static inline void play_all(const char *moves)
{
    char copy[400], *save = NULL;

    snprintf(copy, sizeof copy, "%s", moves);
    for (char *m = strtok_r(copy, " ", &save); m;
         m = strtok_r(NULL, " ", &save))
        play(m);
}

static inline void leave(seat_set seats)
{
    game_leave(game, state, seats, &events);
    cr_assert_eq(events.count, 0);
}

#define TOLD(want) cr_assert_str_eq(told.text, want)

static inline void refuses(const char *move_text, const char *want)
{
    struct err err = {0};
    struct move move;

    cr_assert_not(game_parse(game, state, turn() - 1, move_text, &move, &err),
                  "%s", move_text);
    cr_assert(strstr(err.text, want), "%s: %s", move_text, err.text);
}

static inline bool accepts(const char *move_text)
{
    struct err err = {0};
    struct move move;

    return game_parse(game, state, turn() - 1, move_text, &move, &err);
}

static inline const char *view(int viewer)
{
    buf_reset(&text);
    game->view(state, viewer, &text);
    return text.text;
}

/* The value of one key of a view. */
static inline const char *value(int viewer, const char *key)
{
    static char found[2000];
    char start[20];
    const char *at;

    snprintf(start, sizeof start, " %s=", key);
    at = strstr(view(viewer), start);
    cr_assert(at, "%s", key);
    at += strlen(start);
    snprintf(found, sizeof found, "%.*s", (int)strcspn(at, " "), at);
    return found;
}

#define SEES(viewer, key, want) cr_assert_str_eq(value(viewer, key), want)

static inline const char *list(void)
{
    struct moves moves = {0};

    buf_reset(&text);
    game->list(state, turn() - 1, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        if (i > 0)
            buf_char(&text, ' ');
        game->format(state, turn() - 1, &moves.move[i], &text);
    }
    moves_release(&moves);
    return text.text;
}

/* The result as the record has it. */
static inline const char *result(void)
{
    static char line[100];
    struct result r;
    int n;

    game_result(game, state, &r);
    n = snprintf(line, sizeof line, "ranks=");
    for (int i = 0; i < setup.seats; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, "%s%d", i ? "," : "",
                      r.rank[i]);
    n += snprintf(line + n, sizeof line - (size_t)n, " scores=");
    for (int i = 0; i < setup.seats; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, "%s%d", i ? "," : "",
                      r.score[i]);
    snprintf(line + n, sizeof line - (size_t)n, " reason=%s", r.reason);
    return line;
}

/* Boards that end soon. */

/* Five fields around the centre, of which a1 is grey. */
#define STAR                                                                \
    "rondo-board,1;name,star;centre,m;field,a1,R,1,grey;field,a2,P,2;"      \
    "field,a3,G,3;field,a4,B,4;field,a5,Y,5;link,m,a1;link,m,a2;link,m,a3;" \
    "link,m,a4;link,m,a5"

#define ONE "rondo-board,1;name,one;centre,m;field,a1,R,2,grey;link,m,a1"

/* A line of 128 fields, a0 .. a99 and b0 .. b27, one of which is grey. */
static inline const char *line_board(int grey)
{
    static char board[8000];
    int n = snprintf(board, sizeof board, "rondo-board,1;name,line;centre,m");

    for (int i = 0; i < 128; i++)
        n += snprintf(board + n, sizeof board - (size_t)n, ";field,%c%d,%c,1%s",
                      'a' + i / 100, i % 100, "RPGBY"[i % 5],
                      i == grey ? ",grey" : "");
    n += snprintf(board + n, sizeof board - (size_t)n, ";link,m,a0");
    for (int i = 1; i < 128; i++)
        n += snprintf(board + n, sizeof board - (size_t)n, ";link,%c%d,%c%d",
                      'a' + (i - 1) / 100, (i - 1) % 100, 'a' + i / 100,
                      i % 100);
    return board;
}

/* Lay one stone face down on the first field that will take it. */
static inline void lay_one(void)
{
    const char *at = strstr(list(), ":x");
    char move[20];

    while (at > text.text && at[-1] != ' ')
        at--;
    snprintf(move, sizeof move, "%.*s", (int)strcspn(at, " "), at);
    play(move);
}

static inline int in_bag(void)
{
    return atoi(value(AUDIENCE_PUBLIC, "bag"));
}

#endif
