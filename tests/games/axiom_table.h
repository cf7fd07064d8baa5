/*
 * axiom_table.h - a table of Axiom for tests: set it up, play, look.
 *
 * Options are words joined by blanks, as in "contact=face maxplies=9". Every
 * test runs in a process of its own, so the table is global.
 */

#include "games/game.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct game axiom_game;

static const struct game *const game = &axiom_game;

#define STANDARD                                               \
    "b-1,0,1WU;b0,0,1WS;b1,0,1WU;w-1,1,1EU;w0,1,1EN;w1,1,1EU;" \
    "b-1,0,2E;b0,0,2D;b1,0,2E;w-1,1,2W;w0,1,2D;w1,1,2W|"       \
    "b-1,0,2U;b1,0,2U;w-1,1,2U;w1,1,2U|b"

static struct setup setup;
static char words[1000];
static struct state *state;
static struct lines events;
static struct moves legal;
static struct buf text;
static struct err err;

static inline void clear_table(void)
{
    game_free(state);
    state = NULL;
    lines_release(&events);
    moves_release(&legal);
    buf_release(&text);
}

/* Set the options; false with a reason in err. */
static inline bool set_options(const char *options)
{
    setup = (struct setup){.seats = 2};
    snprintf(words, sizeof words, "%s", options);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        if (!setup_set(game, &setup, word, &err))
            return false;
    return game_accepts(game, &setup, &err);
}

static inline void begin(const char *options)
{
    clear_table();
    lines_init(&events, EVENTS_MAX);
    buf_init(&text, REFEREE_VIEW_MAX);
    cr_assert(set_options(options), "%s: %s", options, err.text);
    state = game_new(game, &setup, NULL, &events, &err);
    cr_assert(state, "%s: %s", options, err.text);
    cr_assert_eq(events.count, 0);
}

/* Begin with a position and further options. */
static inline void begin_at(const char *position, const char *options)
{
    char all[1000];

    snprintf(all, sizeof all, "setup=%s %s", position, options);
    begin(all);
}

static inline int turn(void)
{
    seat_set owing = game->to_move(state);

    return owing == SEAT(0) ? 0 : owing == SEAT(1) ? 1 : -1;
}

static inline bool is_legal(const char *move)
{
    struct move m;

    return game_parse(game, state, turn(), move, &m, &err);
}

static inline void play(const char *move)
{
    struct move m;

    cr_assert(game_parse(game, state, turn(), move, &m, &err), "%s: %s", move,
              err.text);
    lines_reset(&events);
    game_apply(game, state, turn(), &m, &events);
}

/* Play moves that are joined by blanks. */
static inline void play_all(const char *moves)
{
    char copy[1000], *rest = copy, *move;

    snprintf(copy, sizeof copy, "%s", moves);
    while ((move = strsep(&rest, " ")))
        play(move);
}

/* What the last move told everyone, joined by '|'. */
static inline const char *told(void)
{
    buf_reset(&text);
    for (size_t i = 0; i < events.count; i++) {
        cr_assert_eq(events.line[i].to, EVERYONE);
        buf_add(&text, "%s%s", i ? "|" : "", lines_text(&events, i));
    }
    return text.text;
}

static inline const char *view(int viewer)
{
    buf_reset(&text);
    game->view(state, viewer, &text);
    cr_assert(buf_ok(&text));
    return text.text;
}

static inline const char *spell(const struct move *move)
{
    buf_reset(&text);
    game->format(state, turn(), move, &text);
    return text.text;
}

static inline void list_moves(void)
{
    moves_reset(&legal);
    game->list(state, turn(), &legal);
}

/* How many listed moves begin like this? */
static inline int count_moves(const char *prefix)
{
    int n = 0;

    list_moves();
    for (size_t i = 0; i < legal.count; i++)
        n += strncmp(spell(&legal.move[i]), prefix, strlen(prefix)) == 0;
    return n;
}

/* As a record writes it, or "-" while the game is on. */
static inline const char *result(void)
{
    static char line[100];
    struct result r;

    if (turn() >= 0)
        return "-";
    game_result(game, state, &r);
    snprintf(line, sizeof line, "ranks=%d,%d scores=%d,%d reason=%s", r.rank[0],
             r.rank[1], r.score[0], r.score[1], r.reason);
    return line;
}

#define BLACK_WINS "ranks=1,2 scores=1,0 reason="
#define WHITE_WINS "ranks=2,1 scores=0,1 reason="
#define DRAW       "ranks=1,1 scores=0,0 reason="
