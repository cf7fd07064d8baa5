/*
 * A match is interrupted at any byte of its record, and goes on.
 *
 * The bots here always do the same in the same position: the same move after
 * the same time, the same mistakes. So a match that goes on must end with the
 * very bytes of the match that was not interrupted: the same moves, clocks,
 * departures and result, down to the closing hash.
 */

#include "arena.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTE_CUTS = 60, CASES = 6 };

static const char *const controls[] = {
    "fischer:2s+100ms",  "byoyomi:1s+3x200ms", "hourglass:5s",
    "canadian:1s+2s/10", "delay:1s+200ms",     "none",
};

/* Bots whose acts follow from what they are asked. */

struct act {
    char text[MOVE_TEXT_MAX + 1];
    int64_t at_us;
};

static void plan(const struct arena *a, int seat, uint32_t odds,
                 struct act *act)
{
    uint32_t salt = 31 * (uint32_t)seat + (uint32_t)a->match->seat[seat].tries;
    uint32_t h = text_hash(a->legal[seat].text, salt);

    act->at_us = a->stamp.now_us + h % 250000;
    arena_legal(a, seat, h >> 8, act->text);
    if (odds == 0)
        return;
    if (h % odds == 0)
        act->at_us += 10000000;
    else if (h % odds == 1)
        strcpy(act->text, "resign");
    else if (h % odds < 5)
        strcpy(act->text, "nonsense");
}

static void plan_all(const struct arena *a, uint32_t odds, seat_set *planned,
                     struct act *act)
{
    for (int i = 0; i < a->config.setup.seats; i++)
        if (a->asked & ~*planned & SEAT(i))
            plan(a, i, odds, &act[i]);
    *planned = a->asked;
}

static int next_seat(const struct arena *a, const struct act *act)
{
    int next = -1;

    for (int i = 0; i < a->config.setup.seats; i++)
        if (a->asked & SEAT(i) && (next < 0 || act[i].at_us < act[next].at_us))
            next = i;
    cr_assert_geq(next, 0, "nobody is asked, and the game is not over");
    return next;
}

static void play_on(struct arena *a, uint32_t odds)
{
    struct act act[SEATS_MAX];
    seat_set planned = 0;

    while (!match_is_over(a->match)) {
        int next;

        plan_all(a, odds, &planned, act);
        next = next_seat(a, act);
        if (match_deadline(a->match) <= act[next].at_us) {
            a->stamp.now_us = match_deadline(a->match);
            a->asked &= ~match_late(a->match, a->stamp.now_us);
            arena_tick(a);
        } else {
            a->stamp.now_us = act[next].at_us;
            planned &= ~SEAT(next);
            arena_answer(a, next, act[next].text);
        }
    }
}

/* One interrupted match. */

struct interrupted {
    const struct game *game;
    struct setup setup;
    uint32_t number, odds;
    struct buf words;
    struct arena whole; /* the match that was not interrupted */
};

static void open_table(const struct interrupted *t, struct arena *a)
{
    struct err err;

    arena_open(a, t->game, &t->setup, t->number);
    a->config.retries = 1;
    for (int i = 0; i < t->setup.seats; i++) {
        a->lists[i] = t->words.text;
        cr_assert(time_control_parse(
            controls[t->number % (sizeof controls / sizeof *controls)],
            &a->config.time[i], &err));
    }
}

/* What a seat may see of a whole record, one event a line. */
static void events_of(const char *record, size_t len, int seat, struct buf *out)
{
    char *text = strndup(record, len);
    struct replay r;
    struct err err;

    replay_init(&r);
    cr_assert(replay_open(&r, "whole", text, len, &err), "%s", err.text);
    for (int steps = -1; r.status == REPLAY_HALFWAY;) {
        for (size_t i = 0; r.steps > steps && i < r.events.count; i++)
            if (r.events.line[i].to & SEAT(seat))
                buf_add(out, "%s\n", lines_text(&r.events, i));
        steps = r.steps;
        cr_assert(replay_next(&r, &err), "%s", err.text);
    }
    cr_assert_eq(r.status, REPLAY_FINISHED);
    replay_release(&r);
    free(text);
}

/* The events among the lines that a bot got. */
static void events_said(const struct arena *a, int seat, struct buf *out)
{
    char *text = strdup(a->said[seat].text), *rest = text, *line;

    while ((line = strsep(&rest, "\n")) != NULL && *line) {
        char *at = strchr(line, ' ') + 1;
        size_t n = strcspn(at, " ");
        char word[32];

        snprintf(word, sizeof word, "%.*s", (int)n, at);
        if (words_find(a->config.game->events, word) >= 0 ||
            strcmp(word, "leave") == 0)
            buf_add(out, "%s\n", at);
    }
    free(text);
}

/* A seat that has left was told what came before, all others everything. */
static void check_told(const struct interrupted *t, const struct arena *a,
                       seat_set invited, const char *where)
{
    for (int i = 0; i < t->setup.seats; i++) {
        struct buf may, has;

        buf_init(&may, 1 << 24);
        buf_init(&has, 1 << 24);
        events_of(t->whole.record.text, t->whole.record.len, i, &may);
        events_said(a, i, &has);
        if (!(invited & SEAT(i)))
            cr_expect_eq(a->said[i].len, 0);
        else if (match_why(a->match, i))
            cr_expect(strncmp(may.text, has.text, has.len) == 0,
                      "%s, seat %d was told something else", where, i + 1);
        else
            cr_expect_str_eq(may.text, has.text, "%s, seat %d", where, i + 1);
        buf_release(&may);
        buf_release(&has);
    }
}

static void play_whole(struct interrupted *t)
{
    open_table(t, &t->whole);
    arena_begin(&t->whole);
    play_on(&t->whole, t->odds);
    check_told(t, &t->whole, SEATS(t->setup.seats), "without a break");
}

/* Go on from the first bytes of the record. */
static void go_on(const struct interrupted *t, size_t whole)
{
    seat_set invited = SEATS(t->setup.seats);
    char where[100];
    struct arena a;

    snprintf(where, sizeof where, "%s for %d, number %u, after %zu bytes",
             t->game->name, t->setup.seats, t->number, whole);
    open_table(t, &a);
    a.config.forgets = true; /* the whole match has not */
    if (whole > 0)
        arena_resume(&a, t->whole.record.text, whole);
    else
        arena_begin(&a);
    for (int i = 0; i < t->setup.seats; i++)
        if (a.said[i].len == 0)
            invited &= ~SEAT(i);
    play_on(&a, t->odds);
    cr_expect_str_eq(a.record.text, t->whole.record.text, "%s", where);
    check_told(t, &a, invited, where);
    for (int i = 0; i < t->setup.seats; i++)
        if (whole == 0)
            cr_expect_str_eq(a.said[i].text, t->whole.said[i].text, "%s",
                             where);
        else
            cr_expect(!(invited & SEAT(i)) ||
                      strstr(a.said[i].text, " resume=yes\n"));
    arena_close(&a);
}

/* Cut here: what is whole of it is never less than what was whole before. */
static void cut_at(const struct interrupted *t, size_t cut, size_t *last)
{
    size_t whole = record_whole(t->game, t->whole.record.text, cut);

    cr_assert_leq(whole, cut);
    cr_assert_geq(whole, *last);
    if (whole != *last)
        go_on(t, whole);
    *last = whole;
}

static void cut_everywhere(const struct interrupted *t)
{
    const struct buf *record = &t->whole.record;
    size_t last = 0;

    go_on(t, 0);
    for (const char *at = record->text; *at; at += strcspn(at, "\n") + 1)
        cut_at(t, (size_t)(at - record->text), &last);
    for (uint32_t i = 0; i < BYTE_CUTS; i++) {
        size_t cut = text_hash("cut", i) % record->len, line = cut;

        /* A line that is not whole is worth nothing. */
        while (line > 0 && record->text[line - 1] != '\n')
            line--;
        cr_expect_eq(record_whole(t->game, record->text, cut),
                     record_whole(t->game, record->text, line));
    }
}

ParameterizedTestParameters(match, resumes_from_any_byte)
{
    static struct which all[WHICH_MAX];

    return cr_make_param_array(struct which, all, which_games(0, all));
}

ParameterizedTest(struct which *which, match, resumes_from_any_byte)
{
    static const uint32_t odds[] = {0, 300, 60};
    const struct game *game = game_at((size_t)which->game);

    for (uint32_t i = 0; i < CASES; i++) {
        struct interrupted t = {.game = game,
                                .setup = {.seats = which->seats},
                                .number = i,
                                .odds = odds[i % 3]};

        buf_init(&t.words, 2000);
        arena_all_words(game, &t.words);
        play_whole(&t);
        cut_everywhere(&t);
        cr_log_info("%s for %d, number %u: %d moves, %zu bytes", game->name,
                    which->seats, i, match_moves(t.whole.match),
                    t.whole.record.len);
        arena_close(&t.whole);
        buf_release(&t.words);
    }
}

/* How much is whole of a record that is cut behind this text. */
static size_t whole_behind(const struct arena *a, const char *text)
{
    const char *at = strstr(a->record.text, text);

    cr_assert(at, "no \"%s\" in\n%s", text, a->record.text);
    return record_whole(a->config.game, a->record.text,
                        (size_t)(at - a->record.text) + strlen(text));
}

static void open_game(struct arena *a, const char *game, int seats)
{
    const struct setup setup = {.seats = seats};
    struct err err;

    arena_open(a, game_find(game), &setup, 1);
    for (int i = 0; i < seats; i++)
        cr_assert(time_control_parse("bank:9s", &a->config.time[i], &err));
    arena_begin(a);
}

/* In axiom a move often tells nothing but itself, as in a typed-in game. */
Test(match, moves_that_tell_nothing_else_are_kept)
{
    struct arena a;

    open_game(&a, "axiom", 2);
    arena_answer(&a, 0, "S-1,0,2U/0,0,2U");
    arena_answer(&a, 1, "S-1,1,2U/0,1,2U");
    cr_expect_eq(whole_behind(&a, "0,1,2U\n"), a.record.len);
    cr_expect_eq(whole_behind(&a, "0,0,2U\n@- clock 2"),
                 whole_behind(&a, "0,0,2U\n"));
    arena_close(&a);
}

/* Or the move, made again, would be charged twice. */
Test(match, the_clock_behind_a_departure_belongs_to_the_next_move)
{
    struct arena a;

    open_game(&a, "rondo", 3);
    arena_answer(&a, 0, "resign");
    a.stamp.now_us += 1000;
    arena_answer(&a, 1, "pass");
    cr_expect_eq(whole_behind(&a, "leave 1 resign\n@- clock 2 8999000 used="
                                  "1000 lag=0\nplay 2"),
                 whole_behind(&a, "leave 1 resign\n"));
    arena_close(&a);
}

/* Or a departure that follows would seem to be of the same step. */
Test(match, departures_wait_for_the_moves_of_their_step)
{
    struct arena a;
    char text[MOVE_TEXT_MAX + 1];
    size_t start;

    open_game(&a, "second-chance", 3);
    start = a.record.len;
    arena_answer(&a, 0, "resign");
    for (int i = 1; i < 3; i++) {
        arena_legal(&a, i, 0, text);
        arena_answer(&a, i, text);
    }
    cr_expect_eq(whole_behind(&a, "leave 1 resign\n"), start);
    cr_expect_eq(whole_behind(&a, "\nplay 3 "), start);
    cr_expect_eq(record_whole(a.config.game, a.record.text, a.record.len),
                 a.record.len);
    arena_close(&a);
}
