/* Rondo: laying and passing, texts, views, chance, drawings. */

#include "rondo_table.h"

/* The sheet's pictures and the table of acceptance. */

/* Seat 1 gets P B Y, seat 2 R G G G, seat 3 R P G B, then stones as due. */
static void begin_pictures(void)
{
    begin(3, "blue", "PB RG RP YY GG GB");
    play_all("pass pass pass");
}

Test(rondo, picture_1_chain_of_three)
{
    begin_pictures();
    play("a2:1,b6:1,b7:1");
    TOLD("play 1 a2:1,b6:1,b7:1|score 1 6 6|@1 draw 1 R|@2,3,w draw 1 ?");
}

Test(rondo, pictures_2_and_3_forks)
{
    begin_pictures();
    play_all("a2:1,b6:1,b7:1 pass");
    refuses("a1:1,b1:1,b20:1,b2:1",
            "b2 does not touch b20: each step must touch the previous one");
    refuses("a1:1,b1:1,b2:1,b20:1", "b20 does not touch b2");
    cr_assert(accepts("a1:1,b1:1,b20:1,c8:1"));
    play("a1:1,b1:1,b2:1");
    SEES(AUDIENCE_PUBLIC, "score", "6,0,7");
}

Test(rondo, picture_2_stone_a_on_position_c)
{
    begin_pictures();
    play_all("a2:1,b6:1,b7:1 pass a1:1,b1:1,b20:1,c8:1");
    SEES(AUDIENCE_PUBLIC, "score", "6,0,7");
}

Test(rondo, picture_4_bridge)
{
    begin_pictures();
    play_all("a2:1,b6:1,b7:1 pass a1:1,b1:1,b2:1 pass c1:xR,d1:3");
    SEES(AUDIENCE_PUBLIC, "score", "6,15,7");
    SEES(1, "stones", "a1:1,a2:1,b1:1,b2:1,b6:1,b7:1,c1:xR,d1:3");
    SEES(0, "stones", "a1:1,a2:1,b1:1,b2:1,b6:1,b7:1,c1:x,d1:3");
}

Test(rondo, stack_of_two_scores_twice)
{
    begin(2, "blue", "PP RR BG");
    play_all("pass pass a2:2,b6:1,b5:1");
    SEES(AUDIENCE_PUBLIC, "score", "8,0");
}

Test(rondo, refuses_on_the_empty_board)
{
    begin(2, "blue", "RP RR");
    refuses("b1:1", "b1 touches neither a stone nor the centre");
    refuses("a1:1,a2:1", "a2 does not touch a1");
    refuses("m:1", "m is the centre, which takes no stones");
    refuses("a1:1,a1:xB", "a1 appears twice");
}

/* Passing. */

Test(rondo, pass_draws_two_up_to_three_stones)
{
    begin(2, "blue", "RP GB YY");
    play("pass");
    TOLD("play 1 pass|@1 draw 1 YY|@2,w draw 1 ??");
    play("a1:xG,b1:xB"); /* seat 2 goes on with one stone */
    SEES(AUDIENCE_PUBLIC, "rack", "4,1");
    play_all("a2:1 pass");
    SEES(AUDIENCE_PUBLIC, "rack", "4,3");
    play_all("a4:1 pass");
    SEES(AUDIENCE_PUBLIC, "rack", "4,5");
}

Test(rondo, pass_draws_one_with_four_and_is_refused_with_five)
{
    begin(2, "blue", "RP GB YY RR P");
    play_all("pass pass");
    play("pass");
    TOLD("play 1 pass|@1 draw 1 P|@2,w draw 1 ?");
    play("pass");
    SEES(AUDIENCE_PUBLIC, "rack", "5,5");
    refuses("pass", "you hold 5 stones: lay at least one");
    cr_assert(strncmp(list(), "pass", 4) != 0);
}

/* Laying. */

Test(rondo, face_down_may_be_own_colour_last_and_only)
{
    begin(2, "blue", "RP GB");
    play("a1:xR");
    TOLD("@1 play 1 a1:xR|@2,w play 1 a1:x|score 1 0 0|"
         "@1 draw 1 R|@2,w draw 1 ?");
    play("a2:xG,b6:xB");
    TOLD("@2 play 2 a2:xG,b6:xB|@1,w play 2 a2:x,b6:x|score 2 0 0|"
         "@2 draw 2 P|@1,w draw 2 ?");
}

Test(rondo, covered_fields_are_closed)
{
    begin(2, "blue", "RP RR");
    play("a1:xP");
    refuses("a1:1", "a1 is covered: each step needs an empty field");
    refuses("a1:xR", "a1 is covered");
}

/* Along the ring to b5, which touches the covered b6, and off to c2. */
Test(rondo, a_chain_may_bend_and_pass_beside_covered_fields)
{
    begin(2, "blue", "RRRRRRRRRRRR");
    play_all("pass pass a1:1,b1:xR a2:xR,b6:xR pass pass");
    play("b2:xR,b3:1,b4:xR,b5:xR,c2:xR");
    SEES(AUDIENCE_PUBLIC, "score", "5,0");
}

Test(rondo, a_first_step_may_touch_any_stone)
{
    begin(2, "blue", "RP PR");
    play_all("a1:1,b1:1 b2:xP");
    SEES(AUDIENCE_PUBLIC, "stones", "a1:1,b1:1,b2:x");
}

Test(rondo, counts_and_steps_use_up_the_rack)
{
    begin(2, "blue", "RR PP RR PP R P");
    play_all("pass pass pass pass");
    refuses("a1:3,b1:xR,b2:xR,b3:xR", "b3:xR needs 1 of colour R");
    refuses("a1:5,b1:xR", "b1:xR needs 1 of colour R: your rack has 0 for it");
    refuses("a1:5,b1:1", "b1:1 needs 1 of colour P: your rack has 0 for it");
    play("a1:1,b1:xR,b2:xR,b3:2");
    SEES(AUDIENCE_PUBLIC, "score", "8,0");
    SEES(AUDIENCE_PUBLIC, "rack", "1,5");
}

Test(rondo, five_steps_are_the_longest_chain)
{
    begin(2, "blue", "RR PP RR PP R P");
    play_all("pass pass pass pass");
    refuses("a1:1,b1:xR,b2:xR,b3:xR,b4:xR,b5:xR", "at most 5 steps");
    play("a1:xR,b1:xR,b2:xR,b3:1,b4:xR");
    SEES(AUDIENCE_PUBLIC, "score", "3,0");
    SEES(AUDIENCE_PUBLIC, "rack", "1,5");
}

/* Refusals: each check over the whole move before the next. */

Test(rondo, refuses_bad_syntax)
{
    static const char *const bad[] = {
        "Pass",    "pass,a1:1", "a1",     "a1:",      ":1",    "a1:0",
        "a1:6",    "a1:01",     "a1:-1",  "a1:+1",    "a1:11", "a1:xr",
        "a1:X",    "a1:XR",     "a1:xRR", "a1:xW",    "A1:1",  "a01:1",
        "a00:1",   "a100:1",    "1:1",    "a1:1,",    ",a1:1", "a1:1,,b1:1",
        "a1:1;b1", "a1:1.",     "a1:xR2", "a1:1,b1",  "a-1:1", "aa1:1",
        "a1:x1",   "a1::1",     "a1=1",   "a1:1b1:1", "a1:R",  "pass1",
    };

    begin(2, "blue", "RP RR");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses(bad[i], "step ");
    refuses("c1:x", "a stone face down needs its colour, one of R P G B Y");
    refuses("a1:1,b1:x", "step 2, \"b1:x\": a stone face down needs");
    refuses("a1:6", "write the number of open stones, 1 to 5");
    refuses("a1:1x", "nothing may follow a1:1");
    refuses("", "a move is missing");
    refuses("a1:1 b1:1", "one word");
}

/*
 * Syntax, unknown field, field not empty, first field, next field, stones:
 * most of these moves break a later rule in an earlier step.
 */
Test(rondo, refuses_in_the_fixed_order)
{
    static const struct {
        const char *move, *want;
    } cases[] = {
        {"b1:1,f9:1,a3:x", "a stone face down needs"},
        {"a3:1,a3:1,a3:1,a3:1,a3:1,a3:1", "at most 5 steps"},
        {"a3:1,b1:1,f9:1", "board blue has no field f9"},
        {"a3:1,a:1", "no field a"},
        {"b1:1,e41:xR", "no field e41"},
        {"b1:1,m:1", "m is the centre"},
        {"a3:1,m1:1", "no field m1"},
        {"b1:1,a3:1", "a3 is covered"},
        {"b1:1,e1:1,b1:1", "b1 appears twice"},
        {"b1:5,e1:5", "b1 touches neither"},
        {"a1:5,b1:5,e1:5", "e1 does not touch b1"},
        {"a1:5,a2:1", "a2 does not touch a1"},
        {"a1:1,m0:1", "no field m0"},
        {"a1:1,b1:2", "b1:2 needs 2 of colour P: your rack has 1"},
        {"a1:2,b1:2", "a1:2 needs 2 of colour R: your rack has 1"},
        {"a1:xB", "a1:xB needs 1 of colour B: your rack has 0"},
    };

    begin(2, "blue", "BB RP");
    play("a3:1");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuses(cases[i].move, cases[i].want);
}

Test(rondo, refuses_who_is_not_to_move)
{
    struct err err = {0};
    struct move move;

    begin(2, "blue", "BB RP");
    cr_assert_not(game_parse(game, state, 1, "pass", &move, &err));
    cr_assert_str_eq(err.text, "seat 2 does not owe a move now");
    leave(SEAT(0));
    cr_assert_not(game_parse(game, state, 1, "pass", &move, &err));
    cr_assert_str_eq(err.text, "the game is over");
}

/* The list. */

Test(rondo, lists_in_the_fixed_order)
{
    begin(2, "blue", "PY RR");
    cr_assert_str_eq(
        list(), "pass "
                "a1:xP a1:xY a2:1 a2:xP a2:xY a3:xP a3:xY a4:1 a4:xP a4:xY "
                "a1:xP,b1:xY a1:xY,b1:1 a1:xY,b1:xP "
                "a2:1,b6:xY a2:xP,b6:xY a2:xY,b6:xP "
                "a3:xP,b11:1 a3:xP,b11:xY a3:xY,b11:xP "
                "a4:1,b16:xP a4:xP,b16:xY a4:xY,b16:xP");
}

Test(rondo, lists_alike_stones_once)
{
    begin(2, ONE, "RR PP");
    cr_assert_str_eq(list(), "pass a1:1 a1:2 a1:xR");
}

Test(rondo, lists_in_the_order_of_the_file)
{
    begin(2,
          "rondo-board,1;name,odd;centre,m;link,m,a1;link,z9,m;link,a1,c5;"
          "field,z9,B,1;field,c5,R,1,grey;field,a1,P,1",
          "PR YY");
    cr_assert_str_eq(list(), "pass z9:xR z9:xP a1:1 a1:xR a1:xP "
                             "a1:1,c5:1 a1:1,c5:xR a1:xR,c5:xP "
                             "a1:xP,c5:1 a1:xP,c5:xR");
}

/* A move names slots: equal texts are equal moves, the lowest slots first. */
Test(rondo, parse_returns_what_list_lists)
{
    struct moves moves = {0};
    struct err err;
    struct move move;

    begin(2, "red", "RG PP RR PP G");
    play_all("pass pass pass pass");
    game->list(state, 0, &moves);
    cr_assert_gt(moves.count, 100);
    for (size_t i = 0; i < moves.count; i++) {
        buf_reset(&text);
        game->format(state, 0, &moves.move[i], &text);
        cr_assert(game_parse(game, state, 0, text.text, &move, &err));
        cr_assert(same_move(&move, &moves.move[i]), "%s", text.text);
    }
    moves_release(&moves);
}

/* What each may see. */

/* The example of the state line. */
Test(rondo, views)
{
    begin(3, "blue", "PB RG RP Y GB B YR G P B");
    play_all("a2:1 pass a1:1,b1:1 b6:1 b5:xR b2:1 b7:1");
    cr_assert_str_eq(view(1),
                     "board=blue n=3 seat=2 end=- out=- score=6,0,7 "
                     "rack=2,RGGB,1 stones=a1:1,a2:1,b1:1,b2:1,b5:xR,b6:1,b7:1 "
                     "bag=106");
    cr_assert_str_eq(view(AUDIENCE_PUBLIC),
                     "board=blue n=3 seat=2 end=- out=- score=6,0,7 "
                     "rack=2,4,1 stones=a1:1,a2:1,b1:1,b2:1,b5:x,b6:1,b7:1 "
                     "bag=106");
    SEES(0, "rack", "PY,4,1");
    SEES(0, "stones", "a1:1,a2:1,b1:1,b2:1,b5:x,b6:1,b7:1");
    SEES(2, "rack", "2,4,G");
    SEES(AUDIENCE_REFEREE, "rack", "PY,RGGB,G");
    SEES(AUDIENCE_REFEREE, "stones", "a1:1,a2:1,b1:1,b2:1,b5:xR2,b6:1,b7:1");
    cr_assert_str_eq(value(AUDIENCE_REFEREE, "bag"), deal + 14);
}

Test(rondo, views_at_the_start)
{
    begin(2, "red", "YR GG");
    TOLD("@1 draw 1 YR|@2,w draw 1 ??|@2 draw 2 GG|@1,w draw 2 ??");
    cr_assert_str_eq(view(0), "board=red n=2 seat=1 end=- out=- score=0,0 "
                              "rack=RY,2 stones=- bag=116");
}

Test(rondo, a_custom_board_is_called_by_its_name)
{
    begin(2, STAR, "RR PP");
    cr_assert_eq(strncmp(view(0), "board=star n=2 ", 15), 0);
}

/* Chance. */

/* The expected deal was computed by another program. */
Test(rondo, deal_follows_from_the_seed)
{
    uint8_t seed[SEED_BYTES];
    struct rng rng;
    struct buf out;

    for (int i = 0; i < SEED_BYTES; i++)
        seed[i] = (uint8_t)i;
    rng_seed(&rng, seed);
    setup = (struct setup){.seats = 2};
    buf_init(&out, DEAL_TEXT_MAX);
    game->deal(&setup, &rng, &out);
    cr_assert_str_eq(out.text, "BGRBPBGGGBGGYYGPYPYGGBRGRYRBBPPYBBYYPPRP"
                               "RRBGGRRYBYRBBYYRBRRYRPBBRPPPYRPPPRYGGBRB"
                               "RPYBYPRPPRPBYYPGGBGBGYPGGGPGYRYGPYBRGRBY");
    buf_release(&out);
}

Test(rondo, refuses_impossible_deals)
{
    static const struct {
        int at;
        char letter;
        const char *want;
    } cases[] = {
        {119, '\0', "the deal has 119 letters; it needs 120"},
        {0, '\0', "the deal has 0 letters"},
        {5, 'x', "stone 6 of the deal is 'x'; it must be one of"},
        {5, ' ', "stone 6 of the deal is ' '"},
        {119, 'r', "stone 120 of the deal is 'r'"},
        {119, 'R', "the deal has 25 stones R; it needs 24 of each"},
        {0, 'Y', "the deal has 23 stones R; it needs 24 of each"},
    };
    struct err err = {0};
    char bad[130];

    setup = (struct setup){.seats = 2};
    write_deal("");
    lines_init(&events, EVENTS_MAX);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(bad, deal, sizeof deal);
        bad[cases[i].at] = cases[i].letter;
        cr_assert_null(game_new(game, &setup, bad, &events, &err));
        cr_assert(strstr(err.text, cases[i].want), "%s", err.text);
    }
    snprintf(bad, sizeof bad, "%sR", deal);
    cr_assert_null(game_new(game, &setup, bad, &events, &err));
    cr_assert(strstr(err.text, "the deal has 121 letters"), "%s", err.text);
    cr_assert_null(game_new(game, &setup, NULL, &events, &err));
    cr_assert_eq(events.count, 0);
}

/* Drawn in this order: seat 1 RP, seat 2 GB, seat 3 YR; then P G B. */
Test(rondo, redeal_keeps_what_the_viewer_has_seen)
{
    struct rng rng;
    uint8_t seed[SEED_BYTES] = {1};
    struct state *other;
    int changed[9] = {0};

    begin(3, "blue", "RP GB YR P G B");
    play_all("a1:1 a2:xG a4:xY");
    leave(SEAT(1));
    rng_seed(&rng, seed);
    for (int i = 0; i < 200; i++) {
        int left[128] = {0};

        other = game_clone(state);
        game->redeal(other, 1, &rng);
        buf_reset(&text);
        game->dealt(other, &text);
        for (int k = 0; k < 9; k++)
            changed[k] += text.text[k] != deal[k];
        for (int k = 0; k < 120; k++)
            left[(int)text.text[k]]++;
        for (int c = 0; c < 5; c++)
            cr_assert_eq(left[(int)"RPGBY"[c]], 24);
        game_free(other);
    }
    cr_assert_eq(changed[0], 0);  /* lies open */
    cr_assert_gt(changed[1], 99); /* on the rack of seat 1 */
    cr_assert_eq(changed[2], 0);  /* laid by the viewer */
    cr_assert_eq(changed[3], 0);  /* on its rack, though it has left */
    cr_assert_gt(changed[4], 99); /* laid by seat 3 */
    cr_assert_gt(changed[5], 99); /* on the rack of seat 3 */
    cr_assert_gt(changed[6], 99);
    cr_assert_eq(changed[7], 0); /* drawn by the viewer */
    cr_assert_gt(changed[8], 99);
}

/* The same moves, by slot, lead from the deal of a state to that state. */
Test(rondo, redealt_worlds_replay)
{
    static const char *const moves[] = {"pass", "pass", "a1:xR,b1:xR",
                                        "a2:xP,b6:xG", "b2:1"};
    struct move move[5];
    struct state *other, *again;
    struct rng rng;
    uint8_t seed[SEED_BYTES] = {2};
    struct err err;

    begin(2, "blue", "RP GP RB BB Y Y");
    for (int i = 0; i < 5; i++) {
        cr_assert(game_parse(game, state, turn() - 1, moves[i], &move[i], &err),
                  "%s", err.text);
        game_apply(game, state, turn() - 1, &move[i], &events);
    }
    rng_seed(&rng, seed);
    for (int i = 0; i < 50; i++) {
        other = game_clone(state);
        game->redeal(other, AUDIENCE_PUBLIC, &rng);
        buf_reset(&text);
        game->dealt(other, &text);
        again = game_new(game, &setup, text.text, &events, &err);
        for (int k = 0; k < 5; k++)
            game_apply(game, again, k % 2, &move[k], &events);
        cr_assert_eq(game_hash(game, again), game_hash(game, other));
        cr_assert(game_same(again, other));
        game_free(again);
        game_free(other);
    }
}

/* Drawings. */

static const char *show(int viewer, bool colour)
{
    buf_reset(&text);
    game_show(game, state, viewer, colour, &text);
    return text.text;
}

static void check_width(const char *drawing)
{
    while (*drawing) {
        size_t n = strcspn(drawing, "\n");

        cr_assert_leq(n, 100);
        cr_assert(n == 0 || drawing[n - 1] != ' ', "%.*s", (int)n, drawing);
        drawing += n + 1;
    }
}

Test(rondo, draws_a_map)
{
    begin(2, "blue", "RP GB YY");
    play_all("a1:1,b1:xP a2:xG");
    check_width(show(0, false));
    cr_assert(
        strstr(show(0, false), "[B5]---(Y1)---(P4)---(R3)---(G2)---[B4]"));
    cr_assert(strstr(show(0, false), "xP"));
    cr_assert_not(strstr(show(0, false), "xG"));
    cr_assert_not(strstr(show(1, false), "xP"));
    cr_assert(strstr(show(1, false), "xG"));
    cr_assert_not(strstr(show(AUDIENCE_PUBLIC, false), "xP"));
    cr_assert(strstr(show(AUDIENCE_REFEREE, false), "xG"));
    cr_assert(strstr(show(0, false), "xP1"));
    cr_assert(strstr(show(1, false), "xG2"));
    cr_assert(strstr(show(AUDIENCE_PUBLIC, false), "x1"));
    cr_assert(strstr(show(0, false), " R1 "));
    cr_assert(strstr(show(0, false), "> seat 1    2 points  rack: Y\n"));
    cr_assert(strstr(show(0, false), "  seat 2    0 points  rack: 2 stones\n"));
    cr_assert(strstr(show(0, false), "seat 1 plays."));
    cr_assert_not(strchr(show(0, false), '\033'));
    cr_assert(strchr(show(0, true), '\033'));
}

Test(rondo, draws_other_boards_as_a_table)
{
    begin(2, STAR, "RP GB");
    cr_assert(strstr(show(0, false), "a1  [R1]   touches m"));
    check_width(show(0, false));
    play_all("a1:1");
    cr_assert(strstr(show(0, false), "a1  R1     touches m"));
    cr_assert(strstr(show(0, false), "seat 2 plays, last round (grey)."));
    play("pass");
    cr_assert(strstr(show(0, false), "the game is over (grey)."));
    begin(2, line_board(0), "");
    check_width(show(0, false));
}
