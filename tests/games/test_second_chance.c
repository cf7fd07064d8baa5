/* Second Chance: transcripts, notation, deals, views. */

#include "second_chance_table.h"

/* The transcript V1 of the rules: each event, and what it leaves free. */
static const struct {
    const char *event;
    int free;
} v1[] = {
    {"play 1 S01:c2:1", 73},
    {"play 2 S06:c2:1", 73},
    {"play 3 S11:b2:2", 73},
    {"round 1 P06 P23 38", 0},
    {"play 1 P06:a1:0", 70},
    {"play 2 P06:a1:0", 70},
    {"play 3 P06:a1:0", 70},
    {"round 2 P40 P17 36", 0},
    {"play 1 P40:f1:0", 63},
    {"play 2 P40:f1:0", 63},
    {"play 3 P40:d1:0", 63},
    {"round 3 P34 P11 34", 0},
    {"play 1 P34:a2:1", 56},
    {"play 2 P34:a2:1", 56},
    {"play 3 P34:f1:4", 56},
    {"round 4 P28 P05 32", 0},
    {"play 1 P28:f3:3", 50},
    {"play 2 P28:f3:3", 50},
    {"play 3 P28:f3:1", 50},
    {"round 5 P22 P39 30", 0},
    {"play 1 P22:g4:6", 45},
    {"play 2 P22:g4:6", 45},
    {"play 3 P22:a4:7", 45},
    {"round 6 P16 P33 28", 0},
    {"play 1 P16:c4:3", 40},
    {"play 2 P16:a5:2", 40},
    {"play 3 P16:h3:1", 40},
    {"round 7 P10 P27 26", 0},
    {"play 1 P10:a6:0", 36},
    {"play 2 P10:d6:0", 36},
    {"play 3 P10:c6:0", 36},
    {"round 8 P04 P21 24", 0},
    {"play 1 P04:d1:0", 34},
    {"play 2 P04:d1:0", 34},
    {"play 3 P04:a2:0", 34},
    {"round 9 P38 P15 22", 0},
    {"play 1 P38:c7:0", 27},
    {"play 2 P38:a7:0", 27},
    {"play 3 P38:f6:2", 27},
    {"round 10 P32 P09 20", 0},
    {"play 1 P32:f7:0", 21},
    {"play 2 P32:e7:1", 21},
    {"play 3 P32:a7:0", 21},
    {"round 11 P26 P03 18", 0},
    {"play 1 P03:h1:0", 19},
    {"play 2 P26:h7:1", 15},
    {"play 3 P03:e6:1", 19},
    {"round 12 P20 P37 16", 0},
    {"play 3 P20:g7:2", 14},
    {"second 1 P14", 0},
    {"second 2 P31", 0},
    {"out 1", 0},
    {"out 2", 0},
    {"one 1 i2", 18},
    {"one 2 h1", 14},
    {"round 13 P08 P25 12", 0},
    {"play 3 P08:c8:2", 11},
    {"round 14 P02 P19 10", 0},
    {"play 3 P02:a3:0", 10},
    {"round 15 P36 P13 8", 0},
    {"second 3 P30", 0},
    {"out 3", 0},
};

enum { V1_EVENTS = sizeof v1 / sizeof *v1 };

static const char v1_grids[] =
    "xxxxxxxxx/xxxxxxxx1/xx.xxxxx./xxxxxxxx./.xxxxxxxx/xxxx.xxx./xxxxxxx../..x.xxxx./..x.x.x.."
    ",xxxxxxx1./xx.xxxxx./xxxx.xxx./xxxx.xxx./xxxxxxxxx/xxxxxxxx./xxxxxxxxx/x.x.xxxxx/x.x..x.xx"
    ",xxxxxxxxx/xxxxxxxxx/xxx.xxxxx/xxxx.xx.x/xxxxxxxxx/.xxxxxxx./xxxxxx.xx/xxxx.xxxx/.xxx..xxx";

Test(second_chance, v1_is_told_event_by_event)
{
    struct buf all;

    buf_init(&all, EVENTS_MAX);
    buf_str(&all, "start 1 S01|start 2 S06|start 3 S11");
    for (int i = 0; i < V1_EVENTS; i++)
        buf_add(&all, "|%s", v1[i].event);
    begin_formula(3, 17, 5);
    play_first_moves();
    TOLD(all.text);
    RESULT("ranks=3,2,1 scores=18,14,10 reason=allout");
    VALUE("round", "15");
    VALUE("left", "7");
    VALUE("ones", "1,1,0");
    VALUE("status", "out,out,out");
    VALUE("grids", v1_grids);
    buf_release(&all);
}

Test(second_chance, v1_leaves_as_many_squares_free_as_it_says)
{
    int free[4] = {0};

    begin_formula(3, 17, 5);
    for (int i = 0; i < V1_EVENTS; i++) {
        const char *event = v1[i].event;

        /* A new round: what was told before has happened. */
        if (strncmp(event, "round", 5) == 0)
            for (int seat = 1; seat <= 3; seat++)
                cr_assert_eq(free_of(seat), free[seat], "%s", event);
        if (strncmp(event, "play ", 5) == 0)
            play(event[5] - '0', event + 7);
        if (v1[i].free)
            free[strchr(event, ' ')[1] - '0'] = v1[i].free;
    }
    for (int seat = 1; seat <= 3; seat++)
        cr_assert_eq(free_of(seat), free[seat]);
}

static const struct {
    int seats, mul, add;
    const char *rounds, *left, *ones, *result;
} formulas[] = {
    {1, 17, 5, "12", "15", "0", "ranks=1 scores=57 reason=allout"},
    {2, 13, 0, "17", "0", "0,1", "ranks=1,2 scores=9,12 reason=nosecond"},
    {4, 7, 12, "17", "0", "1,0,0,1",
     "ranks=3,2,1,3 scores=10,9,4,10 reason=deck"},
    {2, 11, 10, "15", "8", "1,0", "ranks=1,2 scores=9,9 reason=allout"},
};

Test(second_chance, formula_games_end_as_they_say)
{
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        begin_formula(formulas[i].seats, formulas[i].mul, formulas[i].add);
        play_first_moves();
        VALUE("round", formulas[i].rounds);
        VALUE("left", formulas[i].left);
        VALUE("ones", formulas[i].ones);
        RESULT(formulas[i].result);
        end();
    }
}

/* Notation. */

Test(second_chance, a_placement_and_its_squares)
{
    static const char *const spellings[] = {
        "P11:c3:5",
        "p11:C3:5",
        "P11=d3,d4,c5,d5",
        "p11=D5,c5,D4,d3",
    };

    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        begin_formula(2, 1, 10); /* P11 and P12 are turned up first */
        play(1, "S01:e5:0");
        play(2, "S06:e5:0");
        play(1, spellings[i]);
        buf_reset(&told);
        play(2, "P12:a1:0");
        TOLD("play 1 P11:c3:5|play 2 P12:a1:0|round 2 P13 P14 36");
        cr_assert(strncmp(value(AUDIENCE_PUBLIC, "grids"),
                          "........./........./...x...../...x...../..xxxxxx./"
                          "....xx.x./....x..../........./.........,",
                          90) == 0);
        end();
    }
}

Test(second_chance, equal_turns_are_accepted_and_the_smallest_is_told)
{
    begin_formula(2, 1, 0); /* P01 and P02 are turned up first, both one x */
    play(1, "S01:e5:0");
    play(2, "S06:e5:0");
    play(1, "P01:a1:7");
    buf_reset(&told);
    play(2, "P02:b1:4");
    TOLD("play 1 P01:a1:0|play 2 P02:b1:0|round 2 P03 P04 36");
    play(1, "P03:h9:6"); /* xx, from h9 to i9 */
    play(2, "P04:i8:3");
    TOLD("play 1 P03:h9:0|play 2 P04:i8:1|round 3 P05 P06 34");
}

Test(second_chance, list_goes_by_slot_row_column_turn)
{
    static const char *const first[] = {"P11:a1:0", "P11:a1:1", "P11:a1:2",
                                        "P11:a1:3", "P11:a1:4", "P11:a1:5",
                                        "P11:a1:6", "P11:a1:7", "P11:b1:0"};

    begin_formula(2, 1, 10);
    play(1, "S01:e5:0");
    play(2, "S06:e5:0");
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        cr_assert_str_eq(listed(1, i), first[i]);
    for (size_t i = 1, b = 0; i < count_listed(1); i++) {
        b += strncmp(listed(1, i), "P12", 3) == 0 && !b;
        cr_assert(!b || strncmp(listed(1, i), "P12", 3) == 0);
    }
}

static const struct {
    const char *move, *expected;
} refusals[] = {
    {"pass", "\"pass\" is not a placement: write CARD:CORNER:TURN such as P11"},
    {"P11", "write CARD:CORNER:TURN"},
    {"P1:a1:0", "write CARD:CORNER:TURN"},
    {"P111:a1:0", "write CARD:CORNER:TURN"},
    {"Q11:a1:0", "write CARD:CORNER:TURN"},
    {"P41:a1:0", "there is no card P41: draw P11 or P12"},
    {"P00:a1:0", "there is no card P00: draw P11 or P12"},
    {"P13:a1:0", "P13 is not one of the two cards: draw P11 or P12"},
    {"S01:a1:0", "S01 is not one of the two cards: draw P11 or P12"},
    {"P11:", "the corner is a1 to i9, not \"\""},
    {"P11:j1:0", "the corner is a1 to i9, not \"j1:0\""},
    {"P11:a0:0", "the corner is a1 to i9"},
    {"P11:a1", "write CARD:CORNER:TURN"},
    {"P11:a10:0", "\"0:0\" follows the corner"},
    {"P11:a1:", "the turn is 0 to 7, not \"\""},
    {"P11:a1:8", "the turn is 0 to 7, not \"8\""},
    {"P11:a1:00", "the turn is 0 to 7, not \"00\""},
    {"P11:h1:0", "P11 in turn 0 at h1 leaves the grid: it is 3 wide and 2 "
                 "high, so its corner lies in a1 to g8"},
    {"P11:i1:1", "its corner lies in a1 to h7"},
    {"P11:a9:0", "its corner lies in a1 to g8"},
    {"P11:a8:1", "its corner lies in a1 to h7"},
    {"P11:i9:0", "its corner lies in a1 to g8"},
    {"P11:e5:0", "e5 is already filled: P11 needs free squares"},
    {"P11:c5:0", "e5 is already filled"},
    {"P11=", "squares are a1 to i9, joined by ',', not \"\""},
    {"P11=a1,b1,c1,", "squares are a1 to i9, joined by ',', not \"\""},
    {"P11=a1,b1,c1,j2", "not \"j2\""},
    {"P11=a1,b1,a1,a2", "a1 is named twice"},
    {"P11=a1,b1,c1", "P11 has 4 squares, but you name 3"},
    {"P11=a1,b1,c1,d1,a2", "P11 has 4 squares, but you name 5"},
    {"P11=a1,b1,c1;a2", "\";a2\" follows c1: squares are joined by ','"},
    {"P11=a1,b1,c1,d1", "not P11, which is xxx/x.. in any turn"},
    {"P11=a1,b1,c1,b2", "not P11, which is xxx/x.. in any turn"},
    {"P11=h1,i1,a2,a3", "not P11, which is xxx/x.. in any turn"},
    {"P11=e3,e4,e5,f5", "e5 is already filled"},
};

Test(second_chance, wrong_moves_are_told_what_is_right)
{
    struct move move;
    struct err err;

    begin_formula(2, 1, 10);
    play(1, "S01:e5:0");
    play(2, "S06:e5:0");
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        REFUSED(1, refusals[i].move, refusals[i].expected);
    cr_assert(!game_parse(game, state, 0, "", &move, &err));
}

Test(second_chance, a_start_card_is_ones_own)
{
    begin_formula(2, 1, 10);
    cr_assert_eq(count_listed(1), 64);
    cr_assert_eq(count_listed(2), 32);
    REFUSED(1, "S06:d5:0", "S06 is not your card: your start card is S01");
    REFUSED(1, "P11:d5:0", "P11 is not your card: your start card is S01");
    REFUSED(1, "pass", "such as S01:");
    REFUSED(1, "S01:g1:0", "its corner lies in a1 to f7");
}

/* The deal. */

#define SMALL "pieces=P01:x;P02:x;P03:xx;S01:x;S02:xx;S03:xxx"

static const struct {
    int seats;
    const char *deal, *expected;
} bad_deals[] = {
    {2, "", "found \"\" where start card 1 of 2 is due"},
    {2, "S01", "found \"\" where start card 2 of 2 is due"},
    {2, "s01,S02 P01,P02,P03", "found \"s01,S02 P01,\" where start card 1"},
    {2, "S01,S01 P01,P02,P03", "S01 is dealt twice"},
    {2, "S01,S04 P01,P02,P03", "found \",S04 P01,P02\" where start card 2"},
    {2, "S01,P01 P01,P02,P03", "where start card 2 of 2 is due"},
    {2, "S01,S02", "\"\" follows the start cards: one for each of the 2"},
    {2, "S01,S02,S03 P01,P02,P03", "\",S03 P01,P02\" follows the start cards"},
    {2, "S01,S02  P01,P02,P03", "found \" P01,P02,P03\" where puzzle card 1"},
    {2, "S01,S02 P01,P02", "found \"\" where puzzle card 3 of 3 is due"},
    {2, "S01,S02 P01,P02,P02", "P02 is dealt twice"},
    {2, "S01,S02 P01,P02,P04", "found \",P04\" where puzzle card 3 of 3"},
    {2, "S01,S02 P01,P02,S03", "found \",S03\" where puzzle card 3 of 3"},
    {2, "S01,S02 P01,P02,P03,P01", "\",P01\" follows the last card"},
    {2, "S01,S02 P01,P02,P03 ", "\" \" follows the last card"},
    {2, "S01,S02 P01,P02,P03 ; S01,S02 P01,P02,P03", "follows the last card"},
    {1, "S01 P01,P02,P03", "found \"\" where \" ; \" and part 2 of the solo"},
    {1, "S01 P01,P02,P03 ; S01 P01,P02,P03", "and part 3 of the solo deal"},
    {1, "S01 P01,P02,P03;S01 P01,P02,P03;S01 P01,P02,P03", "and part 2"},
};

Test(second_chance, impossible_deals_are_refused)
{
    for (size_t i = 0; i < sizeof bad_deals / sizeof *bad_deals; i++) {
        struct setup small = {.seats = bad_deals[i].seats};
        struct err err = {0};

        lines_init(&events, EVENTS_MAX);
        cr_assert(setup_set(game, &small, SMALL, &err), "%s", err.text);
        cr_assert(!game_new(game, &small, bad_deals[i].deal, &events, &err),
                  "%s", bad_deals[i].deal);
        cr_assert(strstr(err.text, bad_deals[i].expected), "%s: %s",
                  bad_deals[i].deal, err.text);
        lines_release(&events);
    }
}

/* Start cards in their order, shuffled; then puzzle cards; solo three times. */
static void add_shuffled(struct buf *out, struct rng *rng, int seats)
{
    int starts[13], deck[40];

    for (int i = 0; i < 13; i++)
        starts[i] = i + 1;
    for (int i = 0; i < 40; i++)
        deck[i] = i + 1;
    rng_shuffle(rng, starts, 13, sizeof *starts);
    rng_shuffle(rng, deck, 40, sizeof *deck);
    for (int i = 0; i < seats; i++)
        buf_add(out, "%sS%02d", i ? "," : "", starts[i]);
    for (int i = 0; i < 40; i++)
        buf_add(out, "%sP%02d", i ? "," : " ", deck[i]);
}

Test(second_chance, the_deal_follows_from_the_seed)
{
    for (int seats = 1; seats <= 6; seats++) {
        const uint8_t seed[SEED_BYTES] = {7, (uint8_t)seats};
        struct setup plain = {.seats = seats};
        struct buf dealt, expected;
        struct rng rng;

        buf_init(&dealt, DEAL_TEXT_MAX);
        buf_init(&expected, DEAL_TEXT_MAX);
        rng_seed(&rng, seed);
        game->deal(&plain, &rng, &dealt);
        rng_seed(&rng, seed);
        for (int part = 0; part < (seats == 1 ? 3 : 1); part++) {
            buf_str(&expected, part ? " ; " : "");
            add_shuffled(&expected, &rng, seats);
        }
        cr_assert_str_eq(dealt.text, expected.text);
        begin(seats, "", dealt.text);
        game->dealt(state, &text);
        cr_assert_str_eq(text.text, dealt.text);
        end();
        buf_release(&dealt);
        buf_release(&expected);
    }
}

Test(second_chance, all_pieces_are_told_first)
{
    static const char *const expected[] = {
        "piece P01 x",       "piece P02 xx/x.",          "piece S07 xxx",
        "piece P09 .x./xxx", "piece S01 xxxx/xx.x/x...", "start 1 S01",
        "start 2 S07",
    };
    struct setup own = {.seats = 2};
    struct err err = {0};

    lines_init(&events, EVENTS_MAX);
    cr_assert(setup_set(game, &own,
                        "pieces=P01:x;P02,3,xx/x.;S07:xxx;P09:.x./xxx;"
                        "S01,8,xxxx/xx.x/x...",
                        &err));
    state = game_new(game, &own, "S01,S07 P09,P01,P02", &events, &err);
    cr_assert(state, "%s", err.text);
    cr_assert_eq(events.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < events.count; i++) {
        cr_assert_str_eq(lines_text(&events, i), expected[i]);
        cr_assert_eq(events.line[i].to, EVERYONE);
    }
}

Test(second_chance, no_game_is_longer_than_its_rounds)
{
    struct setup plain = {.seats = 3};
    struct setup small = {.seats = 2};
    struct err err;

    cr_assert_eq(game->max_moves(&plain), 3 * 21);
    plain.seats = 1;
    cr_assert_eq(game->max_moves(&plain), 3 * 21);
    cr_assert(setup_set(game, &small, SMALL, &err));
    cr_assert_eq(game->max_moves(&small), 2 * 2);
}

/* Views. */

#define EMPTY                                                                \
    "........./........./........./........./........./........./........./" \
    "........./........."
#define CENTRE1                                                              \
    "........./........./........./........./....x..../........./........./" \
    "........./........."
#define CENTRE2                                                              \
    "........./........./........./........./....xx.../........./........./" \
    "........./........."

static const char at_start[] =
    "part=1 phase=start round=0 left=3 a=- b=- cards=S01,S02 status=in,in "
    "ones=0,0 owe=1,2 grids=" EMPTY "," EMPTY " shown=- sum=0";
static const char in_round_1[] =
    "part=1 phase=main round=1 left=1 a=P03 b=P01 cards=-,- status=in,in "
    "ones=0,0 owe=1,2 grids=" CENTRE1 "," CENTRE2 " shown=P03,P01 sum=0";

static void views_are(const char *expected)
{
    for (int viewer = AUDIENCE_PUBLIC; viewer < setup.seats; viewer++)
        cr_assert_str_eq(view(viewer), expected);
}

Test(second_chance, a_view_changes_only_when_the_step_settles)
{
    uint64_t before;

    begin(2, SMALL, "S01,S02 P03,P01,P02");
    views_are(at_start);
    before = game_hash(game, state);
    play(2, "S02:e5:0");
    views_are(at_start);
    cr_assert_neq(game_hash(game, state), before);
    cr_assert(strstr(view(AUDIENCE_REFEREE), " pending=-,S02:e5:0 "));
    OWING("1");
    TOLD("start 1 S01|start 2 S02");
    play(1, "S01:e5:0");
    TOLD("play 1 S01:e5:0|play 2 S02:e5:0|round 1 P03 P01 1");
    views_are(in_round_1);
    play(1, "P01:a1:0");
    views_are(in_round_1);
}

Test(second_chance, the_order_of_answers_does_not_matter)
{
    uint64_t hash[2];

    for (int order = 0; order < 2; order++) {
        begin_formula(2, 17, 5);
        play(order ? 2 : 1, order ? "S06:c2:1" : "S01:c2:1");
        play(order ? 1 : 2, order ? "S01:c2:1" : "S06:c2:1");
        TOLD("start 1 S01|start 2 S06|play 1 S01:c2:1|play 2 S06:c2:1|"
             "round 1 P06 P23 38");
        hash[order] = game_hash(game, state);
        end();
    }
    cr_assert_eq(hash[0], hash[1]);
}

Test(second_chance, a_view_of_the_second_chance)
{
    set_scene("", "xx xx x xx xx", 3, "a1 i9", "a1 i9", "a1 b1 i9");
    draw_starts();
    play(3, "P01:a1:0");
    VALUE("phase", "second");
    VALUE("cards", "P03,P04,-");
    VALUE("owe", "1");
    VALUE("shown", "P01,P02,P03,P04");
    VALUE("left", "1");
    play(1, "P03:i9:0");
    VALUE("phase", "over");
    VALUE("owe", "-");
    VALUE("status", "in,out,in");
    VALUE("ones", "0,1,0");
}

/* Other truths. */

Test(second_chance, redeal_keeps_what_was_shown)
{
    struct rng rng;
    char shown[200];
    int others = 0;

    rng_seed(&rng, (const uint8_t[SEED_BYTES]){1});
    begin_formula(3, 17, 5);
    for (int i = 0; i < 15; i++)
        draw_first(__builtin_ctz(game->to_move(state)) + 1);
    snprintf(shown, sizeof shown, "%s", view(AUDIENCE_PUBLIC));
    for (int i = 0; i < 20; i++) {
        struct buf before, after;

        buf_init(&before, DEAL_TEXT_MAX);
        buf_init(&after, DEAL_TEXT_MAX);
        game->dealt(state, &before);
        game->redeal(state, i % 4 - 1, &rng);
        game->dealt(state, &after);
        /* "S01,S06,S11 " and ten cards of four bytes */
        cr_assert(strncmp(before.text, after.text, 12 + 40) == 0);
        cr_assert_eq(before.len, after.len);
        others += strcmp(before.text, after.text) != 0;
        cr_assert(strncmp(view(AUDIENCE_PUBLIC), shown, 150) == 0);
        buf_release(&before);
        buf_release(&after);
    }
    cr_assert_eq(others, 20);
}

Test(second_chance, redeal_in_mid_step_replaces_only_others_answers)
{
    int changed = 0;
    struct rng rng;

    rng_seed(&rng, (const uint8_t[SEED_BYTES]){2});
    begin_formula(3, 17, 5);
    play(1, "S01:c2:1");
    play(2, "S06:c2:1");
    for (int i = 0; i < 10; i++) {
        game->redeal(state, 0, &rng);
        cr_assert(strncmp(value(AUDIENCE_REFEREE, "pending"),
                          "S01:c2:1,S06:", 13) == 0);
        changed += !strstr(value(AUDIENCE_REFEREE, "pending"), "S06:c2:1");
    }
    cr_assert_gt(changed, 5);
    game->redeal(state, AUDIENCE_PUBLIC, &rng);
    game->redeal(state, AUDIENCE_PUBLIC, &rng);
    cr_assert(strncmp(value(AUDIENCE_REFEREE, "pending"), "S01:c2:1", 8) != 0);
    OWING("3");
}

Test(second_chance, redeal_of_a_solo_game_deals_later_parts_anew)
{
    bool starts[14] = {0};
    struct rng rng;

    rng_seed(&rng, (const uint8_t[SEED_BYTES]){3});
    begin_formula(1, 17, 5);
    draw_first(1);
    for (int i = 0; i < 200; i++) {
        const char *part;

        game->redeal(state, 0, &rng);
        buf_reset(&text);
        game->dealt(state, &text);
        cr_assert(strncmp(text.text, "S01 P06,P23,", 12) == 0, "%s", text.text);
        part = strstr(text.text, " ; S") + 4;
        starts[10 * (part[0] - '0') + part[1] - '0'] = true;
    }
    for (int i = 1; i <= 13; i++)
        cr_assert(starts[i], "S%02d", i);
}

/* Drawings. */

static const char *drawn(int viewer, bool colour)
{
    buf_reset(&text);
    game->show(state, viewer, colour, &text);
    return text.text;
}

Test(second_chance, a_drawing_shows_the_round_of_each_piece)
{
    begin_formula(3, 17, 5);
    cr_assert(strstr(drawn(0, false), "5 . . . . o . . . ."));
    cr_assert(strstr(text.text, "start card S01"));
    cr_assert(strstr(text.text, "to draw: 1,2,3 (the start card, over e5)"));
    play_first_moves();
    /* P06 in round 1, P04 in round 8, P40 in round 2, P03 in round 11 */
    cr_assert(strstr(drawn(0, false), "\n1 a a a h h b b k k "));
    cr_assert(strstr(text.text, "\n2 c c * * * b b b 1 "));
    cr_assert(strstr(text.text, "seat 3: 10 free, rank 1"));
    cr_assert(strstr(text.text, "the game is over: allout"));
}

Test(second_chance, a_drawing_is_narrow_and_plain)
{
    for (int seats = 1; seats <= 6; seats++) {
        begin_formula(seats, 13, 7);
        while (game->to_move(state)) {
            draw_first(__builtin_ctz(game->to_move(state)) + 1);
            for (const char *at = drawn(AUDIENCE_REFEREE, false); *at;
                 at += strcspn(at, "\n") + 1)
                cr_assert_leq(strcspn(at, "\n"), 100);
            cr_assert(!strchr(text.text, '\033'));
            cr_assert(strchr(drawn(AUDIENCE_PUBLIC, true), '\033'));
            cr_assert(!strstr(drawn(AUDIENCE_PUBLIC, false), "next cards"));
        }
        end();
    }
}
