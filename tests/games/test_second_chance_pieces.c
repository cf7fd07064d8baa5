/* Second Chance: the cards, their turns, and the reading of piece sets. */

#include "games/game.h"
#include "games/second_chance/pieces.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

extern const struct game second_chance_game;

static const struct game *const game = &second_chance_game;

/* The tables of the rules; -1 where a column does not apply. */
static const struct {
    const char *id;
    int size;
    const char *rows, *cells;
    int turns, placements, over_centre;
} cards[] = {
    {"P01", 1, "x", "0,0", 1, 81, -1},
    {"P02", 1, "x", "0,0", 1, 81, -1},
    {"P03", 2, "xx", "0,0 0,1", 2, 144, -1},
    {"P04", 2, "xx", "0,0 0,1", 2, 144, -1},
    {"P05", 3, "xxx", "0,0 0,1 0,2", 2, 126, -1},
    {"P06", 3, "xxx", "0,0 0,1 0,2", 2, 126, -1},
    {"P07", 3, "xx/x.", "0,0 0,1 1,0", 4, 256, -1},
    {"P08", 3, "xx/x.", "0,0 0,1 1,0", 4, 256, -1},
    {"P09", 4, "xxxx", "0,0 0,1 0,2 0,3", 2, 108, -1},
    {"P10", 4, "xx/xx", "0,0 0,1 1,0 1,1", 1, 64, -1},
    {"P11", 4, "xxx/x..", "0,0 0,1 0,2 1,0", 8, 448, -1},
    {"P12", 4, "xxx/.x.", "0,0 0,1 0,2 1,1", 4, 224, -1},
    {"P13", 4, "xx./.xx", "0,0 0,1 1,1 1,2", 4, 224, -1},
    {"P14", 5, "xxxxx", "0,0 0,1 0,2 0,3 0,4", 2, 90, -1},
    {"P15", 5, "xxx/xx.", "0,0 0,1 0,2 1,0 1,1", 8, 448, -1},
    {"P16", 5, "xxx/x.x", "0,0 0,1 0,2 1,0 1,2", 4, 224, -1},
    {"P17", 5, "xxxx/x...", "0,0 0,1 0,2 0,3 1,0", 8, 384, -1},
    {"P18", 5, "xxxx/.x..", "0,0 0,1 0,2 0,3 1,1", 8, 384, -1},
    {"P19", 5, "xxx./..xx", "0,0 0,1 0,2 1,2 1,3", 8, 384, -1},
    {"P20", 5, "xxx/x../x..", "0,0 0,1 0,2 1,0 2,0", 4, 196, -1},
    {"P21", 5, "xxx/.x./.x.", "0,0 0,1 0,2 1,1 2,1", 4, 196, -1},
    {"P22", 5, "xx./.xx/.x.", "0,0 0,1 1,1 1,2 2,1", 8, 392, -1},
    {"P23", 5, "xx./.xx/..x", "0,0 0,1 1,1 1,2 2,2", 4, 196, -1},
    {"P24", 5, "xx./.x./.xx", "0,0 0,1 1,1 2,1 2,2", 4, 196, -1},
    {"P25", 5, ".x./xxx/.x.", "0,1 1,0 1,1 1,2 2,1", 1, 49, -1},
    {"P26", 6, "xxx/xxx", "0,0 0,1 0,2 1,0 1,1 1,2", 2, 112, -1},
    {"P27", 6, "xxxx/xx..", "0,0 0,1 0,2 0,3 1,0 1,1", 8, 384, -1},
    {"P28", 6, "xxxx/.xx.", "0,0 0,1 0,2 0,3 1,1 1,2", 4, 192, -1},
    {"P29", 6, "xxx./.xxx", "0,0 0,1 0,2 1,1 1,2 1,3", 4, 192, -1},
    {"P30", 6, "xxx/xx./x..", "0,0 0,1 0,2 1,0 1,1 2,0", 4, 196, -1},
    {"P31", 6, "xxx/xx./.x.", "0,0 0,1 0,2 1,0 1,1 2,1", 8, 392, -1},
    {"P32", 6, "xx./xxx/.x.", "0,0 0,1 1,0 1,1 1,2 2,1", 4, 196, -1},
    {"P33", 6, "xx./xxx/..x", "0,0 0,1 1,0 1,1 1,2 2,2", 8, 392, -1},
    {"P34", 7, "xxxx/xxx.", "0,0 0,1 0,2 0,3 1,0 1,1 1,2", 8, 384, -1},
    {"P35", 7, "xxx/xxx/x..", "0,0 0,1 0,2 1,0 1,1 1,2 2,0", 8, 392, -1},
    {"P36", 7, "xxx/xxx/.x.", "0,0 0,1 0,2 1,0 1,1 1,2 2,1", 4, 196, -1},
    {"P37", 7, "xxx/xx./.xx", "0,0 0,1 0,2 1,0 1,1 2,1 2,2", 8, 392, -1},
    {"P38", 7, "xxx/x.x/x.x", "0,0 0,1 0,2 1,0 1,2 2,0 2,2", 4, 196, -1},
    {"P39", 7, "xxx/.x./xxx", "0,0 0,1 0,2 1,1 2,0 2,1 2,2", 2, 98, -1},
    {"P40", 7, "xx./xxx/.xx", "0,0 0,1 1,0 1,1 1,2 2,1 2,2", 2, 98, -1},
    {"S01", 8, "xxxx/xx.x/x...", "0,0 0,1 0,2 0,3 1,0 1,1 1,3 2,0", 8, 336, 64},
    {"S02", 8, "xxxx/xx../.xx.", "0,0 0,1 0,2 0,3 1,0 1,1 2,1 2,2", 8, 336, 64},
    {"S03", 8, "xxx./.xxx/xx..", "0,0 0,1 0,2 1,1 1,2 1,3 2,0 2,1", 8, 336, 64},
    {"S04", 8, "xx.x/xxxx/..x.", "0,0 0,1 0,3 1,0 1,1 1,2 1,3 2,2", 8, 336, 64},
    {"S05", 8, "xx../xxxx/x.x.", "0,0 0,1 1,0 1,1 1,2 1,3 2,0 2,2", 8, 336, 64},
    {"S06", 8, "x..x/xxxx/.xx.", "0,0 0,3 1,0 1,1 1,2 1,3 2,1 2,2", 4, 168, 32},
    {"S07", 8, "xxx./.xxx/.x../.x..", "0,0 0,1 0,2 1,1 1,2 1,3 2,1 3,1", 8, 288,
     64},
    {"S08", 8, "xxx./.xx./..xx/..x.", "0,0 0,1 0,2 1,1 1,2 2,2 2,3 3,2", 8, 288,
     64},
    {"S09", 8, "xxx./..x./..xx/..xx", "0,0 0,1 0,2 1,2 2,2 2,3 3,2 3,3", 8, 288,
     64},
    {"S10", 8, "xx../xxx./..xx/...x", "0,0 0,1 1,0 1,1 1,2 2,2 2,3 3,3", 8, 288,
     64},
    {"S11", 8, "xx../.xxx/..xx/..x.", "0,0 0,1 1,1 1,2 1,3 2,2 2,3 3,2", 8, 288,
     64},
    {"S12", 8, "xx../.xx./.xx./..xx", "0,0 0,1 1,1 1,2 2,1 2,2 3,2 3,3", 4, 144,
     32},
    {"S13", 8, ".x../xxxx/.xx./.x..", "0,1 1,0 1,1 1,2 1,3 2,1 2,2 3,1", 4, 144,
     32},
};

enum { CARDS = sizeof cards / sizeof *cards };

static struct pieces set;

static void load(const char *text)
{
    struct err err = {0};

    cr_assert(pieces_load(&set, text, &err), "%s", err.text);
}

static const struct piece *card(const char *id)
{
    int i = pieces_find(set.piece, set.count, id);

    cr_assert(i >= 0, "%s", id);
    return &set.piece[i];
}

static void rows_are(const struct piece *piece, int turn, const char *rows)
{
    char text[ROWS_TEXT];

    piece_rows(piece, turn, text);
    cr_assert_str_eq(text, rows, "turn %d: %s, not %s", turn, text, rows);
}

Test(second_chance, cards_are_those_of_the_rules)
{
    load(default_pieces);
    cr_assert_eq(set.count, CARDS);
    cr_assert_eq(set.puzzles, 40);
    cr_assert_eq(set.starts, 13);
    for (int i = 0; i < CARDS; i++) {
        const char *id = set.piece[i].id;

        cr_assert_str_eq(id, cards[i].id);
        cr_assert_eq(set.piece[i].size, cards[i].size, "%s", id);
        rows_are(&set.piece[i], 0, cards[i].rows);
    }
}

Test(second_chance, cells_are_those_of_the_rules)
{
    load(default_pieces);
    for (int i = 0; i < CARDS; i++) {
        char text[100] = "";

        for (int r = 0; r < SIDE; r++)
            for (int c = 0; c < SIDE; c++)
                if (bits_has(set.piece[i].shape, r * STRIDE + c))
                    sprintf(text + strlen(text), "%s%d,%d", *text ? " " : "", r,
                            c);
        cr_assert_str_eq(text, cards[i].cells, "%s", cards[i].id);
    }
}

Test(second_chance, turns_and_placements_are_those_of_the_rules)
{
    load(default_pieces);
    for (int i = 0; i < CARDS; i++) {
        const struct piece *p = &set.piece[i];
        int turns = 0, placements = 0, over_centre = 0;

        for (int turn = 0; turn < TURNS; turn++) {
            bits shape = piece_turn(p, turn);
            bits corners = shape_corners(shape, whole_grid);

            if (p->least[turn] != turn)
                continue;
            turns++;
            placements += bits_count(corners);
            over_centre +=
                bits_count(corners & shape_corners_over(shape, CENTRE));
        }
        cr_assert_eq(turns, cards[i].turns, "%s", cards[i].id);
        cr_assert_eq(placements, cards[i].placements, "%s", cards[i].id);
        if (cards[i].over_centre >= 0)
            cr_assert_eq(over_centre, cards[i].over_centre, "%s", cards[i].id);
    }
}

Test(second_chance, the_built_in_set_turns_like_one_that_was_read)
{
    load(default_pieces);
    for (int i = 0; i < CARDS; i++)
        for (int turn = 0; turn < TURNS; turn++)
            cr_assert(piece_turn(&printed_pieces()->piece[i], turn) ==
                          piece_turn(&set.piece[i], turn),
                      "%s, turn %d", cards[i].id, turn);
}

Test(second_chance, puzzle_cards_have_195_squares)
{
    static const int of_size[] = {0, 2, 2, 4, 5, 12, 8, 7};
    int squares = 0, counted[8] = {0};

    load(default_pieces);
    for (int i = 0; i < set.count; i++)
        if (set.piece[i].id[0] == 'P') {
            squares += set.piece[i].size;
            counted[set.piece[i].size]++;
        }
    cr_assert_eq(squares, 195);
    for (int size = 1; size < 8; size++)
        cr_assert_eq(counted[size], of_size[size], "size %d", size);
}

Test(second_chance, only_four_pairs_of_cards_are_the_same)
{
    int pairs = 0;

    load(default_pieces);
    for (int i = 0; i < set.count; i++)
        for (int k = 0; k < i; k++)
            pairs += same_piece(&set.piece[i], &set.piece[k]);
    cr_assert_eq(pairs, 4);
    cr_assert(same_piece(card("P01"), card("P02")));
    cr_assert(same_piece(card("P03"), card("P04")));
    cr_assert(same_piece(card("P05"), card("P06")));
    cr_assert(same_piece(card("P07"), card("P08")));
}

Test(second_chance, turns_of_l4)
{
    static const char *const rows[] = {
        "xxx/x..", "xx/.x/.x", "..x/xxx", "x./x./xx",
        "xxx/..x", ".x/.x/xx", "x../xxx", "xx/x./x.",
    };

    load(default_pieces);
    for (int turn = 0; turn < TURNS; turn++)
        rows_are(card("P11"), turn, rows[turn]);
}

Test(second_chance, equal_turns_go_by_the_smallest)
{
    static const struct {
        const char *id;
        int least[TURNS];
    } known[] = {
        {"P01", {0, 0, 0, 0, 0, 0, 0, 0}},
        {"P03", {0, 1, 0, 1, 0, 1, 0, 1}},
        {"P11", {0, 1, 2, 3, 4, 5, 6, 7}},
        /* xx/x. mirrored is a quarter-turn of itself */
        {"P07", {0, 1, 2, 3, 1, 2, 3, 0}},
        {"P13", {0, 1, 0, 1, 4, 5, 4, 5}},
    };

    load(default_pieces);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int turn = 0; turn < TURNS; turn++)
            cr_assert_eq(card(known[i].id)->least[turn], known[i].least[turn],
                         "%s turn %d", known[i].id, turn);
}

Test(second_chance, shapes_do_not_wrap_round)
{
    bits right = 0, bottom = 0;

    load("P01:xx;P02:xxxxxxxxx;S01:x/x");
    for (int i = 0; i < SIDE; i++) {
        right |= bit(i * STRIDE + 8);
        bottom |= bit(8 * STRIDE + i);
    }
    cr_assert(!piece_fits(card("P01"), bit(8) | bit(STRIDE)));
    cr_assert(piece_fits(card("P01"), bit(8) | bit(STRIDE + 8)));
    cr_assert(piece_fits(card("P02"), right));
    cr_assert(piece_fits(card("P02"), bottom));
    cr_assert(!piece_fits(card("P02"), bottom & ~bit(8 * STRIDE)));
    cr_assert(!piece_fits(card("P01"), 0));
}

#define NINE "xxxxxxxxx"
#define RING                                                             \
    NINE "/" NINE "/" NINE "/" NINE "/xxxx.xxxx/" NINE "/" NINE "/" NINE \
         "/" NINE

Test(second_chance, both_spellings_of_an_entry)
{
    static const char *const texts[] = {
        "P01:x;P99:xx/x.;S05:xxx",
        "P01,1,x;P99,3,xx/x.;S05,3,xxx",
        "P01,,1,,,x;P99:xx/x.;S05,3,xxx;",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        load(texts[i]);
        cr_assert_eq(set.count, 3);
        cr_assert_eq(set.puzzles, 2);
        cr_assert_eq(set.starts, 1);
        rows_are(card("P01"), 0, "x");
        rows_are(card("P99"), 0, "xx/x.");
        rows_are(card("S05"), 0, "xxx");
        cr_assert_str_eq(set.piece[1].id, "P99");
    }
}

static const struct {
    const char *text, *place, *expected;
} bad[] = {
    {";", "entry 1: \";\"", "P01 to P99 and S01 to S99"},
    {"Q01:x", "entry 1: \"Q01:x\"", "P01 to P99"},
    {"p01:x", "entry 1: \"p01:x\"", "P01 to P99"},
    {"P00:x", "entry 1: \"P00:x\"", "P01 to P99"},
    {"P1:x", "entry 1: \"P1:x\"", "P01 to P99"},
    {"P100:x", "entry 1, P10: \"0:x\"", "write ID:ROWS or ID,SIZE,ROWS"},
    {"P01:x;;P02:x", "entry 2: \";P02:x\"", "P01 to P99"},
    {"P01:x;P02", "entry 2, P02: \"\"", "write ID:ROWS or ID,SIZE,ROWS"},
    {"P01:x;P02=x", "entry 2, P02: \"=x\"", "write ID:ROWS"},
    {"P01:x;P01:xx", "entry 2: P01", "twice"},
    {"P01:x;S01:x;P01:xx", "entry 3: P01", "twice"},
    {"P01,x", "entry 1, P01", "the size is 1 to 81, not \"x\""},
    {"P01,0,x", "entry 1, P01", "the size is 1 to 81, not \"0,x\""},
    {"P01,82,x", "entry 1, P01", "the size is 1 to 81"},
    {"P01,1:x", "entry 1, P01", "write ID,SIZE,ROWS"},
    {"P01,1", "entry 1, P01", "write ID,SIZE,ROWS"},
    {"P01:x;P02:xX", "entry 2, P02: row 1", "rows are written with x and ."},
    {"P01:x;P02:xx/x0", "entry 2, P02: row 2", "has a \"0\""},
    {"P01:", "entry 1, P01", "row 1 is missing"},
    {"P01:x/", "entry 1, P01", "row 2 is missing"},
    {"P01:xx//xx", "entry 1, P01", "row 2 is missing"},
    {"P01:xxx/xx", "entry 1, P01", "row 2 is 2 wide but row 1 is 3"},
    {"P01:x.../xxxxx", "entry 1, P01", "row 2 is 5 wide but row 1 is 4"},
    {"P01:" NINE "x", "entry 1, P01: row 1", "10 wide: the grid is 9 x 9"},
    {"P01:x/x/x/x/x/x/x/x/x/x", "entry 1, P01", "more than 9 rows"},
    {"P01:../xx", "entry 1, P01", "its first row is empty"},
    {"P01:xx/..", "entry 1, P01", "its last row is empty"},
    {"P01:.x/.x", "entry 1, P01", "its first column is empty"},
    {"P01:x./x.", "entry 1, P01", "its last column is empty"},
    {"P01:.", "entry 1, P01", "its first row is empty"},
    {"P01,4,xx/x.", "entry 1, P01", "3 squares but its size says 4"},
    {"P01:x.x", "entry 1, P01", "joined edge to edge"},
    {"P01:x./.x", "entry 1, P01", "joined edge to edge"},
    {"P01:xx./..x/..x", "entry 1, P01", "joined edge to edge"},
    {"P01:x;P02:x;S01:" RING, "entry 3, S01", "cannot cover e5"},
    {"P01:x;S01:x", "puzzle cards: 1", "give P01 and P02 at least"},
    {"S01:x", "puzzle cards: 0", "give P01 and P02 at least"},
};

Test(second_chance, bad_piece_sets_name_the_place)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct setup setup = {.seats = 1};
        struct err err = {0};
        char text[400];

        snprintf(text, sizeof text, "pieces=%s", bad[i].text);
        cr_assert(!setup_set(game, &setup, text, &err), "%s", bad[i].text);
        cr_assert(strstr(err.text, "pieces: ") == err.text, "%s", err.text);
        cr_assert(strstr(err.text, bad[i].place), "%s: %s", bad[i].text,
                  err.text);
        cr_assert(strstr(err.text, bad[i].expected), "%s: %s", bad[i].text,
                  err.text);
    }
}

Test(second_chance, a_puzzle_card_need_not_cover_the_centre)
{
    load("P01:x;P02:" RING ";S01:x");
    cr_assert_eq(card("P02")->size, 80);
}

Test(second_chance, every_number_may_be_used)
{
    static char text[8000] = "pieces=";
    struct setup setup = {.seats = 6};
    struct err err = {0};

    for (int i = 1; i <= 99; i++)
        sprintf(text + strlen(text), "P%02d:xx/xx/x.;S%02d:xxx/xx.;", i, i);
    cr_assert(setup_set(game, &setup, text, &err), "%s", err.text);
    cr_assert(game_accepts(game, &setup, &err), "%s", err.text);
    cr_assert_eq(game->max_moves(&setup), 6 * (1 + 49));
    strcat(text, "P50:x");
    setup = (struct setup){.seats = 6};
    cr_assert(!setup_set(game, &setup, text, &err));
    cr_assert(strstr(err.text, "entry 199: P50 appears twice"), "%s", err.text);
}

Test(second_chance, each_seat_needs_a_start_card)
{
    struct setup setup = {.seats = 2};
    struct err err = {0};

    cr_assert(setup_set(game, &setup, "pieces=P01:x;P02:x;S01:x;S09:x", &err));
    cr_assert(game_accepts(game, &setup, &err));
    setup.seats = 3;
    cr_assert(!game_accepts(game, &setup, &err));
    cr_assert_str_eq(err.text, "start cards: 2, but 3 seats need one each");
}

Test(second_chance, full_end_is_a_word)
{
    struct setup setup = {.seats = 2};
    struct err err = {0};

    cr_assert(!setup_set(game, &setup, "full_end=later", &err));
    cr_assert_str_eq(err.text, "full_end must be step|round, not \"later\"");
}

static const struct {
    const char *pieces, *warnings;
} warned[] = {
    {"default", ""},
    {"P01:x;P02:x;S01:xxxx/xxxx", "puzzle cards: 2; the printed game has 40\n"
                                  "start cards: 1; the printed game has 13\n"},
    {"P01:x;P02:xxxx/xxxx;S01:xxxx/xxxx;S02:xxx;S07:xx/xx/xx/xx",
     "puzzle cards: 2; the printed game has 40\n"
     "start cards: 3; the printed game has 13\n"
     "P02 has 8 squares; puzzle cards have 1 to 7\n"
     "S02 has 3 squares; start cards have 8\n"
     "S07 is the same piece as S01; start cards all differ\n"},
};

Test(second_chance, doubtful_piece_sets_are_warned_of)
{
    for (size_t i = 0; i < sizeof warned / sizeof *warned; i++) {
        struct setup setup = {.seats = 1};
        struct err err = {0};
        struct buf out;
        char text[200];

        snprintf(text, sizeof text, "pieces=%s", warned[i].pieces);
        cr_assert(setup_set(game, &setup, text, &err), "%s", err.text);
        buf_init(&out, 4096);
        game->warn(&setup, &out);
        cr_assert_str_eq(out.text, warned[i].warnings);
        buf_release(&out);
    }
}

Test(second_chance, the_default_without_a_number_is_as_told)
{
    struct setup setup = {.seats = 1};
    struct err err = {0};
    static char text[4000] = "pieces=";

    strcat(text, default_pieces);
    cr_assert(setup_set(game, &setup, text, &err), "%s", err.text);
    cr_assert(game_accepts(game, &setup, &err), "%s", err.text);
}
