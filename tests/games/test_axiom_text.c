/* Axiom: options, positions, moves and drawings as text. */

#include "axiom_table.h"

TestSuite(axiom_text, .fini = clear_table);

/* clang-format off */
static const struct {
    const char *options, *reason;
} bad_options[] = {
    {"start=castle", "start must be standard|tower|wall|steps|square"},
    {"start=Standard", "start must be"},
    {"contact=corner", "contact must be edge|face|interlock"},
    {"ownpair=draw", "ownpair must be legal|loss"},
    {"repetition=1", "repetition: must be 0 (off) or a number from 2 to 9"},
    {"repetition=10", "repetition: must be 0"},
    {"repetition=03", "repetition: must be 0"},
    {"repetition=-2", "repetition: must be 0"},
    {"repetition=3x", "repetition: must be 0"},
    {"repetition=three", "not \"three\""},
    {"maxplies=0", "maxplies: must be a number from 1 to 2000"},
    {"maxplies=2001", "maxplies: must be a number"},
    {"maxplies=1e3", "maxplies: must be a number"},
    {"maxplies=99999999999999999999", "maxplies: must be a number"},
    {"dome=up", "no option \"dome\""},
    {"setup=", "needs a value"},

    /* The form of a position. */
    {"setup=standard", "setup: a cube such as b-1,0,2E"},
    {"setup=B0,0,1W|b0,0,1U;w9,9,1U|b", "where it says \"B0,0,1W"},
    {"setup=b0,0,1|b0,0,1U|b", "a cube such as"},
    {"setup=b0,0W|b0,0,1U|b", "a cube such as"},
    {"setup=b0,0,+1W|b0,0,1U|b", "a cube such as"},
    {"setup=b0,00,1W|b0,0,1U|b", "a cube such as"},
    {"setup=b-0,0,1W|b0,0,1U|b", "a cube such as"},
    {"setup=b0,0,0W|b0,0,1U|b", "z from 1 to 12"},
    {"setup=b0,0,13W|b0,0,1U|b", "z from 1 to 12"},
    {"setup=b100,0,1W|b0,0,1U|b", "x and y from -99 to 99"},
    {"setup=b0,-100,1W|b0,0,1U|b", "x and y from -99 to 99"},
    {"setup=b0,0,1WE|b0,0,1U|b",
     "the domes of \"b0,0,1WE\" must be on two faces that meet at an edge"},
    {"setup=b0,0,1WW|b0,0,1U|b", "two faces that meet at an edge"},
    {"setup=b0,0,1WNU|b0,0,1U|b",
     "; and a cube, or | and the sceptres should be where it says \"U|"},
    {"setup=b0,0,1W", "the position ends where ; and a cube, or |"},
    {"setup=b0,0,1W;", "the position ends where a cube such as"},
    {"setup=b0,0,1W|", "the position ends where a sceptre such as"},
    {"setup=b0,0,1W||b", "a sceptre such as b-1,0,2U should be"},
    {"setup=b0,0,1W|b0,0,1|b", "a sceptre such as"},
    {"setup=b0,0,1W|b0,0,1UN|b", "; and a sceptre, or | and the side"},
    {"setup=b0,0,1W|b0,0,1U|", "the side to move, b or w,"},
    {"setup=b0,0,1W|b0,0,1U|B", "the side to move, b or w,"},
    {"setup=b0,0,1W|b0,0,1U|bw", "the end of the position should be"},

    /* The number of pieces. */
    {"setup=b0,0,1W;b1,0,1W;b2,0,1W;b3,0,1W;b4,0,1W;b5,0,1W;b6,0,1W|b0,0,1U|b",
     "Black has more than 6 cubes"},
    {"setup=b0,0,1W;w1,1,1EU;w3,1,1EU;w5,1,1EU;w7,1,1EU|b0,0,1U;w1,1,1N|b",
     "White has 4 cubes with two domes; there are only 3"},
    {"setup=b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1U;w9,9,1N;w9,9,1S|b",
     "White has more than 2 sceptres"},
    {"setup=b0,0,1W;w9,9,1E|w9,9,1U|b", "Black has no sceptre; one or two"},
    {"setup=b0,0,1W;w9,9,1E|b0,0,1U|b", "White has no sceptre; one or two"},

    /* What stands on a table. */
    {"setup=b0,0,1W;b0,0,1E;w9,9,1E|b0,0,1U;w9,9,1U|b",
     "setup: there are two cubes in 0,0,1"},
    {"setup=b0,0,1W;b0,0,3D;w9,9,1E|b0,0,1U;w9,9,1U|b",
     "nothing carries a cube in 0,0,3: there is none in 0,0,2"},
    {"setup=b0,0,1D;w9,9,1E|b0,0,1U;w9,9,1U|b",
     "a cube in 0,0,1 stands on the table; D is not a dome"},
    {"setup=b0,0,1W;b0,0,2W;w9,9,1E|b0,0,1E;w9,9,1U|b",
     "the cubes in 0,0,1 and 0,0,2 must interlock"},
    {"setup=b0,0,2D;w0,0,1EU;w9,9,1E|b0,0,1N;w9,9,1U|b",
     "the cubes in 0,0,1 and 0,0,2 must interlock"},
    {"setup=b0,0,1E;b1,0,1W;w9,9,1E|b0,0,1U;w9,9,1U|b",
     "a dome of the cube in 0,0,1 would meet a dome of the one in 1,0,1"},

    /* Where sceptres stand. */
    {"setup=b0,0,1W;w9,9,1E|b5,0,1U;w9,9,1U|b",
     "there is no cube in 5,0,1 to carry a sceptre"},
    {"setup=b0,0,1W;w9,9,1E|b0,0,1D;w9,9,1U|b", "0,0,1D is an underside"},
    {"setup=b0,0,1W;w9,9,1E|b0,0,1W;w9,9,1U|b",
     "0,0,1W is a dome; a sceptre stands in a recess"},
    {"setup=b0,0,1W;b1,0,1S;w9,9,1E|b0,0,1E;w9,9,1U|b",
     "0,0,1E is covered by the cube in 1,0,1"},
    {"setup=b0,0,1W;w9,9,1E|b0,0,1U;b0,0,1U;w9,9,1U|b",
     "another sceptre is in 0,0,1U"},
    {"setup=b0,0,1W;w9,9,1E|b0,0,1U;w0,0,1N|b",
     "sceptres of both sides are in the cube in 0,0,1"},
    {"setup=b0,0,1W;b2,0,1E;w9,9,1E|b0,0,1E;w9,9,1U|b",
     "no room in 0,0,1E: the cube in 2,0,1 leaves a gap of one cell"},
    {"setup=b0,0,1W;b1,1,1E;w9,9,1E|b0,0,1E;b1,1,1S;w9,9,1U|b",
     "no room in 0,0,1E: another sceptre fills 1,0,1"},
    {"setup=b0,0,1W;w3,0,1E|b0,0,1E;w3,0,1W|b",
     "no room in 0,0,1E: the sceptre opposite needs three empty cells"},

    /* Together with other options. */
    {"start=wall setup=b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1U|b",
     "start and setup cannot be combined"},
    {"start=standard setup=b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1U|b",
     "start and setup cannot be combined"},
    {"ownpair=loss setup=b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1U;w9,9,1N|b",
     "setup: both sceptres of White are on one cube, which ownpair=loss"},
    {"setup=w0,-2,1U;b0,0,1W;w3,0,1S;w2,0,1U;w0,2,1U|b0,0,1U;w3,0,1E|b",
     "setup: Black is to move but has no legal move"},
};
/* clang-format on */

Test(axiom_text, bad_options)
{
    for (size_t i = 0; i < sizeof bad_options / sizeof *bad_options; i++) {
        cr_expect(!set_options(bad_options[i].options), "%s",
                  bad_options[i].options);
        cr_expect(strstr(err.text, bad_options[i].reason), "%s: %s",
                  bad_options[i].options, err.text);
    }
}

Test(axiom_text, good_options)
{
    static const char *const rows[] = {
        "start=standard",
        "start=square contact=face ownpair=loss repetition=0 maxplies=1",
        "repetition=2",
        "repetition=9 maxplies=2000",
        "ownpair=legal setup=b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1U;w9,9,1N|b",
        "setup=b-99,99,1W;w99,-99,1E|b-99,99,1U;w99,-99,1U|w",
        "setup=b0,0,1W;w4,0,1E|b0,0,1E;w4,0,1W|b",
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect(set_options(rows[i]), "%s: %s", rows[i], err.text);
}

Test(axiom_text, two_seats)
{
    for (int seats = 1; seats <= 3; seats++) {
        struct setup other = {.seats = seats};

        cr_expect_eq(game_accepts(game, &other, &err), seats == 2);
    }
}

Test(axiom_text, no_deal)
{
    cr_expect(set_options(""));
    cr_expect_null(game_new(game, &setup, "1", &events, &err));
    cr_expect(strstr(err.text, "axiom has no chance"));
}

/* A start that is typed in is the same start, in whatever order. */
Test(axiom_text, a_setup_is_written_in_order)
{
    begin("");
    cr_expect_str_eq(view(AUDIENCE_PUBLIC),
                     "position=" STANDARD " ply=0 repeats=1");
    begin("setup=w1,1,2w;w0,1,2d;b1,0,2E;w-1,1,2W;b0,0,2D;b-1,0,2E;w1,1,1UE;"
          "w0,1,1NE;w-1,1,1eu;b1,0,1UW;b0,0,1SW;b-1,0,1WU|"
          "w1,1,2u;w-1,1,2U;b1,0,2U;b-1,0,2U|b");
    cr_expect_str_eq(view(AUDIENCE_PUBLIC),
                     "position=" STANDARD " ply=0 repeats=1");
    begin("setup=w0,0,1W;b5,0,1E|w0,0,1U;w0,0,1N;b5,0,1N|w");
    cr_expect_str_eq(view(AUDIENCE_PUBLIC),
                     "position=w0,0,1W;b5,0,1E|b5,0,1N;w0,0,1N;w0,0,1U|w "
                     "ply=0 repeats=1");
}

/* The built-in starts obey the rules that are asked of a setup. */
Test(axiom_text, starts_stand)
{
    static const char *const starts[] = {"start=standard", "start=tower",
                                         "start=wall", "start=steps",
                                         "start=square"};

    for (int i = 0; i < 5; i++) {
        char position[500];

        begin(starts[i]);
        cr_assert_eq(sscanf(view(AUDIENCE_PUBLIC), "position=%499s", position),
                     1);
        begin_at(position, "ownpair=loss");
    }
}

Test(axiom_text, views)
{
    static const char *const now =
        "position=b-1,0,1WU;b0,0,1WS;b1,0,1WU;w-1,1,1EU;w0,1,1EN;w1,1,1EU;"
        "b-1,0,2E;b1,0,2E;w-1,1,2W;w0,1,2D;w1,1,2W;b0,1,3D|"
        "b-1,0,2U;b1,0,2U;w-1,1,2N;w1,1,2U|b ply=2 repeats=1";
    char whole[1500];

    begin("repetition=0");
    snprintf(whole, sizeof whole,
             "position=%s ply=0 repeats=1 from=%s moves=- contact=edge "
             "ownpair=legal repetition=0 maxplies=400 left=-",
             STANDARD, STANDARD);
    cr_expect_str_eq(view(AUDIENCE_REFEREE), whole);
    play("C0,0,2/0,1,3D");
    cr_expect_str_eq(told(), "play 1 C0,0,2/0,1,3D");
    play("S-1,1,2U/-1,1,2N");
    cr_expect_str_eq(told(), "play 2 S-1,1,2U/-1,1,2N");
    cr_expect_str_eq(view(0), now);
    cr_expect_str_eq(view(1), now);
    cr_expect_str_eq(view(AUDIENCE_PUBLIC), now);
    game_leave(game, state, SEAT(1), &events);
    snprintf(whole, sizeof whole,
             "%s from=%s moves=C0,0,2/0,1,3D;S-1,1,2U/-1,1,2N contact=edge "
             "ownpair=legal repetition=0 maxplies=400 left=2.1",
             now, STANDARD);
    cr_expect_str_eq(view(AUDIENCE_REFEREE), whole);
}

static const char *warning(const char *options)
{
    clear_table();
    buf_init(&text, 1000);
    cr_assert(set_options(options), "%s", err.text);
    game->warn(&setup, &text);
    return text.text;
}

Test(axiom_text, warnings)
{
    cr_expect_str_eq(warning("start=tower"), "");
    cr_expect_str_eq(warning("setup=" STANDARD), "");
    cr_expect_str_eq(
        warning("setup=b0,0,1W;b1,0,1E;w9,9,1E|b0,0,1U;w9,9,1U;w9,9,1N|b"),
        "setup is uneven: Black has cubes=2 sceptres=1, White has cubes=1 "
        "sceptres=2\n");
    cr_expect_str_eq(warning("setup=b0,0,1W;w1,1,1E|b0,0,1U;w1,1,1N|b"),
                     "setup is decided: Black can win with the first move\n");
    cr_expect_str_eq(warning("setup=b0,0,1W;w1,1,1E|b0,0,1U;w1,1,1N|w"),
                     "setup is decided: White can win with the first move\n");
}

/* A setup that accepts() would refuse is no reason to warn, nor to crash. */
Test(axiom_text, no_warning_for_an_impossible_setup)
{
    setup = (struct setup){.seats = 2};
    buf_init(&text, 1000);
    cr_assert(setup_set(game, &setup, "setup=b0,0,1W|b5,0,1U;w7,0,1U|b", &err));
    game->warn(&setup, &text);
    cr_expect_str_eq(text.text, "");
}

Test(axiom_text, spellings)
{
    static const struct {
        const char *other, *canonical;
    } rows[] = {
        {"C0,0,2/0,1,3D", "C0,0,2/0,1,3D"},
        {"c0,0,2/0,1,3d", "C0,0,2/0,1,3D"},
        {"s1,0,2u/0,1,2u", "S1,0,2U/0,1,2U"},
        {"S-1,0,2U/-1,0,1s", "S-1,0,2U/-1,0,1S"},
        {"C9,9,1/10,10,1UW", "C9,9,1/10,10,1WU"},
        {"C9,9,1/10,10,1sE", "C9,9,1/10,10,1ES"},
        {"C9,9,1/8,-99,1NU", NULL},
    };
    const char *position = "b9,9,1EU;b9,10,1W;w9,8,1W|b9,10,1U;w9,8,1U|b";

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct move move;

        if (rows[i].other[1] == '9')
            begin_at(position, "");
        else
            begin("");
        if (!rows[i].canonical) {
            cr_expect(!is_legal(rows[i].other));
            continue;
        }
        cr_assert(game_parse(game, state, 0, rows[i].other, &move, &err),
                  "%s: %s", rows[i].other, err.text);
        cr_expect_str_eq(spell(&move), rows[i].canonical);
    }
}

#define GAP  "b0,0,1U;b0,1,1U;b0,2,1U;b2,1,1U;w9,9,1E|b0,0,1E;w9,9,1U|b"
#define AIR  "b0,0,1W;b1,0,1S;b2,0,1E;w1,1,1U;w1,1,2N|b0,0,1U;w1,1,2S|b"
#define HEAD "b0,0,1W;w3,0,1E|b0,0,1U;w3,0,1W|b"
#define DOME "b0,0,1EU;b1,0,1N;w9,9,1E|b1,0,1U;w9,9,1U|b"

/* clang-format off */
static const struct {
    const char *options, *move, *reason;
} refusals[] = {
    /* What is no move at all. */
    {"", "pass", "a move begins with S for a sceptre or C for a cube"},
    {"", "resign", "a move begins with S"},
    {"", "0,0,2/0,1,3D", "a move begins with S"},
    {"", "C", "goes wrong at \"\""},
    {"", "C0,0,2", "goes wrong at \"\""},
    {"", "C0,0,2/", "goes wrong at \"\""},
    {"", "C0,0,2/0,1,3", "goes wrong at \"\""},
    {"", "C0,0,2U/0,1,3D", "goes wrong at \"U/0,1,3D\""},
    {"", "C0,0,2/0,1,3DEN", "goes wrong at \"N\""},
    {"", "C0,0,2/0,1,3D/", "goes wrong at \"/\""},
    {"", "C0,0,2/0,1,3X", "goes wrong at \"X\""},
    {"", "C+0,0,2/0,1,3D", "goes wrong at \"+0"},
    {"", "C0,00,2/0,1,3D", "goes wrong at \"0,00"},
    {"", "C-0,0,2/0,1,3D", "goes wrong at \"-0"},
    {"", "C0,0,02/0,1,3D", "goes wrong at"},
    {"", "C0,0,0/0,1,3D", "goes wrong at"},
    {"", "C0,0,-2/0,1,3D", "goes wrong at"},
    {"", "C0,0,2/0,1,0D", "goes wrong at"},
    {"", "C0,0,2/10000,1,1U", "goes wrong at \"10000"},
    {"", "C0,0,2/99999999999999999999,1,1U", "goes wrong at"},
    {"", "S1,0,2/0,1,2U", "goes wrong at \"/0,1,2U\""},
    {"", "S1,0,2U/0,1,2", "goes wrong at \"\""},
    {"", "S1,0,2U/0,1,2UU", "goes wrong at \"U\""},
    {"", "S1,0,2U0,1,2U", "goes wrong at"},
    {"", "C9999,0,1/0,1,3D", "no cube can get that far out"},
    {"", "C0,0,2/0,-9999,1U", "no cube can get that far out"},
    {"", "C0,0,2/0,1,9999D", "no cube can get that far out"},
    {"", "S1,0,2U/4001,0,1U", "no cube can get that far out"},

    /* Cubes, in the order of the tests. */
    {"", "C5,5,1/0,1,3D", "there is no cube in 5,5,1"},
    {"", "C0,1,2/0,0,3D", "the cube in 0,1,2 is not yours: you are Black"},
    {"", "C0,0,1/0,0,1E", "the cube in 0,0,1 is not free: a cube stands on"},
    {"", "C1,0,2/1,0,2E", "the cube in 1,0,2 is not free: a sceptre stands"},
    {"", "C0,0,2/0,1,3UD", "on one face, or on two that meet at an edge"},
    {"", "C0,0,2/0,1,3DD", "on one face, or on two that meet at an edge"},
    {"", "C0,0,2/0,0,2EU", "the cube in 0,0,2 must move to another cell"},
    {"", "C0,0,2/0,1,2ED", "the cube in 0,0,2 has one dome, not two"},
    {"setup=" DOME, "C0,0,1/1,0,1E", "has two domes, not one"},
    {"", "C0,0,2/0,1,2E", "0,1,2 is not empty"},
    {"", "C0,0,2/0,0,1E", "0,0,1 is not empty"},
    {"", "C0,0,2/3,3,2D", "nothing carries a cube in 3,3,2: there is none in"},
    {"", "C0,0,2/0,1,15D", "nothing carries a cube in 0,1,15"},
    {"", "C0,0,2/0,0,3D", "nothing carries a cube in 0,0,3"},
    {"", "C0,0,2/0,1,3E", "the cubes in 0,1,2 and 0,1,3 must interlock"},
    {"", "C0,0,2/2,0,1D", "a cube in 2,0,1 stands on the table"},
    {"", "C0,0,2/9,9,1D", "a cube in 9,9,1 stands on the table"},
    {"", "C0,0,2/-2,0,1E", "a dome of the cube in -2,0,1 would meet a dome of "
                           "the one in -1,0,1"},
    {"", "C0,0,2/9,9,1U", "a cube in 9,9,1 must touch another cube"},
    {"contact=face", "C0,0,2/2,-1,1U", "must stand face to face"},
    {"contact=interlock", "C0,0,2/-1,2,1U", "must interlock with a cube"},
    {"contact=interlock", "C0,0,2/2,-1,1U", "must interlock with a cube"},
    {"", "C0,0,2/-1,0,3D", "a sceptre reaches into -1,0,3"},

    /* Sceptres. */
    {"", "S0,0,2U/0,1,2U", "there is no sceptre in 0,0,2U"},
    {"", "S1,0,2N/0,1,2U", "there is no sceptre in 1,0,2N"},
    {"", "S1,1,2U/0,1,2U", "the sceptre in 1,1,2U is not yours: you are Black"},
    {"", "S1,0,2U/1,0,2U", "the sceptre is already in 1,0,2U; it must move"},
    {"", "S1,0,2U/5,5,1U", "there is no cube in 5,5,1 to carry a sceptre"},
    {"", "S1,0,2U/1,0,1D", "1,0,1D is an underside"},
    {"", "S1,0,2U/1,0,2E", "1,0,2E is a dome"},
    {"", "S1,0,2U/1,0,1N", "1,0,1N is covered by the cube in 1,1,1"},
    {"", "S1,0,2U/1,1,2U", "another sceptre is in 1,1,2U"},
    {"", "S1,0,2U/-1,0,2U", "another sceptre is in -1,0,2U"},
    {"", "S1,0,2U/1,1,1N", "no straight line of empty recesses leads from "
                           "1,0,2U to 1,1,1N"},
    {"setup=" GAP, "S0,0,1E/0,1,1E",
     "no room in 0,1,1E: the cube in 2,1,1 leaves a gap of one cell"},
    {"setup=" AIR, "S0,0,1U/1,0,1U",
     "no room in 1,0,1U: another sceptre fills 1,0,2"},
    {"setup=" HEAD, "S0,0,1U/0,0,1E",
     "no room in 0,0,1E: the sceptre opposite needs three empty cells"},
};
/* clang-format on */

Test(axiom_text, refusals)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        begin(refusals[i].options);
        cr_expect(!is_legal(refusals[i].move), "%s", refusals[i].move);
        cr_expect(strstr(err.text, refusals[i].reason), "%s: %s",
                  refusals[i].move, err.text);
        cr_expect_null(strchr(err.text, '#'));
    }
}

Test(axiom_text, white_is_told_its_colour)
{
    begin("");
    play("S1,0,2U/0,1,2U");
    cr_expect(!is_legal("S0,1,2U/0,0,2U"));
    cr_expect_str_eq(err.text,
                     "the sceptre in 0,1,2U is not yours: you are White");
}

static const char *drawing(bool colour)
{
    buf_reset(&text);
    game_show(game, state, AUDIENCE_PUBLIC, colour, &text);
    return text.text;
}

/* Without the blanks at the ends of lines. */
static const char *trimmed(const char *from)
{
    static char out[8000];
    size_t n = 0;

    for (; *from; from++) {
        while (*from == '\n' && n > 0 && out[n - 1] == ' ')
            n--;
        out[n++] = *from;
    }
    out[n] = '\0';
    return out;
}

Test(axiom_text, drawing_of_the_start)
{
    begin("");
    cr_expect_str_eq(
        trimmed(drawing(false)),
        "Black to move, 0 of 400 moves played\n"
        "\n"
        "level 1                       level 2\n"
        "y\\x     -1     0      1       y\\x     -1     0      1\n"
        "     +-----++--^--++-----+         +-----++-----++-----+\n"
        "1    |w u  >|w    >|w u  >    1    <w W  ||w   d|<w W  |\n"
        "     +-----++-----++-----+         +-----++-----++-----+\n"
        "     +-----++-----++-----+         +-----++-----++-----+\n"
        "0    <b u  |<b    |<b u  |    0    |b B  >|b   d||b B  >\n"
        "     +-----++--v--++-----+         +-----++-----++-----+\n"
        "\n"
        "cubes b w   sceptres B W   domes < > ^ v, u up, d down\n");
}

/* Side faces with sceptres; rows and columns without cubes are left out. */
Test(axiom_text, drawing_with_gaps)
{
    begin_at("b0,0,1W;w9,9,1E|b0,0,1N;w9,9,1S|b", "");
    play("S0,0,1N/0,0,1E");
    cr_expect_str_eq(
        trimmed(drawing(false)),
        "White to move, 1 of 400 moves played\n"
        "\n"
        "level 1\n"
        "y\\x     0   :   9\n"
        "            :+-----+\n"
        "9       .   :|w    >\n"
        "            :+--W--+\n"
        ":\n"
        "     +-----+:\n"
        "0    <b    B:   .\n"
        "     +-----+:\n"
        "\n"
        "cubes b w   sceptres B W   domes < > ^ v, u up, d down\n"
        "B W in a border: a sceptre in that wall   : empty rows or columns "
        "left out\n");
}

static size_t widest_line(const char *lines)
{
    size_t widest = 0;

    for (; *lines; lines += strcspn(lines, "\n") + 1)
        if (strcspn(lines, "\n") > widest)
            widest = strcspn(lines, "\n");
    return widest;
}

Test(axiom_text, drawings_fit_a_screen)
{
    begin_at("b-99,-99,1W;b-80,0,1W;b-60,0,1W;b-40,0,1W;b-20,0,1W;b0,0,1W;"
             "w20,0,1W;w40,0,1W;w60,0,1W;w80,0,1W;w90,0,1W;w99,99,1W|"
             "b-99,-99,1U;w99,99,1U|b",
             "");
    cr_expect_eq(widest_line(drawing(false)), 100);
    begin_at("b0,0,1U;b0,0,2U;b0,0,3U;b0,0,4U;b0,0,5U;b0,0,6U;"
             "w0,0,7U;w0,0,8U;w0,0,9U;w0,0,10U;w0,0,11U;w0,0,12U|"
             "b0,0,1E;w0,0,12E|b",
             "");
    cr_expect_leq(widest_line(drawing(false)), 100);
    cr_expect(strstr(drawing(false), "level 12"));
}

/* Colour adds escapes and changes nothing else. */
Test(axiom_text, drawing_in_colour)
{
    char plain[8000], *out = plain;

    begin("");
    for (const char *at = drawing(true); *at; at++) {
        if (*at == '\033')
            at += strcspn(at, "m");
        else
            *out++ = *at;
    }
    *out = '\0';
    cr_expect(strchr(text.text, '\033'));
    cr_expect_str_eq(drawing(false), plain);
    cr_expect_null(strchr(text.text, '\033'));
}

Test(axiom_text, drawings_tell_the_end)
{
    begin_at("b0,0,1W;w1,1,1E|b0,0,1U;w1,1,1N|b", "");
    play("S0,0,1U/1,1,1U");
    cr_expect(strstr(drawing(false), "Black has won (sceptre), 1 of 400"));
    begin("maxplies=1");
    play("S1,0,2U/0,1,2U");
    cr_expect(strstr(drawing(false), "A draw (maxplies), 1 of 1"));
}

Test(axiom_text, facts)
{
    cr_expect_str_eq(game->name, "axiom");
    cr_expect_eq(game->traits, 0u);
    cr_expect_str_eq(game->events, "play|remove");
    cr_expect_str_eq(game->reasons,
                     "sceptre|ownpair|nomove|repetition|maxplies|forfeit");
    cr_expect(set_options(""));
    cr_expect_eq(game->max_moves(&setup), 400);
    cr_expect(set_options("maxplies=7"));
    cr_expect_eq(game->max_moves(&setup), 7);
}
