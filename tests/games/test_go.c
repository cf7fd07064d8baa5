/*
 * Go: the rules against numbers that are published and against a plain second
 * version of them; texts, options, views, scores.
 *
 * GO_GAMES is the number of random games that are compared. With GO_COUNT set,
 * the games on 2x2 are counted, too, which takes half a minute.
 */

#include "games/random_game.h"
#include "go_plain.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct game go_game;

static const struct game *const game = &go_game;

/* The table; each test runs in a process of its own. */
static struct setup setup;
static struct state *state;
static struct lines events;
static struct buf text;

/* Options as "size=5 komi=0"; they must be right. */
static void set_options(const char *options)
{
    static char words[1000];
    struct err err;

    setup = (struct setup){.seats = 2};
    snprintf(words, sizeof words, "%s", options);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        cr_assert(setup_set(game, &setup, word, &err), "%s", err.text);
}

static void begin(const char *options)
{
    struct err err;

    set_options(options);
    if (!text.max) {
        buf_init(&text, REFEREE_VIEW_MAX);
        lines_init(&events, EVENTS_MAX);
    }
    cr_assert(game_accepts(game, &setup, &err), "%s", err.text);
    game_free(state);
    lines_reset(&events);
    state = game_new(game, &setup, NULL, &events, &err);
    cr_assert(state, "%s", err.text);
}

static int turn(void)
{
    return game->to_move(state) & SEAT(1) ? 1 : 0;
}

static void play(const char *moves)
{
    char words[4000];
    struct err err;
    struct move move;

    snprintf(words, sizeof words, "%s", moves);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        lines_reset(&events);
        cr_assert(game_parse(game, state, turn(), word, &move, &err), "%s: %s",
                  word, err.text);
        game_apply(game, state, turn(), &move, &events);
    }
}

static void refuses(const char *word, const char *why)
{
    struct err err;
    struct move move;

    cr_assert_not(game_parse(game, state, turn(), word, &move, &err), "%s",
                  word);
    cr_assert(strstr(err.text, why), "%s", err.text);
}

static void told(const char *lines)
{
    buf_reset(&text);
    for (size_t i = 0; i < events.count; i++)
        buf_add(&text, "%s%s", i ? "|" : "", lines_text(&events, i));
    cr_assert_str_eq(text.text, lines);
}

/* One value of the view. */
static void sees(int viewer, const char *key, const char *value)
{
    char pair[2000];

    buf_reset(&text);
    buf_char(&text, ' ');
    game->view(state, viewer, &text);
    buf_char(&text, ' ');
    snprintf(pair, sizeof pair, " %s=%s ", key, value);
    cr_assert(strstr(text.text, pair), "no%sin%s", pair, text.text);
}

static void ends(const char *reason, int black, int white)
{
    struct result result;

    cr_assert_eq(game->to_move(state), 0);
    game_result(game, state, &result);
    cr_assert_str_eq(result.reason, reason);
    cr_assert_eq(result.score[0], black, "Black has %d", result.score[0]);
    cr_assert_eq(result.score[1], white, "White has %d", result.score[1]);
    cr_assert_eq(result.rank[0], black < white ? 2 : 1);
    cr_assert_eq(result.rank[1], white < black ? 2 : 1);
}

/* Stones, chains, captures. */

Test(go, a_stone_in_the_corner_is_captured)
{
    begin("size=3");
    play("A1 A2 C3 B1");
    told("play 2 B1|capture A1");
    sees(0, "board", "..x/o../.o.");
    sees(0, "captured", "0,1");
}

Test(go, two_chains_are_captured_at_once)
{
    begin("size=5");
    play("A2 A1 C2 C1 D1 pass B1");
    told("play 1 B1|capture A1 C1");
    sees(0, "captured", "2,0");
}

Test(go, suicide_is_refused_or_removes_the_chain)
{
    begin("size=3");
    play("A2 pass B1");
    refuses("A1", "A1 is suicide");
    sees(1, "banned", "A1");
    begin("size=3 suicide=yes");
    play("A3 A1 B2 B1 C1");
    sees(1, "banned", "-");
    play("A2");
    told("play 2 A2|capture A1 B1 A2");
    sees(0, "board", "x../.x./..x");
    sees(0, "captured", "3,0");
}

Test(go, words_that_are_no_move_are_refused)
{
    begin("size=9");
    play("j9 PASS D4");
    refuses("D4", "there is already a stone on D4");
    refuses("I5", "from A1 to J9 without column I, not \"I5\"");
    refuses("K1", "from A1 to J9");
    refuses("A0", "from A1 to J9");
    refuses("A10", "from A1 to J9");
    refuses("A1x", "from A1 to J9");
    refuses("passs", "from A1 to J9");
}

Test(go, ko_is_refused_until_the_board_differs)
{
    begin("size=4");
    play("B1 C1 A2 D2 B3 C3 C2 B2");
    told("play 2 B2|capture C2");
    refuses("C2", "C2 is ko: the board would be as it was after move 7");
    sees(0, "banned", "D1,C2");
    play("A4 D4 C2");
    told("play 1 C2|capture B2");
}

/* A board may come back with the other side to move, if that is agreed. */
Test(go, superko_looks_at_the_side_to_move_or_not)
{
    begin("size=2 suicide=yes superko=positional");
    play("A2 pass B1");
    refuses("A1", "A1 is ko: the board would be as it was after move 3");
    begin("size=2 suicide=yes superko=situational");
    play("A2 pass B1 A1");
    told("play 2 A1|capture A1");
}

/* The end and the score. */

Test(go, two_passes_end_and_komi_decides)
{
    begin("size=5 komi=0.5");
    play("pass pass");
    ends("passes", 0, 1);
    begin("size=5 komi=0");
    play("pass pass");
    ends("passes", 0, 0);
    begin("size=5 komi=-3.5");
    play("C3 pass pass");
    ends("passes", 50, -7);
    sees(AUDIENCE_REFEREE, "komi", "-3.5");
}

Test(go, area_is_stones_and_what_only_they_reach)
{
    begin("size=5 komi=7");
    play("B1 D1 B2 D2 B3 D3 B4 D4 B5 D5 pass pass");
    ends("passes", 20, 20 + 14);
    begin("size=5 komi=0");
    play("B1 D1 B2 D2 B3 D3 B4 D4 pass pass");
    ends("passes", 8, 8);
}

Test(go, the_last_move_that_was_agreed_on_ends)
{
    begin("size=5 maxmoves=3 komi=0");
    play("C3 pass C4");
    ends("maxmoves", 50, 0);
}

Test(go, who_leaves_loses)
{
    struct result result;

    begin("size=5");
    play("C3");
    game_leave(game, state, SEAT(1), &events);
    game_result(game, state, &result);
    cr_assert_eq(result.rank[0], 1);
    cr_assert_eq(result.rank[1], 2);
    cr_assert_str_eq(result.reason, "forfeit");
}

/* Options. */

Test(go, usual_handicap_points_are_those_of_gtp)
{
    begin("size=19 handicap=9");
    told("handicap D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
    sees(0, "turn", "2");
    begin("size=19 handicap=5");
    told("handicap D4 Q16 D16 Q4 K10");
    begin("handicap=7");
    told("handicap C3 G7 C7 G3 C5 G5 E5");
    begin("size=8 handicap=4");
    told("handicap C3 F6 C6 F3");
    begin("handicap=e5,A1");
    told("handicap E5 A1");
    play("A2");
    sees(0, "board",
         "........./........./........./........./....x..../........./"
         "........./o......../x........");
}

static void refuses_setup(const char *options, const char *why)
{
    struct err err;

    set_options(options);
    cr_assert_not(game_accepts(game, &setup, &err));
    cr_assert(strstr(err.text, why), "%s", err.text);
}

static void refuses_option(const char *option, const char *why)
{
    struct err err;

    setup = (struct setup){.seats = 2};
    cr_assert_not(setup_set(game, &setup, option, &err), "%s", option);
    cr_assert(strstr(err.text, why), "%s", err.text);
}

Test(go, options_are_checked)
{
    refuses_option("size=1", "a number from 2 to 25, not \"1\"");
    refuses_option("size=26", "a number from 2 to 25");
    refuses_option("komi=7.25", "whole or half points");
    refuses_option("komi=-0", "whole or half points");
    refuses_option("komi=1000", "whole or half points");
    refuses_option("handicap=1", "must be 0, a number from 2 to 9, or points");
    refuses_option("handicap=10", "must be 0, a number from 2 to 9, or points");
    refuses_option("maxmoves=0", "must be auto or a number from 1 to 9999");
    refuses_setup("size=8 handicap=5", "usual points for 4 stones, not 5");
    refuses_setup("size=5 handicap=2", "usual points for 0 stones, not 2");
    refuses_setup("size=5 handicap=A1,A1", "A1 appears twice");
    refuses_setup("size=5 handicap=A1,F1",
                  "\"F1\" does not begin with a point");
    refuses_setup("size=5 handicap=A1;B1", "join points by commas");
    refuses_setup("size=2 handicap=A1,A2,B1,B2", "leave a point");
}

/* Published numbers. */

/* Next stone of a board that is to be laid out, or a pass. */
static const char *next_stone(const char *board, int size, char side,
                              bool *laid, char name[8])
{
    for (int i = 0; i < size * size; i++)
        if (board[i] == side && !laid[i]) {
            laid[i] = true;
            snprintf(name, 8, "%c%d", 'A' + i % size, i / size + 1);
            return name;
        }
    return "pass";
}

/* Can the rules lay out this board, with nothing captured? */
static bool is_legal_board(const char *board, int size)
{
    bool laid[PLAIN_POINTS] = {false};
    int stones = 0;

    for (int i = 0; i < size * size; i++)
        stones += board[i] != '.';
    while (stones > 0) {
        char name[8];
        const char *word =
            next_stone(board, size, turn() ? 'o' : 'x', laid, name);
        struct move move;
        struct err err;

        if (!game_parse(game, state, turn(), word, &move, &err))
            return false;
        lines_reset(&events);
        game_apply(game, state, turn(), &move, &events);
        if (events.count > 1)
            return false;
        stones -= word == name;
    }
    return true;
}

static long count_boards(int size)
{
    char board[PLAIN_POINTS], options[20];
    long boards = 1, legal = 0;

    snprintf(options, sizeof options, "size=%d", size);
    for (int i = 0; i < size * size; i++)
        boards *= 3;
    for (long n = 0; n < boards; n++) {
        long rest = n;

        for (int i = 0; i < size * size; i++) {
            board[i] = ".xo"[rest % 3];
            rest /= 3;
        }
        begin(options);
        legal += is_legal_board(board, size);
    }
    return legal;
}

/* J. Tromp, G. Farnebaeck: Combinatorics of Go (2007). */
Test(go, legal_boards_are_as_many_as_published)
{
    cr_assert_eq(count_boards(2), 57);
    cr_assert_eq(count_boards(3), 12675);
}

/*
 * Which board can follow which, on 2x2, as random games show it. Nothing else
 * is taken from the rules, so a move too many or too few changes the count.
 */
struct graph {
    int node[81]; /* of a board; its three states read as digits */
    int nodes;
    uint64_t next[64]; /* a bit for each node that can follow */
};

static int node_of(struct graph *graph, const struct state *s)
{
    const char *at;
    int code = 0;

    buf_reset(&text);
    game->view(s, AUDIENCE_PUBLIC, &text);
    at = strstr(text.text, "board=");
    cr_assert(at, "%s", text.text);
    for (at += strlen("board="); *at && *at != ' '; at++)
        if (*at != '/')
            code = 3 * code + (*at == 'x') + 2 * (*at == 'o');
    if (graph->node[code] < 0)
        graph->node[code] = graph->nodes++;
    return graph->node[code];
}

static void add_moves(struct graph *graph, struct random_game *random, int seat)
{
    int from = node_of(graph, random->state);

    for (size_t i = 0; i < random->legal.count; i++) {
        struct state *after = game_clone(random->state);
        int to;

        lines_reset(&events);
        game_apply(game, after, seat, &random->legal.move[i], &events);
        to = node_of(graph, after);
        if (to != from) /* no pass */
            graph->next[from] |= UINT64_C(1) << to;
        game_free(after);
    }
}

static void explore(struct graph *graph)
{
    struct random_game random;
    struct move move;
    int seat;

    memset(graph, 0, sizeof *graph);
    memset(graph->node, -1, sizeof graph->node);
    for (int i = 0; i < 20000; i++) {
        uint8_t seed[SEED_BYTES] = {(uint8_t)i, (uint8_t)(i >> 8)};

        begin("size=2");
        random_game_begin(&random, game, &setup, seed);
        while (random_game_pick(&random, &seat, &move)) {
            add_moves(graph, &random, seat);
            random_game_play(&random, seat, &move);
        }
        random_game_end(&random);
    }
}

/* What can still be reached from a node over boards that have not been. */
static uint64_t reachable(const struct graph *graph, int from, uint64_t unseen)
{
    uint64_t reached = 0, edge = graph->next[from] & unseen;

    while (edge) {
        uint64_t beyond = 0;

        reached |= edge;
        for (; edge; edge &= edge - 1)
            beyond |= graph->next[__builtin_ctzll(edge)];
        edge = beyond & unseen & ~reached;
    }
    return reached;
}

/* Numbers that were counted; forgotten when their place is needed. */
enum { COUNTED_BITS = 24 };
static struct counted {
    uint64_t key, games;
} * counted;

/* Games that go on from a node: none of them comes to a board twice. */
static uint64_t count_games(const struct graph *graph, int from,
                            uint64_t unseen)
{
    uint64_t rest = reachable(graph, from, unseen);
    uint64_t key = rest | (uint64_t)from << 57, games = 1;
    struct counted *known =
        &counted[key * 0x9e3779b97f4a7c15 >> (64 - COUNTED_BITS)];

    if (!rest)
        return 1;
    if (known->key == key)
        return known->games;
    for (uint64_t to = graph->next[from] & rest; to; to &= to - 1)
        games += count_games(graph, __builtin_ctzll(to), rest & ~(to & -to));
    *known = (struct counted){key, games};
    return games;
}

/*
 * As above: 386,356,909,593. The eight first moves are the same but for a turn
 * of the board or of the colours, so one of them is enough.
 */
Test(go, games_on_2x2_are_as_many_as_published)
{
    struct graph graph;
    int edges = 0, first;

    explore(&graph);
    cr_assert_eq(graph.nodes, 57);
    for (int i = 0; i < graph.nodes; i++)
        edges += __builtin_popcountll(graph.next[i]);
    cr_assert_eq(edges, 184, "%d moves", edges);
    cr_assert_eq(__builtin_popcountll(graph.next[0]), 8);
    if (!getenv("GO_COUNT"))
        return;
    counted = calloc((size_t)1 << COUNTED_BITS, sizeof *counted);
    cr_assert(counted);
    first = __builtin_ctzll(graph.next[0]);
    cr_assert_eq(
        1 + 8 * count_games(&graph, first,
                            (UINT64_C(1) << 57) - 2 - (UINT64_C(1) << first)),
        386356909593);
    free(counted);
}

/* Best play, by search to the very end; superko makes that finite. */
static int best_for(const struct state *s, int alpha, int beta)
{
    int seat = game->to_move(s) & SEAT(1) ? 1 : 0;
    struct moves moves = {0};
    struct result result;

    if (game->to_move(s) == 0) {
        game_result(game, s, &result);
        return result.score[0] - result.score[1];
    }
    game->list(s, seat, &moves);
    /* From the end of the list: a pass is tried first. */
    for (size_t i = moves.count; i-- > 0 && alpha < beta;) {
        struct state *next = game_clone(s);
        int value;

        lines_reset(&events);
        game_apply(game, next, seat, &moves.move[i], &events);
        value = best_for(next, alpha, beta);
        game_free(next);
        if (seat == 0 && value > alpha)
            alpha = value;
        if (seat == 1 && value < beta)
            beta = value;
    }
    moves_release(&moves);
    return seat == 0 ? alpha : beta;
}

/* J. Tromp: with area rules and superko, Black wins 2x2 by one point. */
Test(go, best_play_on_2x2_is_as_published)
{
    begin("size=2 komi=0 maxmoves=9999");
    cr_assert_eq(best_for(state, -8, 8), 2);
}

/* The plain version. */

static int games_to_compare(void)
{
    const char *words = getenv("GO_GAMES");
    int n = 160;

    if (words)
        cr_assert(take_int(&words, 1, INT_MAX, &n) && at_end(words));
    return n;
}

static int plain_point(const char *word)
{
    int column, row;

    if (strcmp(word, "pass") == 0)
        return PLAIN_PASS;
    column = word[0] - 'A' - (word[0] > 'I');
    row = atoi(word + 1) - 1;
    return row * atoi(setup.option[0]) + column;
}

static void same_board(const struct random_game *random,
                       const struct plain *plain)
{
    char board[2 * PLAIN_POINTS], *at = board;

    for (int row = plain->size - 1; row >= 0; row--) {
        memcpy(at, plain->now + row * plain->size, (size_t)plain->size);
        at += plain->size;
        *at++ = row > 0 ? '/' : '\0';
    }
    buf_reset(&text);
    game->view(random->state, AUDIENCE_PUBLIC, &text);
    cr_assert(strstr(text.text, board), "%s is not in %s", board, text.text);
}

/* Exactly what is legal is listed. */
static void same_moves(const struct random_game *random,
                       const struct plain *plain, int seat)
{
    bool listed[PLAIN_POINTS] = {false};

    for (size_t i = 0; i < random->legal.count; i++) {
        int point;

        buf_reset(&text);
        game->format(random->state, seat, &random->legal.move[i], &text);
        point = plain_point(text.text);
        if (point != PLAIN_PASS)
            listed[point] = true;
    }
    for (int i = 0; i < plain->size * plain->size; i++)
        cr_assert_eq(listed[i], plain_is_legal(plain, i), "point %d", i);
}

static void compare_game(int number, const char *options)
{
    uint8_t seed[SEED_BYTES] = {(uint8_t)number, (uint8_t)(number >> 8),
                                (uint8_t)(number >> 16)};
    static struct plain plain;
    struct result result;
    struct random_game random;
    struct move move;
    int seat;

    begin(options);
    plain_begin(&plain, atoi(setup.option[0]));
    plain.suicide = strstr(options, "suicide=yes");
    plain.situational = strstr(options, "situational");
    random_game_begin(&random, game, &setup, seed);
    while (random_game_pick(&random, &seat, &move)) {
        same_moves(&random, &plain, seat);
        buf_reset(&text);
        game->format(random.state, seat, &move, &text);
        plain_play(&plain, plain_point(text.text));
        random_game_play(&random, seat, &move);
        same_board(&random, &plain);
    }
    game_result(game, random.state, &result);
    cr_assert_eq(result.score[0], 2 * plain_area(&plain, 'x'));
    cr_assert_eq(result.score[1], 2 * plain_area(&plain, 'o') + 15);
    random_game_end(&random);
}

static const char *const variants[] = {
    "size=9",
    "size=9 suicide=yes",
    "size=9 superko=situational",
    "size=9 suicide=yes superko=situational",
    "size=2 suicide=yes superko=situational",
    "size=3",
    "size=3 suicide=yes",
    "size=4 superko=situational",
};

enum { VARIANTS = sizeof variants / sizeof *variants };

Test(go, random_games_are_as_in_the_plain_version)
{
    int games = games_to_compare();

    for (int i = 0; i < games; i++)
        compare_game(i, variants[i % VARIANTS]);
    compare_game(1, "size=19 maxmoves=150");
    compare_game(1, "size=25 maxmoves=60");
}
