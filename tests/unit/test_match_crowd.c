/*
 * The match with a crowd: lists that are too long, bots that do not read or do
 * not answer.
 *
 * Crowd is a game with far too many moves, and as many events as one likes. A
 * move is a number of 60 digits; seat 1 makes all moves but the last one.
 */

#include "arena.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { CROWD_MOVES = 30000, CROWD_PLIES = 80 };

struct state {
    int plies, noise;
    struct leavers leavers;
};

static seat_set crowd_to_move(const struct state *s)
{
    if (s->leavers.out || s->plies == CROWD_PLIES + 1)
        return 0;
    return SEAT(s->plies < CROWD_PLIES ? 0 : 1);
}

static bool crowd_start(struct state *s, const struct setup *setup,
                        const char *deal, struct lines *events, struct err *err)
{
    s->noise = setup->option[0] ? 1000 : 0;
    return true;
}

static bool crowd_parse(const struct state *s, int seat, const char *text,
                        struct move *move, struct err *err)
{
    while (*text == '0' && text[1])
        text++;
    return (take_int(&text, 0, CROWD_MOVES - 1, &move->part[0]) &&
            at_end(text)) ||
           fail(err, "a move is a number");
}

static void crowd_format(const struct state *s, int seat,
                         const struct move *move, struct buf *out)
{
    buf_add(out, "%060d", (int)move->part[0]);
}

static void crowd_list(const struct state *s, int seat, struct moves *out)
{
    for (int i = 0; i < CROWD_MOVES; i++)
        moves_add(out, &(struct move){.part[0] = i});
}

static void crowd_apply(struct state *s, int seat, const struct move *move,
                        struct lines *events)
{
    s->plies++;
    tell(events, EVERYONE, "play %d %060d", seat + 1, (int)move->part[0]);
    for (int i = 0; i < s->noise; i++)
        tell(events, EVERYONE, "noise %d", i);
}

static void crowd_view(const struct state *s, int viewer, struct buf *out)
{
    buf_add(out, "plies=%d", s->plies);
}

static void crowd_result(const struct state *s, struct result *result)
{
    const int64_t key[SEATS_MAX] = {0};

    result->reason = s->leavers.out ? "forfeit" : "silence";
    result_rank(result, 2, key, &s->leavers);
}

static void crowd_leave(struct state *s, seat_set seats, struct lines *events)
{
    leavers_add(&s->leavers, seats);
}

static const struct game_option crowd_options[] = {
    {.name = "noise", .help = "much"},
    {0},
};

static const struct game crowd = {
    .name = "crowd",
    .version = 1,
    .min_seats = 2,
    .max_seats = 2,
    .state_size = sizeof(struct state),
    .options = crowd_options,
    .events = "play|noise",
    .reasons = "silence|forfeit",
    .start = crowd_start,
    .to_move = crowd_to_move,
    .parse = crowd_parse,
    .format = crowd_format,
    .list = crowd_list,
    .apply = crowd_apply,
    .view = crowd_view,
    .result = crowd_result,
    .leave = crowd_leave,
};

static void open_crowd(struct arena *a, bool noise)
{
    struct setup setup = {.seats = 2};

    if (noise)
        setup.option[0] = "yes";
    arena_open(a, &crowd, &setup, 1);
    a->lists[0] = a->lists[1] = "";
}

Test(match, a_list_that_is_too_long_is_cut_between_two_moves)
{
    struct arena a;
    const char *list;
    char text[MOVE_TEXT_MAX + 1];
    struct err err;
    struct move move;
    uint32_t n = 1;

    open_crowd(&a, false);
    a.lists[0] = "legal_moves";
    arena_begin(&a);
    list = strstr(a.said[0].text, " legal_moves ");
    cr_assert_leq(strcspn(list, "\n"), LEGAL_MOVES_MAX);
    cr_assert_geq(strcspn(list, "\n"), LEGAL_MOVES_MAX - 200);
    for (const char *c = a.legal[0].text; *c; c++)
        n += *c == ' ';
    for (uint32_t i = 0; i < n; i += i < 10 || i > n - 10 ? 1 : 97) {
        arena_legal(&a, 0, i, text);
        cr_assert(crowd_parse(NULL, 0, text, &move, &err));
        cr_assert_eq(move.part[0], (int)i);
    }
    cr_expect_lt(n, CROWD_MOVES);

    /* A move that is not in the list is legal all the same. */
    snprintf(text, sizeof text, "%060d", CROWD_MOVES - 1);
    arena_answer(&a, 0, text);
    cr_expect_eq(match_moves(a.match), 1);
    arena_close(&a);
}

Test(match, a_bot_that_reads_nothing_is_stuck)
{
    struct arena a;

    open_crowd(&a, false);
    a.lists[0] = "legal_moves";
    arena_begin(&a);
    a.unread[0] = a.strangers = true;
    arena_say(&a, 0, "= 1");
    arena_say(&a, 0, "=");
    arena_say(&a, 0, "= 2");
    cr_expect_leq(talk_unsent(&a.talk[0]), TALK_UNSENT_MAX);
    cr_expect_eq(match_moves(a.match), 2);
    arena_say(&a, 0, "=");
    arena_say(&a, 0, "= 3");
    cr_expect_gt(talk_unsent(&a.talk[0]), TALK_UNSENT_MAX);
    cr_expect(arena_has_left(&a, 0, WHY_INPUT));
    cr_expect_str_eq(match_detail(a.match, 0), fault_text(FAULT_STUCK));
    cr_expect(arena_recorded(&a, "leave 1 input"));
    arena_close(&a);
}

/* It reads, but answers nothing: 65536 commands are too many. */
Test(match, a_pondering_bot_can_be_stuck)
{
    struct arena a;
    int moves = 0;
    enum why why;

    open_crowd(&a, true);
    a.lists[1] = "ponder noise";
    arena_begin(&a);
    a.strangers = true;
    while (!match_has_left(a.match, 1, &why) && moves < CROWD_PLIES) {
        arena_say(&a, 0, "= 1");
        moves++;
    }
    cr_expect_eq(why, WHY_INPUT);
    cr_expect_eq(moves, TALK_OPEN_MAX / 1000 + 1);
    cr_expect_not(match_is_over(a.match), "it is not its turn");
    for (; moves < CROWD_PLIES; moves++)
        arena_say(&a, 0, "= 1");
    cr_expect(match_is_over(a.match));
    cr_expect(arena_recorded(&a, "leave 2 input"));
    arena_close(&a);
}

Test(match, what_a_stuck_bot_has_to_answer_is_still_in_order)
{
    struct arena a;

    open_crowd(&a, true);
    a.lists[1] = "ponder noise";
    arena_begin(&a);
    a.strangers = true;
    for (int i = 0; i < 65; i++)
        arena_say(&a, 0, "= 1");
    /* 65000 are open: it answers them all, and is not stuck. */
    for (int i = 0; i < 65000; i++)
        arena_say(&a, 1, "=");
    for (int i = 65; i < CROWD_PLIES; i++)
        arena_say(&a, 0, "= 1");
    for (int i = 65; i < CROWD_PLIES; i++)
        for (int k = 0; k < 1000; k++)
            arena_say(&a, 1, "=");
    arena_say(&a, 1, "= 7");
    cr_assert(match_is_over(a.match));
    cr_expect_str_eq(match_result(a.match)->reason, "silence");
    arena_close(&a);
}

/* The end. */

static void open_rondo(struct arena *a)
{
    static const struct setup two = {.seats = 2};

    arena_open(a, game_find("rondo"), &two, 1);
    a->lists[0] = a->lists[1] = "game_over";
}

Test(match, an_end_that_is_held_is_told_when_the_owner_says_so)
{
    struct arena a;

    open_rondo(&a);
    a.config.holds_end = true;
    arena_begin(&a);
    arena_answer(&a, 0, "resign");
    cr_assert(match_is_over(a.match));
    cr_expect(strstr(a.record.text, "\nresult ranks=2,1 "));
    cr_expect(strstr(a.record.text, "\nhash "));
    for (int i = 0; i < 2; i++)
        cr_expect_null(strstr(a.said[i].text, "game_over"));
    for (int again = 0; again < 2; again++) {
        match_tell_end(a.match);
        arena_pump(&a);
    }
    for (int i = 0; i < 2; i++) {
        const char *told = strstr(a.said[i].text, "game_over ranks=2,1 ");

        cr_assert(told);
        cr_expect_null(strstr(told + 1, "game_over"), "told twice");
    }
    arena_close(&a);
}

Test(match, no_way_to_leave_reveals_a_seed_early)
{
    for (int broken = 0; broken < 2; broken++) {
        struct arena a;

        open_rondo(&a);
        a.config.reveal_seed = false;
        arena_begin(&a);
        if (broken)
            arena_gone(&a, 0, WHY_EXIT);
        else
            arena_answer(&a, 0, "resign");
        cr_assert(match_is_over(a.match));
        cr_expect_null(strstr(a.record.text, "\nseed "));
        cr_expect_null(strstr(a.said[1].text, " seed="));
        arena_close(&a);
    }
}
