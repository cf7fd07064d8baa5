/*
 * Hold every game in the build to the laws, with every number of seats and
 * every mix of built-in option values.
 *
 * LAWS_GAMES is the number of random games per setup, LAWS_SEED where their
 * seeds start: a night can play more games, and others.
 */

#include "laws.h"
#include "setups.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 30, GAMES_FOR_TRAITS = 5, SMALL_GAMES = 300, CASES_MAX = 1000 };

static int from_environment(const char *name, int otherwise)
{
    const char *text = getenv(name);
    int value;

    if (!text)
        return otherwise;
    cr_assert(take_int(&text, 0, INT_MAX, &value) && at_end(text),
              "%s must be a number", name);
    return value;
}

/* Criterion runs each case in its own process: pass numbers, not pointers. */
struct which {
    int game, setup;
};

static struct criterion_test_params every_game(void)
{
    static struct which all[CASES_MAX];
    size_t n = game_count();

    for (size_t g = 0; g < n; g++)
        all[g].game = (int)g;
    return cr_make_param_array(struct which, all, n);
}

static struct criterion_test_params every_setup(void)
{
    static struct which all[CASES_MAX];
    struct named_setup named;
    size_t n = 0;

    for (size_t g = 0; g < game_count(); g++)
        for (int i = 0; i < setups_count(game_at(g)); i++)
            if (n < CASES_MAX && setups_at(game_at(g), i, &named))
                all[n++] = (struct which){(int)g, i};
    cr_assert_lt(n, CASES_MAX);
    return cr_make_param_array(struct which, all, n);
}

ParameterizedTestParameters(laws, hold)
{
    return every_setup();
}

ParameterizedTest(struct which *which, laws, hold)
{
    const struct game *game = game_at((size_t)which->game);
    int games = from_environment("LAWS_GAMES", GAMES);
    int seed = from_environment("LAWS_SEED", 1);
    struct laws_report report = {0};
    struct named_setup named;

    cr_assert(setups_at(game, which->setup, &named));
    for (int i = 0; i < games; i++)
        cr_assert(laws_hold(game, &named.setup, (uint32_t)(seed + i), &report),
                  "%s", report.text);
    cr_log_info("%s: %ld games, %ld moves, %ld texts, %ld redeals", named.name,
                report.games, report.moves, report.texts, report.redeals);
}

/* On a board this small positions repeat, with other pasts. */
Test(laws, hold_where_positions_repeat)
{
    static const char *const texts[] = {"size=2", "superko=situational",
                                        "suicide=yes"};
    const struct game *game = game_find("go");

    for (int i = 1; i <= 3; i++) {
        struct laws_report report = {0};
        struct setup setup = {.seats = 2};
        struct err err;

        for (int k = 0; k < i; k++)
            cr_assert(setup_set(game, &setup, texts[k], &err), "%s", err.text);
        for (uint32_t seed = 0; seed < SMALL_GAMES; seed++)
            cr_assert(laws_hold(game, &setup, seed, &report), "%s",
                      report.text);
        cr_expect_gt(report.seen_again, 1000);
    }
}

ParameterizedTestParameters(laws, were_met)
{
    return every_game();
}

/* What a trait promises need not show in every setup. */
ParameterizedTest(struct which *which, laws, were_met)
{
    const struct game *game = game_at((size_t)which->game);
    struct laws_report report = {0};
    struct named_setup named;

    for (int i = 0; i < setups_count(game); i++) {
        if (!setups_at(game, i, &named))
            continue;
        for (uint32_t seed = 0; seed < GAMES_FOR_TRAITS; seed++)
            cr_assert(laws_hold(game, &named.setup, seed, &report), "%s",
                      report.text);
    }
    cr_assert(laws_were_met(game, &report), "%s", report.text);
}

static bool is_name(const char *text)
{
    return text && *text &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-") ==
               strlen(text);
}

static void check_option(const struct game *game, const struct game_option *o)
{
    struct setup setup = {.seats = game->min_seats};
    char text[200];
    struct err err;

    cr_assert(is_name(o->name));
    cr_expect(o->help && *o->help && is_plain(o->help), "%s needs help",
              o->name);
    cr_expect(o->values || o->check, "%s has no values", o->name);
    cr_expect_eq(o->form != NULL, o->check != NULL,
                 "%s: `form` says what `check` allows", o->name);
    if (o->values && o->preset)
        cr_expect_eq(words_find(o->values, o->preset), 0,
                     "%s: the default comes first", o->name);
    if (!o->preset)
        return;
    snprintf(text, sizeof text, "%s=%s", o->name, o->preset);
    cr_expect(setup_set(game, &setup, text, &err), "%s", err.text);
}

ParameterizedTestParameters(laws, facts)
{
    return every_game();
}

/* The facts in a game's table. */
ParameterizedTest(struct which *which, laws, facts)
{
    const struct game *game = game_at((size_t)which->game);
    int options = 0;

    cr_assert(is_name(game->name));
    cr_expect_eq(game_find(game->name), game, "%s is there twice", game->name);
    cr_expect(game->title && *game->title && is_plain(game->title));
    cr_expect(game->about && *game->about && is_plain(game->about));
    cr_expect(game->notation && *game->notation);
    cr_expect_geq(game->version, 1);
    cr_expect_geq(game->min_seats, 1);
    cr_expect_geq(game->max_seats, game->min_seats);
    cr_expect_leq(game->max_seats, SEATS_MAX);
    cr_expect(words_find(game->events, "play") >= 0, "no move is told");
    cr_expect(words_find(game->reasons, "forfeit") >= 0,
              "a game can end by forfeit");
    for (; game->options && game->options[options].name; options++)
        check_option(game, &game->options[options]);
    cr_expect_leq(options, OPTIONS_MAX);
}
