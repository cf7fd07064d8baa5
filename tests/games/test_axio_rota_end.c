/* AXIO rota: how games end, and what happens when seats leave. */

#include "axio_rota_table.h"

Test(axio_rota, draws_nothing_from_an_empty_stack)
{
    struct table t;
    char move[32];

    begin(&t, 1, "", deal_of("", "0000"));
    for (int i = 0; i < 12; i++) {
        char hand[8], stack[8];

        sprintf(hand, "%s", i < 11 ? "RGBO" : "-");
        sprintf(stack, "%d", i < 11 ? 10 - i : 0);
        sprintf(move, "%d,1,%d", 2 + i, i % 4);
        play(&t, move);
        cr_see(&t, 0, "hand", hand);
        cr_see(&t, 0, "stack", stack);
        cr_expect_eq(t.events.count, i < 11 ? 5 : 3);
    }
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "0");
    cr_assert_str_eq(ended(&t) + strlen("ranks=1 scores=?"), " reason=tiles");
    end(&t);
}

Test(axio_rota, compares_the_lowest_markers)
{
    struct table t;

    begin(&t, 2, NULL,
          "21,41,33,42,46,27,11,19,4,55,9,17,53,38,31,36,26,3,14,40,60,39,29,"
          "25,16,15,52,34,7,59,8,44,18,56,45,23,51,20,37,43,49,6,28,5,22,54,"
          "32,2,47,30,12,58,24,57,10,13,35,48,50,1 2133");
    play_all(&t,
             "-1,1,3 -1,0,2 -1,-1,1 0,2,0 0,-1,0 1,-1,0 0,-2,3 1,2,2 -1,2,1 "
             "-1,-2,3=G 1,-2,3=B 2,1,0 0,3,3 -2,-1,3 2,-1,1 2,2,3 -2,-2,0=R "
             "2,0,0 2,-2,3 -2,0,1 1,3,1 3,-2,0=G 1,4,2 0,4,0");
    cr_see(&t, AUDIENCE_PUBLIC, "mark", "8/9/9/10/9,9/8/6/8/8");
    cr_assert_str_eq(ended(&t), "ranks=1,2 scores=8,6 reason=tiles");
    end(&t);
}

Test(axio_rota, breaks_ties_by_the_next_lowest_as_on_the_sheet)
{
    struct table t;

    begin(&t, 3, NULL,
          "24,2,26,15,27,59,14,41,9,48,43,16,1,55,12,25,38,21,45,47,6,31,40,"
          "36,33,42,50,56,13,44,22,28,51,52,30,3,37,20,4,58,17,7,35,34,53,49,"
          "5,18,57,54,19,8,46,11,32,10,39,23,60,29 0021");
    play_all(&t, "-1,1,1 -1,0,0 0,2,3 -1,2,1=B 0,-1,3 -1,-1,3 1,-1,1 -2,0,1 "
                 "0,-2,2 -2,-1,3 -1,-2,0 1,-2,3 -1,-3,1 1,2,2 0,-3,1=R -3,0,0 "
                 "-2,-2,0 -2,-3,2=O 2,0,3 -3,-1,2 -3,-2,1 -3,-3,3 2,-1,0 2,1,3 "
                 "2,2,3 0,3,0 1,3,1 3,1,2=O 3,0,1 2,3,0 -3,-4,0 4,0,0 -2,2,1 "
                 "-4,-1,0 3,2,3=P 3,3,3=R");
    cr_see(&t, AUDIENCE_PUBLIC, "mark", "8/8/7/8/8,9/7/9/9/9,10/9/10/7/10");
    cr_assert_str_eq(ended(&t), "ranks=3,2,1 scores=7,7,7 reason=tiles");
    end(&t);
}

Test(axio_rota, shares_the_win_whatever_the_colours)
{
    struct table t;

    begin(&t, 2, NULL,
          "27,60,24,10,3,6,19,44,48,23,58,26,20,11,4,12,30,38,16,36,53,54,41,"
          "46,35,22,13,51,59,34,40,33,43,21,45,15,18,50,1,39,28,47,2,57,7,14,"
          "25,42,31,29,56,32,8,17,5,49,52,55,37,9 3122");
    play_all(&t,
             "0,-1,2 -1,0,1 -1,-1,3 -1,-2,2 -1,1,2 0,-2,1 1,-1,1 1,2,0 0,2,0 "
             "-2,-1,2=G -2,0,3 -1,2,1=R 2,-1,1=P -2,1,2 -3,0,2 2,0,3 -3,1,2 "
             "2,2,0 -2,2,2 2,1,0 3,-1,0 0,3,3 -1,3,2 -2,-2,1=R");
    cr_see(&t, AUDIENCE_PUBLIC, "mark", "8/7/6/7/8,6/8/8/7/7");
    cr_assert_str_eq(ended(&t), "ranks=1,1 scores=6,6 reason=tiles");
    end(&t);
}

/* Leaving. */

Test(axio_rota, passes_the_turn_of_who_leaves)
{
    struct table t;
    int x = 2;

    begin(&t, 3, NULL, deal_of("", "0000"));
    leave(&t, SEAT(0));
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "2");
    cr_see(&t, AUDIENCE_PUBLIC, "out", "1");
    cr_see(&t, AUDIENCE_PUBLIC, "hand", "-,?,?");
    cr_see(&t, 0, "hand", "-,?,?");
    cr_see(&t, AUDIENCE_REFEREE, "hand", "-,ROPB,RPOG");
    cr_see(&t, AUDIENCE_PUBLIC, "stack", "0,11,11");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "20");
    play_rounds(&t, &x, 2);
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "2");
    end(&t);
}

Test(axio_rota, leaves_the_turn_alone_when_others_leave)
{
    struct table t;
    struct moves before = {0}, after = {0};

    begin(&t, 4, NULL, deal_of("", "0000"));
    game->list(t.state, 0, &before);
    leave(&t, SEAT(1) | SEAT(3));
    game->list(t.state, 0, &after);
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "1");
    cr_see(&t, AUDIENCE_PUBLIC, "out", "2,4");
    cr_see(&t, AUDIENCE_REFEREE, "left", "2.1,4.1");
    cr_assert_eq(before.count, after.count);
    play(&t, "2,1,0");
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "3");
    play(&t, "2,0,0");
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "1");
    moves_release(&before);
    moves_release(&after);
    end(&t);
}

Test(axio_rota, drops_bonus_turns_of_who_leaves)
{
    struct table t;

    begin(&t, 4, NULL, eight);
    play_all(&t, eight_moves);
    play(&t, "4,0,3=R");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "b1");
    leave(&t, SEAT(1));
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "3");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "n");
    cr_see(&t, AUDIENCE_PUBLIC, "hand", "-,-,?,?");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "0");
    cr_see(&t, AUDIENCE_PUBLIC, "mark",
           "12/6/12/12/6,12/12/5/5/12,8/5/5/12/12,8/12/5/6/11");
    end(&t);
}

/* Seat 1 earns two as alone; the others lay a line that scores nothing. */
Test(axio_rota, hands_no_bonus_turn_on_to_the_next_seat)
{
    static const char tiles[] =
        "RRRR RRRR GGGG GGGG RRRR RRRR RRRR GGGG GGGG BBGB BRBG "
        "RGBO RGBO RGBO RGBO RGBO "
        "PPPP PPPP PPPP PPPP PPPP PPPP PPPP PPPP PPPP PPPP PPPP PPPP "
        "OOOO OOOO OOOO OOOO OOOO OOOO OOOO OOOO OOOO OOOO OOOO OOOO";
    struct table t;

    begin(&t, 3, tiles, deal_of("", "0000"));
    play_all(&t, "0,2,0 -1,1,0 -2,1,0 1,2,0 -3,1,0 -4,1,0 2,1,0 -5,1,0 -6,1,0 "
                 "0,-1,0 -7,1,0 -8,1,0 1,-1,0 -9,1,0 -10,1,0 "
                 "-1,0,0 -11,1,0 -12,1,0 2,0,0");
    cr_see(&t, AUDIENCE_PUBLIC, "mark", "12/12/0/0/0,0/0/0/0/0,0/0/0/0/0");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "b1");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "19");
    leave(&t, SEAT(0));
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "2");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "n");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "19");
    play(&t, "-13,1,0");
    cr_assert_str_eq(last_told(&t), "hand 2 ?");
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "3");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "n");
    end(&t);
}

Test(axio_rota, ends_by_forfeit_when_one_seat_is_left)
{
    struct table t;
    int x = 2;

    begin(&t, 3, NULL, deal_of("", "0000"));
    play_rounds(&t, &x, 1);
    leave(&t, SEAT(2));
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "2");
    play_rounds(&t, &x, 1);
    leave(&t, SEAT(1));
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "0");
    cr_see(&t, AUDIENCE_REFEREE, "left", "2.2,3.1");
    cr_assert_str_eq(ended(&t), "ranks=1,2,3 scores=0,0,0 reason=forfeit");
    end(&t);
}

Test(axio_rota, shares_ranks_of_those_who_leave_at_once)
{
    struct table t;

    begin(&t, 4, NULL, deal_of("", "0000"));
    leave(&t, SEAT(3));
    leave(&t, SEAT(0) | SEAT(2));
    cr_assert_str_eq(ended(&t), "ranks=2,1,2,4 scores=0,0,0,0 reason=forfeit");
    end(&t);
    begin(&t, 4, NULL, deal_of("", "0000"));
    leave(&t, SEATS(4));
    cr_assert_str_eq(ended(&t), "ranks=1,1,1,1 scores=0,0,0,0 reason=forfeit");
    end(&t);
}

Test(axio_rota, ends_alone_by_forfeit_with_the_lowest_marker)
{
    struct table t;

    begin(&t, 1, plane, deal_of("", "0000"));
    play_all(&t, plane_moves);
    leave(&t, SEAT(0));
    cr_see(&t, AUDIENCE_PUBLIC, "mark", "12/12/12/12/9");
    cr_assert_str_eq(ended(&t), "ranks=1 scores=9 reason=forfeit");
    end(&t);
}

/* Whoever stays in front of an open bonus tile keeps it, for all to see. */
Test(axio_rota, keeps_an_open_bonus_tile_at_the_end)
{
    struct table t;

    begin(&t, 4, NULL, eight);
    play_all(&t, eight_moves);
    play(&t, "4,0,3=R");
    leave(&t, SEAT(0) | SEAT(2) | SEAT(3));
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "-");
    cr_see(&t, AUDIENCE_PUBLIC, "hand", "-,ROPB,-,-");
    cr_assert_str_eq(ended(&t), "ranks=2,1,2,2 scores=6,5,5,5 reason=forfeit");
    end(&t);
}

/* In the last round of the game with the supply of eight. */
Test(axio_rota, ends_by_tiles_when_all_who_stay_have_laid_theirs)
{
    struct table t;

    begin(&t, 4, NULL, eight);
    play_all(&t, eight_moves);
    play_all(&t, "4,0,3=R -3,3,0");
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "3");
    leave(&t, SEAT(2) | SEAT(3));
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "0");
    cr_assert_str_eq(ended(&t), "ranks=2,1,3,3 scores=6,6,5,5 reason=tiles");
    end(&t);
}

Test(axio_rota, goes_on_after_the_last_to_come_has_left)
{
    struct table t;

    begin(&t, 4, NULL, eight);
    play_all(&t, eight_moves);
    play(&t, "4,0,3=R");
    leave(&t, SEAT(2) | SEAT(3));
    /* Seats 1 and 2 have laid their twelve, the bonus turn is still due. */
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "2");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "b1");
    play(&t, "-3,3,0");
    cr_assert_str_eq(ended(&t), "ranks=2,1,3,3 scores=6,6,5,5 reason=tiles");
    end(&t);
}

Test(axio_rota, lays_the_rest_after_a_leave)
{
    struct table t;
    int x = 2;

    begin(&t, 3, NULL, deal_of("", "0000"));
    play_rounds(&t, &x, 2);
    leave(&t, SEAT(2));
    play_rounds(&t, &x, 22);
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "0");
    cr_see(&t, AUDIENCE_REFEREE, "laid", "12,12,0");
    cr_assert_str_eq(strstr(ended(&t), "reason"), "reason=tiles");
    end(&t);
}
