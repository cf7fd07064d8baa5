#ifndef TESTS_AXIO_ROTA_TABLE_H
#define TESTS_AXIO_ROTA_TABLE_H

/*
 * A table of AXIO rota for tests: tiles and deals as wanted, moves as texts.
 * Only the game's own functions are used, so what a test sees, a bot can see.
 */

#include "base/text.h"
#include "games/game.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

extern const struct game axio_rota_game;

enum { TILES = 60, TEXT = 8192 };

static const struct game *const game = &axio_rota_game;

/* The default set as its data file has it. */
static const char *const tile[TILES] = {
    "GBOP", "GBOP", "GBPO", "GOBP", "GOBP", "GOPB", "GPBO", "GPBO", "GPOB",
    "GPOB", "RBOP", "RBOP", "RBPO", "RBPO", "ROBP", "ROPB", "ROPB", "RPBO",
    "RPOB", "RPOB", "RGOP", "RGOP", "RGPO", "ROGP", "ROGP", "ROPG", "RPGO",
    "RPGO", "RPOG", "RPOG", "RGBP", "RGBP", "RGPB", "RGPB", "RBGP", "RBPG",
    "RBPG", "RPGB", "RPBG", "RPBG", "RGBO", "RGBO", "RGOB", "RBGO", "RBGO",
    "RBOG", "ROGB", "ROGB", "ROBG", "ROBG", ".PRG", ".RGB", ".GBO", ".BOP",
    ".OPR", ".BRO", ".OGP", ".PBR", ".ROG", ".GPB"};

/* A game at a table. */
struct table {
    struct setup setup;
    struct state *state;
    struct lines events; /* of the last step */
    char option[TEXT];
};

/* "tiles=..." of a set that begins with these tiles, joined by blanks. */
static inline void write_set(char *out, const char *first, const char *rest)
{
    out += sprintf(out, "tiles=axio-rota-tiles,1;name,test");
    for (int i = 1; i <= TILES; i++) {
        out += sprintf(out, ";tile,%d,%.4s", i, *first ? first : rest);
        first += strcspn(first, " ");
        first += strspn(first, " ");
    }
}

/* The tiles 1 to 60 in order, beginning with those in `first`. */
static const char *deal_of(const char *first, const char *rotations)
{
    static char deal[400];
    bool used[TILES + 1] = {false};
    char *out = deal;
    int number;

    while (*first) {
        cr_assert(take_int(&first, 1, TILES, &number));
        take_char(&first, ',');
        used[number] = true;
        out += sprintf(out, "%s%d", out == deal ? "" : ",", number);
    }
    for (number = 1; number <= TILES; number++)
        if (!used[number])
            out += sprintf(out, "%s%d", out == deal ? "" : ",", number);
    sprintf(out, " %s", rotations);
    return deal;
}

/* Sit down; `tiles` are the first ones of a special set, or NULL. */
static inline void begin(struct table *t, int seats, const char *tiles,
                         const char *deal)
{
    struct err err;

    *t = (struct table){.setup = {.seats = seats}};
    lines_init(&t->events, EVENTS_MAX);
    if (tiles) {
        write_set(t->option, tiles, "RGBO");
        cr_assert(setup_set(game, &t->setup, t->option, &err), "%s", err.text);
    }
    cr_assert(game_accepts(game, &t->setup, &err), "%s", err.text);
    t->state = game_new(game, &t->setup, deal, &t->events, &err);
    cr_assert(t->state, "%s", err.text);
}

static inline void end(struct table *t)
{
    game_free(t->state);
    lines_release(&t->events);
}

static inline int turn(const struct table *t)
{
    seat_set owing = game->to_move(t->state);

    for (int seat = 0; seat < SEATS_MAX; seat++)
        if (owing == SEAT(seat))
            return seat;
    return -1;
}

static inline void play(struct table *t, const char *text)
{
    struct move move;
    struct err err;
    int seat = turn(t);

    cr_assert_geq(seat, 0, "the game is over before %s", text);
    cr_assert(game_parse(game, t->state, seat, text, &move, &err), "%s: %s",
              text, err.text);
    lines_reset(&t->events);
    game_apply(game, t->state, seat, &move, &t->events);
}

/* Moves joined by blanks. */
static inline void play_all(struct table *t, const char *texts)
{
    while (*texts) {
        char text[MOVE_TEXT_MAX] = {0};
        size_t n = strcspn(texts, " ");

        memcpy(text, texts, n);
        play(t, text);
        texts += n;
        texts += strspn(texts, " ");
    }
}

static inline void leave(struct table *t, seat_set seats)
{
    lines_reset(&t->events);
    game_leave(game, t->state, seats, &t->events);
    cr_assert_eq(t->events.count, 0);
}

/* What a viewer reads behind KEY=; good until the next call but one. */
static inline const char *seen(const struct table *t, int viewer,
                               const char *key)
{
    static char value[2][TEXT];
    static int turn_of;
    char *out = value[turn_of ^= 1];
    struct buf view;
    const char *at;

    buf_init(&view, TEXT);
    game->view(t->state, viewer, &view);
    cr_assert(buf_ok(&view));
    for (at = view.text; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (take_text(&at, key) && take_char(&at, '='))
            break;
    }
    cr_assert(at, "no %s in %s", key, view.text);
    sprintf(out, "%.*s", (int)strcspn(at, " "), at);
    buf_release(&view);
    return out;
}

#define cr_see(t, viewer, key, text) \
    cr_assert_str_eq(seen(t, viewer, key), text)

/*
 * The events of the last step with their audiences, joined by '|'. The record
 * gets every one but those that hide something.
 */
static inline const char *told(const struct table *t)
{
    static char text[TEXT];
    seat_set all = SEATS(t->setup.seats) | WATCHERS;
    char *out = text;

    *out = '\0';
    for (size_t i = 0; i < t->events.count; i++) {
        seat_set to = t->events.line[i].to & all;
        const char *line = lines_text(&t->events, i);

        cr_assert_eq(!(t->events.line[i].to & RECORD), !!strchr(line, '?'));
        out += sprintf(out, "%s", i ? "|" : "");
        for (int seat = 0; seat < SEATS_MAX && to != all; seat++)
            if (to & SEAT(seat))
                out += sprintf(out, "@%d", seat + 1);
        if (to != all)
            out += sprintf(out, "%s ", to & WATCHERS ? "@w" : "");
        out += sprintf(out, "%s", line);
    }
    return text;
}

static inline const char *last_told(const struct table *t)
{
    return lines_text(&t->events, t->events.count - 1);
}

/* "ranks=1,2 scores=8,6 reason=tiles" */
static inline const char *ended(const struct table *t)
{
    static char text[200];
    struct result r;
    char *out = text;

    cr_assert_eq(turn(t), -1, "not over yet");
    game_result(game, t->state, &r);
    for (int i = 0; i < t->setup.seats; i++)
        out += sprintf(out, "%s%d", i ? "," : "ranks=", r.rank[i]);
    for (int i = 0; i < t->setup.seats; i++)
        out += sprintf(out, "%s%d", i ? "," : " scores=", r.score[i]);
    sprintf(out, " reason=%s", r.reason);
    return text;
}

static inline const char *refusal(const struct table *t, int seat,
                                  const char *text)
{
    static struct err err;
    struct move move;

    if (game_parse(game, t->state, seat, text, &move, &err))
        return "";
    return err.text;
}

/* Each seat lays one tile to the east, so that markers stay low. */
static inline void play_rounds(struct table *t, int *x, int turns)
{
    char move[32];

    for (int i = 0; i < turns; i++) {
        sprintf(move, "%d,1,0", (*x)++);
        play(t, move);
    }
}

/* Red above, green below; then one tile brings R from 11 and G from 10. */
static inline void earn_two(struct table *t)
{
    begin(t, 1, "RRRR RRRR GGGG GGGG RRRR RRRR RRRR GGGG GGGG BBGB BRBG",
          deal_of("", "0000"));
    play_all(t, "0,2,0 1,2,0 2,1,0 0,-1,0 1,-1,0 -1,0,0");
    cr_see(t, AUDIENCE_PUBLIC, "mark", "11/10/0/0/0");
    play(t, "2,0,0");
    cr_see(t, AUDIENCE_PUBLIC, "mark", "12/12/0/0/0");
}

/* Two games worth coming back to. */

/* A plane of coloured points, cut into tiles: every corner scores in full. */
static const char plane[] =
    "RBBR BGRB BRGO RBOB GOPR RPPG GPRG OGGB BOBB OBBB GRBO GRRG GORG OBGB "
    "POPP PPBR OOBR BOOG OORO OROP";

static const char plane_moves[] =
    "2,1,0 2,0,0 2,-1,0 1,-1,0 0,-1,0 -1,-1,0 -1,0,0 -1,1,0 -1,2,0 0,2,0 "
    "1,2,0 2,2,0 3,2,0 3,1,0 3,0,0";

/* Four seats: the supply of eight is used up in the last round. */
static const char eight[] =
    "26,32,30,44,54,22,42,24,52,50,11,27,43,58,20,25,28,41,57,16,60,38,46,13,"
    "7,19,6,53,2,48,56,21,45,55,4,10,29,15,3,47,9,1,39,5,14,37,31,18,35,49,23,"
    "51,59,8,33,36,12,40,34,17 3033";

static const char eight_moves[] =
    "-1,1,1=O -1,0,1 -2,1,0 -2,0,3 0,-1,1 1,-1,0 -1,-1,1 2,0,3 -2,-1,3 "
    "2,-1,2=P 2,1,2=O -3,-1,2 0,-2,3 -2,-2,0 -3,-2,1 -3,0,2 -1,-2,1=O -3,1,0=O "
    "1,-2,2 0,-3,0 -1,-3,1 -2,2,1 -1,2,1=G -3,2,3 -4,0,0 -4,1,1 -4,-1,3 "
    "-2,-3,0 2,-2,2=P -3,-3,1 -4,-2,3 -4,-3,3 -2,-4,3 -1,-4,1 -3,-4,0 3,0,2 "
    "3,-1,1 0,-4,0=O 1,-3,2 -2,3,2 -4,2,2 -2,-5,0 1,-4,2 -1,3,3 1,-5,1 2,-5,0 "
    "-5,1,1 1,-6,3 2,-3,0 2,-6,2 2,-4,3 -5,2,1";

#endif
