/* Axiom: how the pieces move, and how a game ends. */

#include "axiom_table.h"

#include "axiom_cases.h"

TestSuite(axiom, .fini = clear_table);

enum { CASES = sizeof rule_cases / sizeof *rule_cases };

static void begin_case(const struct rule_case *c)
{
    char options[100];

    snprintf(options, sizeof options, "contact=%s ownpair=loss", c->contact);
    begin_at(c->position, options);
}

/* Call for each word of a list, which may be NULL. */
static int for_words(const char *list, void (*check)(const char *word))
{
    char copy[1000], *rest = copy, *word;
    int n = 0;

    snprintf(copy, sizeof copy, "%s", list ? list : "");
    while (list && (word = strsep(&rest, " "))) {
        check(word);
        n++;
    }
    return n;
}

static void check_legal(const char *move)
{
    cr_expect(is_legal(move), "%s: %s", move, err.text);
}

static void check_illegal(const char *move)
{
    cr_expect(!is_legal(move), "%s was accepted", move);
}

Test(axiom, case_moves)
{
    for (int i = 0; i < CASES; i++) {
        const struct rule_case *c = &rule_cases[i];

        begin_case(c);
        cr_expect_eq(count_moves("S"), c->sceptre_moves, "%s", c->name);
        cr_expect_eq(count_moves("C"), c->cube_moves, "%s", c->name);
        for_words(c->legal, check_legal);
        for_words(c->illegal, check_illegal);
        if (c->sceptre)
            cr_expect_eq(for_words(c->sceptre, check_legal), c->sceptre_moves,
                         "%s", c->name);
    }
}

/* "MOVE winner=b reason=sceptre remove=1,0,1" */
static void check_after(const struct rule_case *c, const char *after)
{
    char move[40], winner, reason[20], removed[20];
    char expected[100];

    cr_assert_eq(sscanf(after, "%39s winner=%c reason=%19s remove=%19s", move,
                        &winner, reason, removed),
                 4);
    begin_case(c);
    snprintf(expected, sizeof expected, "play %d %s", turn() + 1, move);
    if (*removed != '-' || removed[1])
        snprintf(expected + strlen(expected), 30, "|remove %s", removed);
    play(move);
    cr_expect_str_eq(told(), expected);
    snprintf(expected, sizeof expected, "%s%s",
             winner == 'b' ? BLACK_WINS : WHITE_WINS, reason);
    cr_expect_str_eq(result(), winner == '-' ? "-" : expected);
}

Test(axiom, case_results)
{
    int n = 0;

    for (int i = 0; i < CASES; i++) {
        char copy[1000], *rest = copy, *after;

        snprintf(copy, sizeof copy, "%s",
                 rule_cases[i].after ? rule_cases[i].after : "");
        while (*copy && (after = strsep(&rest, ";"))) {
            check_after(&rule_cases[i], after);
            n++;
        }
    }
    cr_expect_eq(n, 10);
}

/* Every text that could be a cube move, from each cube to each near cell. */
static int accepted_texts(const char *from, const char *domes)
{
    char move[40];
    int n = 0;

    for (int z = 1; z <= 4; z++)
        for (int y = -4; y <= 11; y++)
            for (int x = -4; x <= 11; x++) {
                snprintf(move, sizeof move, "C%s/%d,%d,%d%s", from, x, y, z,
                         domes);
                n += is_legal(move);
            }
    return n;
}

/* parse() tests one move, list() finds all; they must agree on the number. */
static void compare_parse_with_list(const char *position)
{
    static const char *const all_domes[] = {"E",  "W",  "N",  "S",  "U",  "D",
                                            "EN", "ES", "EU", "ED", "WN", "WS",
                                            "WU", "WD", "NU", "ND", "SU", "SD"};
    char copy[1000], *rest = copy, *cube;
    int n = 0;

    snprintf(copy, sizeof copy, "%s", position);
    copy[strcspn(copy, "|")] = '\0';
    while ((cube = strsep(&rest, ";"))) {
        cube[strcspn(cube, "EWNSUD")] = '\0';
        for (int i = 0; i < 18; i++)
            n += accepted_texts(cube + 1, all_domes[i]);
    }
    cr_expect_eq(n, count_moves("C"), "%s", position);
}

Test(axiom, parse_agrees_with_list)
{
    for (int i = 0; i < CASES; i++) {
        begin_case(&rule_cases[i]);
        compare_parse_with_list(rule_cases[i].position);
    }
    begin("contact=interlock");
    compare_parse_with_list(STANDARD);
}

static long perft(const struct state *s, int depth)
{
    seat_set owing = game->to_move(s);
    struct moves moves = {0};
    long n = 0;

    if (!owing)
        return 0;
    game->list(s, owing == SEAT(1), &moves);
    for (size_t i = 0; depth > 1 && i < moves.count; i++) {
        struct state *next = game_clone(s);

        lines_reset(&events);
        game->apply(next, owing == SEAT(1), &moves.move[i], &events);
        n += perft(next, depth - 1);
        game_free(next);
    }
    n = depth > 1 ? n : (long)moves.count;
    moves_release(&moves);
    return n;
}

/* The numbers of steps are those of a game where an own pair loses. */
Test(axiom, perft)
{
    static const struct {
        const char *options;
        int sceptre_moves, cube_moves;
        long two;
    } rows[] = {
        {"contact=edge", 9, 67, 6410},     {"contact=face", 9, 47, 3180},
        {"contact=interlock", 9, 23, 992}, {"start=tower", 12, 0, 192},
        {"start=wall", 10, 87, 10774},     {"start=steps", 14, 102, 14884},
        {"start=square", 11, 652, 475373},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char options[100];

        snprintf(options, sizeof options, "%s ownpair=loss", rows[i].options);
        begin(options);
        cr_expect_eq(count_moves("S"), rows[i].sceptre_moves, "%s", options);
        cr_expect_eq(count_moves("C"), rows[i].cube_moves, "%s", options);
        cr_expect_eq(perft(state, 2), rows[i].two, "%s", options);
    }
}

Test(axiom, first_moves_of_sceptres)
{
    static const char *const moves[] = {
        "S-1,0,2U/-1,0,1S", "S-1,0,2U/-1,0,2W", "S-1,0,2U/-1,0,2S",
        "S-1,0,2U/0,0,2U",  "S-1,0,2U/0,1,2U",  "S1,0,2U/1,0,1S",
        "S1,0,2U/0,0,2U",   "S1,0,2U/1,0,2S",   "S1,0,2U/0,1,2U"};

    begin("");
    list_moves();
    for (int i = 0; i < 9; i++)
        cr_expect_str_eq(spell(&legal.move[i]), moves[i]);
    cr_expect_eq(count_moves("S"), 9);
}

/* Only 0,0,2 is free: one place on 0,1,2 and 14 cells round the block. */
Test(axiom, first_moves_of_cubes)
{
    static const struct {
        int x, y, n;
        char not ;
    } cells[] = {
        {-2, -1, 5, 0}, {-1, -1, 5, 0},  {0, -1, 4, 'N'}, {1, -1, 5, 0},
        {2, -1, 5, 0},  {-2, 0, 4, 'E'}, {2, 0, 5, 0},    {-2, 1, 5, 0},
        {2, 1, 4, 'W'}, {-2, 2, 5, 0},   {-1, 2, 5, 0},   {0, 2, 4, 'S'},
        {1, 2, 5, 0},   {2, 2, 5, 0},
    };
    char move[40];

    begin("");
    cr_expect_eq(count_moves("C0,0,2/0,1,3"), 1);
    cr_expect(is_legal("C0,0,2/0,1,3D"));
    cr_expect_eq(count_moves("C0,0,2/"), 67);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        snprintf(move, sizeof move, "C0,0,2/%d,%d,1", cells[i].x, cells[i].y);
        cr_expect_eq(count_moves(move), cells[i].n, "%s", move);
        snprintf(move + strlen(move), 2, "%c",
                 cells[i].not ? cells[i].not : 'D');
        cr_expect(!is_legal(move), "%s", move);
    }
}

Test(axiom, white_has_as_many_first_moves)
{
    char position[] = STANDARD;

    position[strlen(position) - 1] = 'w';
    begin_at(position, "");
    cr_expect_eq(turn(), 1);
    cr_expect_eq(count_moves("S"), 9);
    cr_expect_eq(count_moves("C"), 67);
}

static bool can_win(const struct state *s)
{
    int seat = game->to_move(s) == SEAT(1);
    struct moves moves = {0};
    bool found = false;

    game->list(s, seat, &moves);
    for (size_t i = 0; i < moves.count && !found; i++) {
        struct state *next = game_clone(s);
        struct result r = {0};

        game->apply(next, seat, &moves.move[i], &events);
        if (!game->to_move(next))
            game_result(game, next, &r);
        found = r.rank[seat] == 1 && r.rank[!seat] == 2;
        game_free(next);
    }
    moves_release(&moves);
    return found;
}

Test(axiom, three_first_moves_lose_at_once)
{
    char blunders[200] = "";

    begin("");
    list_moves();
    for (size_t i = 0; i < legal.count; i++) {
        struct state *next = game_clone(state);

        game->apply(next, 0, &legal.move[i], &events);
        if (can_win(next))
            snprintf(blunders + strlen(blunders), 40, "%s ",
                     spell(&legal.move[i]));
        game_free(next);
    }
    cr_expect_str_eq(blunders, "S-1,0,2U/-1,0,2W S-1,0,2U/-1,0,2S "
                               "S1,0,2U/1,0,2S ");
}

/* A piece of a position turned by 180 degrees, with the other colour. */
static void turn_piece(const char *piece, int x_sum, int y_sum, char *out)
{
    static const char faces[] = "EWNSUD", turned[] = "WESNUD";
    char side, letters[8] = "", mapped[8] = "";
    int x, y, z, n = 0;

    cr_assert_eq(
        sscanf(piece, "%c%d,%d,%d%7[EWNSUD]", &side, &x, &y, &z, letters), 5);
    for (int f = 0; f < 6; f++)
        if (strchr(letters, turned[f]))
            mapped[n++] = faces[f];
    sprintf(out, "%c%d,%d,%d%s", side == 'b' ? 'w' : 'b', x_sum - x, y_sum - y,
            z, mapped);
}

Test(axiom, starts_are_symmetric)
{
    static const struct {
        const char *start;
        int x_sum, y_sum;
    } rows[] = {
        {"start=standard", 0, 1}, {"start=tower", 1, 1},  {"start=wall", 1, 0},
        {"start=steps", 0, 1},    {"start=square", 3, 3},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char position[500], whole[502], *rest = position, *piece;
        int pieces = 0;

        begin(rows[i].start);
        cr_assert_eq(sscanf(view(AUDIENCE_PUBLIC), "position=%499s", position),
                     1);
        position[strlen(position) - 2] = '\0';
        snprintf(whole, sizeof whole, "|%s|", position);
        while ((piece = strsep(&rest, ";|"))) {
            char other[40];

            turn_piece(piece, rows[i].x_sum, rows[i].y_sum, other);
            cr_expect(strstr(whole, other), "%s: no %s", rows[i].start, other);
            pieces++;
        }
        cr_expect_eq(pieces, 16);
        cr_expect(!can_win(state), "%s", rows[i].start);
        cr_expect_eq(turn(), 0);
    }
}

/* Sceptres, then cubes; by cell upwards, then face or domes. */
static void sort_key(const char *move, int key[9])
{
    static const char faces[] = "EWNSUD";
    char from[8] = "", to[8] = "";
    int n;

    key[0] = *move == 'C';
    n = *move == 'C'
            ? sscanf(move, "C%d,%d,%d/%d,%d,%d%7s", &key[3], &key[2], &key[1],
                     &key[7], &key[6], &key[5], to)
            : sscanf(move, "S%d,%d,%d%1s/%d,%d,%d%7s", &key[3], &key[2],
                     &key[1], from, &key[7], &key[6], &key[5], to);
    cr_assert_eq(n, *move == 'C' ? 7 : 8, "%s", move);
    key[4] = *from ? (int)(strchr(faces, *from) - faces) : 0;
    key[8] = 8 * (int)(strchr(faces, to[0]) - faces);
    key[8] += to[1] ? (int)(strchr(faces, to[1]) - faces) : 0;
}

static bool is_sorted(void)
{
    int key[2][9];

    list_moves();
    for (size_t i = 0; i < legal.count; i++) {
        int k = 0;

        memcpy(key[0], key[1], sizeof key[0]);
        sort_key(spell(&legal.move[i]), key[1]);
        while (i > 0 && k < 9 && key[0][k] == key[1][k])
            k++;
        if (i > 0 && (k == 9 || key[0][k] > key[1][k]))
            return false;
    }
    return true;
}

Test(axiom, moves_are_listed_in_order)
{
    static const char *const starts[] = {"start=standard", "start=tower",
                                         "start=wall", "start=steps",
                                         "start=square"};

    for (int i = 0; i < 5; i++) {
        begin(starts[i]);
        cr_expect(is_sorted(), "%s", starts[i]);
    }
    for (int i = 0; i < CASES; i++) {
        begin_case(&rule_cases[i]);
        cr_expect(is_sorted(), "%s", rule_cases[i].name);
    }
    /* Two sceptres of one side in one cube are ordered by face. */
    begin_at("b0,0,1W;w9,9,1E|b0,0,1U;b0,0,1N;w9,9,1U|b", "");
    cr_expect(is_sorted());
    cr_expect_eq(count_moves("S0,0,1N"), 2);
}

/* Single rules that no case above shows alone. */
Test(axiom, rules_one_by_one)
{
    /* clang-format off */
    static const struct {
        const char *rule, *position, *legal, *illegal;
    } rows[] = {
        {"a tip may end in the cell of another body",
         "b0,0,1W;w2,1,1E|b0,0,1U;w2,1,1S|b",
         "S0,0,1U/0,0,1E", NULL},
        {"a sceptre is not in its own way, head-on",
         "b0,0,1W;b0,1,1N;b1,1,1N;b2,1,1N;b3,1,1N;b3,0,1E;w9,9,1E|"
         "b0,0,1E;w9,9,1U|b",
         "S0,0,1E/3,0,1W", NULL},
        {"a dome may look into the cell of a body",
         "b0,0,1W;b0,1,1W;b2,1,1E;b3,1,1E;b3,2,1N;w9,9,1E|"
         "b0,0,1E;w9,9,1U|b",
         "C3,2,1/1,1,1S", NULL},
        {"a dome in the way ends the line",
         "b0,0,1W;b1,0,1U;b2,0,1E;w9,9,1E|b0,0,1U;w9,9,1U|b",
         NULL, "S0,0,1U/2,0,1U"},
        {"a sceptre in the way ends the line",
         "b0,0,1W;b1,0,1S;b2,0,1E;w9,9,1E|b0,0,1U;b1,0,1U;w9,9,1U|b",
         NULL, "S0,0,1U/2,0,1U"},
        {"domes beside a diagonal do not matter",
         "b0,0,1W;b1,0,1U;b0,1,1U;b1,1,1E;w9,9,1E|b0,0,1U;w9,9,1U|b",
         "S0,0,1U/1,1,1U", NULL},
        {"nor do sceptres",
         "b0,0,1W;b1,0,1S;b0,1,1W;b1,1,1E;w9,9,1E|"
         "b0,0,1U;b1,0,1U;w0,1,1U|b",
         "S0,0,1U/1,1,1U", NULL},
        {"a diagonal goes on and does not turn",
         "b0,0,1W;b1,1,1W;b2,2,1W;b3,2,1E;w9,9,1E|b0,0,1U;w9,9,1U|b",
         "S0,0,1U/2,2,1U", "S0,0,1U/3,2,1U"},
        {"a straight line does not turn",
         "b0,0,1W;b1,0,1U;b1,1,1U;b1,2,1N;w9,9,1E|b0,0,1S;w9,9,1U|b",
         "S0,0,1S/1,0,1E", "S0,0,1S/1,2,1U"},
        {"a cube with an enemy sceptre is not free",
         "b0,0,1W;b1,0,1E;w9,9,1E|b0,0,1U;w1,0,1N|b",
         NULL, "C1,0,1/0,1,1E"},
        {"a cube may leave a joint sideways, and split the rest",
         "b0,0,1E;b1,0,1E;w2,0,1E|b0,0,1U;w2,0,1U|b",
         "C1,0,1/3,0,1U", NULL},
        {"a moved cube cannot lean on the place it left",
         "b0,0,1E;b5,0,1U;w9,9,1E|b5,0,1N;w9,9,1N|b",
         NULL, "C0,0,1/0,1,1U"},
        {"nor stand on itself",
         "b0,0,1E;b5,0,1U;w9,9,1E|b5,0,1N;w9,9,1N|b",
         NULL, "C0,0,1/0,0,2D"},
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_at(rows[i].position, "");
        if (rows[i].legal)
            cr_expect(is_legal(rows[i].legal), "%s: %s", rows[i].rule,
                      err.text);
        if (rows[i].illegal)
            cr_expect(!is_legal(rows[i].illegal), "%s", rows[i].rule);
    }
}

Test(axiom, a_cube_with_another_sceptre_is_not_removed)
{
    begin_at("b0,0,1W;w1,0,1S;w3,0,1E|b1,0,1U;b1,0,1N;w3,0,1N|b", "");
    play("S1,0,1U/0,0,1U");
    cr_expect_str_eq(told(), "play 1 S1,0,1U/0,0,1U");
    cr_expect_str_eq(result(), "-");
}

Test(axiom, a_side_without_cubes_plays_on)
{
    begin_at("b0,0,1W;b0,1,1W;w1,0,1S|b1,0,1U;w0,1,1N|b", "");
    play("S1,0,1U/0,0,1U");
    cr_expect_str_eq(told(), "play 1 S1,0,1U/0,0,1U|remove 1,0,1");
    cr_expect_eq(turn(), 1);
    cr_expect_gt(count_moves("S0,1,1N"), 0);
    cr_expect_eq(count_moves("C"), 0);
}

Test(axiom, own_pair)
{
    const char *position = "b0,0,1W;b1,0,1E;w9,9,1E|b0,0,1U;b1,0,1N;w9,9,1U|b";

    begin_at(position, "ownpair=legal");
    play("S0,0,1U/1,0,1U");
    cr_expect_str_eq(result(), "-");
    cr_expect_eq(turn(), 1);
    begin_at(position, "ownpair=loss");
    play("S0,0,1U/1,0,1U");
    cr_expect_str_eq(result(), WHITE_WINS "ownpair");
}

/* The enemy's pair is no concern of the mover's: a third sceptre wins. */
Test(axiom, the_win_is_tested_before_the_pair)
{
    begin_at("b0,0,1W;b1,0,1E|b0,0,1U;w1,0,1N;w1,0,1S|b", "ownpair=legal");
    play("S0,0,1U/1,0,1U");
    cr_expect_str_eq(result(), BLACK_WINS "sceptre");
}

/* Each reason hides those that are tested later; the last move has several. */
Test(axiom, reasons_in_order)
{
    /* clang-format off */
    static const struct {
        const char *position, *options, *moves, *result;
    } rows[] = {
        {"b0,0,1W;w1,1,1E|b0,0,1U;w1,1,1N|b",
         "maxplies=1",
         "S0,0,1U/1,1,1U",
         BLACK_WINS "sceptre"},
        {"b0,0,1W;b1,0,1E;w9,9,1E|b0,0,1U;b1,0,1N;w9,9,1U|b",
         "ownpair=loss maxplies=1",
         "S0,0,1U/1,0,1U",
         WHITE_WINS "ownpair"},
        {"w0,-2,1U;b0,0,1W;w3,0,1S;w3,1,1U;w0,2,1U|b0,0,1U;w3,0,1E|w",
         "maxplies=1",
         "C3,1,1/2,0,1U",
         WHITE_WINS "nomove"},
        {"b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1U|b",
         "repetition=2 maxplies=4",
         "S0,0,1U/0,0,1N S9,9,1U/9,9,1N S0,0,1N/0,0,1U S9,9,1N/9,9,1U",
         DRAW "repetition"},
        {"b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1U|b",
         "maxplies=2",
         "S0,0,1U/0,0,1N S9,9,1U/9,9,1N",
         DRAW "maxplies"},
    };
    /* clang-format on */

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_at(rows[i].position, rows[i].options);
        play_all(rows[i].moves);
        cr_expect_str_eq(result(), rows[i].result);
    }
}

#define FORTH_AND_BACK \
    "S0,0,1U/0,0,1N S9,9,1U/9,9,1N S0,0,1N/0,0,1U S9,9,1N/9,9,1U"

static const char *const two_towers = "b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1U|b";

Test(axiom, repetition)
{
    begin_at(two_towers, "");
    play_all(FORTH_AND_BACK);
    cr_expect_str_eq(result(), "-");
    play_all("S0,0,1U/0,0,1N S9,9,1U/9,9,1N S0,0,1N/0,0,1U");
    cr_expect_str_eq(result(), "-");
    play("S9,9,1N/9,9,1U");
    cr_expect_str_eq(result(), DRAW "repetition");
    cr_expect(strstr(view(AUDIENCE_PUBLIC), " ply=8 repeats=3"));
}

Test(axiom, repetition_may_be_off)
{
    begin_at(two_towers, "repetition=0 maxplies=12");
    play_all(FORTH_AND_BACK " " FORTH_AND_BACK);
    cr_expect_str_eq(result(), "-");
    cr_expect(strstr(view(AUDIENCE_PUBLIC), " ply=8 repeats=3"));
    play_all(FORTH_AND_BACK);
    cr_expect_str_eq(result(), DRAW "maxplies");
}

Test(axiom, nine_repetitions)
{
    begin_at(two_towers, "repetition=9");
    for (int i = 0; i < 7; i++)
        play_all(FORTH_AND_BACK);
    cr_expect_str_eq(result(), "-");
    play_all(FORTH_AND_BACK);
    cr_expect_str_eq(result(), DRAW "repetition");
}

/* Black takes three moves to come back, White two. */
Test(axiom, the_side_to_move_is_part_of_a_position)
{
    begin_at(two_towers, "repetition=2");
    play_all("S0,0,1U/0,0,1N S9,9,1U/9,9,1N S0,0,1N/0,0,1S S9,9,1N/9,9,1U "
             "S0,0,1S/0,0,1U");
    cr_expect_str_eq(result(), "-");
    cr_expect_str_eq(view(AUDIENCE_PUBLIC),
                     "position=b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1U|w ply=5 "
                     "repeats=1");
}

Test(axiom, equal_pieces_are_interchangeable)
{
    /* Black's two sceptres change places. */
    begin_at("b0,0,1W;b1,0,1E;w9,9,1E|b0,0,1U;b1,0,1U;w9,9,1U|b",
             "repetition=2");
    play_all("S0,0,1U/0,0,1N S9,9,1U/9,9,1N S1,0,1U/0,0,1U S9,9,1N/9,9,1U "
             "S0,0,1N/1,0,1N S9,9,1U/9,9,1N S1,0,1N/1,0,1U");
    cr_expect_str_eq(result(), "-");
    play("S9,9,1N/9,9,1U");
    cr_expect_str_eq(result(), DRAW "repetition");

    /* Two of its cubes do. */
    begin_at("b0,0,1U;b1,0,1E;b1,1,1U;w9,9,1E|b1,0,1U;w9,9,1U|b",
             "repetition=2");
    play_all("C0,0,1/1,-1,1U S9,9,1U/9,9,1N C1,1,1/0,0,1U S9,9,1N/9,9,1S "
             "C1,-1,1/1,1,1U");
    cr_expect_str_eq(result(), "-");
    play("S9,9,1S/9,9,1U");
    cr_expect_str_eq(result(), DRAW "repetition");
}

/* The same place with other domes is another position. */
Test(axiom, domes_are_part_of_a_position)
{
    begin_at("b0,0,1U;b1,0,1E;w9,9,1E|b1,0,1U;w9,9,1U|b", "repetition=2");
    play_all("C0,0,1/1,-1,1U S9,9,1U/9,9,1N C1,-1,1/0,0,1N S9,9,1N/9,9,1U");
    cr_expect_str_eq(result(), "-");
    cr_expect(strstr(view(AUDIENCE_PUBLIC), " repeats=1"));
    play("C0,0,1/1,-1,1U");
    cr_expect_str_eq(result(), DRAW "repetition");
}

Test(axiom, leaving)
{
    static const struct {
        seat_set seats;
        int moves; /* before it */
        const char *result;
    } rows[] = {
        {SEAT(0), 0, WHITE_WINS "forfeit"},
        {SEAT(1), 0, BLACK_WINS "forfeit"},
        {SEAT(0), 1, WHITE_WINS "forfeit"},
        {SEAT(1), 1, BLACK_WINS "forfeit"},
        {SEAT(0) | SEAT(1), 0, DRAW "forfeit"},
        {SEAT(0) | SEAT(1), 1, DRAW "forfeit"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char before[500];

        begin("");
        if (rows[i].moves)
            play("S1,0,2U/0,1,2U");
        lines_reset(&events);
        snprintf(before, sizeof before, "%s", view(AUDIENCE_PUBLIC));
        game_leave(game, state, rows[i].seats, &events);
        cr_expect_eq(events.count, 0);
        cr_expect_str_eq(view(AUDIENCE_PUBLIC), before);
        cr_expect_str_eq(result(), rows[i].result);
    }
}

Test(axiom, two_thousand_moves)
{
    begin_at(two_towers, "repetition=0 maxplies=2000");
    cr_expect_eq(game->max_moves(&setup), 2000);
    for (int i = 0; i < 500; i++) {
        cr_assert_str_eq(result(), "-");
        play_all(FORTH_AND_BACK);
    }
    cr_expect_str_eq(result(), DRAW "maxplies");
    cr_expect_gt(strlen(view(AUDIENCE_REFEREE)),
                 2000 * strlen("S0,0,1U/0,0,1N"));
}

/* The options that have no default. */

Test(axiom, rules_of_2008)
{
    begin("rules=2008");
    cr_expect_eq(count_moves("S"), 9);
    cr_expect_eq(count_moves("C"), 23);
    cr_expect(
        strstr(view(AUDIENCE_REFEREE), " contact=interlock ownpair=loss "));
    begin("rules=1988");
    cr_expect_eq(count_moves("C"), 67);
    begin_at("b0,0,1W;b1,0,1E;w9,9,1E|b0,0,1U;b1,0,1N;w9,9,1U|b", "rules=2008");
    play("S0,0,1U/1,0,1U");
    cr_expect_str_eq(result(), WHITE_WINS "ownpair");
    cr_expect(!set_options("rules=2008 contact=edge"));
    cr_expect(strstr(err.text, "give rules or these"));
    cr_expect(!set_options("rules=1993"));
}

Test(axiom, table_has_an_edge)
{
    begin("table=2");
    cr_expect(is_legal("C0,0,2/2,0,1U"));
    cr_expect_eq(count_moves("C"), 67);
    play("C0,0,2/2,0,1U");
    play("C0,1,2/-2,1,1U");
    cr_expect(!is_legal("C2,0,1/-3,1,1U"));
    cr_expect(strstr(err.text, "-3,1,1 is beyond the edge of the table"));
    cr_expect(strstr(view(AUDIENCE_REFEREE), " maxplies=400 table=2 "));
    cr_expect_eq(count_moves("C2,0,1/-3"), 0);
    begin("");
    play("C0,0,2/2,0,1U");
    play("C0,1,2/-2,1,1U");
    cr_expect(is_legal("C2,0,1/-3,1,1U"));
    cr_expect_gt(count_moves("C2,0,1/-3"), 0);
    cr_expect(!set_options("table=2 start=wall"));
    cr_expect(strstr(err.text, "too small: the first position has a cube"));
    cr_expect(!set_options("table=1"));
    cr_expect(!set_options("table=100"));
    cr_expect(set_options("table=3 start=wall"));
}

Test(axiom, nomove_may_be_a_draw)
{
    const char *shut =
        "w0,-2,1U;b0,0,1W;w3,0,1S;w3,1,1U;w0,2,1U|b0,0,1U;w3,0,1E|w";

    begin_at(shut, "nomove=draw");
    play("C3,1,1/2,0,1U");
    cr_expect_str_eq(result(), DRAW "nomove");
    begin_at(shut, "nomove=loss");
    play("C3,1,1/2,0,1U");
    cr_expect_str_eq(result(), WHITE_WINS "nomove");
}
