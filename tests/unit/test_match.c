/*
 * The match, where a written talk cannot say it: several games on one talk,
 * CPU time, deadlines, bots that do not read, lists that are too long, games
 * that are void, and thousands of random matches whose records must replay.
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

static bool has_left(const struct arena *a, int seat, enum why why)
{
    enum why found;

    return match_has_left(a->match, seat, &found) && found == why;
}

static bool recorded(const struct arena *a, const char *line)
{
    char text[300];

    snprintf(text, sizeof text, "\n%s\n", line);
    return strstr(a->record.text, text) != NULL;
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
    cr_assert(has_left(&a, 0, WHY_TIME));
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
    cr_assert(has_left(&a, 1, WHY_START));
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
    cr_expect(recorded(&a, "@- clock 1 4000000 used=6000000 lag=0"));

    /* What was answered before it was away counts, and is not asked again. */
    go_away(&a, 0);
    come_back(&a, 0);
    cr_expect_eq(a.asked, SEAT(1));
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
    cr_expect(has_left(&a, 0, WHY_ILLEGAL));
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
    cr_expect_eq(match_deadline(a.match), 2 * SECOND + 1);
    pass(&a, SECOND / 2);
    come_back(&a, 1);
    cr_expect_eq(a.asked, SEAT(1));
    pass(&a, SECOND);
    arena_answer(&a, 1, white);
    cr_expect(recorded(&a, "@- clock 2 1000000 used=1000000 lag=0"));
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
    cr_expect(has_left(&a, 1, WHY_TIME), "one microsecond is too much");
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
    cr_expect(recorded(&a, "@- clock 1 0 used=1000000 lag=6000000"));
    pass(&a, SECOND / 2);
    a.stamp.lag_us = 9 * SECOND;
    arena_answer(&a, 1, white);
    cr_expect(recorded(&a, "@- clock 2 1000000 used=0 lag=9000000"));
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
    cr_expect(recorded(&a, "@- clock 1 100000 used=900000 lag=0"));

    /* What seat 1 burns now is its own affair. */
    a.stamp.cpu_us += 1000000;
    pass(&a, 1000);
    arena_answer(&a, 1, white);
    cr_expect(recorded(&a, "@- clock 2 0 used=1000000 lag=0"));
    cr_expect_not_null(strstr(a.said[0].text, " time_left 1 100\n"));

    /* Four threads: more CPU time than the wall saw. */
    pass(&a, 50000);
    a.stamp.cpu_us += 100001;
    arena_answer(&a, 0, "S0,0,2U/-1,0,2U");
    cr_expect(has_left(&a, 0, WHY_TIME));
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
    cr_expect(has_left(&a, 0, WHY_TIME));
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
    /* ... not sent: from a second after the first try, ... */
    cr_expect_eq(match_deadline(a.match),
                 1000 + SECOND + a.config.none_us + 5 + 1);
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
    cr_expect_eq(match_pace(a.match, 0)->last_us, SECOND);
    cr_expect_eq(match_pace(a.match, 0)->moves, 1);
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
        cr_expect(has_left(&a, i, WHY_TIME));
        cr_expect_eq(match_result(a.match)->rank[i], 1);
    }
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
    cr_expect_eq(replayed(&a, &result), VOID);
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
        cr_expect_eq(replayed(&a, &result), VOID, "%s", game_at(g)->name);
        arena_close(&a);
    }
}

/*
 * Crowd: a game with far too many moves, and as many events as one likes. A
 * move is a number of 60 digits; seat 1 makes all moves but the last one.
 */

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
    {0              },
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
    cr_expect(has_left(&a, 0, WHY_INPUT));
    cr_expect_str_eq(match_detail(a.match, 0), fault_text(FAULT_STUCK));
    cr_expect(recorded(&a, "leave 1 input"));
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
    cr_expect(recorded(&a, "leave 2 input"));
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

/* Any match: its record replays, and says what the match says. */

struct which {
    int game, seats;
};

ParameterizedTestParameters(match, every_record_replays)
{
    static struct which all[64];
    size_t n = 0;

    for (size_t g = 0; g < game_count(); g++)
        for (int s = game_at(g)->min_seats; s <= game_at(g)->max_seats; s++)
            all[n++] = (struct which){(int)g, s};
    return cr_make_param_array(struct which, all, n);
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

    cr_assert_eq(replayed(a, &result), FINISHED);
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
