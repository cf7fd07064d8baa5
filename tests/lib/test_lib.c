/*
 * libreferee from outside: only referee.h, linked with the shared library.
 */

#include "lib/referee.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 16, MOVES_TEXT = 1 << 22, GAMES_EACH = 12 };

static char seed_text[64];

static const char *seed(const char *what, int n)
{
    snprintf(seed_text, sizeof seed_text, "%s %d", what, n);
    return seed_text;
}

/* A game with a listener in every seat and one among the spectators. */
struct table {
    referee_rules *rules;
    referee_state *truth, *world, *other;
    referee_seat *seat[REFEREE_SEATS + 1], *twin[REFEREE_SEATS + 1];
    referee_rng *rng, *worlds, *again;
    int seats;
    int same, asked; /* worlds that are the truth, of all */
    int same_views, views;
};

static void tell_all(struct table *t)
{
    static char text[1 << 20];

    for (int v = 0; v <= t->seats; v++) {
        char *rest = text, *line;

        referee_events(t->truth, v, text, sizeof text);
        while ((line = strtok_r(rest, "\n", &rest)) != NULL) {
            cr_assert(referee_seat_told(t->seat[v], line, NULL));
            cr_assert(referee_seat_told(t->twin[v], line, NULL));
        }
    }
}

static void tell_line(struct table *t, const char *line)
{
    for (int v = 0; v <= t->seats; v++) {
        cr_assert(referee_seat_told(t->seat[v], line, NULL));
        cr_assert(referee_seat_told(t->twin[v], line, NULL));
    }
}

static void open_table(struct table *t, const char *game, int seats, int number)
{
    *t = (struct table){.seats = seats};
    t->rules = referee_rules_new(game, seats, NULL, NULL);
    cr_assert(t->rules);
    t->truth = referee_new(t->rules, seed(game, number));
    t->world = referee_clone(t->truth);
    t->other = referee_clone(t->truth);
    t->rng = referee_rng_new(seed("moves", number));
    t->worlds = referee_rng_new("worlds");
    t->again = referee_rng_new("worlds");
    for (int v = 0; v <= seats; v++) {
        t->seat[v] = referee_seat_new(t->rules, v, "seat", NULL);
        t->twin[v] = referee_seat_new(t->rules, v, "seat", NULL);
    }
    tell_all(t);
}

static void close_table(struct table *t)
{
    for (int v = 0; v <= t->seats; v++) {
        referee_seat_free(t->seat[v]);
        referee_seat_free(t->twin[v]);
    }
    referee_free(t->truth);
    referee_free(t->world);
    referee_free(t->other);
    referee_rng_free(t->rng);
    referee_rng_free(t->worlds);
    referee_rng_free(t->again);
    referee_rules_free(t->rules);
}

static void same_text(const struct table *t, int viewer, int of)
{
    static char a[TEXT], b[TEXT];

    referee_view(t->truth, viewer, a, sizeof a);
    referee_view(t->world, viewer, b, sizeof b);
    cr_assert_str_eq(a, b, "%s: the world of viewer %d",
                     referee_rules_game(t->rules), of);
}

static void same_moves(const struct table *t, int seat)
{
    static char a[MOVES_TEXT], b[MOVES_TEXT];

    referee_move_texts(t->truth, seat, a, sizeof a);
    referee_move_texts(t->world, seat, b, sizeof b);
    cr_assert_str_eq(a, b);
}

/* Nothing the viewer can see tells its world from the truth, and nothing but
 * what it was told goes into it. */
static void check_world(struct table *t, int viewer)
{
    referee_error err;

    cr_assert(referee_seat_world(t->seat[viewer], t->world, t->worlds, &err),
              "%s, viewer %d: %s", referee_rules_game(t->rules), viewer,
              err.text);
    cr_assert(referee_seat_world(t->twin[viewer], t->other, t->again, &err));
    cr_assert_eq(referee_hash(t->world), referee_hash(t->other));
    same_text(t, viewer, viewer);
    same_text(t, 0, viewer);
    cr_assert_eq(referee_to_move(t->truth), referee_to_move(t->world));
    if (viewer > 0)
        same_moves(t, viewer);
    t->asked++;
    t->same += referee_hash(t->world) == referee_hash(t->truth);
}

/* A state made from the view alone looks the same, and plays on. */
static void check_view(struct table *t, int viewer)
{
    static char view[TEXT];
    const char *game = referee_rules_game(t->rules);
    referee_rng *rng = referee_rng_new("views"),
                *again = referee_rng_new("views");
    referee_error err = {""};
    referee_state *made, *twin;

    referee_view(t->truth, viewer, view, sizeof view);
    made = referee_from_view(t->rules, viewer, view, rng, &err);
    cr_assert(made, "%s, viewer %d: %s", game, viewer, err.text);
    twin = referee_from_view(t->rules, viewer, view, again, &err);
    cr_assert_eq(referee_hash(made), referee_hash(twin));
    referee_copy(t->world, made);
    same_text(t, viewer, viewer);
    same_text(t, 0, viewer);
    if (viewer > 0 && referee_to_move(t->truth) >> (viewer - 1) & 1)
        same_moves(t, viewer);
    cr_assert_not(referee_leave(made, referee_to_move(made)));
    cr_assert_leq(referee_playout(made, rng),
                  referee_rules_max_moves(t->rules));
    t->views++;
    t->same_views += referee_hash(t->world) == referee_hash(t->truth);
    referee_free(made);
    referee_free(twin);
    referee_rng_free(rng);
    referee_rng_free(again);
}

/* All seats to move, in seat order, as a match commits them. */
static void play_step(struct table *t)
{
    unsigned owing = referee_to_move(t->truth);

    for (int seat = 1; seat <= t->seats; seat++)
        if (owing >> (seat - 1) & 1) {
            int n = referee_moves(t->truth, seat);

            cr_assert_gt(n, 0);
            cr_assert(referee_apply(
                t->truth, seat, (int)referee_rng_below(t->rng, (uint32_t)n)));
        }
    tell_all(t);
}

/* Now and then one that is to move leaves instead. */
static bool one_leaves(struct table *t, unsigned *gone)
{
    int seat = referee_turn(t->truth);
    char line[40];

    if (t->seats < 3 || *gone >> (seat - 1) & 1 ||
        referee_rng_below(t->rng, 40) > 0)
        return false;
    *gone |= 1u << (seat - 1);
    snprintf(line, sizeof line, "leave %d time", seat);
    tell_line(t, line);
    cr_assert(referee_leave(t->truth, 1u << (seat - 1)));
    tell_all(t);
    return true;
}

static void play_game(struct table *t)
{
    unsigned gone = 0;

    while (referee_to_move(t->truth)) {
        unsigned owing = referee_to_move(t->truth);

        for (int v = 0; v <= t->seats; v++)
            if (v == 0 || owing >> (v - 1) & 1) {
                check_world(t, v);
                check_view(t, v);
            }
        if (!one_leaves(t, &gone))
            play_step(t);
    }
    check_world(t, 0);
}

/* With 400 moves a game, a few of the games will do. */
static int games_of(const char *game)
{
    return referee_game_traits(game) & REFEREE_CHANCE ? GAMES_EACH : 1;
}

Test(lib, a_seat_makes_worlds_from_what_it_is_told)
{
    for (int g = 0; g < referee_games(); g++) {
        const char *game = referee_game_name(g);
        int min, max, same = 0, asked = 0, same_views = 0;

        referee_game_seats(game, &min, &max);
        for (int seats = min; seats <= max; seats++)
            for (int i = 0; i < games_of(game); i++) {
                struct table t;

                open_table(&t, game, seats, i);
                play_game(&t);
                same += t.same;
                same_views += t.same_views;
                asked += t.asked;
                close_table(&t);
            }
        if (referee_game_traits(game) & REFEREE_CHANCE)
            cr_assert_lt(same_views, asked / 4);
        if (referee_game_traits(game) & REFEREE_CHANCE)
            cr_assert_lt(same, asked / 4, "%s: %d of %d worlds are the truth",
                         game, same, asked);
        else
            cr_assert_eq(same, asked);
    }
}

/* The same stream, seed and playouts give the same legal move: a search knows
 * nothing but what its seat was told. */
Test(lib, a_search_depends_on_what_was_told_only)
{
    for (int g = 0; g < referee_games(); g++) {
        struct table t;
        int min, max;

        referee_game_seats(referee_game_name(g), &min, &max);
        open_table(&t, referee_game_name(g), max < 3 ? max : 3, 1);
        for (int i = 0; i < 6 && referee_to_move(t.truth); i++) {
            int seat = referee_turn(t.truth);
            char a[80], b[80];
            referee_error err = {""};

            cr_assert_eq(
                referee_search(t.seat[seat], 10, 0, "s", a, sizeof a, &err),
                referee_moves(t.truth, seat) > 1 ? 10 : 0, "%s", err.text);
            referee_search(t.twin[seat], 10, 0, "s", b, sizeof b, NULL);
            cr_assert_str_eq(a, b);
            cr_assert_geq(referee_find(t.truth, seat, a, &err), 0, "%s",
                          err.text);
            play_step(&t);
        }
        close_table(&t);
    }
}

/* A line that is not a view, or not one of this seat, makes no state. */
Test(lib, refuses_what_is_no_view)
{
    static char good[TEXT], bad[TEXT];
    referee_rng *rng = referee_rng_new("r");

    for (int g = 0; g < referee_games(); g++) {
        const char *game = referee_game_name(g);
        referee_rules *rules = referee_rules_new(game, 2, NULL, NULL);
        referee_state *s = referee_new(rules, "v");
        referee_error err;
        int made = 0, cut;

        for (int i = 0; i < 7; i++)
            referee_apply(s, referee_turn(s), 0);
        referee_view(s, 1, good, sizeof good);
        cr_assert_null(referee_from_view(rules, 1, "", rng, &err));
        cr_assert(strstr(err.text, "looks to viewer 1"));
        cr_assert_null(referee_from_view(rules, 3, good, rng, &err));
        cr_assert_null(referee_from_view(rules, -1, good, rng, NULL));
        referee_view(s, REFEREE_ALL, bad, sizeof bad);
        cr_assert_null(referee_from_view(rules, 1, bad, rng, &err));
        /* Letter by letter another one. What is taken all the same is a view
         * of its own, and can be played in. */
        for (size_t at = 0; good[at]; at++) {
            referee_state *other;

            snprintf(bad, sizeof bad, "%s", good);
            bad[at] = "19.-x,"[at % 6];
            other = referee_from_view(rules, 1, bad, rng, NULL);
            made += other != NULL;
            if (other && at % 8 == 0)
                referee_playout(other, rng);
            referee_free(other);
        }
        cut = (int)strlen(good) - 1;
        cr_assert_lt(made, cut / 2);
        referee_free(s);
        referee_rules_free(rules);
    }
    referee_rng_free(rng);
}

static const char *ask(referee_player *p, const char *line)
{
    return referee_player_answer(p, line);
}

Test(lib, a_player_speaks_the_protocol)
{
    referee_player *p = referee_player_new("me", 4, 0, "seed");

    cr_assert_str_eq(ask(p, "1 protocol_version\n"), "=1 2\n\n");
    cr_assert_str_eq(ask(p, "name"), "= me\n\n");
    cr_assert(strstr(ask(p, "2 list_commands"), "\ndraw\n"));
    cr_assert_eq(*ask(p, "3 genmove 1"), '?');
    cr_assert_eq(*ask(p, "3 new_game chess seats=2 seat=1"), '?');
    cr_assert_str_eq(ask(p, "4 new_game rondo match=m seats=2 seat=1 names=a,b "
                            "board=blue"),
                     "=4\n\n");
    cr_assert_str_eq(ask(p, "5 time_settings fischer 1000 10"), "=5\n\n");
    cr_assert_str_eq(ask(p, "6 draw 1 RP"), "=6\n\n");
    cr_assert_str_eq(ask(p, "7 draw 2 ??"), "=7\n\n");
    cr_assert_str_eq(ask(p, "8 time_left 1 1000"), "=8\n\n");
    cr_assert_eq(*ask(p, "9 genmove 1"), '=');
    cr_assert_eq(*ask(p, "10 nonsense"), '?');
    cr_assert_not(referee_player_quits(p));
    ask(p, "11 quit");
    cr_assert(referee_player_quits(p));
    referee_player_free(p);
}

/* A seat that is told what cannot be says so, and does so until a new game. */
Test(lib, refuses_what_cannot_have_been_told)
{
    static const char *const lies[] = {
        "play 1 nonsense",
        "play 7 pass",
        "play 2 pass",
        "leave 9 time",
        "draw 1 RR",
        "score 1 2 99",
        "",
        "play",
    };
    referee_rules *rules = referee_rules_new("rondo", 2, "board=red", NULL);
    referee_state *state = referee_new(rules, "x");
    referee_rng *rng = referee_rng_new("y");
    referee_seat *seat = referee_seat_new(rules, 1, "z", NULL);
    referee_error err;

    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        referee_seat_again(seat);
        cr_assert(referee_seat_told(seat, "draw 1 RP", &err));
        cr_assert(referee_seat_told(seat, "draw 2 ??", &err));
        cr_assert(referee_seat_world(seat, state, rng, &err));
        cr_assert(referee_seat_told(seat, lies[i], &err));
        cr_assert_not(referee_seat_world(seat, state, rng, &err),
                      "\"%s\" was believed", lies[i]);
        cr_assert_not(referee_seat_world(seat, state, rng, NULL));
    }
    cr_assert_not(referee_seat_told(seat, "play 1 pass\n", &err));
    cr_assert_null(referee_seat_new(rules, 3, "z", &err));
    referee_seat_free(seat);
    referee_rng_free(rng);
    referee_free(state);
    referee_rules_free(rules);
}

static void refuse_rules(const char *game, int seats, const char *options,
                         const char *why)
{
    referee_error err = {""};

    cr_assert_null(referee_rules_new(game, seats, options, &err));
    cr_assert(strstr(err.text, why), "%s", err.text);
}

Test(lib, refuses_bad_rules)
{
    refuse_rules("rondoo", 2, NULL, "did you mean rondo");
    refuse_rules("rondo", 1, NULL, "2 to 4 seats");
    refuse_rules("rondo", 2, "bord=red", "did you mean board");
    refuse_rules("rondo", 2, "board=red board=blue", "twice");
    refuse_rules("rondo", 2, "match=x", "no option");
}

Test(lib, reads_new_game)
{
    int seat;
    referee_error err;
    referee_rules *rules = referee_rules_told(
        "rondo match=m1 seats=3 seat=2 names=a,b,c board=red commit=none",
        &seat, &err);

    cr_assert(rules, "%s", err.text);
    cr_assert_eq(seat, 2);
    cr_assert_eq(referee_rules_seats(rules), 3);
    cr_assert_str_eq(referee_rules_game(rules), "rondo");
    referee_rules_free(rules);
    cr_assert_null(referee_rules_told("rondo seats=2 seat=3", &seat, &err));
    cr_assert_null(referee_rules_told("rondo", &seat, &err));
    cr_assert_null(referee_rules_told("", &seat, NULL));
}

Test(lib, plays_by_number_and_by_text)
{
    referee_rules *rules = referee_rules_new("axio-rota", 2, NULL, NULL);
    referee_state *a = referee_new(rules, "s"), *b = referee_clone(a);
    referee_error err;
    char text[80], deal[1000];
    int ranks[REFEREE_SEATS], scores[REFEREE_SEATS];
    referee_rng *rng = referee_rng_new("r");
    double values[REFEREE_SEATS];

    referee_move_text(a, 1, 5, text, sizeof text);
    cr_assert_eq(referee_find(b, 1, text, &err), 5);
    cr_assert(referee_play(b, 1, text, &err));
    cr_assert_not(referee_apply(a, 2, 0));
    cr_assert_not(referee_apply(a, 1, -1));
    cr_assert_not(referee_apply(a, 1, 1 << 20));
    cr_assert(referee_apply(a, 1, 5));
    cr_assert(referee_same(a, b));
    cr_assert_not(referee_play(a, 2, "99,99,0", &err));
    cr_assert_not(referee_play(a, 0, "0,0,0", &err));
    cr_assert_eq(referee_find(a, 2, "x", &err), -1);
    cr_assert_null(referee_result(a, ranks, scores));
    cr_assert_gt(referee_playout(a, rng), 20);
    cr_assert(referee_result(a, ranks, scores));
    cr_assert(referee_values(a, values));
    cr_assert_float_eq(values[0] + values[1], 1, 1e-9);
    referee_deal(b, deal, sizeof deal);
    referee_free(a);
    a = referee_new_dealt(rules, deal, &err);
    cr_assert(a);
    cr_assert_null(referee_new_dealt(rules, "1,2", &err));
    cr_assert_not(referee_leave(a, 4));
    cr_assert(referee_leave(a, 2));
    cr_assert_not(referee_leave(a, 2));
    cr_assert_str_eq(referee_result(a, ranks, scores), "forfeit");
    referee_rng_free(rng);
    referee_free(a);
    referee_free(b);
    referee_rules_free(rules);
}

Test(lib, batches_give_the_same_on_any_number_of_threads)
{
    enum { N = 200, WIDTH = 64 };
    static uint8_t masks[N * WIDTH];
    referee_state *state[N];
    int32_t counts[N];

    for (int g = 0; g < referee_games(); g++) {
        int min, max;
        double one[REFEREE_SEATS], three[REFEREE_SEATS];
        referee_rules *rules;
        long moves;
        uint64_t hash[2] = {0, 0};

        referee_game_seats(referee_game_name(g), &min, &max);
        rules = referee_rules_new(referee_game_name(g), max, NULL, NULL);
        state[0] = referee_new(rules, "batch");
        moves = referee_batch_playouts(state[0], 1, 70, "p", 1, one);
        cr_assert_eq(moves,
                     referee_batch_playouts(state[0], 1, 70, "p", 3, three));
        cr_assert_arr_eq(one, three, sizeof one);
        referee_free(state[0]);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < N; i++)
                state[i] = referee_new(rules, "batch");
            cr_assert_eq(referee_batch_step(state, N, NULL, "s", 1 + 2 * round),
                         N);
            referee_batch_masks(state, N, masks, WIDTH, counts, 2);
            for (int i = 0; i < N; i++) {
                hash[round] = hash[round] * 31 + referee_hash(state[i]);
                cr_assert_eq(counts[i],
                             referee_moves(state[i], referee_turn(state[i])));
                cr_assert_eq(masks[i * WIDTH], 1);
                referee_free(state[i]);
            }
        }
        cr_assert_eq(hash[0], hash[1]);
        referee_rules_free(rules);
    }
}
