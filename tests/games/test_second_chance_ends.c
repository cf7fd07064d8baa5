/* Second Chance: how it ends, alone, and when seats leave. */

#include "second_chance_table.h"

/* Edge cases of the rules. */

Test(second_chance, e1_there_is_no_pass)
{
    begin_formula(2, 17, 5);
    REFUSED(1, "pass", "is not a placement");
    draw_first(1);
    draw_first(2);
    REFUSED(1, "pass", "is not a placement");
    REFUSED(2, "-", "is not a placement");
    OWING("1,2");
}

Test(second_chance, e2_the_only_card_that_fits_must_be_drawn)
{
    set_scene("", "xxxxx xxx/xxx/xxx", 2, "g7 h7 i7 g8 h8 i8 g9 h9 i9",
              "g7 h7 i7 g8 h8 i8 g9 h9 i9");
    draw_starts();
    TOLD("round 1 P01 P02 0");
    cr_assert_eq(count_listed(1), 1);
    cr_assert_str_eq(listed(1, 0), "P02:g7:0");
    REFUSED(1, "P01:a1:0", "P01 does not fit into your grid: draw P02");
}

Test(second_chance, e3_equal_cards_are_both_legal)
{
    char grids[200];

    for (int card = 1; card <= 2; card++) {
        begin_formula(2, 1, 0);
        draw_first(1);
        draw_first(2);
        cr_assert_eq(count_listed(1), 2 * 73);
        play(1, card == 1 ? "P01:i9:0" : "P02:i9:0");
        play(2, "P01:i9:0");
        if (card == 1)
            snprintf(grids, sizeof grids, "%s",
                     value(AUDIENCE_PUBLIC, "grids"));
        VALUE("grids", grids);
        end();
    }
}

Test(second_chance, e4_too_few_cards_for_second_chances)
{
    set_scene("", "xx xx xx xx", 3, "i9", "i9", "a1");
    draw_starts();
    TOLD("round 1 P01 P02 2");
    VALUE("left", "2");
    VALUE("ones", "0,0,0");
    VALUE("status", "in,in,in");
    VALUE("shown", "P01,P02");
    RESULT("ranks=1,1,1 scores=1,1,1 reason=nosecond");
}

Test(second_chance, e5_one_fits_one_drops_out_and_the_deck_is_empty)
{
    set_scene("", "xx xx x xx", 2, "a1 i9", "a1 i9");
    draw_starts();
    TOLD("round 1 P01 P02 2|second 1 P03|second 2 P04");
    OWING("1");
    VALUE("cards", "P03,P04");
    VALUE("phase", "second");
    REFUSED(1, "P04:a1:0", "P04 is not your card: your second chance is P03");
    play(1, "P03:i9:0");
    TOLD("play 1 P03:i9:0|out 2|one 2 a1");
    RESULT("ranks=2,1 scores=1,1 reason=deck");
}

Test(second_chance, e6_a_single_card_is_not_used)
{
    set_scene("", "x x x", 2, "a1 i9", "a1 i9");
    draw_starts();
    play(1, "P01:a1:0");
    play(2, "P02:a1:0");
    TOLD("round 1 P01 P02 1|play 1 P01:a1:0|play 2 P02:a1:0");
    VALUE("left", "1");
    RESULT("ranks=1,1 scores=1,1 reason=deck");
}

Test(second_chance, e7_a_full_grid_ends_the_game_before_second_chances)
{
    set_scene("", "xx xx x x", 2, "h9 i9", "a1 i9");
    draw_starts();
    OWING("1");
    VALUE("owe", "1");
    play(1, "P02:h9:0");
    TOLD("round 1 P01 P02 2|play 1 P02:h9:0");
    VALUE("ones", "0,0");
    VALUE("status", "in,in");
    RESULT("ranks=1,2 scores=0,2 reason=full");
}

Test(second_chance, e8_full_by_a_second_chance_while_another_drops_out)
{
    set_scene("", "xxx xxx xx xx", 2, "h9 i9", "a1 i9");
    draw_starts();
    play(1, "P03:h9:0");
    TOLD("round 1 P01 P02 2|second 1 P03|second 2 P04|play 1 P03:h9:0|out 2|"
         "one 2 a1");
    VALUE("ones", "0,1");
    RESULT("ranks=1,2 scores=0,1 reason=full");
}

Test(second_chance, e8_the_one_may_fill_the_last_square_too)
{
    set_scene("", "xxx xxx xx xx", 2, "h9 i9", "e1");
    draw_starts();
    play(1, "P03:h9:0");
    TOLD("round 1 P01 P02 2|second 1 P03|second 2 P04|play 1 P03:h9:0|out 2|"
         "one 2 e1");
    RESULT("ranks=1,1 scores=0,0 reason=full");
}

Test(second_chance, e9_the_one_fills_the_last_square)
{
    set_scene("", "xx xx xx xx xx xx", 2, "c7", "a1 c1 e1");
    draw_starts();
    TOLD("round 1 P01 P02 4|second 1 P03|second 2 P04|out 1|out 2|one 1 c7|"
         "one 2 a1");
    RESULT("ranks=1,2 scores=0,2 reason=full");
}

Test(second_chance, e10_all_drop_out_first)
{
    set_scene("", "xx xx xx xx xx xx xx", 3, "i9 b2", "a1 i9", "c3 g3 g7");
    draw_starts();
    TOLD("round 1 P01 P02 5|second 1 P03|second 2 P04|second 3 P05|out 1|"
         "out 2|out 3|one 1 b2|one 2 a1|one 3 c3");
    VALUE("ones", "1,1,1");
    RESULT("ranks=1,1,3 scores=1,1,2 reason=allout");
}

Test(second_chance, e10_but_a_one_fills_a_last_square)
{
    set_scene("", "xx xx xx xx xx xx xx", 3, "i9 b2", "d4", "c3 g3 g7");
    draw_starts();
    RESULT("ranks=2,1,3 scores=1,0,2 reason=full");
}

Test(second_chance, e11_in_a_tie_the_one_wins)
{
    set_scene("", "xx xx xx", 2, "a1 b1 i9", "a1 i9");
    draw_starts();
    play(1, "P01:a1:0");
    TOLD("round 1 P01 P02 1|play 1 P01:a1:0|second 2 P03|out 2|one 2 a1");
    RESULT("ranks=2,1 scores=1,1 reason=deck");
}

Test(second_chance, e12_in_a_tie_all_ones_win)
{
    set_scene("", "xx xx xx xx", 3, "a1 i9", "a1 i9", "a1 b1 i9");
    draw_starts();
    play(3, "P01:a1:0");
    TOLD("round 1 P01 P02 2|play 3 P01:a1:0|second 1 P03|second 2 P04|out 1|"
         "out 2|one 1 a1|one 2 a1");
    RESULT("ranks=1,1,3 scores=1,1,1 reason=deck");
}

Test(second_chance, e13_in_a_tie_without_a_one_all_win)
{
    set_scene("", "xx xx xx", 3, "a1 c1 i9", "a1 b1 i9", "a1 b1 i9");
    draw_starts();
    play(2, "P01:a1:0");
    play(3, "P02:a1:0");
    VALUE("ones", "1,0,0");
    RESULT("ranks=3,1,1 scores=2,1,1 reason=deck");
}

Test(second_chance, e14_two_grids_are_full_at_once)
{
    set_scene("", "xx xx xx", 3, "h9 i9", "a1 h9 i9", "a5 a6");
    draw_starts();
    play(1, "P01:h9:0");
    play(2, "P01:h9:0");
    play(3, "P02:a5:1");
    RESULT("ranks=1,3,1 scores=0,1,0 reason=full");
}

Test(second_chance, e16_a_start_piece_covers_e5)
{
    begin_formula(2, 17, 5);
    REFUSED(1, "S01:a1:0", "the start piece must cover e5");
    REFUSED(1, "S01:c4:0", "must cover e5"); /* e5 is the gap of xx.x */
    play(1, "S01:d4:0");
    OWING("2");
}

Test(second_chance, e17_who_has_a_one_is_not_asked)
{
    begin_formula(3, 17, 5);
    while (strcmp(value(AUDIENCE_PUBLIC, "round"), "13") != 0)
        draw_first(__builtin_ctz(game->to_move(state)) + 1);
    VALUE("ones", "1,1,0");
    OWING("3");
    REFUSED(1, "P08:i2:0", "seat 1 does not owe a move");
}

Test(second_chance, the_example_of_the_rules)
{
    set_scene("", "xx xx xx", 3, "a1 c1 e1 g1 i1 a3", "a1 c1 e1 g1 i1 h9 i9",
              "a1 c1 e1 g1 i1 a3 c3 h9 i9");
    draw_starts();
    play(2, "P01:h9:0");
    play(3, "P01:h9:0");
    VALUE("ones", "1,0,0");
    RESULT("ranks=1,2,3 scores=5,5,7 reason=deck");
}

Test(second_chance, who_drops_out_later_writes_no_one)
{
    set_scene("", "xx xx xx xx xx xx", 2, "a1 i9", "a1 b1 i9 g7");
    draw_starts();
    play(2, "P01:a1:0");
    TOLD("round 1 P01 P02 4|play 2 P01:a1:0|second 1 P03|out 1|one 1 a1|"
         "round 2 P04 P05 1|second 2 P06|out 2");
    VALUE("ones", "1,0");
    RESULT("ranks=1,2 scores=1,2 reason=allout");
}

Test(second_chance, there_is_no_limit_to_second_chances)
{
    set_scene("", "xx xx x x xx xx x x", 2, "a1 c1 e1", "a1 c1 e1");
    draw_starts();
    play(1, "P03:a1:0");
    play(2, "P04:c1:0");
    TOLD("round 1 P01 P02 6|second 1 P03|second 2 P04|play 1 P03:a1:0|"
         "play 2 P04:c1:0|round 2 P05 P06 2|second 1 P07|second 2 P08");
    REFUSED(1, "P08:c1:0", "your second chance is P07");
    REFUSED(1, "P07:a1:0", "a1 is already filled");
    play(1, "P07:c1:0");
    play(2, "P08:a1:0");
    TOLD("play 1 P07:c1:0|play 2 P08:a1:0");
    RESULT("ranks=1,1 scores=1,1 reason=deck");
}

Test(second_chance, a_start_piece_may_fill_the_grid)
{
    set_scene("", "x x", 2, "a1", "");
    draw_start(2);
    draw_start(1);
    TOLD("start 1 S01|start 2 S02|play 1 S01:a1:0|play 2 S02:a1:0");
    RESULT("ranks=2,1 scores=1,0 reason=full");
}

/* full_end=round. */

Test(second_chance, with_full_end_round_second_chances_come_first)
{
    set_scene("full_end=round", "xx xx x x", 2, "h9 i9", "a1 i9");
    draw_starts();
    play(1, "P02:h9:0");
    TOLD("round 1 P01 P02 2|play 1 P02:h9:0|second 2 P03");
    OWING("2");
    play(2, "P03:a1:0");
    TOLD("play 2 P03:a1:0");
    RESULT("ranks=1,2 scores=0,1 reason=full");
}

Test(second_chance, with_full_end_round_one_may_drop_out_and_write_a_one)
{
    set_scene("full_end=round", "xx xx xx x", 2, "h9 i9", "i9");
    draw_starts();
    play(1, "P02:h9:0");
    TOLD("round 1 P01 P02 2|play 1 P02:h9:0|second 2 P03|out 2|one 2 i9");
    RESULT("ranks=1,1 scores=0,0 reason=full");
}

Test(second_chance, with_full_end_round_full_comes_before_nosecond)
{
    set_scene("full_end=round", "xx xx", 2, "h9 i9", "a1 i9");
    draw_starts();
    play(1, "P02:h9:0");
    TOLD("round 1 P01 P02 0|play 1 P02:h9:0");
    RESULT("ranks=1,2 scores=0,2 reason=full");
}

Test(second_chance, with_full_end_round_nobody_need_be_affected)
{
    set_scene("full_end=round", "xx xx x x", 2, "h9 i9", "h9 i9 a1");
    draw_starts();
    play(1, "P02:h9:0");
    play(2, "P02:h9:0");
    TOLD("round 1 P01 P02 2|play 1 P02:h9:0|play 2 P02:h9:0");
    RESULT("ranks=1,2 scores=0,1 reason=full");
}

Test(second_chance, with_full_end_round_nosecond_is_still_nosecond)
{
    set_scene("full_end=round", "xx xx xx", 2, "i9", "a1");
    draw_starts();
    RESULT("ranks=1,1 scores=1,1 reason=nosecond");
}

/* Solo. */

/* S01 leaves i9 free, S02 also h9, S03 a1 and i9. */
static void begin_solo(void)
{
    char all[1000] = "pieces=P01:xx;P02:xx;P03:xx;P04:x";

    add_start(1, "i9", all);
    add_start(2, "h9 i9", all);
    add_start(3, "a1 i9", all);
    begin(1, all,
          "S02 P01,P02,P03,P04 ; S01 P01,P02,P03,P04 ; S03 P04,P01,P02,P03");
}

Test(second_chance, solo_has_three_parts)
{
    begin_solo();
    TOLD("start 1 S02");
    VALUE("part", "1");
    play(1, "S02:a1:0");
    play(1, "P01:h9:0");
    TOLD("play 1 S02:a1:0|round 1 P01 P02 2|play 1 P01:h9:0|part 1 full 0|"
         "start 1 S01");
    VALUE("part", "2");
    VALUE("round", "0");
    VALUE("shown", "-");
    VALUE("left", "4");
    play(1, "S01:a1:0");
    TOLD("play 1 S01:a1:0|round 1 P01 P02 2|second 1 P03|out 1|"
         "part 2 allout 1|start 1 S03");
    VALUE("part", "3");
    VALUE("sum", "1");
    VALUE("status", "in");
    play(1, "S03:a1:0");
    play(1, "P04:a1:0");
    TOLD("play 1 S03:a1:0|round 1 P04 P01 2|play 1 P04:a1:0|round 2 P02 P03 0|"
         "part 3 nosecond 1");
    OWING("-");
    VALUE("sum", "2");
    RESULT("ranks=1 scores=2 reason=nosecond");
}

Test(second_chance, e15_solo_writes_no_one)
{
    set_scene("", "xx xx xx", 1, "a1 i9");
    play(1, "S01:a1:0");
    TOLD("start 1 S01|play 1 S01:a1:0|round 1 P01 P02 1|second 1 P03|out 1|"
         "part 1 allout 2|start 1 S01");
    cr_assert_str_eq(value(AUDIENCE_REFEREE, "first_out"), "0");
    play(1, "S01:a1:0");
    play(1, "S01:a1:0");
    VALUE("ones", "0");
    VALUE("status", "out");
    RESULT("ranks=1 scores=6 reason=allout");
}

Test(second_chance, solo_parts_may_end_with_the_deck)
{
    set_scene("", "x x x", 1, "a1 i9");
    for (int part = 1; part <= 3; part++) {
        play(1, "S01:a1:0");
        play(1, "P02:i9:0");
    }
    forget_before("part 3");
    TOLD("part 3 deck 1");
    RESULT("ranks=1 scores=3 reason=deck");
}

Test(second_chance, solo_given_up_counts_what_is_not_played)
{
    begin_solo();
    leave(SEAT(0));
    RESULT("ranks=1 scores=243 reason=forfeit");
    end();

    begin_solo();
    play(1, "S02:a1:0");
    leave(SEAT(0));
    RESULT("ranks=1 scores=164 reason=forfeit"); /* 2 + 81 + 81 */
    end();

    begin_solo();
    play(1, "S02:a1:0");
    play(1, "P01:h9:0");
    leave(SEAT(0));
    RESULT("ranks=1 scores=162 reason=forfeit"); /* 0 + 81 + 81 */
    end();

    begin_solo();
    play(1, "S02:a1:0");
    play(1, "P01:h9:0");
    play(1, "S01:a1:0");
    play(1, "S03:a1:0");
    leave(SEAT(0));
    RESULT("ranks=1 scores=3 reason=forfeit"); /* 0 + 1 + 2 */
}

/* Seats leave. */

Test(second_chance, who_leaves_before_the_start_piece_has_81_free)
{
    set_scene("", "x x x x", 3, "a1 i9", "a1 i9", "a1 i9");
    draw_start(1);
    leave(SEAT(1));
    OWING("3");
    VALUE("status", "in,left,in");
    VALUE("owe", "1,3");
    buf_reset(&told);
    draw_start(3);
    TOLD("play 1 S01:a1:0|play 3 S03:a1:0|round 1 P01 P02 2");
    play(1, "P01:a1:0");
    play(3, "P01:a1:0");
    play(1, "P03:i9:0");
    play(3, "P03:i9:0");
    RESULT("ranks=1,3,1 scores=0,81,0 reason=full");
}

Test(second_chance, an_answer_of_a_leaver_is_thrown_away)
{
    set_scene("", "x x x x", 3, "a1 i9", "a1 i9", "a1 i9");
    draw_starts();
    play(2, "P01:a1:0");
    leave(SEAT(1));
    OWING("1,3");
    play(1, "P01:a1:0");
    play(3, "P02:a1:0");
    TOLD("round 1 P01 P02 2|play 1 P01:a1:0|play 3 P02:a1:0|round 2 P03 P04 0");
    cr_assert_eq(free_of(2), 2);
}

Test(second_chance, the_step_settles_when_the_last_owing_seat_leaves)
{
    set_scene("", "x x x x", 3, "a1 i9", "a1 i9", "a1 i9");
    draw_starts();
    play(2, "P01:a1:0");
    play(3, "P02:i9:0");
    leave(SEAT(0));
    TOLD("round 1 P01 P02 2|play 2 P01:a1:0|play 3 P02:i9:0|round 2 P03 P04 0");
    OWING("2,3");
    play(2, "P03:i9:0");
    play(3, "P03:a1:0");
    RESULT("ranks=3,1,1 scores=2,0,0 reason=full");
}

Test(second_chance, one_that_stays_wins_by_forfeit_and_nothing_settles)
{
    set_scene("", "x x x x", 2, "a1 i9", "a1 i9");
    draw_starts();
    buf_reset(&told);
    play(1, "P01:a1:0");
    leave(SEAT(1));
    TOLD("");
    OWING("-");
    VALUE("phase", "over");
    VALUE("owe", "-");
    RESULT("ranks=1,2 scores=2,2 reason=forfeit");
}

Test(second_chance, all_may_leave_at_once)
{
    begin_formula(3, 17, 5);
    leave(SEATS(3));
    RESULT("ranks=1,1,1 scores=81,81,81 reason=forfeit");
}

Test(second_chance, who_leaves_later_is_ranked_better)
{
    begin_formula(5, 17, 5);
    leave(SEAT(4));
    leave(SEAT(0) | SEAT(2));
    OWING("2,4");
    leave(SEAT(1));
    RESULT("ranks=3,2,3,1,5 scores=81,81,81,81,81 reason=forfeit");
}

Test(second_chance, a_leaver_is_not_counted_among_the_affected)
{
    set_scene("", "xx xx xx xx", 4, "a1 i9", "a1 i9", "a1 i9", "a1 b1 i9");
    draw_starts();
    OWING("4");
    leave(SEAT(2));
    OWING("4");
    play(4, "P01:a1:0");
    TOLD("round 1 P01 P02 2|play 4 P01:a1:0|second 1 P03|second 2 P04|out 1|"
         "out 2|one 1 a1|one 2 a1");
    RESULT("ranks=1,1,4,3 scores=1,1,2,1 reason=deck");
}

Test(second_chance, without_the_leaver_it_would_be_nosecond)
{
    set_scene("", "xx xx xx xx", 4, "a1 i9", "a1 i9", "a1 i9", "a1 b1 i9");
    draw_starts();
    play(4, "P01:a1:0");
    RESULT("ranks=2,2,2,1 scores=2,2,2,1 reason=nosecond");
}

Test(second_chance, who_leaves_in_a_second_chance_does_not_drop_out)
{
    set_scene("", "xx xx x xx x xx xx xx xx", 3, "a1 i9", "a1 i9", "a1 i9");
    draw_starts();
    TOLD("round 1 P01 P02 7|second 1 P03|second 2 P04|second 3 P05");
    OWING("1,3");
    leave(SEAT(1)); /* its card does not fit */
    OWING("1,3");
    VALUE("cards", "P03,P04,P05");
    VALUE("left", "4");
    play(1, "P03:a1:0");
    play(3, "P05:a1:0");
    /* Seat 2 was not the first to drop out: 1 and 3 are. */
    TOLD("play 1 P03:a1:0|play 3 P05:a1:0|round 2 P06 P07 2|second 1 P08|"
         "second 3 P09|out 1|out 3|one 1 i9|one 3 i9");
    VALUE("ones", "1,0,1");
    VALUE("status", "out,left,out");
    RESULT("ranks=1,3,1 scores=0,2,0 reason=full");
}

Test(second_chance, the_last_owing_seat_leaves_its_second_chance)
{
    set_scene("", "xx xx x xx xx", 3, "a1 i9", "a1 c1 i9", "a1 i9");
    draw_starts();
    OWING("1");
    leave(SEAT(0));
    TOLD("round 1 P01 P02 3|second 1 P03|second 2 P04|second 3 P05|out 2|"
         "out 3|one 2 a1|one 3 a1");
    VALUE("cards", "P03,P04,P05");
    VALUE("status", "left,out,out");
    RESULT("ranks=3,2,1 scores=2,2,1 reason=allout");
}

Test(second_chance, the_grid_of_a_leaver_does_not_end_the_game)
{
    set_scene("full_end=round", "xx xx x x x x", 3, "h9 i9", "a1 i9",
              "h9 i9 a1 c1");
    draw_starts();
    play(1, "P01:h9:0");
    play(3, "P01:h9:0");
    TOLD("round 1 P01 P02 4|play 1 P01:h9:0|play 3 P01:h9:0|second 2 P03");
    leave(SEAT(0));
    play(2, "P03:a1:0");
    TOLD("play 2 P03:a1:0|round 2 P04 P05 1");
    OWING("2,3");
    play(2, "P04:i9:0");
    play(3, "P04:a1:0");
    RESULT("ranks=3,1,2 scores=0,0,1 reason=full");
}

Test(second_chance, who_is_out_may_leave_and_keeps_its_one)
{
    set_scene("", "xx xx xx x x x x", 3, "a1 i9", "a1 b1 d1 f1 h1",
              "a1 b1 d1 f1 h1");
    draw_starts();
    play(2, "P01:a1:0");
    play(3, "P01:a1:0");
    TOLD("round 1 P01 P02 5|play 2 P01:a1:0|play 3 P01:a1:0|second 1 P03|"
         "out 1|one 1 a1|round 2 P04 P05 2");
    leave(SEAT(0));
    TOLD("");
    VALUE("status", "left,in,in");
    VALUE("ones", "1,0,0");
    play(2, "P04:d1:0");
    play(3, "P05:d1:0");
    play(2, "P06:f1:0");
    play(3, "P07:f1:0");
    RESULT("ranks=3,1,1 scores=1,1,1 reason=deck");
}

Test(second_chance, when_all_that_are_in_leave_the_rest_are_all_out)
{
    set_scene("", "xx xx xx xx x x", 3, "a1 i9", "a1 c1 i9", "a1 b1 d1 f1 h1");
    draw_starts();
    play(3, "P01:a1:0");
    OWING("3");
    VALUE("status", "out,out,in");
    buf_reset(&told);
    leave(SEAT(2));
    TOLD("");
    RESULT("ranks=1,2,3 scores=1,2,3 reason=allout");
}

/* The options that have no default. */

Test(second_chance, start_may_be_common)
{
    struct err err;

    begin(3, "start=common pieces=P01:xx;P02:x;S01:xxx;S02:xx", "S02 P01,P02");
    TOLD("start 1 S02|start 2 S02|start 3 S02");
    VALUE("cards", "S02,S02,S02");
    end();
    setup = (struct setup){.seats = 2};
    cr_assert(setup_set(game, &setup, "start=common", &err));
    cr_expect_null(game_new(game, &setup, "S01,S02 P01", NULL, &err));
    begin(2, "pieces=P01:xx;P02:x;S01:xxx;S02:xx", "S02,S01 P01,P02");
    TOLD("start 1 S02|start 2 S01");
}

Test(second_chance, solo_may_have_one_part)
{
    char all[1000] = "parts=1 pieces=P01:xx;P02:xx;P03:xx";
    struct err err;

    add_start(1, "a1 i9", all);
    begin(1, all, "S01 P01,P02,P03");
    play(1, "S01:a1:0");
    TOLD("start 1 S01|play 1 S01:a1:0|round 1 P01 P02 1|second 1 P03|out 1");
    OWING("-");
    RESULT("ranks=1 scores=2 reason=allout");
    setup = (struct setup){.seats = 2};
    cr_assert(setup_set(game, &setup, "parts=1", &err));
    cr_expect(!game_accepts(game, &setup, &err));
    cr_expect(strstr(err.text, "parts is for a single player"));
}
