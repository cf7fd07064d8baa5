/* Rondo: how a game ends, who wins, and what happens when a seat leaves. */

#include "rondo_table.h"

/* The end. */

Test(rondo, grey_ends_the_round)
{
    begin(3, STAR, "RR PP GG");
    play("pass");
    play("a1:xP");
    TOLD("@2 play 2 a1:xP|@1,3,w play 2 a1:x|score 2 0 0|"
         "@2 draw 2 G|@1,3,w draw 2 ?|last_round grey");
    SEES(AUDIENCE_PUBLIC, "end", "grey");
    cr_assert_eq(turn(), 3);
    play("a3:2"); /* a normal turn, which scores and draws */
    TOLD("play 3 a3:2|score 3 6 6|@3 draw 3 B|@1,2,w draw 3 ?");
    cr_assert_eq(turn(), 0);
    SEES(AUDIENCE_PUBLIC, "seat", "0");
    cr_assert_str_eq(result(), "ranks=2,3,1 scores=0,0,6 reason=grey");
}

Test(rondo, the_last_seat_ends_the_game_at_once)
{
    begin(2, STAR, "RR PP");
    play_all("pass a1:xP");
    cr_assert_eq(turn(), 0);
    cr_assert(strstr(told.text, "|last_round grey"));
}

Test(rondo, open_stones_cover_grey_fields_too)
{
    begin(2, STAR, "RR PP");
    play("a1:2");
    TOLD("play 1 a1:2|score 1 2 2|@1 draw 1 R|@2,w draw 1 ?|last_round grey");
    play("pass");
    cr_assert_str_eq(result(), "ranks=1,2 scores=2,0 reason=grey");
}

Test(rondo, every_grey_field_must_be_covered)
{
    begin(2,
          "rondo-board,1;name,two;centre,m;field,a1,R,1,grey;"
          "field,a2,R,1,grey;link,m,a1;link,m,a2",
          "RR PP");
    play_all("a1:1 pass");
    SEES(AUDIENCE_PUBLIC, "end", "-");
    play("a2:1");
    SEES(AUDIENCE_PUBLIC, "end", "grey");
}

Test(rondo, a_full_board_allows_to_pass_with_five)
{
    begin(2, ONE, "RR PP");
    play_all("pass pass pass pass");
    refuses("pass", "you hold 5 stones");
    play("a1:1");
    SEES(AUDIENCE_PUBLIC, "rack", "5,5");
    cr_assert_str_eq(list(), "pass");
    play("pass");
    TOLD("play 2 pass|draw 2 -");
    cr_assert_str_eq(result(), "ranks=1,2 scores=2,0 reason=grey");
}

Test(rondo, a_full_board_draws_as_ever_below_five)
{
    begin(2, ONE, "RR PP G BY");
    play("a1:1");
    cr_assert_str_eq(list(), "pass");
    play("pass");
    TOLD("play 2 pass|@2 draw 2 BY|@1,w draw 2 ??");
    cr_assert_eq(turn(), 0);
}

/* One stone a turn is the slowest way to empty the bag. */
static void check_longest_game(int seats, int moves)
{
    int played = 0;

    begin(seats, line_board(127), "");
    cr_assert_eq(game->max_moves(&setup), moves);
    for (; in_bag() > 0; played++)
        lay_one();
    SEES(AUDIENCE_PUBLIC, "end", "-"); /* emptied exactly: no trigger */
    cr_assert_eq(turn(), 1);
    lay_one();
    cr_assert(strstr(told.text, "|draw 1 -|last_round bag"), "%s", told.text);
    for (played++; turn() > 0; played++) {
        lay_one();
        cr_assert(strstr(told.text, " -"), "%s", told.text);
        cr_assert_not(strstr(told.text, "last_round"));
    }
    cr_assert_eq(played, moves);
}

Test(rondo, bag_ends_the_longest_games)
{
    check_longest_game(2, 118);
    check_longest_game(3, 117);
    check_longest_game(4, 116);
}

Test(rondo, a_pass_draws_the_rest_of_the_bag)
{
    begin(2, line_board(127), "");
    while (in_bag() > 1)
        lay_one();
    cr_assert_eq(turn(), 2);
    SEES(AUDIENCE_PUBLIC, "rack", "2,2");
    play("pass");
    cr_assert_str_eq(told.text + strlen(told.text) - strlen("|last_round bag"),
                     "|last_round bag");
    SEES(AUDIENCE_PUBLIC, "rack", "2,3");
    SEES(AUDIENCE_PUBLIC, "bag", "0");
    SEES(AUDIENCE_REFEREE, "bag", "-");
    cr_assert_eq(turn(), 0);
    cr_assert_str_eq(result(), "ranks=2,1 scores=0,0 reason=bag");
}

Test(rondo, with_four_stones_one_in_the_bag_is_enough)
{
    begin(2, line_board(127), "");
    while (in_bag() > 4)
        lay_one();
    cr_assert_eq(turn(), 1);
    play("pass");
    lay_one();
    SEES(AUDIENCE_PUBLIC, "rack", "4,2");
    SEES(AUDIENCE_PUBLIC, "bag", "1");
    play("pass");
    SEES(AUDIENCE_PUBLIC, "rack", "5,2");
    SEES(AUDIENCE_PUBLIC, "bag", "0");
    SEES(AUDIENCE_PUBLIC, "end", "-");
}

Test(rondo, grey_comes_before_the_bag)
{
    begin(2, line_board(116), "");
    while (in_bag() > 0)
        lay_one();
    lay_one();
    cr_assert(strstr(told.text, "|draw 1 -|last_round grey"));
    cr_assert_not(strstr(told.text, "last_round bag"));
    lay_one();
    cr_assert_not(strstr(told.text, "last_round"));
    cr_assert_str_eq(result(), "ranks=1,1 scores=0,0 reason=grey");
}

Test(rondo, a_later_trigger_does_not_count)
{
    begin(2, line_board(117), "");
    while (in_bag() > 0)
        lay_one();
    lay_one();
    SEES(AUDIENCE_PUBLIC, "end", "bag");
    lay_one();
    cr_assert(strstr(value(AUDIENCE_PUBLIC, "stones"), ",b17:x"));
    SEES(AUDIENCE_PUBLIC, "end", "bag");
    cr_assert_not(strstr(told.text, "last_round"));
}

/* With an empty bag the whole rack may go; the game ends before it hurts. */
Test(rondo, nobody_moves_with_an_empty_rack)
{
    begin(3, line_board(127), "");
    while (in_bag() > 0)
        lay_one();
    for (int seat = 1; seat <= 3; seat++) {
        const char *moves = list(), *last = strrchr(moves, ' ') + 1;
        char move[40];

        snprintf(move, sizeof move, "%s", last);
        play(move);
    }
    SEES(AUDIENCE_PUBLIC, "rack", "0,0,0");
    SEES(AUDIENCE_REFEREE, "rack", "-,-,-");
    SEES(1, "rack", "0,-,0");
    cr_assert_eq(turn(), 0);
}

/* The winner. */

Test(rondo, equal_points_are_decided_by_stones_left)
{
    begin(3, STAR, "RR PP GG");
    play_all("a1:xR a2:xP pass");
    SEES(AUDIENCE_PUBLIC, "rack", "2,2,4");
    cr_assert_str_eq(result(), "ranks=2,2,1 scores=0,0,0 reason=grey");
}

Test(rondo, points_come_before_stones)
{
    begin(2, STAR, "RR PP");
    play_all("a1:2 pass");
    SEES(AUDIENCE_PUBLIC, "rack", "1,4");
    cr_assert_str_eq(result(), "ranks=1,2 scores=2,0 reason=grey");
}

Test(rondo, equal_points_and_stones_share_a_place)
{
    begin(4, STAR, "RR PP GG BB");
    play_all("a1:xR pass pass pass");
    cr_assert_str_eq(result(), "ranks=4,1,1,1 scores=0,0,0,0 reason=grey");
}

/* Leaving. */

Test(rondo, a_leave_that_passes_the_turn_may_end_the_last_round)
{
    begin(3, STAR, "RR PP GG");
    play_all("pass a1:xP");
    leave(SEAT(2));
    cr_assert_eq(turn(), 0);
    cr_assert_str_eq(result(), "ranks=1,2,3 scores=0,0,0 reason=grey");
}

Test(rondo, without_a_trigger_the_turn_passes_on)
{
    begin(3, STAR, "RR PP GG");
    play_all("pass pass");
    leave(SEAT(2));
    cr_assert_eq(turn(), 1);
    SEES(AUDIENCE_PUBLIC, "out", "3");
    play("pass");
    cr_assert_eq(turn(), 2);
    play("pass");
    cr_assert_eq(turn(), 1);
}

Test(rondo, with_seat_1_gone_seat_3_still_plays)
{
    begin(3, STAR, "RR PP GG");
    leave(SEAT(0));
    cr_assert_eq(turn(), 2);
    play("a1:xP");
    cr_assert_eq(turn(), 3);
    play("pass");
    cr_assert_eq(turn(), 0);
    cr_assert_str_eq(result(), "ranks=3,2,1 scores=0,0,0 reason=grey");
}

Test(rondo, a_trigger_stays_when_its_seat_leaves)
{
    begin(4, STAR, "RR PP GG BB");
    play_all("pass a1:xP");
    leave(SEAT(1));
    cr_assert_eq(turn(), 3);
    SEES(AUDIENCE_PUBLIC, "end", "grey");
    play_all("pass pass");
    cr_assert_eq(turn(), 0);
    cr_assert_str_eq(result(), "ranks=1,4,1,1 scores=0,0,0,0 reason=grey");
}

Test(rondo, the_last_seats_may_have_left_before_the_trigger)
{
    begin(4, STAR, "RR PP GG BB");
    leave(SEAT(2) | SEAT(3));
    cr_assert_eq(turn(), 1);
    play_all("pass a1:xP");
    cr_assert_eq(turn(), 0);
    cr_assert_str_eq(result(), "ranks=1,2,3,3 scores=0,0,0,0 reason=grey");
}

Test(rondo, leaving_off_turn_changes_no_turn)
{
    begin(3, STAR, "RR PP GG");
    play("pass");
    leave(SEAT(0));
    cr_assert_eq(turn(), 2);
    play_all("pass pass");
    cr_assert_eq(turn(), 2);
}

Test(rondo, off_turn_in_the_last_round)
{
    begin(3, STAR, "RR PP GG");
    play("a1:1");
    leave(SEAT(2));
    cr_assert_eq(turn(), 2);
    play("pass");
    cr_assert_eq(turn(), 0);
    cr_assert_str_eq(result(), "ranks=1,2,3 scores=1,0,0 reason=grey");
}

Test(rondo, several_leave_at_once_and_pass_the_turn)
{
    begin(4, STAR, "RR PP GG BB");
    play("pass");
    leave(SEAT(1) | SEAT(2));
    cr_assert_eq(turn(), 4);
    SEES(AUDIENCE_PUBLIC, "out", "2,3");
    SEES(AUDIENCE_REFEREE, "out", "2.1,3.1");
    leave(SEAT(3));
    cr_assert_eq(turn(), 0);
    SEES(AUDIENCE_REFEREE, "out", "2.1,3.1,4.2");
    cr_assert_str_eq(result(), "ranks=1,3,3,2 scores=0,0,0,0 reason=forfeit");
}

Test(rondo, one_seat_left_wins_by_forfeit)
{
    begin(2, STAR, "RR PP");
    play("a1:1"); /* even in the last round */
    SEES(AUDIENCE_PUBLIC, "end", "grey");
    leave(SEAT(1));
    cr_assert_eq(turn(), 0);
    cr_assert_str_eq(result(), "ranks=1,2 scores=1,0 reason=forfeit");
}

Test(rondo, a_leaver_keeps_its_score_and_the_last_place)
{
    begin(2, STAR, "RP PP");
    play_all("a2:1 pass");
    leave(SEAT(0));
    cr_assert_str_eq(result(), "ranks=2,1 scores=2,0 reason=forfeit");
}

Test(rondo, all_may_leave_at_once)
{
    begin(3, STAR, "RR PP GG");
    leave(SEATS(3));
    cr_assert_eq(turn(), 0);
    cr_assert_str_eq(result(), "ranks=1,1,1 scores=0,0,0 reason=forfeit");
}

Test(rondo, a_leaver_s_rack_is_out_but_counted)
{
    begin(3, "blue", "RB PP GG");
    play("a1:xB");
    leave(SEAT(0));
    SEES(AUDIENCE_PUBLIC, "rack", "2,2,2");
    SEES(0, "rack", "2,2,2");
    SEES(AUDIENCE_REFEREE, "rack", "RR,PP,GG");
    SEES(AUDIENCE_PUBLIC, "bag", "113");
    SEES(1, "stones", "a1:x");
    SEES(0, "stones", "a1:xB");
    cr_assert(accepts("b1:1")); /* its stones still count as touched */
}
