/*
 * The match, where a written talk cannot say it: several games on one talk,
 * CPU time, deadlines, games that are void, and thousands of random matches
 * whose records must replay.
 */

#include "arena.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECOND = 1000000 };

/* Axiom moves that are legal at its start. */
static const char black[] = "S-1,0,2U/0,0,2U", white[] = "S-1,1,2U/0,1,2U";

static void open_axiom(struct arena *a, const char *time)
{
    static const struct setup two = {.seats = 2};
    struct err err;

    arena_open(a, game_find("axiom"), &two, 1);
    for (int i = 0; i < 2; i++)
        cr_assert(time_control_parse(time, &a->config.time[i], &err));
}

static void pass(struct arena *a, int64_t us)
{
    a->stamp.now_us += us;
}

static enum replay_status replayed(const struct arena *a, struct result *result)
{
    char *text = strdup(a->record.text);
    struct replay r;
    struct err err;
    enum replay_status status;

    replay_init(&r);
    cr_assert(replay_open(&r, "record", text, strlen(text), &err) &&
                  replay_all(&r, &err),
              "%s", err.text);
    status = r.status;
    *result = r.result;
    replay_release(&r);
    free(text);
    return status;
}

/* The last of the lines that a bot got. */
static const char *last_line(const struct arena *a, int seat)
{
    static char line[LINE_MAX_BYTES];
    const struct buf *said = &a->said[seat];
    size_t at = said->len - 1;

    while (at > 0 && said->text[at - 1] != '\n')
        at--;
    snprintf(line, sizeof line, "%.*s", (int)(said->len - at - 1),
             said->text + at);
    return line;
}

/* Several games on one talk. */

Test(match, a_second_game_is_not_greeted)
{
    struct arena a;

    open_axiom(&a, "none");
    arena_begin(&a);
    arena_answer(&a, 0, "resign");
    buf_reset(&a.said[0]);
    arena_again(&a);
    cr_expect_null(strstr(a.said[0].text, "list_commands"));
    cr_expect(strncmp(a.said[0].text, "8 new_game axiom ", 17) == 0, "%s",
              a.said[0].text);
    arena_answer(&a, 0, black);
    cr_expect_eq(a.asked, SEAT(1));
    arena_close(&a);
}

Test(match, what_is_still_due_from_the_game_before_means_nothing)
{
    struct arena a;
    enum why why;

    open_axiom(&a, "move:1s");
    a.lists[0] = "game_over";
    arena_begin(&a);
    a.strangers = true;
    pass(&a, SECOND + 1);
    arena_tick(&a);
    cr_assert(arena_has_left(&a, 0, WHY_TIME));
    cr_assert(match_is_over(a.match));

    /* It owes genmove and game_over, and is asked for a new game. */
    arena_again(&a);
    arena_say(&a, 0, "=6 nonsense");
    arena_say(&a, 0, "?7 what?");
    arena_say(&a, 0, "# a note between the games");
    arena_say(&a, 0, "");
    cr_expect_not(match_has_left(a.match, 0, &why));
    arena_say(&a, 0, "=8");
    arena_say(&a, 1, "=");
    cr_expect_str_eq(last_line(&a, 0), "9 genmove 1");
    arena_say(&a, 0, "=9 S-1,0,2U/0,0,2U");
    cr_expect_eq(match_moves(a.match), 1);
    cr_expect_null(strstr(a.record.text, "what?"));
    arena_close(&a);
}

Test(match, a_late_answer_of_the_game_before_is_no_answer_to_new_game)
{
    struct arena a;

    open_axiom(&a, "none");
    arena_begin(&a);
    a.strangers = true;
    arena_void(&a, "test");
    arena_again(&a);
    arena_say(&a, 1, "=6");
    arena_say(&a, 0, "? I was not ready");
    cr_expect_eq(a.match->phase, STARTING, "that was the genmove of before");
    arena_say(&a, 0, "=");
    cr_expect_eq(a.match->phase, PLAYING);
    arena_close(&a);
}

Test(match, one_note_more_than_the_limit_is_a_flood)
{
    struct arena a;
    enum why why;

    open_axiom(&a, "none");
    arena_begin(&a);
    for (int i = 0; i < TALK_NOTES_MAX; i++)
        arena_say(&a, 0, "# hm");
    cr_expect_not(match_has_left(a.match, 0, &why));
    arena_say(&a, 0, "# hm");
    cr_expect(arena_has_left(&a, 0, WHY_FLOOD));
    arena_close(&a);
}

Test(match, notes_count_anew_in_every_game)
{
    struct arena a;
    enum why why;

    open_axiom(&a, "none");
    arena_begin(&a);
    for (int game = 0; game < 3; game++) {
        for (int i = 0; i < TALK_NOTES_MAX; i++)
            arena_say(&a, 0, "# hm");
        cr_expect_not(match_has_left(a.match, 0, &why));
        arena_answer(&a, 0, "resign");
        arena_again(&a);
    }
    arena_close(&a);
}

Test(match, who_is_ready_too_late_is_told_nothing_but_the_end)
{
    struct arena a;

    open_axiom(&a, "none");
    a.lists[1] = "ponder play game_over";
    a.unread[1] = true;
    arena_begin(&a);
    pass(&a, a.config.start_us);
    arena_tick(&a);
    cr_assert(arena_has_left(&a, 1, WHY_START));
    a.unread[1] = false;
    arena_pump(&a);
    cr_expect(strncmp(last_line(&a, 1), "5 new_game ", 11) == 0);
    arena_answer(&a, 0, black);
    cr_expect(match_is_over(a.match));
    cr_expect(strncmp(last_line(&a, 1), "6 game_over ", 12) == 0);
    cr_expect_null(strstr(a.said[1].text, " play "));
    arena_close(&a);
}

/* A connection that breaks, and is there again. */

static void go_away(struct arena *a, int seat)
{
    match_away(a->match, seat);
    a->asked &= ~SEAT(seat);
}

static void come_back(struct arena *a, int seat)
{
    talk_release(&a->talk[seat]);
    talk_init(&a->talk[seat]);
    a->ids[seat] = 0;
    buf_reset(&a->said[seat]);
    match_back(a->match, seat, a->stamp.now_us);
    arena_pump(a);
}

Test(match, who_was_away_is_told_all_anew_and_its_clock_has_run_on)
{
    struct arena a;

    open_axiom(&a, "bank:10s");
    a.lists[0] = "play time_left";
    a.config.retries = 1;
    arena_begin(&a);
    arena_answer(&a, 0, black);
    arena_answer(&a, 1, white);
    pass(&a, 2 * SECOND);
    arena_answer(&a, 0, "nonsense");
    go_away(&a, 0);
    pass(&a, 3 * SECOND);
    come_back(&a, 0);
    cr_expect_not_null(strstr(a.said[0].text, " resume=yes\n"));
    cr_expect_not_null(strstr(a.said[0].text, "6 play 1 S-1,0,2U/0,0,2U\n"
                                              "7 play 2 S-1,1,2U/0,1,2U\n"
                                              "8 time_left 1 10000\n"
                                              "9 time_left 2 10000\n"
                                              "10 genmove 1\n"));
    pass(&a, SECOND);
    arena_answer(&a, 0, "S0,0,2U/-1,0,2U");
    cr_expect(arena_recorded(&a, "@- clock 1 4000000 used=6000000 lag=0"));

    /* What was answered before it was away counts, and is not asked again. */
    go_away(&a, 0);
    come_back(&a, 0);
    cr_expect_eq(a.asked, SEAT(1));
    arena_close(&a);
}

Test(match, who_returns_is_told_only_what_it_now_asks_for)
{
    struct arena a;

    open_axiom(&a, "none");
    a.lists[0] = "ponder play leave";
    arena_begin(&a);
    arena_answer(&a, 0, black);
    go_away(&a, 0);
    a.lists[0] = "";
    come_back(&a, 0);
    arena_answer(&a, 1, white);
    cr_expect_eq(a.asked, SEAT(0));
    cr_expect_null(strstr(a.said[0].text, " play "));
    arena_close(&a);
}

Test(match, retries_go_on_for_who_was_away)
{
    struct arena a;

    open_axiom(&a, "none");
    a.config.retries = 1;
    arena_begin(&a);
    arena_answer(&a, 0, "nonsense");
    go_away(&a, 0);
    come_back(&a, 0);
    arena_answer(&a, 0, "nonsense");
    cr_expect(arena_has_left(&a, 0, WHY_ILLEGAL));
    arena_close(&a);
}

Test(match, who_is_asked_while_away_has_a_clock)
{
    struct arena a;

    open_axiom(&a, "move:1s");
    a.lists[1] = "ponder play";
    arena_begin(&a);
    go_away(&a, 1);
    arena_answer(&a, 0, black);
    cr_expect_eq(match_deadline(a.match), SECOND + 1, "from when it is asked");
    pass(&a, SECOND / 2);
    come_back(&a, 1);
    cr_expect_eq(a.asked, SEAT(1));
    pass(&a, SECOND / 4);
    arena_answer(&a, 1, white);
    cr_expect(arena_recorded(&a, "@- clock 2 1000000 used=750000 lag=0"));
    arena_close(&a);
}

/* Or a bot would think for free for as long as it leaves its input unread. */
Test(match, who_does_not_read_has_a_clock)
{
    struct arena a;

    open_axiom(&a, "move:1s");
    arena_begin(&a);
    a.unread[1] = true;
    arena_answer(&a, 0, black);
    match_sent(a.match, 1, &a.stamp); /* of which there was room for a part */
    pass(&a, SECOND / 2);
    a.unread[1] = false;
    arena_pump(&a);
    cr_expect_eq(match_deadline(a.match), SECOND + 1);
    pass(&a, SECOND / 4);
    arena_answer(&a, 1, white);
    cr_expect(arena_recorded(&a, "@- clock 2 1000000 used=750000 lag=0"));
    arena_close(&a);
}

/* Nor what the referee needs to notice that there is room again. */
Test(match, what_waits_for_the_referee_is_not_charged)
{
    struct arena a;

    open_axiom(&a, "move:1s");
    arena_begin(&a);
    arena_answer(&a, 0, black);
    pass(&a, SECOND / 2);
    a.stamp.lag_us = SECOND / 8;
    match_waited(a.match, 1, &a.stamp);
    cr_expect_eq(match_deadline(a.match), SECOND + SECOND / 8 + 1);
    a.stamp.lag_us = 9 * SECOND;
    match_waited(a.match, 1, &a.stamp);
    cr_expect_eq(match_deadline(a.match), SECOND + SECOND / 2 + 1,
                 "no clock starts in the future");
    a.stamp.lag_us = 0;
    arena_close(&a);
}

/* Clocks. */

Test(match, an_answer_at_the_limit_is_in_time)
{
    struct arena a;

    open_axiom(&a, "move:1s");
    arena_begin(&a);
    pass(&a, SECOND);
    cr_expect_eq(match_late(a.match, a.stamp.now_us), 0);
    cr_expect_eq(match_deadline(a.match), a.stamp.now_us + 1);
    arena_tick(&a);
    arena_answer(&a, 0, black);
    cr_expect_eq(match_moves(a.match), 1);

    pass(&a, SECOND + 1);
    cr_expect_eq(match_late(a.match, a.stamp.now_us), SEAT(1));
    arena_answer(&a, 1, white);
    cr_expect(arena_has_left(&a, 1, WHY_TIME), "one microsecond is too much");
    cr_expect_str_eq(match_detail(a.match, 1),
                     "did not answer in time: it took 1000.001 ms of 1000.000");
    arena_close(&a);
}

Test(match, lag_is_never_charged)
{
    struct arena a;

    open_axiom(&a, "bank:1s");
    arena_begin(&a);
    pass(&a, 7 * SECOND);
    a.stamp.lag_us = 6 * SECOND;
    arena_answer(&a, 0, black);
    cr_expect(arena_recorded(&a, "@- clock 1 0 used=1000000 lag=6000000"));
    pass(&a, SECOND / 2);
    a.stamp.lag_us = 9 * SECOND;
    arena_answer(&a, 1, white);
    cr_expect(arena_recorded(&a, "@- clock 2 1000000 used=0 lag=9000000"));
    arena_close(&a);
}

Test(match, an_hourglass_gives_to_the_others_only)
{
    struct arena a;

    open_axiom(&a, "hourglass:10s");
    arena_begin(&a);
    pass(&a, 2 * SECOND);
    arena_answer(&a, 0, black);
    cr_expect(arena_recorded(&a, "@- clock 1 8000000 used=2000000 lag=0"));
    cr_expect(arena_recorded(&a, "@- clock 2 12000000 used=0 lag=0"));
    arena_close(&a);
}

Test(match, travel_is_never_charged)
{
    struct arena a;

    open_axiom(&a, "bank:1s");
    arena_begin(&a);
    pass(&a, 1200000);
    a.stamp.travel_us = 300000;
    arena_answer(&a, 0, black);
    cr_expect(arena_recorded(
        &a, "@- clock 1 100000 used=900000 lag=0 travel=300000"));
    pass(&a, 1000);
    a.stamp.lag_us = 200;
    arena_answer(&a, 1, white);
    cr_expect(
        arena_recorded(&a, "@- clock 2 1000000 used=0 lag=200 travel=300000"));
    arena_close(&a);
}

Test(match, an_answer_that_may_be_on_its_way_is_awaited)
{
    struct arena a;

    open_axiom(&a, "move:1s");
    arena_begin(&a);
    pass(&a, SECOND + 1);
    cr_expect_eq(match_late(a.match, a.stamp.now_us), SEAT(0));
    match_allow(a.match, 0, 300000);
    cr_expect_eq(match_late(a.match, a.stamp.now_us), 0);
    cr_expect_eq(match_deadline(a.match), a.stamp.now_us + 300000);
    arena_tick(&a);
    pass(&a, 299999);
    a.stamp.travel_us = 300000;
    arena_answer(&a, 0, black);
    cr_expect_eq(match_moves(a.match), 1);
    pass(&a, SECOND + 1);
    cr_expect_eq(match_late(a.match, a.stamp.now_us), SEAT(1),
                 "what was allowed to one move or seat is not another's");
    match_allow(a.match, 1, 300000);
    pass(&a, 300000);
    arena_tick(&a);
    cr_expect(arena_has_left(&a, 1, WHY_TIME));
    arena_close(&a);
}

Test(match, a_cpu_clock_counts_only_cpu_time_of_the_own_turn)
{
    struct arena a;

    open_axiom(&a, "bank:1s,cpu");
    a.lists[0] = "time_settings time_left";
    cr_assert(a.config.time[0].cpu);
    a.stamp.cpu_us = 5 * SECOND;
    arena_begin(&a);
    cr_expect(match_counts_cpu(a.match, 0));
    cr_expect_not_null(strstr(a.said[0].text, " bank 1000 clock=cpu\n"));

    pass(&a, 3 * SECOND);
    a.stamp.cpu_us += 900000;
    arena_answer(&a, 0, black);
    cr_expect(arena_recorded(&a, "@- clock 1 100000 used=900000 lag=0"));

    /* What seat 1 burns now is its own affair. */
    a.stamp.cpu_us += 1000000;
    pass(&a, 1000);
    arena_answer(&a, 1, white);
    cr_expect(arena_recorded(&a, "@- clock 2 0 used=1000000 lag=0"));
    cr_expect_not_null(strstr(a.said[0].text, " time_left 1 100\n"));

    /* Four threads: more CPU time than the wall saw. */
    pass(&a, 50000);
    a.stamp.cpu_us += 100001;
    arena_answer(&a, 0, "S0,0,2U/-1,0,2U");
    cr_expect(arena_has_left(&a, 0, WHY_TIME));
    arena_close(&a);
}

Test(match, a_cpu_clock_has_a_wall_behind_it)
{
    struct arena a;

    open_axiom(&a, "move:1s,cpu");
    a.config.lenience_us = 70;
    arena_begin(&a);
    cr_expect_eq(match_deadline(a.match), 14 * SECOND + 71);
    pass(&a, 14 * SECOND + 70);
    arena_tick(&a);
    cr_expect_eq(a.asked, SEAT(0));
    pass(&a, 1);
    arena_tick(&a);
    cr_expect(arena_has_left(&a, 0, WHY_TIME));
    cr_expect_str_eq(match_detail(a.match, 0),
                     "did not answer in time: no move after 14000.070 ms");
    arena_close(&a);
}

Test(match, deadlines)
{
    struct arena a;

    open_axiom(&a, "move:1s");
    a.config.time[1].system = TIME_NONE;
    a.config.lenience_us = 5;
    a.unread[0] = a.unread[1] = true;
    a.stamp.now_us = 1000;
    arena_begin(&a);
    cr_expect_eq(match_deadline(a.match), 1000 + a.config.start_us);
    cr_expect_eq(match_late(a.match, 999), 0);
    cr_expect_eq(match_late(a.match, 1000 + a.config.start_us), SEATS(2));
    a.unread[0] = a.unread[1] = false;
    arena_pump(&a);

    /* Sent at once, ... */
    cr_expect_eq(match_deadline(a.match), 1000 + SECOND + 5 + 1);
    a.unread[1] = true;
    arena_answer(&a, 0, black);
    /* ... not tried yet: from when it was asked, ... */
    cr_expect_eq(match_deadline(a.match), 1000 + a.config.none_us + 5 + 1);
    pass(&a, 300);
    a.unread[1] = false;
    arena_pump(&a);
    /* ... sent a little later. */
    cr_expect_eq(match_deadline(a.match), 1300 + a.config.none_us + 5 + 1);
    arena_answer(&a, 1, "resign");
    cr_expect_eq(match_deadline(a.match), NEVER);
    cr_expect_eq(match_late(a.match, NEVER - 1), 0);
    arena_close(&a);
}

Test(match, a_tick_before_the_deadline_changes_nothing)
{
    struct arena a;

    open_axiom(&a, "move:1s");
    arena_begin(&a);
    for (int i = 0; i < 10; i++, pass(&a, SECOND / 10))
        arena_tick(&a);
    arena_answer(&a, 0, black);
    cr_expect_eq(match_moves(a.match), 1);
    cr_expect_eq(match_move_times(a.match, 0)->last_us, SECOND);
    cr_expect_eq(match_move_times(a.match, 0)->moves, 1);
    arena_close(&a);
}

Test(match, all_are_late_at_once)
{
    static const struct setup six = {.seats = 6};
    struct arena a;
    struct err err;

    arena_open(&a, game_find("second-chance"), &six, 3);
    for (int i = 0; i < 6; i++)
        cr_assert(time_control_parse("move:1s", &a.config.time[i], &err));
    arena_begin(&a);
    cr_expect_eq(a.asked, SEATS(6));
    pass(&a, SECOND + 1);
    arena_tick(&a);
    cr_assert(match_is_over(a.match));
    for (int i = 0; i < 6; i++) {
        cr_expect(arena_has_left(&a, i, WHY_TIME));
        cr_expect_eq(match_result(a.match)->rank[i], 1);
    }
    arena_close(&a);
}

/* A talk goes on over many games, and its ids count up. */
Test(match, an_id_of_ten_digits_is_answered)
{
    struct arena a;
    char line[80];

    open_axiom(&a, "move:1s");
    a.talk[0].next_id = 999999999;
    a.ids[0] = a.talk[0].next_id - 1;
    arena_begin(&a);
    cr_assert_gt(a.ids[0], 1000000000);
    snprintf(line, sizeof line, "=%u %s", (unsigned)a.ids[0], black);
    arena_say(&a, 0, line);
    arena_say(&a, 0, "");
    cr_expect_eq(match_broken(a.match), 0);
    cr_expect_eq(match_moves(a.match), 1);
    arena_close(&a);
}

/* Games that are void. */

Test(match, a_void_game_hears_nothing)
{
    struct arena a;
    struct result result;

    open_axiom(&a, "move:1s");
    a.lists[0] = "rejected game_over";
    arena_begin(&a);
    arena_void(&a, "disk");
    cr_expect(match_is_over(a.match) && match_is_void(a.match));
    cr_expect_str_eq(last_line(&a, 0), "7 game_over void reason=disk");
    a.strangers = true;
    arena_say(&a, 0, "= nonsense");
    arena_say(&a, 1, "nonsense");
    arena_say(&a, 0, "# note");
    pass(&a, 100 * SECOND);
    cr_expect_eq(match_deadline(a.match), NEVER);
    cr_expect_eq(match_late(a.match, a.stamp.now_us), 0);
    arena_tick(&a);
    arena_gone(&a, 1, WHY_EXIT);
    arena_void(&a, "again");
    cr_expect_str_eq(last_line(&a, 0), "7 game_over void reason=disk");
    cr_expect_eq(replayed(&a, &result), REPLAY_VOID);
    arena_close(&a);
}

static struct setup least(const struct game *game)
{
    return (struct setup){.seats = game->min_seats};
}

Test(match, a_game_void_before_its_start_replays)
{
    for (size_t g = 0; g < game_count(); g++) {
        struct setup setup = least(game_at(g));
        struct arena a;
        struct result result;

        arena_open(&a, game_at(g), &setup, 1);
        a.unread[0] = true;
        arena_begin(&a);
        arena_void(&a, "host");
        cr_expect_eq(replayed(&a, &result), REPLAY_VOID, "%s",
                     game_at(g)->name);
        arena_close(&a);
    }
}

/* Any match: its record replays, and says what the match says. */

ParameterizedTestParameters(match, every_record_replays)
{
    static struct which all[WHICH_MAX];

    return cr_make_param_array(struct which, all, which_games(0, all));
}

struct chaos {
    struct arena a;
    struct rng rng;
};

static uint32_t draw(struct chaos *c, uint32_t k)
{
    return rng_uniform(&c->rng, k);
}

static bool one_in(struct chaos *c, uint32_t k)
{
    return draw(c, k) == 0;
}

static void answer(struct chaos *c, int seat)
{
    char text[MOVE_TEXT_MAX + 1];

    arena_legal(&c->a, seat, draw(c, UINT32_MAX), text);
    if (one_in(c, 25))
        strcpy(text, "nonsense");
    if (one_in(c, 200))
        strcpy(text, "resign");
    if (one_in(c, 20))
        arena_say(&c->a, seat, "# thinking, \xc3\xa9");
    arena_answer(&c->a, seat, text);
}

/* Something happens to one of the seats. */
static void anything(struct chaos *c)
{
    struct arena *a = &c->a;
    int seat = (int)draw(c, (uint32_t)a->config.setup.seats);

    pass(a, draw(c, SECOND / 3));
    if (match_deadline(a->match) <= a->stamp.now_us) {
        a->asked &= ~match_late(a->match, a->stamp.now_us);
        arena_tick(a);
    } else if (one_in(c, 400)) {
        arena_gone(a, seat, WHY_EXIT);
    } else if (one_in(c, 400)) {
        arena_say(a, seat, "");
        arena_say(a, seat, "stray");
        a->asked &= ~SEAT(seat);
    } else if (a->asked & SEAT(seat)) {
        answer(c, seat);
    }
}

static void check_result(const struct arena *a)
{
    struct result result;
    const struct result *mine = match_result(a->match);

    cr_assert_eq(replayed(a, &result), REPLAY_FINISHED);
    for (int i = 0; i < a->config.setup.seats; i++) {
        cr_expect_eq(result.rank[i], mine->rank[i]);
        cr_expect_eq(result.score[i], mine->score[i]);
    }
    cr_expect_str_eq(result.reason, mine->reason);
}

ParameterizedTest(struct which *which, match, every_record_replays)
{
    static const char *const controls[] = {"hourglass:20s", "none",
                                           "byoyomi:3s+5x300ms", "move:2s"};
    const struct game *game = game_at((size_t)which->game);
    struct setup setup = {.seats = which->seats};

    for (uint32_t i = 0; i < 150; i++) {
        struct chaos c;
        struct err err;

        arena_open(&c.a, game, &setup, i);
        rng_seed(&c.rng, c.a.seed);
        c.a.config.retries = 2;
        for (int s = 0; s < setup.seats; s++)
            cr_assert(
                time_control_parse(controls[i % 4], &c.a.config.time[s], &err));
        arena_begin(&c.a);
        while (!match_is_over(c.a.match))
            anything(&c);
        check_result(&c.a);
        arena_close(&c.a);
    }
}

/* A program that exits between games is started anew: the game is no game. */
Test(match, a_bot_on_its_way_out_spoils_only_the_start)
{
    struct arena a;

    open_axiom(&a, "none");
    a.config.restarts = true;
    arena_begin(&a);
    arena_answer(&a, 0, "resign");
    a.strangers = true;
    arena_again(&a);
    arena_gone(&a, 1, WHY_EXIT);
    cr_assert(match_is_over(a.match) && match_is_spoiled(a.match));
    arena_close(&a);
}

/* Who has failed already cannot undo that by leaving. */
Test(match, a_fault_at_the_start_is_not_undone_by_an_exit)
{
    struct arena a;

    open_axiom(&a, "none");
    a.config.restarts = true;
    arena_begin(&a);
    arena_answer(&a, 0, "resign");
    a.strangers = true;
    arena_again(&a);
    arena_say(&a, 1, "=99999 rubbish");
    arena_gone(&a, 1, WHY_EXIT);
    cr_assert_not(match_is_spoiled(a.match));
    cr_assert(arena_has_left(&a, 1, WHY_PROTOCOL));
    arena_close(&a);
}
