/*
 * AXIO rota: tiles, set-up, scoring, bonus turns. Every example and table of
 * the rules; whole games with every number are in tests/records/.
 */

#include "axio_rota_table.h"

/* The tiles. */

/* What the game has under a number: the first tile in hand of seat 1. */
static void read_tile(int number, char letters[5])
{
    struct table t;
    char first[40] = "";

    for (int other = 1; other <= (number > 4 ? 4 : 5); other++)
        if (other != number)
            sprintf(first + strlen(first), "%d,", other);
    sprintf(first + strlen(first), "%d", number);
    begin(&t, 1, NULL, deal_of(first, "0000"));
    sprintf(letters, "%s", seen(&t, 0, "hand"));
    end(&t);
}

Test(axio_rota, has_the_default_tiles)
{
    char letters[5];

    for (int number = 1; number <= TILES; number++) {
        read_tile(number, letters);
        cr_expect_str_eq(letters, tile[number - 1], "tile %d is %s", number,
                         letters);
    }
}

static int index_of(char letter)
{
    return (int)(strchr("RGBOP.", letter) - "RGBOP.");
}

Test(axio_rota, balances_the_default_tiles)
{
    int total[6] = {0}, beside[6][6] = {0}, opposite[6][6] = {0};

    for (int i = 0; i < TILES; i++)
        for (int k = 0; k < 4; k++) {
            int c = index_of(tile[i][k]), next = index_of(tile[i][(k + 1) % 4]);

            total[c]++;
            beside[c][next]++;
            beside[next][c]++;
            opposite[c][index_of(tile[i][(k + 2) % 4])]++;
        }
    cr_expect_eq(total[5], 10);
    for (int a = 0; a < 5; a++) {
        cr_expect_eq(total[a], 46);
        cr_expect_eq(opposite[a][5], 2);
        for (int b = 0; b < 5; b++) {
            cr_expect_eq(beside[a][b], a == b ? 0 : 22);
            cr_expect_eq(opposite[a][b], a == b ? 0 : 11);
        }
    }
}

static bool same_tile(const char *a, const char *b)
{
    char twice[9];

    sprintf(twice, "%s%s", a, a);
    return strstr(twice, b) != NULL;
}

static int copies_of(const char *letters)
{
    int copies = 0;

    for (int i = 0; i < TILES; i++)
        copies += same_tile(tile[i], letters);
    return copies;
}

Test(axio_rota, has_forty_different_tiles_alike_in_all_colours)
{
    int single = 0, twice = 0;

    for (int i = 0; i < TILES; i++) {
        char next[5] = {0};

        for (int k = 0; k < 4; k++)
            next[k] = "GBOPR."[index_of(tile[i][k])];
        single += copies_of(tile[i]) == 1;
        twice += copies_of(tile[i]) == 2;
        cr_expect_eq(copies_of(next), copies_of(tile[i]));
    }
    cr_expect_eq(single, 20);
    cr_expect_eq(twice, 2 * 20);
}

/* The set-up. */

Test(axio_rota, deals_twelve_to_each_and_the_rest_to_the_supply)
{
    static const char *const supply[] = {"44", "32", "20", "8"};
    static const char *const stack[] = {"11", "11,11", "11,11,11",
                                        "11,11,11,11"};
    static const int max_moves[] = {16, 32, 48, 56};
    struct table t;

    for (int seats = 1; seats <= 4; seats++) {
        begin(&t, seats, NULL, deal_of("", "0000"));
        cr_see(&t, AUDIENCE_PUBLIC, "supply", supply[seats - 1]);
        cr_see(&t, AUDIENCE_PUBLIC, "stack", stack[seats - 1]);
        for (int seat = 0; seat < seats; seat++) {
            char all[40];

            sprintf(all, "%s", seen(&t, seat, "hand"));
            cr_expect_str_eq(strtok(all + 2 * seat, ","), tile[4 + 12 * seat]);
        }
        cr_expect_eq(game->max_moves(&t.setup), max_moves[seats - 1]);
        end(&t);
    }
}

Test(axio_rota, shows_the_referee_the_piles_from_the_top)
{
    struct table t;

    begin(&t, 4, NULL, deal_of("", "0000"));
    cr_see(&t, AUDIENCE_REFEREE, "stack",
           "6/7/8/9/10/11/12/13/14/15/16,18/19/20/21/22/23/24/25/26/27/28,"
           "30/31/32/33/34/35/36/37/38/39/40,42/43/44/45/46/47/48/49/50/51/52");
    cr_see(&t, AUDIENCE_REFEREE, "supply", "53/54/55/56/57/58/59/60");
    cr_see(&t, AUDIENCE_REFEREE, "hand", "GOBP,ROPB,RPOG,RGBO");
    end(&t);
}

Test(axio_rota, starts_as_the_rules_write_it)
{
    struct table t;
    struct buf view;

    begin(&t, 2, NULL, deal_of("22,32,21,45,41", "0003"));
    buf_init(&view, VIEW_TEXT_MAX);
    game->view(t.state, 0, &view);
    cr_assert_str_eq(view.text,
                     "n=2 seat=1 phase=n out=- mark=0/0/0/0/0,0/0/0/0/0 "
                     "hand=RGBO,? stack=11,11 supply=32 "
                     "tiles=0,1:RGOP;1,1:RGBP;1,0:RGOP;0,0:BGOR");
    cr_assert_str_eq(told(&t), "lay 0,1:RGOP 1,1:RGBP 1,0:RGOP 0,0:BGOR|"
                               "@1 hand 1 RGBO|@2@w hand 1 ?|"
                               "@2 hand 2 RBOP|@1@w hand 2 ?");
    buf_release(&view);
    end(&t);
}

Test(axio_rota, turns_start_tiles_clockwise_by_their_digits)
{
    struct table t;

    begin(&t, 1, "RGBO RGBO RGBO RGBO", deal_of("", "0123"));
    cr_see(&t, AUDIENCE_PUBLIC, "tiles", "0,1:RGBO;1,1:ORGB;1,0:BORG;0,0:GBOR");
    end(&t);
}

Test(axio_rota, turns_empty_corners_of_the_start_inwards)
{
    static const char *const sets[] = {
        ".RGB .RGB .RGB .RGB", "R.GB R.GB R.GB R.GB", "RG.B RG.B RG.B RG.B",
        "RGB. RGB. RGB. RGB."};
    static const char *const seats_of[] = {"0000", "1230", "3333"};
    static const char *const lies[] = {"0,1:GB.R;1,1:RGB.;1,0:.RGB;0,0:B.RG",
                                       "0,1:BR.G;1,1:GBR.;1,0:.GBR;0,0:R.GB",
                                       "0,1:RG.B;1,1:BRG.;1,0:.BRG;0,0:G.BR",
                                       "0,1:GB.R;1,1:RGB.;1,0:.RGB;0,0:B.RG"};
    struct table t;

    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            begin(&t, 1, sets[i], deal_of("", seats_of[k]));
            cr_see(&t, AUDIENCE_PUBLIC, "tiles", lies[i]);
            end(&t);
        }
}

/* Scoring. */

/* The markers of a seat that plays alone. */
static void read_marks(const struct table *t, int mark[5])
{
    const char *at = seen(t, AUDIENCE_PUBLIC, "mark");

    for (int c = 0; c < 5; c++) {
        cr_assert(take_int(&at, 0, 12, &mark[c]));
        cr_assert(c == 4 ? at_end(at) : take_char(&at, '/'));
    }
}

/* Lay Q, L and D beside the square, then X, which meets only these three. */
static void expect_gains(const char *l, const char *q, const char *d,
                         const char *x, const char *name, const char *gains)
{
    struct table t;
    char tiles[80], move[32], text[40];
    int before[5], after[5];

    sprintf(tiles, "RGBO RGBO RGBO RGBO %s %s %s %s", q, l, d, x);
    begin(&t, 1, tiles, deal_of("", "0000"));
    play_all(&t, "2,0,0 2,1,0 3,0,0");
    read_marks(&t, before);
    sprintf(move, "3,1,0%s", name);
    play(&t, move);
    read_marks(&t, after);
    sprintf(text, "%d/%d/%d/%d/%d", after[0] - before[0], after[1] - before[1],
            after[2] - before[2], after[3] - before[3], after[4] - before[4]);
    cr_expect_str_eq(text, gains, "%s%s gains %s, not %s", x, name, text,
                     gains);
    end(&t);
}

Test(axio_rota, scores_the_examples_of_the_sheet)
{
    expect_gains("GPRO", "RBGO", "ORGP", "POGB", "", "0/0/1/0/1");
    expect_gains("GBRO", "ORGP", "BPOG", "BOGR", "", "2/0/1/0/0");
    expect_gains("GBRO", "OPGR", "GOPB", "BPGR", "", "1/0/1/0/0");
}

Test(axio_rota, scores_the_examples_with_empty_corners)
{
    expect_gains("G.PO", "RBGO", "OPGR", "RGP.", "=B", "0/0/1/0/1");
    expect_gains("G.PO", "RBGO", "OPGR", "RGP.", "", "0/0/0/0/1");
    expect_gains("GBRO", "ORGP", "PGBO", "BGO.", "=R", "2/0/1/0/0");
    expect_gains("GBRO", "ORGP", "PGBO", "BGO.", "=P", "0/0/1/0/1");
    expect_gains("GBRO", "ORGP", "PGBO", "BGO.", "=G", "0/0/1/0/0");
    expect_gains("GBRO", "ORGP", "PGBO", "BGO.", "", "0/0/1/0/0");
}

/* One corner of X at the point where L, Q and D meet. */
Test(axio_rota, scores_up_to_three_others_in_a_circle_not_itself)
{
    expect_gains("PPPP", "PPPP", "PPPP", "GGGR", "", "0/0/0/0/0");
    expect_gains("PPRP", "PPPP", "PPPP", "GGGR", "", "1/0/0/0/0");
    expect_gains("PPPP", "PRPP", "PPPP", "GGGR", "", "1/0/0/0/0");
    expect_gains("PPPP", "PPPP", "RPPP", "GGGR", "", "1/0/0/0/0");
    expect_gains("PPRP", "PRPP", "RPPP", "GGGR", "", "3/0/0/0/0");
    expect_gains("PPRP", "PRPP", "RPPP", "GGG.", "=R", "3/0/0/0/0");
}

Test(axio_rota, adds_up_the_corners_of_one_colour)
{
    expect_gains("RRRR", "RRRR", "RRRR", "RRRR", "", "5/0/0/0/0");
    expect_gains("RRRR", "RRRR", "RRRR", "RRR.", "=R", "5/0/0/0/0");
    expect_gains("RRRR", "RRRR", "RRRR", "RRR.", "=O", "2/0/0/0/0");
}

Test(axio_rota, scores_nothing_where_empty_corners_meet)
{
    expect_gains("GG.G", "G.GG", ".GGG", "RRR.", "", "0/0/0/0/0");
    expect_gains("GG.G", "G.GG", ".GGG", "RRR.", "=B", "0/0/0/0/0");
    expect_gains("GG.G", "G.GG", ".GGG", "RRRB", "", "0/0/0/0/0");
}

/* The north east corner of X touches nothing. */
Test(axio_rota, lets_an_idle_empty_corner_be_named_in_vain)
{
    expect_gains("BBBB", "BBBB", "BBBB", "R.RR", "=B", "0/0/0/0/0");
    expect_gains("BBBB", "BBBB", "BBBB", "R.RR", "", "0/0/0/0/0");
}

Test(axio_rota, forgets_the_name_of_an_empty_corner)
{
    struct table t;

    begin(&t, 1, "GGGG GGGG GGGG GGGG .PPP PPPB", deal_of("", "0000"));
    play(&t, "2,1,0=B");
    cr_assert_str_eq(told(&t), "play 1 2,1,0=B|lay 2,1:.PPP|marks 1 0/0/0/0/0|"
                               "@1 hand 1 PPPB|@w hand 1 ?");
    /* Its south west corner meets the empty one of 2,1, nothing else blue. */
    play(&t, "2,2,0");
    cr_see(&t, AUDIENCE_PUBLIC, "mark", "0/0/0/0/1");
    end(&t);
}

Test(axio_rota, turns_the_laid_tile_clockwise)
{
    static const char *const moves[] = {"2,0,0", "2,0,1", "2,0,2", "2,0,3"};
    static const char *const lies[] = {"lay 2,0:RGBO", "lay 2,0:ORGB",
                                       "lay 2,0:BORG", "lay 2,0:GBOR"};
    struct table t;

    for (int i = 0; i < 4; i++) {
        begin(&t, 1, "", deal_of("", "0000"));
        play(&t, moves[i]);
        cr_expect_str_eq(lines_text(&t.events, 1), lies[i]);
        end(&t);
    }
}

/* Markers, bonus turns and the instant win. */

/*
 * A red square. At each of four sites that do not touch each other a red tile
 * scores 3; the fourth shows one red corner, to two others.
 */
static void bring_red_to_11(struct table *t)
{
    begin(t, 1, "RRRR RRRR RRRR RRRR RRRR RRRR RRRR RGGG RRRR PPPP RRRR",
          deal_of("1,2,3,4,5,6,7,8,9,12,13,14,15,16,17,18,11,10", "0000"));
    play_all(t, "2,1,0 -1,0,0 0,2,0 1,-1,0");
    cr_see(t, AUDIENCE_PUBLIC, "mark", "11/0/0/0/0");
    cr_see(t, AUDIENCE_PUBLIC, "phase", "n");
}

Test(axio_rota, stops_a_marker_on_12_and_gives_one_bonus_turn)
{
    struct table t;

    bring_red_to_11(&t);
    play(&t, "2,2,0");
    cr_assert_str_eq(told(&t), "play 1 2,2,0|lay 2,2:RRRR|marks 1 12/0/0/0/0|"
                               "bonus 1 RRRR");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "b0");
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "1");
    cr_see(&t, AUDIENCE_PUBLIC, "hand", "RRRR");
    cr_see(&t, AUDIENCE_PUBLIC, "stack", "7");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "43");
    end(&t);
}

Test(axio_rota, gives_nothing_more_for_a_marker_on_12)
{
    struct table t;

    bring_red_to_11(&t);
    play_all(&t, "2,2,0 1,2,0");
    cr_assert_str_eq(told(&t), "play 1 1,2,0|lay 1,2:RRRR|marks 1 12/0/0/0/0|"
                               "@1 hand 1 RGBO|@w hand 1 ?");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "n");
    cr_see(&t, AUDIENCE_PUBLIC, "hand", "?");
    cr_see(&t, AUDIENCE_PUBLIC, "stack", "6");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "43");
    end(&t);
}

Test(axio_rota, gives_two_bonus_turns_for_two_markers)
{
    struct table t;

    earn_two(&t);
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "b1");
    cr_assert_str_eq(last_told(&t), "bonus 1 RGBO");
    play(&t, "3,0,0");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "b0");
    cr_assert_str_eq(last_told(&t), "bonus 1 RGBO");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "42");
    cr_see(&t, AUDIENCE_PUBLIC, "stack", "5");
    play(&t, "4,0,0");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "n");
    cr_assert_str_eq(last_told(&t), "hand 1 ?");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "42");
    cr_see(&t, AUDIENCE_PUBLIC, "stack", "4");
    end(&t);
}

Test(axio_rota, ends_at_once_with_five_markers_on_12)
{
    struct table t;

    begin(&t, 1, plane, deal_of("", "0000"));
    play_all(&t, plane_moves);
    cr_see(&t, AUDIENCE_PUBLIC, "mark", "12/12/12/12/9");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "40");
    play(&t, "3,-1,0");
    cr_assert_str_eq(last_told(&t), "marks 1 12/12/12/12/12");
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "0");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "-");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "40");
    cr_assert_str_eq(ended(&t), "ranks=1 scores=12 reason=instant");
    end(&t);
}

/* The same moves, followed marker by marker. */
Test(axio_rota, follows_the_markers_through_four_bonus_turns)
{
    static const char *const after[] = {
        "n 2/1/0/0/0",      "n 5/2/0/0/1",     "n 5/4/0/0/2",
        "n 5/8/0/2/2",      "n 5/8/2/5/2",     "n 5/8/5/5/2",
        "n 7/8/8/6/2",      "n 11/9/8/6/2",    "b0 12/10/8/6/2",
        "n 12/10/10/7/2",   "b1 12/12/12/8/2", "b0 12/12/12/9/2",
        "b0 12/12/12/12/2", "n 12/12/12/12/4", "n 12/12/12/12/9"};
    const char *at = plane_moves;
    struct table t;

    begin(&t, 1, plane, deal_of("", "0000"));
    for (int i = 0; i < 15; i++) {
        char move[32] = {0}, text[40];

        memcpy(move, at, strcspn(at, " "));
        at += strcspn(at, " ") + 1;
        play(&t, move);
        sprintf(text, "%s %s", seen(&t, 0, "phase"), seen(&t, 0, "mark"));
        cr_expect_str_eq(text, after[i], "after %s: %s", move, text);
    }
    end(&t);
}

Test(axio_rota, loses_bonus_turns_when_the_supply_is_empty)
{
    struct table t;

    begin(&t, 4, NULL, eight);
    play_all(&t, eight_moves);
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "1");
    play(&t, "4,0,3=R");
    cr_assert_str_eq(told(&t), "play 2 4,0,3=R|lay 4,0:GBO.|"
                               "marks 2 12/12/5/5/12|bonus 2 ROPB");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "b1");
    cr_see(&t, AUDIENCE_PUBLIC, "supply", "0");
    cr_see(&t, AUDIENCE_REFEREE, "supply", "-");
    play(&t, "-3,3,0");
    cr_assert_str_eq(told(&t), "play 2 -3,3,0|lay -3,3:ROPB|"
                               "marks 2 12/12/7/6/12");
    cr_see(&t, AUDIENCE_PUBLIC, "seat", "3");
    cr_see(&t, AUDIENCE_PUBLIC, "phase", "n");
    play(&t, "0,-5,2");
    play(&t, "-4,3,2=B");
    cr_assert_str_eq(last_told(&t), "marks 4 8/12/8/6/12");
    cr_assert_str_eq(ended(&t), "ranks=4,3,1,1 scores=6,6,6,6 reason=tiles");
    end(&t);
}
