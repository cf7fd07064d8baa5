#ifndef TESTS_GO_PLAIN_H
#define TESTS_GO_PLAIN_H

/*
 * go_plain.h - the rules of Go once more, as plainly as they can be written.
 *
 * No chains, no prints: a board is text, every move is tried on a copy, and
 * every board that was is compared byte by byte. For tests of games/go.c.
 */

#include <stdbool.h>
#include <string.h>

enum { PLAIN_SIZE = 25, PLAIN_POINTS = PLAIN_SIZE * PLAIN_SIZE };
enum { PLAIN_BOARDS = 3000, PLAIN_PASS = -1 };

struct plain {
    int size, boards, passes;
    bool situational, suicide;
    char turn; /* 'x' or 'o' */
    char now[PLAIN_POINTS];
    char was[PLAIN_BOARDS][PLAIN_POINTS];
    char next[PLAIN_BOARDS]; /* who was to move then */
};

static inline char plain_other(char side)
{
    return side == 'x' ? 'o' : 'x';
}

/* Collect what is joined with point i; does it touch an empty point? */
static inline bool plain_breathes(const struct plain *g, const char *board,
                                  int i, bool *group)
{
    int column = i % g->size, row = i / g->size;
    const int next[4] = {
        column > 0 ? i - 1 : -1, column < g->size - 1 ? i + 1 : -1,
        row > 0 ? i - g->size : -1, row < g->size - 1 ? i + g->size : -1};
    bool breathes = false;

    group[i] = true;
    for (int k = 0; k < 4; k++) {
        if (next[k] < 0)
            continue;
        if (board[next[k]] == '.')
            breathes = true;
        else if (board[next[k]] == board[i] && !group[next[k]] &&
                 plain_breathes(g, board, next[k], group))
            breathes = true;
    }
    return breathes;
}

/* Remove all groups of a side that cannot breathe; how many stones? */
static inline int plain_clear(const struct plain *g, char *board, char side)
{
    bool group[PLAIN_POINTS];
    int points = g->size * g->size, n = 0;

    for (int i = 0; i < points; i++) {
        if (board[i] != side)
            continue;
        memset(group, 0, (size_t)points);
        if (plain_breathes(g, board, i, group))
            continue;
        /* They touch no other group of this side, which may breathe by it. */
        for (int k = 0; k < points; k++)
            if (group[k]) {
                board[k] = '.';
                n++;
            }
    }
    return n;
}

/* The board after a stone on an empty point; false if that is suicide. */
static inline bool plain_try(const struct plain *g, int i, char *board)
{
    memcpy(board, g->now, sizeof g->now);
    board[i] = g->turn;
    if (plain_clear(g, board, plain_other(g->turn)) > 0)
        return true;
    return plain_clear(g, board, g->turn) == 0 || g->suicide;
}

static inline bool plain_is_legal(const struct plain *g, int i)
{
    char board[PLAIN_POINTS];
    size_t n = (size_t)(g->size * g->size);

    if (i == PLAIN_PASS)
        return true;
    if (g->now[i] != '.' || !plain_try(g, i, board))
        return false;
    for (int k = 0; k < g->boards; k++)
        if (memcmp(g->was[k], board, n) == 0 &&
            (!g->situational || g->next[k] != g->turn))
            return false;
    return true;
}

static inline void plain_keep(struct plain *g)
{
    memcpy(g->was[g->boards], g->now, sizeof g->now);
    g->next[g->boards++] = g->turn;
}

static inline void plain_begin(struct plain *g, int size)
{
    *g = (struct plain){.size = size, .turn = 'x'};
    memset(g->now, '.', sizeof g->now);
    plain_keep(g);
}

static inline void plain_play(struct plain *g, int i)
{
    char board[PLAIN_POINTS];

    g->passes = i == PLAIN_PASS ? g->passes + 1 : 0;
    if (i != PLAIN_PASS) {
        (void)plain_try(g, i, board);
        memcpy(g->now, board, sizeof g->now);
    }
    g->turn = plain_other(g->turn);
    plain_keep(g);
}

/* Does a path over empty points lead from i to a stone of this side? */
static inline bool plain_reaches(const struct plain *g, int i, char side,
                                 bool *seen)
{
    int column = i % g->size, row = i / g->size;
    const int next[4] = {
        column > 0 ? i - 1 : -1, column < g->size - 1 ? i + 1 : -1,
        row > 0 ? i - g->size : -1, row < g->size - 1 ? i + g->size : -1};

    seen[i] = true;
    for (int k = 0; k < 4; k++) {
        if (next[k] < 0 || seen[next[k]])
            continue;
        if (g->now[next[k]] == side ||
            (g->now[next[k]] == '.' && plain_reaches(g, next[k], side, seen)))
            return true;
    }
    return false;
}

static inline int plain_area(const struct plain *g, char side)
{
    int n = 0;

    for (int i = 0; i < g->size * g->size; i++) {
        bool seen[PLAIN_POINTS] = {false}, again[PLAIN_POINTS] = {false};

        if (g->now[i] == '.')
            n += plain_reaches(g, i, side, seen) &&
                 !plain_reaches(g, i, plain_other(side), again);
        else
            n += g->now[i] == side;
    }
    return n;
}

#endif
