/* The boards of Rondo: facts about the built-in ones, and the loader. */

#include "games/game.h"
#include "games/rondo/board.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

extern const struct game rondo_game;

static struct rondo_board board;
static char data[8000];

static void load(const char *text)
{
    struct err err = {0};

    board = (struct rondo_board){0};
    cr_assert(rondo_board_load(&board, text, &err), "%s", err.text);
}

static int find(const char *name)
{
    struct rondo_name n;

    cr_assert(rondo_take_name(&name, &n));
    return rondo_find(&board, n);
}

static bool linked(const char *a, const char *b)
{
    return bits_has(board.near[find(a)], find(b));
}

/* A field as the rules write it: R3*. */
static const char *field(const char *name)
{
    static char text[4];
    int f = find(name);

    snprintf(text, sizeof text, "%c%d%s", "RPGBY"[board.field[f].colour],
             board.field[f].value % 10, bits_has(board.grey, f) ? "*" : "");
    return text;
}

/* The built-in boards. */

static void check_shape(void)
{
    int degree[9] = {0}, links = 0;

    cr_assert_eq(board.fields, 80);
    cr_assert_eq(bits_count(board.all), 80);
    cr_assert_eq(bits_count(board.grey), 12);
    for (int f = 0; f < 80; f++) {
        int n =
            bits_count(board.near[f]) + bits_has(board.near[RONDO_CENTRE], f);

        degree[n]++;
        links += n;
    }
    cr_assert_eq(degree[2], 60);
    cr_assert_eq(degree[3], 20);
    cr_assert_eq(bits_count(board.near[RONDO_CENTRE]), 4);
    cr_assert_eq((links + 4) / 2, 92);
}

/* How many fields of each value every colour has, and the sum of all. */
static void check_values(const int want[6], int sum)
{
    int count[5][6] = {{0}}, total = 0;

    for (int f = 0; f < board.fields; f++) {
        count[board.field[f].colour][board.field[f].value]++;
        total += board.field[f].value;
    }
    for (int c = 0; c < 5; c++)
        for (int v = 1; v <= 5; v++)
            cr_assert_eq(count[c][v], want[v], "%c%d", "RPGBY"[c], v);
    cr_assert_eq(total, sum);
}

/* No neighbours of one colour or of a large sum; every 5 has a bridge. */
static void check_neighbours(int largest_sum)
{
    for (int f = 0; f < board.fields; f++) {
        bool bridge = false;

        for (bits rest = board.near[f]; rest; rest &= rest - 1) {
            const struct rondo_field *g = &board.field[bits_first(rest)];

            cr_assert_neq(g->colour, board.field[f].colour);
            cr_assert_leq(g->value + board.field[f].value, largest_sum);
            bridge |= g->value <= 2;
        }
        cr_assert(bridge || board.field[f].value < 5);
    }
}

/* A quarter turn moves each field to the next quarter of its circle. */
static int turned(int f)
{
    static const int quarter[] = {1, 5, 2, 2, 10};
    const char *name = board.field[f].name;
    int step = quarter[name[0] - 'a'], number;
    char to[16];

    sscanf(name + 1, "%d", &number);
    snprintf(to, sizeof to, "%c%d", name[0],
             (number - 1 + step) % (4 * step) + 1);
    return find(to);
}

/* The turn maps links to links, grey to grey, and R P G B Y as given. */
static void check_turn(const char *colours)
{
    for (int f = 0; f < board.fields; f++) {
        int to = turned(f);

        cr_assert_eq("RPGBY"[board.field[to].colour],
                     colours[board.field[f].colour]);
        cr_assert_eq(bits_has(board.grey, f), bits_has(board.grey, to));
        cr_assert_eq(bits_has(board.near[RONDO_CENTRE], f),
                     bits_has(board.near[RONDO_CENTRE], to));
        for (bits rest = board.near[f]; rest; rest &= rest - 1)
            cr_assert(bits_has(board.near[to], turned(bits_first(rest))));
    }
}

static void check_quarters(const int want[4])
{
    static const int quarter[] = {1, 5, 2, 2, 10};
    int sum[4] = {0};

    for (int f = 0; f < board.fields; f++) {
        const struct rondo_field *a = &board.field[f];
        int number;

        sscanf(a->name + 1, "%d", &number);
        sum[(number - 1) / quarter[a->name[0] - 'a']] += a->value;
    }
    for (int q = 0; q < 4; q++)
        cr_assert_eq(sum[q], want[q], "%d: %d", q, sum[q]);
}

Test(rondo_board, blue)
{
    load("blue");
    check_shape();
    check_values((int[]){0, 4, 4, 4, 3, 1}, 205);
    check_neighbours(7);
    check_turn("PBGYR");
    check_quarters((int[]){51, 51, 52, 51});
}

Test(rondo_board, red)
{
    load("red");
    check_shape();
    check_values((int[]){0, 2, 4, 4, 4, 2}, 240);
    check_neighbours(8);
    check_turn("YRGPB");
    check_quarters((int[]){60, 60, 60, 60});
}

Test(rondo_board, the_known_facts_of_the_printed_board)
{
    load("blue");
    cr_assert_str_eq(field("a1"), "R2");
    cr_assert_str_eq(field("a2"), "P2");
    cr_assert_str_eq(field("a3"), "B2");
    cr_assert_str_eq(field("a4"), "Y2");
    cr_assert(linked("a2", "b6") && linked("b6", "b5") && linked("b6", "b7"));
    cr_assert_str_eq(field("b6"), "B1");
    cr_assert_str_eq(field("b5"), "G3");
    cr_assert_str_eq(field("b7"), "Y3");
    cr_assert(linked("a1", "b1") && linked("b1", "b2") && linked("b1", "b20"));
    cr_assert_str_eq(field("b1"), "P1");
    cr_assert_str_eq(field("b2"), "B4");
    cr_assert_str_eq(field("b20"), "G3");
    cr_assert_not(linked("b2", "b20"));
    cr_assert(linked("c1", "d1"));
    cr_assert_str_eq(field("c1"), "Y1");
    cr_assert_str_eq(field("d1"), "G5");
}

Test(rondo_board, fields_of_the_rules)
{
    static const char *const grey[] = {"b3",  "b8",  "b13", "b18",
                                       "e1",  "e6",  "e11", "e16",
                                       "e21", "e26", "e31", "e36"};

    load("red");
    for (size_t i = 0; i < sizeof grey / sizeof *grey; i++)
        cr_assert(bits_has(board.grey, find(grey[i])), "%s", grey[i]);
    cr_assert_str_eq(field("b5"), "G5");
    cr_assert_str_eq(field("d6"), "Y4");
    cr_assert_str_eq(field("e21"), "Y5*");
    cr_assert_str_eq(field("e40"), "G3");
    cr_assert(linked("d8", "e39") && linked("c8", "b20"));
    cr_assert(linked("e40", "e1") && linked("b20", "b1"));
    load("blue");
    cr_assert_str_eq(field("e36"), "B5*");
    cr_assert_str_eq(field("e24"), "Y4");
    cr_assert_str_eq(board.field[0].name, "a1");
    cr_assert_str_eq(board.field[4].name, "b1");
    cr_assert_str_eq(board.field[79].name, "e40");
    cr_assert_eq(find("m"), RONDO_CENTRE);
    cr_assert_eq(find("e41"), -1);
    cr_assert_eq(find("m1"), -1);
    cr_assert_eq(find("a0"), -1);
    cr_assert_eq(find("f1"), -1);
}

/* The loader. */

#define HEAD "rondo-board,1;name,mine;centre,m;"
#define MINE HEAD "field,a1,R,2,grey;field,a2,P,1;link,m,a1;link,a1,a2"

Test(rondo_board, loads_a_text)
{
    load(MINE);
    cr_assert_str_eq(board.name, "mine");
    cr_assert_str_eq(board.centre, "m");
    cr_assert_eq(board.fields, 2);
    cr_assert_str_eq(field("a1"), "R2*");
    cr_assert_str_eq(field("a2"), "P1");
    cr_assert(linked("a1", "a2") && linked("a2", "a1") && linked("m", "a1"));
    cr_assert_not(linked("m", "a2"));
}

/* Empty lines and double blanks of a file do no harm; nor does the order. */
Test(rondo_board, loads_what_files_look_like)
{
    load(";rondo-board,1;;link,,a9,z99;field,a9,Y,5,grey,;,link,a9,c;"
         "field,z99,B,1;,,;centre,c;name,a-very-long-1;");
    cr_assert_str_eq(board.name, "a-very-long-1");
    cr_assert_eq(board.fields, 2);
    load("rondo-board,1;name,0123456789abcdef;centre,a1;field,a0,R,1,grey;"
         "link,a0,a1");
    cr_assert_eq(find("a1"), RONDO_CENTRE);
}

Test(rondo_board, refuses_wrong_texts)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"green", "\"green\" is neither blue, red nor the text of a board, "
                  "which begins with rondo-board,1;"},
        {"Blue", "neither blue, red"},
        {";", "neither blue, red"},
        {"rondo-board,2;name,x", "\"rondo-board,2\" is neither"},
        {"rondo-board,1,1", "neither"},
        {"rondo-board", "neither"},
        {"name,x;rondo-board,1", "\"name,x\" is neither"},
        {"rondo-board,1", "the board has no name; add an entry such as"},
        {"rondo-board,1;name,x", "the board has no centre; add an entry"},
        {"rondo-board,1;centre,m;field,a1,R,1,grey;link,m,a1", "no name"},
        {"rondo-board,1;rondo-board,1", "entry 2, \"rondo-board,1\": an entry "
                                        "begins with name, centre, field or "
                                        "link, not rondo-board"},
        {HEAD "Field,a1,R,2", "entry 4, \"Field,a1,R,2\": an entry begins"},
        {"rondo-board,1;name", "entry 2, \"name\": found 1 word; write "
                               "name,NAME"},
        {"rondo-board,1;name,a,b", "found 3 words"},
        {HEAD "centre", "found 1 word; write centre,NAME"},
        {HEAD "field,a1,R", "write field,NAME,COLOUR,VALUE[,grey]"},
        {HEAD "field,a1,R,2,grey,grey", "found 6 words"},
        {HEAD "field,a1,R,2,1,2,3,4,5,6,7", "found 11 words"},
        {HEAD "link,a1", "found 2 words; write link,A,B"},
        {HEAD "link,m,a1,a2", "found 4 words"},
        /* Names of boards. */
        {"rondo-board,1;name,Mine", "a name is 1 to 16 of a-z, 0-9 and -, not "
                                    "Mine"},
        {"rondo-board,1;name,a_b", "not a_b"},
        {"rondo-board,1;name,0123456789abcdefg", "not 0123456789abcdefg"},
        {"rondo-board,1;name,blue", "blue is a built-in board: choose another"},
        {"rondo-board,1;name,red", "red is a built-in board"},
        {HEAD "name,yours",
         "entry 4, \"name,yours\": the board already has a name, mine"},
        /* The centre. */
        {HEAD "centre,n", "there is already a centre, m; a board has one"},
        {HEAD "centre,m", "there is already a centre"},
        {"rondo-board,1;centre,M", "the centre's name is a letter a-z, or one "
                                   "and a number 0 to 99, not M"},
        {"rondo-board,1;centre,mm", "not mm"},
        {"rondo-board,1;centre,m01", "not m01"},
        {"rondo-board,1;field,a1,R,2;centre,a1", "a1 is already a field"},
        {"rondo-board,1;centre,a1;field,a1,R,2", "entry 3, \"field,a1,R,2\": "
                                                 "a1 is the centre"},
        /* Fields. */
        {HEAD "field,a,R,2", "a field's name is a letter a-z and a number 0 to "
                             "99 without a leading zero, not a"},
        {HEAD "field,a01,R,2", "not a01"},
        {HEAD "field,a100,R,2", "not a100"},
        {HEAD "field,1,R,2", "not 1"},
        {HEAD "field,A1,R,2", "not A1"},
        {HEAD "field,a1x,R,2", "not a1x"},
        {HEAD "field,a1,R,2;field,a1,P,3",
         "entry 5, \"field,a1,P,3\": there is already a field a1"},
        {HEAD "field,a1,r,2", "r is not a colour; use one of R P G B Y"},
        {HEAD "field,a1,RR,2", "RR is not a colour"},
        {HEAD "field,a1,2,R", "2 is not a colour"},
        {HEAD "field,a1,R,0", "0 is not a value; use 1 to 5"},
        {HEAD "field,a1,R,6", "6 is not a value"},
        {HEAD "field,a1,R,-1", "-1 is not a value"},
        {HEAD "field,a1,R,11", "11 is not a value"},
        {HEAD "field,a1,R,2,gray", "gray is unknown here; only grey may"},
        /* Links. */
        {MINE ";link,a1,b1", "entry 8, \"link,a1,b1\": b1 is neither a field "
                             "nor the centre"},
        {MINE ";link,n,a1", "n is neither a field nor the centre"},
        {MINE ";link,a01,a2", "a01 is neither"},
        {MINE ";link,a1,a1", "a link joins two different places"},
        {MINE ";link,m,m", "a link joins two different places"},
        {MINE ";link,a1,a2",
         "a1 and a2 are already linked; give the link once"},
        {MINE ";link,a2,a1", "a2 and a1 are already linked"},
        {MINE ";link,a1,m", "a1 and m are already linked"},
        {MINE ";link,m,a1", "m and a1 are already linked"},
        /* The whole. */
        {HEAD "field,a1,R,2;link,m,a1", "no grey field"},
        {HEAD, "no grey field"},
        {HEAD "field,a1,R,2,grey",
         "a1 cannot be reached from the centre; links must join every field to it"},
        {HEAD "field,a1,R,2,grey;field,b1,R,1;field,b2,R,1;link,m,a1;"
              "link,b1,b2",
         "b1 cannot be reached from the centre"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};

        board = (struct rondo_board){0};
        cr_assert_not(rondo_board_load(&board, cases[i].text, &err), "%s",
                      cases[i].text);
        cr_assert(strstr(err.text, cases[i].want), "%s: %s", cases[i].text,
                  err.text);
    }
}

Test(rondo_board, a_long_word_does_not_hide_the_sentence)
{
    struct err err = {0};

    snprintf(data, sizeof data, "rondo-board,1;name,%0999d", 0);
    cr_assert_not(rondo_board_load(&board, data, &err));
    cr_assert(strstr(err.text, "a name is 1 to 16"), "%s", err.text);
    snprintf(data, sizeof data, HEAD "field,%0999d,R,1", 0);
    cr_assert_not(rondo_board_load(&board, data, &err));
    cr_assert(strstr(err.text, "a field's name is"), "%s", err.text);
}

/* Limits. */

static size_t used;

static void add_link(int a, int b)
{
    used += (size_t)snprintf(data + used, sizeof data - used, ";link,%c%d,%c%d",
                             'a' + a / 100, a % 100, 'a' + b / 100, b % 100);
}

static void add_fields(int n)
{
    used = (size_t)snprintf(data, sizeof data, "%s",
                            "rondo-board,1;name,big;centre,m");
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(data + used, sizeof data - used,
                                 ";field,%c%d,R,1%s", 'a' + i / 100, i % 100,
                                 i == 0 ? ",grey" : "");
    used += (size_t)snprintf(data + used, sizeof data - used, ";link,m,a0");
}

static bool loads(const char *want)
{
    struct err err = {0};
    bool ok;

    board = (struct rondo_board){0};
    ok = rondo_board_load(&board, data, &err);
    cr_assert(ok || strstr(err.text, want), "%s", err.text);
    return ok;
}

Test(rondo_board, has_up_to_128_fields)
{
    add_fields(128);
    for (int i = 1; i < 128; i++)
        add_link(i - 1, i);
    cr_assert(loads(""));
    cr_assert_eq(bits_count(board.all), 128);
    add_fields(129);
    cr_assert_not(loads("entry 132, \"field,b28,R,1\": this is one field too "
                        "many; a board has at most 128"));
}

Test(rondo_board, has_up_to_256_links)
{
    int links = 1;

    add_fields(100);
    for (int i = 1; i < 100; i++, links++)
        add_link(i - 1, i);
    for (int i = 3; i < 100 && links < 256; i++, links++)
        add_link(i - 3, i);
    for (int i = 5; i < 100 && links < 256; i++, links++)
        add_link(i - 5, i);
    cr_assert_eq(links, 256);
    cr_assert(loads(""));
    add_link(40, 90);
    cr_assert_not(loads("this is one link too many; a board has at most 256"));
}

Test(rondo_board, a_place_has_up_to_8_neighbours)
{
    add_fields(20);
    for (int i = 1; i < 20; i++)
        add_link(i - 1, i);
    for (int i = 3; i < 9; i++)
        add_link(0, i);
    cr_assert(loads("")); /* the centre, a1, and a3 to a8 */
    add_link(12, 0);
    cr_assert_not(
        loads("a0 already has 8 neighbours, and no more are allowed"));
    add_fields(20);
    for (int i = 1; i < 20; i++)
        add_link(i - 1, i);
    for (int i = 1; i < 8; i++)
        used +=
            (size_t)snprintf(data + used, sizeof data - used, ";link,m,a%d", i);
    cr_assert(loads(""));
    snprintf(data + used, sizeof data - used, ";link,a9,m");
    cr_assert_not(loads("m already has 8 neighbours"));
}

/* As an option of the game. */

Test(rondo_board, is_an_option_of_the_game)
{
    struct setup setup = {.seats = 2};
    struct err err = {0};

    cr_assert_str_eq(setup_option(&rondo_game, &setup, 0), "blue");
    cr_assert_not(setup_set(&rondo_game, &setup, "board=green", &err));
    cr_assert_str_eq(err.text, "board: \"green\" is neither blue, red nor the "
                               "text of a board, which begins with "
                               "rondo-board,1;");
    cr_assert_not(setup_set(&rondo_game, &setup, "bord=red", &err));
    cr_assert(setup_set(&rondo_game, &setup, "board=" MINE, &err));
    cr_assert(game_accepts(&rondo_game, &setup, &err));
    setup = (struct setup){.seats = 5};
    cr_assert_not(game_accepts(&rondo_game, &setup, &err));
    cr_assert_str_eq(err.text, "rondo takes 2 to 4 seats, not 5");
}

Test(rondo_board, warns_of_colours_without_a_field)
{
    struct setup setup = {.seats = 2};
    struct err err;
    struct buf out;

    buf_init(&out, 1000);
    rondo_game.warn(&setup, &out);
    cr_assert_str_eq(out.text, "");
    cr_assert(setup_set(&rondo_game, &setup, "board=" MINE, &err));
    rondo_game.warn(&setup, &out);
    cr_assert_str_eq(
        out.text, "board mine has no green field: green stones cannot score\n"
                  "board mine has no blue field: blue stones cannot score\n"
                  "board mine has no yellow field: yellow stones cannot "
                  "score\n");
    buf_release(&out);
}
