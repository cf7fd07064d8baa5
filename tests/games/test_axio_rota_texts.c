/* AXIO rota: tile sets and deals as texts, and what redealing may change. */

#include "axio_rota_table.h"

/* Options. */

static const char *option_error(const char *text)
{
    static struct err err;
    struct setup setup = {.seats = 2};

    return setup_set(game, &setup, text, &err) ? "" : err.text;
}

Test(axio_rota, takes_tile_sets)
{
    char text[TEXT];

    cr_expect_str_eq(option_error("tiles=default"), "");
    write_set(text, "RRRR .RRR R.GB RG.B RGB.", "RGBO");
    cr_expect_str_eq(option_error(text), "");
    strcat(text, ";");
    cr_expect_str_eq(option_error(text), "");
}

static void expect_refused(const char *text, const char *says)
{
    char option[TEXT];
    const char *why;

    sprintf(option, "tiles=%s", text);
    why = option_error(option);
    cr_expect(strstr(why, says), "%s: \"%s\"", text, why);
}

Test(axio_rota, refuses_what_is_no_tile_set)
{
    expect_refused("", "tiles= needs a value");
    expect_refused("other", "tiles: \"other\" is neither the word default nor "
                            "a tile set, which begins with axio-rota-tiles,1;");
    expect_refused(";", "\"\" is neither the word default");
    expect_refused("default;", "begins with axio-rota-tiles,1;");
    expect_refused("axio-rota-tiles,2;", "begins with axio-rota-tiles,1;");
    expect_refused("rondo-board,1;", "\"rondo-board,1\" is neither");
    expect_refused("axio-rota-tiles,1", "ends where name,NAME must follow");
}

Test(axio_rota, refuses_tile_sets_without_a_name)
{
    expect_refused("axio-rota-tiles,1;tile,1,RGBO",
                   "tiles: entry 2 \"tile,1,RGBO\": this must be name,NAME");
    expect_refused("axio-rota-tiles,1;name,",
                   "entry 2 \"name,\": the name must be 1 to 32 letters, "
                   "digits or . _ + -");
    expect_refused("axio-rota-tiles,1;name,a/b", "must be 1 to 32 letters");
    expect_refused("axio-rota-tiles,1;name,a,b", "must be 1 to 32 letters");
    expect_refused("axio-rota-tiles,1;name,a23456789b123456789c123456789d123",
                   "must be 1 to 32 letters");
    expect_refused("axio-rota-tiles,1;name,a23456789b123456789c123456789d12",
                   "the text ends where tile 1 of 60 must follow");
}

/* A right text up to tile n, then this. */
static void expect_refused_after(int n, const char *rest, const char *says)
{
    char option[TEXT], next[20];
    const char *why;
    char *at;

    write_set(option, "", "RGBO");
    sprintf(next, ";tile,%d,", n + 1);
    at = strstr(option, next);
    sprintf(at ? at : option + strlen(option), "%s", rest);
    why = option_error(option);
    cr_expect(strstr(why, says), "%s: \"%s\"", rest, why);
}

Test(axio_rota, refuses_broken_tiles_by_their_place)
{
    expect_refused_after(2, ";tile,3,GXPO",
                         "tiles: entry 5 \"tile,3,GXPO\": the corners must be "
                         "four letters, each one of R G B O P or . for empty");
    expect_refused_after(2, ";tile,3,GPO", "\"tile,3,GPO\": the corners");
    expect_refused_after(2, ";tile,3,GPOBR", "\"tile,3,GPOBR\": the corners");
    expect_refused_after(2, ";tile,3,rgbo", "\"tile,3,rgbo\": the corners");
    expect_refused_after(2, ";tile,3,RGBO,", "\"tile,3,RGBO,\": the corners");
    expect_refused_after(2, ";tile,3,R..O",
                         "entry 5 \"tile,3,R..O\": a tile may have one empty "
                         "corner, not 2");
    expect_refused_after(2, ";tile,3,....", "one empty corner, not 4");
    expect_refused_after(2, ";til,3,RGBO",
                         "entry 5 \"til,3,RGBO\": this must be "
                         "tile,3,CORNERS");
    expect_refused_after(2, ";name,again", "this must be tile,3,CORNERS");
}

Test(axio_rota, refuses_tiles_out_of_order)
{
    expect_refused_after(
        2, ";tile,4,RGBO",
        "entry 5 \"tile,4,RGBO\": this must be tile 3, because the numbers run from 1 to 60 in order");
    expect_refused_after(2, ";tile,2,RGBO", "this must be tile 3");
    expect_refused_after(2, ";tile,03,RGBO", "this must be tile 3");
    expect_refused_after(2, ";tile,3", "this must be tile 3");
    expect_refused_after(2, ";tile,,3,RGBO", "this must be tile 3");
    expect_refused_after(2, ";tile,RGBO", "this must be tile 3");
    expect_refused_after(37, "",
                         "the text ends where tile 38 of 60 must follow");
    expect_refused_after(59, ";", "ends where tile 60 of 60 must follow");
    expect_refused_after(60, ";tile,61,RGBO",
                         "entry 63 \"tile,61,RGBO\": nothing may follow tile "
                         "60");
    expect_refused_after(60, ";x", "entry 63 \"x\": nothing may follow");
}

/* What is said of this option? */
static void expect_warning(const char *option, const char *says)
{
    struct setup setup = {.seats = 2};
    struct err err;
    struct buf out;

    cr_assert(setup_set(game, &setup, option, &err), "%s", err.text);
    buf_init(&out, 400);
    game->warn(&setup, &out);
    cr_expect_str_eq(out.text, says);
    buf_release(&out);
}

Test(axio_rota, warns_of_odd_tile_sets)
{
    char option[TEXT], first[TEXT] = "";

    expect_warning("tiles=default", "");
    write_set(option, "", "RGBO");
    expect_warning(option, "the colours are not equally frequent: "
                           "R 60 G 60 B 60 O 60 P 0\n");
    write_set(option, "RGBO PRGR ORGB BBBB", "RGBO");
    expect_warning(option,
                   "2 of 60 tiles show a colour twice, the first is tile 2, "
                   "PRGR\n"
                   "the colours are not equally frequent: "
                   "R 60 G 59 B 62 O 58 P 1\n");
    for (int i = 0; i < TILES / 5; i++)
        strcat(first, "RGBO GBOP BOPR .PRG OPP. ");
    /* R 3, G 3, B 3, O 4, P 5 in each five tiles. */
    write_set(option, first, "RGBO");
    expect_warning(option,
                   "12 of 60 tiles show a colour twice, the first is tile 5, "
                   "OPP.\n"
                   "the colours are not equally frequent: "
                   "R 36 G 36 B 36 O 48 P 60\n");
}

/* The deal. */

Test(axio_rota, derives_the_deal_from_the_stream)
{
    uint8_t seed[SEED_BYTES] = {1, 2, 3};
    struct setup setup = {.seats = 2};
    struct rng rng;
    struct buf deal, want;
    int order[TILES];

    buf_init(&deal, DEAL_TEXT_MAX);
    buf_init(&want, DEAL_TEXT_MAX);
    rng_seed(&rng, seed);
    game->deal(&setup, &rng, &deal);
    rng_seed(&rng, seed);
    for (int i = 0; i < TILES; i++)
        order[i] = i + 1;
    for (int i = TILES - 1; i >= 1; i--) {
        int j = (int)rng_uniform(&rng, (uint32_t)i + 1), hold = order[i];

        order[i] = order[j];
        order[j] = hold;
    }
    for (int i = 0; i < TILES; i++)
        buf_add(&want, "%s%d", i ? "," : "", order[i]);
    buf_str(&want, " ");
    for (int i = 0; i < 4; i++)
        buf_add(&want, "%d", (int)rng_uniform(&rng, 4));
    cr_assert_str_eq(deal.text, want.text);
    buf_release(&deal);
    buf_release(&want);
}

static const char *deal_error(const char *deal)
{
    static struct err err;
    struct setup setup = {.seats = 2};
    struct lines events;
    struct state *state;

    lines_init(&events, EVENTS_MAX);
    state = game_new(game, &setup, deal, &events, &err);
    game_free(state);
    lines_release(&events);
    return state ? "" : err.text;
}

static void expect_no_deal(const char *deal, const char *says)
{
    cr_expect(strstr(deal_error(deal), says), "%s: \"%s\"", deal,
              deal_error(deal));
}

Test(axio_rota, refuses_impossible_orders)
{
    char deal[400];

    expect_no_deal("1,2,1", "the deal has tile 1 at places 1 and 3: each tile "
                            "must occur once");
    expect_no_deal("1,2,61,3", "place 3 of the deal reads \"61,3\": it must "
                               "name 60 tiles by number, 1 to 60, joined by "
                               "commas");
    expect_no_deal("", "place 1 of the deal reads \"\"");
    expect_no_deal("0,1", "place 1 of the deal reads \"0,1\"");
    expect_no_deal("1 2", "place 2 of the deal reads \" 2\"");
    expect_no_deal("1,02", "place 2 of the deal reads \"02\"");
    expect_no_deal("1,2, 0000", "place 3 of the deal reads \" 0000\"");
    sprintf(deal, "%s", deal_of("", "0000"));
    strcpy(strchr(deal, ' '), ",1 0000");
    expect_no_deal(deal, "after 60 tiles the deal reads \",1 0000\": a blank "
                         "and four rotations must follow, such as 0003");
    cr_expect_str_eq(deal_error(deal_of("", "0000")), "");
}

Test(axio_rota, refuses_impossible_rotations)
{
    expect_no_deal(deal_of("", ""), "rotation 1 of the deal reads \"\": it "
                                    "must end with four digits 0 to 3, such "
                                    "as 0003");
    expect_no_deal(deal_of("", "000"), "rotation 4 of the deal reads \"\"");
    expect_no_deal(deal_of("", "0040"), "rotation 3 of the deal reads \"40\"");
    expect_no_deal(deal_of("", " 000"), "rotation 1 of the deal reads \" 000");
    expect_no_deal(deal_of("", "00000"), "the deal continues with \"0\": it "
                                         "must end after four rotations");
    expect_no_deal(deal_of("", "0000 "), "the deal continues with \" \"");
}

Test(axio_rota, writes_the_deal_it_was_given)
{
    struct table t;
    struct buf out;

    begin(&t, 4, NULL, eight);
    play_all(&t, eight_moves);
    buf_init(&out, DEAL_TEXT_MAX);
    game->dealt(t.state, &out);
    cr_assert_str_eq(out.text, eight);
    buf_release(&out);
    end(&t);
}

/* What the n-th tile of the deal line is. */
static int tile_at(const struct table *t, int place)
{
    struct buf out;
    const char *at;
    int number = 0;

    buf_init(&out, DEAL_TEXT_MAX);
    game->dealt(t->state, &out);
    at = out.text;
    for (int i = 0; i <= place; i++) {
        cr_assert(take_int(&at, 1, TILES, &number));
        take_char(&at, ',');
    }
    buf_release(&out);
    return number;
}

/* Redeal often: which places of the deal ever change for this viewer? */
static void find_unknown(const struct table *t, int viewer, bool unknown[TILES])
{
    struct rng rng;
    uint8_t seed[SEED_BYTES] = {9};

    rng_seed(&rng, seed);
    memset(unknown, 0, TILES * sizeof *unknown);
    for (int i = 0; i < 40; i++) {
        struct table other = *t;

        other.state = game_clone(t->state);
        game->redeal(other.state, viewer, &rng);
        for (int place = 0; place < TILES; place++)
            unknown[place] |= tile_at(&other, place) != tile_at(t, place);
        game_free(other.state);
    }
}

/* Three seats have laid two tiles each; seat 1 has left. */
Test(axio_rota, redeals_all_that_a_viewer_has_not_seen)
{
    struct table t;
    bool unknown[TILES];
    int x = 2;

    begin(&t, 3, NULL, deal_of("", "0000"));
    play_rounds(&t, &x, 6);
    leave(&t, SEAT(0));
    for (int viewer = AUDIENCE_PUBLIC; viewer < 3; viewer++) {
        find_unknown(&t, viewer, unknown);
        for (int place = 0; place < TILES; place++) {
            int seat = (place - 4) / 12, nth = (place - 4) % 12;
            bool seen_by_all = place < 4 || (place < 40 && nth < 2);
            bool own_hand = place >= 4 && seat == viewer && nth == 2;

            cr_expect_eq(unknown[place], !seen_by_all && !own_hand,
                         "viewer %d place %d", viewer, place);
        }
    }
    end(&t);
}

Test(axio_rota, keeps_an_announced_bonus_tile_known)
{
    struct table t;
    bool unknown[TILES];

    earn_two(&t);
    find_unknown(&t, AUDIENCE_PUBLIC, unknown);
    cr_expect_not(unknown[4 + 6]);  /* the last tile laid */
    cr_expect(unknown[4 + 7]);      /* the top of the stack */
    cr_expect_not(unknown[4 + 12]); /* the bonus tile */
    cr_expect(unknown[4 + 13]);
    end(&t);
}
